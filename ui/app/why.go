package app

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// showWhy opens the reasons of the selected item.
func (a *App) showWhy() tea.Cmd {
	subject := a.view().Selected(a.snapshot())
	if subject.Kind == screen.NoSubject {
		return a.say(words.Of("why.nothing-here"))
	}
	return a.openOverlay(overlay{title: func() words.Say { return a.whyTitle(&subject) },
		rows: a.holding(func(width int) []paint.Row { return a.whyRows(&subject, width) }), timed: true, closes: "w"})
}

func (a *App) whyTitle(s *screen.Subject) words.Say {
	code := [...]string{"", "node", "zone", "pod"}[s.Kind]
	if s.Kind == screen.ZoneSubject && !s.Zone.Known {
		code = "unknown-zone"
	}
	return words.Of("why.title."+code, "name", a.painter.Middle(a.painter.Text(s.Name()), max(a.width/3, 8)))
}

// whyRows are the last decision about the subject and its causes, what holds back the next step, and the assumptions.
func (a *App) whyRows(subject *screen.Subject, width int) []paint.Row {
	s, p := a.snapshot(), a.painter
	w := &whyPage{p: p, s: s, subject: subject, width: width - 2}
	j := s.Judged
	if j == nil || j.Result == nil {
		w.standing() // needs no result of the models
		missing := s.Outlook().Missing
		say := words.Text(topics.Unjudged(missing))
		if missing.Pending() {
			w.head(words.Of("why.heading.why"))
			say = words.Of("why.pending", "missing", say)
		}
		w.tell(themes.Warn, say)
		return w.rows
	}
	w.standing()
	w.unled()
	w.because(j)
	w.notYet(j)
	w.coming(w.s.Outlook().Forecast)
	if len(j.Result.Assumptions) > 0 {
		w.head(words.Of("why.heading.assumes"))
		for _, text := range topics.Notes(j.Result.Assumptions) {
			w.say(themes.Dim, w.p.Stamps(text))
		}
	}
	return w.rows
}

// standing adds what Ready does not show: an actor that removes the node, and its problems.
func (w *whyPage) standing() {
	i := w.s.Nodes().Find(w.subject.Node)
	if w.subject.Kind != screen.NodeSubject || i < 0 {
		return
	}
	e := &w.s.Nodes().Entries[i]
	w.whoSays(e.Row)
	if l := e.Leaving; l != nil {
		w.head(words.Of("why.heading.leaving"))
		w.tell(themes.Text, words.Chain(topics.LeavingFull(l), w.since(l.When.Earliest)))
		for _, is := range topics.ActorBecause(l) {
			w.tell(themes.Dim, is)
		}
		if a := topics.ActorAssumes(l); !a.Missing() {
			w.tell(themes.Dim, words.Of("why.assumes", "what", a))
		}
	}
	if n := e.Row.Node; n != nil && n.Unschedulable {
		w.head(words.Of("why.heading.cordoned"))
		w.tell(themes.Text, topics.Cordoned(n, w.s.From()))
	}
	if len(e.Problems) > 0 {
		w.head(words.Of("why.heading.degraded"))
		for i := range e.Problems {
			w.tell(themes.Text, words.Chain(topics.Problem(&e.Problems[i]), w.since(e.Problems[i].Since)))
		}
	}
}

// whoSays is the writer that set a node not Ready, and when: the control plane (Unknown) or its kubelet (False).
func (w *whyPage) whoSays(row *model.NodeRow) {
	switch row.Health() {
	case model.HealthUnknown:
		w.head(words.Of("why.heading.unknown"))
		w.tell(themes.Text, topics.SetUnknown(row, w.s.At))
	case model.HealthNotReady:
		w.head(words.Of("why.heading.not-ready"))
		w.tell(themes.Text, topics.NotReady(row))
		served := 0
		for _, p := range row.Pods() {
			if p.Ready == model.StatusTrue && !p.Deletion.Known() {
				served++
			}
		}
		if served > 0 {
			w.tell(themes.Dim, words.Of("node.still-ready", "n", served))
		}
	}
}

func (w *whyPage) since(t model.Instant) words.Say {
	if !t.Bounded() || t > w.s.At {
		return words.Say{}
	}
	return words.Of("why.since", "at", w.p.DateTime(t), "for", w.s.From().Sub(t))
}

