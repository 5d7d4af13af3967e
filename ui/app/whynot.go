package app

import (
	"slices"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/outlook"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// notYet is what holds the next step back, at the time that the models have reached.
func (w *whyPage) notYet(j *outlook.Judgement) {
	state := j.State
	title := pick(w.subject.Kind == screen.ZoneSubject, words.Of("why.zone"), words.Of("why.not-yet"))
	if state == nil {
		w.head(title)
		w.tell(themes.Dim, words.Of("why.models-run", "to", w.s.At).If(j.Missing.Reason == "").Or(words.Text(topics.Unjudged(j.Missing))))
		return
	}
	if state.At != w.s.At {
		title = words.Of("why.as-of", "title", title, "at", state.At)
	}
	w.head(title)
	switch w.subject.Kind {
	case screen.PodSubject:
		w.heldPod()
	case screen.NodeSubject:
		w.heldNode()
	case screen.ZoneSubject:
		w.heldZone()
	}
}

// unled reports first that there is, or may be, no leader: the rest waits for one.
func (w *whyPage) unled() {
	switch held, _ := w.s.Outlook().Holding(); {
	case held.Reason == caveat.MaybeNoLeader:
		w.head(words.Of("why.heading.maybe-no-leader"))
		w.tell(themes.Warn, words.Of("why.maybe-no-leader", "for", w.s.From().Sub(held.Since)))
	case held.Reason == caveat.NoLeader && held.Since.Known():
		w.head(words.Of("why.heading.no-leader"))
		w.tell(themes.Warn, words.Of("why.no-leader", "no-leader", words.Of("no-leader"), "since", held.Since))
	}
}

func (w *whyPage) heldPod() {
	held, ok := why.Pod(w.s.Judged.State, w.subject.Pod)
	switch p := w.s.Cluster.Pod(w.subject.Pod); {
	case ok:
		w.held(held)
	case p != nil && p.Deletion.Known():
		w.tell(themes.Dim, words.Of("why.deleted"))
	default:
		w.tell(themes.Dim, w.s.AbsentPod())
	}
}

func (w *whyPage) held(list []why.Held) {
	list = why.Undecided(list, w.s.Judged.Decisions(), w.s.Judged.State.At)
	if len(list) == 0 {
		w.tell(themes.Dim, words.Of("why.write-pending"))
		return
	}
	w.doc(topics.NotYet(list, false))
	for i := range list {
		w.foreseen(&list[i].Decision)
	}
}

// foreseen adds to a held taint that it comes once silent nodes are declared.
func (w *whyPage) foreseen(d *model.Decision) {
	if d.Kind != model.TaintNoExecute || d.Window.Earliest != model.FarFuture {
		return
	}
	if n := w.s.Outlook().Node(d.Node); n != nil && n.Wait != nil && n.Wait.Window.Bounded() {
		w.tell(themes.Predicted, words.Of("why.taint-"+pick(n.Wait.Certain, "within", "possibly"), "window", n.Wait.Window))
	}
}

func (w *whyPage) heldNode() {
	row := w.s.Cluster.Node(w.subject.Node)
	if held := why.NodeForeseen(w.s.Judged.State, w.subject.Node, w.s.Outlook().Silence(row)); len(held) > 0 { // with only the facts known by then
		w.held(held)
		return
	}
	switch {
	case row == nil || row.Gone:
		w.tell(themes.Dim, words.Of("why.no-node"))
	case row.Node == nil:
		w.tell(themes.Dim, words.Of("why.unseen"))
	case !w.known():
		w.tell(themes.Dim, words.Of("why.unknown-yet"))
	default:
		w.tell(themes.Dim, words.Of("why.none-left"))
	}
}

// known reports whether the controller has a record of the node.
func (w *whyPage) known() bool {
	state := w.s.Judged.State
	_, ok := state.Nodes.Node(w.subject.Node, state.Cache)
	return ok
}

// maxComing limits the listed decisions to come.
const maxComing = 12

// coming is the forecast for the subject.
func (w *whyPage) coming(f *forecast.Forecast) {
	if f == nil {
		return
	}
	var about []*forecast.Coming
	for i := range f.Coming {
		c := &f.Coming[i]
		if w.concerns(&c.Decision) || w.subject.Node != "" && slices.Contains(c.Among, w.subject.Node) {
			about = append(about, c)
		}
	}
	n := len(about)
	if n == 0 {
		return
	}
	forecast.InTurn(about, w.s.From())
	var list []*model.Decision
	var doubts []string
	for _, c := range about[:min(n, maxComing)] {
		list, doubts = append(list, &c.Decision), append(doubts, doubt(c).In(w.p))
	}
	w.head(words.Of("why.forecast", "until", f.Until))
	told := screen.DecisionsOf(list, w.s.From(), w.p, w.width)
	for i, d := range list {
		l := w.p.Line(w.width - paint.Width(doubts[i]))
		told.Put(l, d)
		w.put([]paint.Row{w.p.Line(w.width).Append(l.Row()).Put(themes.Dim, doubts[i]).Row()})
	}
	if n > maxComing {
		w.say(themes.Dim, w.p.Glyphs.Ellipsis+" "+words.Of("more", "n", n-maxComing).In(w.p))
	}
}

// doubt reports that a prediction is not certainly the subject's.
func doubt(c *forecast.Coming) words.Say {
	return words.Of("why.one-of", "n", len(c.Among)).If(len(c.Among) > 0).Or(topics.Doubt(c))
}

func (w *whyPage) heldZone() {
	if !w.subject.Zone.Known {
		w.tell(themes.Dim, words.Join(": ", words.Of("zones.no-zone"), words.Of("zones.no-objects")))
		return
	}
	z, ok := why.Zone(w.s.Judged.State, w.subject.Zone.Value)
	if !ok {
		w.tell(themes.Dim, words.Of("why.no-zone-state"))
		return
	}
	w.doc(topics.Zone(&z))
	if is := w.s.Outlook().Zone(w.subject.Zone); is != nil && is.Armed > 0 {
		w.tell(themes.Text, words.Of("zone.countdowns-end"))
	}
}