// whyPage gathers the rows of a why.
type whyPage struct {
	p       *paint.Painter
	s       *screen.Snapshot
	subject *screen.Subject
	width   int
	rows    []paint.Row
}

func (w *whyPage) head(text words.Say) {
	if len(w.rows) > 0 {
		w.rows = append(w.rows, paint.Row{})
	}
	w.rows = append(w.rows, w.p.Line(w.width+1).Skip(1).Put(themes.Accent, text.In(w.p)).Row())
}

func (w *whyPage) tell(token themes.Token, text words.Say) { w.say(token, text.In(w.p)) }

func (w *whyPage) say(token themes.Token, text string) {
	w.rows = append(w.rows, w.p.Folded(w.p.Line(w.width).Skip(1), token, text)...)
}

func (w *whyPage) doc(d doc.Doc) { w.put(render.Terminal(d, w.p, w.width)) }

func (w *whyPage) put(rows []paint.Row) {
	for _, r := range rows {
		w.rows = append(w.rows, w.p.Line(w.width+1).Skip(1).Append(r).Row())
	}
}

// telling are the decisions that show a subject's state: those that lead to deletions.
var telling = map[screen.SubjectKind][]model.DecisionKind{
	screen.NodeSubject: {model.MarkUnknown, model.QueueForTaint, model.DequeueFromTaint,
		model.TaintNoExecute, model.SwapNoExecute, model.UntaintNoExecute},
}

// tainting are those that give a node its NoExecute taint.
var tainting = []model.DecisionKind{model.TaintNoExecute, model.SwapNoExecute}

// tainted reports whether the subject is a node with a NoExecute taint of the node-lifecycle controller.
func (w *whyPage) tainted() bool {
	row := w.s.Cluster.Node(w.subject.Node)
	return w.subject.Kind == screen.NodeSubject && row != nil && row.Node != nil && row.Node.TaintedAsNotWell()
}

// leads names the leader, if known, and if its lead started with a restart.
func (w *whyPage) leads(anew model.Instant) words.Say {
	const with = time.Minute // an election takes some seconds, and a first pass comes after it
	for _, l := range w.s.Cluster.Leaders() {
		if l.Name == model.ControllerManager && l.Holder != "" && l.Acquired.Bounded() && anew.Sub(l.Acquired).Abs() < with {
			name, _, _ := strings.Cut(l.Holder, "_") // the rest makes it unique
			return words.Of("why.leads", "name", name, "since", l.Acquired, "transition", int(l.Transitions))
		}
	}
	return words.Say{}
}

// because is the chain of the decision stepped to, if it is about the subject, else of the last one. For a tainted node
// it is the taint, even if the node was queued since.
func (w *whyPage) because(j *outlook.Judgement) {
	w.head(words.Of("why.heading.why"))
	if r := w.s.Outlook().Restart; r != nil {
		w.tell(themes.Text, words.Of("why.restarted", "at", topics.DecisionTime(r.Decision, w.s.From()), "how", screen.Restarted(r), "leads", w.leads(r.Time)))
		w.rows = append(w.rows, paint.Row{})
	}
	about := why.Subject{Pod: w.subject.Pod, Node: w.subject.Node, Zone: w.subject.Zone}
	id, ok := model.DecisionID(0), false
	if d := w.s.Stepped; d != nil && w.concerns(d) {
		id, ok = d.ID, true
	} else {
		about.Kinds = pick(w.tainted(), tainting, telling[w.subject.Kind])
		if id, ok = j.Index.Last(about, w.s.At); !ok {
			about.Kinds = nil
			id, ok = j.Index.Last(about, w.s.At)
		}
	}
	chain, found := j.Index.Why(id)
	if !ok || !found {
		text := words.Of("why.none-since", "at", w.s.At, "since", w.s.Coverage.Earliest)
		if w.s.Coverage.Width() == 0 { // one time was captured
			text = words.Of("why.none-captured", "at", w.s.At)
		}
		w.tell(themes.Dim, text)
		return
	}
	w.doc(topics.Chain(chain, w.s.At, false))
}

// concerns reports whether a decision is about the subject.
func (w *whyPage) concerns(d *model.Decision) bool {
	switch w.subject.Kind {
	case screen.PodSubject:
		return d.Pod == w.subject.Pod
	case screen.NodeSubject:
		return d.Node == w.subject.Node
	}
	return d.Zone == w.subject.Zone
}
