package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/explain/review"
	"kardia/model/infer/testimony"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// Row is something that happened, to one subject or to several at once.
type Row struct {
	Time   report.Stamp   `json:"time"`
	Window *report.Window `json:"window"`
	// SinceSeconds is since the incident began.
	SinceSeconds report.Seconds `json:"sinceSeconds"`
	// Kind is beat, decision, write, node, pod, leader, gap, stall, clock or mark.
	Kind string `json:"kind"`
	// Actor is who did it; null where the input does not tell. ActorTold says that the source tells who
	// wrote it; else it is the controller that the models say decided it.
	Actor     *string `json:"actor"`
	ActorTold bool    `json:"actorRecorded"`
	// Requester is who sent the request, by an audit log; null where the input does not tell.
	Requester *report.Requester `json:"requester"`
	Subjects  []string          `json:"subjects"`
	What      string            `json:"what"`
	// Basis is how a decision is known, and Rule by which it was made; null of what is none.
	Basis *string `json:"basis"`
	Rule  *string `json:"rule"`
	// TimeFrom is how well the time is known: "window" where Window bounds it, "exact", "zone-assumed" by a clock whose time zone was not known, "kubelet" by that
	// one's clock, or the quality of the Change's time.
	TimeFrom string `json:"timeFrom"`

	at   model.Instant
	last model.Instant // of several, when it happened to the last of them; else unknown
	by   *model.Requester
	rule model.Rule
}

// event is a Row in the making.
type event struct {
	Row
	start bool // that the controllers began anew
}

// first is 0 for what comes before all else of its instant: that a process began, which does the rest.
func (e *event) first() int {
	if e.start {
		return 0
	}
	return 1
}

// author is who wrote something, as far as the input tells.
type author struct {
	writer model.Writer
	by     *model.Requester
}

// known says that the input tells anything.
func (a *author) known() bool { return a.writer != model.WriterUnknown || a.by != nil }

// wrote puts down who wrote, where the input tells.
func (row *Row) wrote(a author) {
	if a.writer != model.WriterUnknown {
		row.Actor, row.ActorTold = text(a.writer.String()), true
	}
	row.by, row.Requester = a.by, report.RequesterOf(a.by)
}

// event notes what is no decision.
func (s *scan) event(ch *model.Change, kind, subject, what string) {
	if !s.within(ch.Effective()) {
		return
	}
	e := event{Row: Row{Time: report.Stamp(ch.Effective()), Window: window(ch.Time), Kind: kind, Subjects: []string{subject}, What: what,
		TimeFrom: ch.Quality.String(), at: ch.Effective()}}
	e.wrote(author{ch.Writer, ch.Requester})
	s.events = append(s.events, e)
}

// about is event for a node.
func (s *scan) about(ch *model.Change, n *nodeTrack, kind, what string) {
	if s.scope.about(n.name, n.zone) {
		s.event(ch, kind, n.name, what)
	}
}

// podEvent is event for a pod.
func (s *scan) podEvent(ch *model.Change, p *podTrack, what string) {
	if n := s.node(p.node); s.scope.about(n.name, n.zone) {
		s.event(ch, "pod", p.key.String(), what)
	}
}

// rows merges all that happened.
func (r *Report) rows(in *Input, scope Scope) []Row {
	all := slices.Clone(r.scan.events)
	for _, d := range r.decided {
		if d.ID == 0 || r.longAgo(d) {
			continue
		}
		e := rowOf(d, r.scan.author(d))
		if r.isDoubted(d) {
			e.What += " (expected by the models, not seen)"
		}
		all = append(all, e)
	}
	for _, d := range r.unseen {
		e := rowOf(d, author{})
		e.What += " (the models expect it; the input would show it, and does not)"
		all = append(all, e)
	}
	writes := slices.Concat(in.Found.Result.Writes, in.Found.Result.NotJudged)
	for i := range writes {
		if w := &writes[i]; w.Decision == 0 && scope.From <= w.Time.Latest && w.Time.Latest <= scope.To && r.scan.aboutNode(w.Node) {
			e := event{Row: Row{Time: report.Stamp(w.Time.Latest), Window: window(w.Time), Kind: "write", Subjects: []string{w.Subject()},
				What: w.Detail + " (no decision explains it: " + w.Unexplained + ")", TimeFrom: "window", at: w.Time.Latest}}
			e.wrote(author{w.Writer, w.Requester})
			all = append(all, e)
		}
	}
	all = append(append(all, r.beats(in.Scope)...), r.notes(in, scope)...)
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), a.first()-b.first()) })
	return r.folded(all)
}

// longAgo says that a decision is that whoever led at the start had begun, which is no part of the incident.
func (r *Report) longAgo(d *model.Decision) bool {
	return !r.captured && d.Kind == model.ControllerStart && d.Basis == model.Reconstructed && d.Time < model.Instant(r.From)
}

// aboutNode is Scope.about for a node that was read.
func (s *scan) aboutNode(name string) bool {
	n := s.nodes[name]
	return n != nil && s.scope.about(name, n.zone) || n == nil && s.scope.about(name, model.Maybe[model.ZoneKey]{})
}

// author is who made the writes that a decision was seen by, as the input tells.
func (s *scan) author(d *model.Decision) author {
	if d.Observed == nil {
		return author{}
	}
	for _, in := range d.Observed.Evidence {
		if a := s.told[in.Position-1]; in.Position > 0 && a.known() {
			return a
		}
	}
	return author{}
}

// rowOf is a decision as a row.
func rowOf(d *model.Decision, a author) event {
	what := topics.What(d)
	if d.Outcome == model.Cancelled && !strings.Contains(what, "cancel") {
		what += " (cancelled)"
	}
	e := event{Row: Row{Time: report.Stamp(d.Time), Window: window(d.Window), Kind: "decision", Subjects: []string{d.Subject()}, What: what,
		Actor: text(d.Controller.String()), Basis: text(d.Basis.String()), Rule: text(d.Rule.String()), rule: d.Rule, TimeFrom: "window", at: d.Time}, start: d.Kind == model.ControllerStart}
	if e.Window == nil {
		e.TimeFrom = "exact"
	}
	if d.ZoneAssumed {
		e.TimeFrom = "zone-assumed"
	}
	if d.Basis == model.Observed {
		e.wrote(a)
		e.ActorTold = e.ActorTold || testimony.ByItsLog(d)
	}
	return e
}

// beats are where silences began and ended, by the kubelets' clocks.
func (r *Report) beats(given Scope) (list []event) {
	add := func(beat loss.Beat, s *Silence, what string) {
		at, from := beat.At(), "kubelet"
		if !at.Bounded() || at < given.From || given.To.Known() && at > given.To {
			return
		}
		if beat.IsOff() {
			what, from = what+"; its clock said "+clock(beat.Says), model.ByArrival.String()
		}
		list = append(list, event{Row: Row{Time: report.Stamp(at), Kind: "beat", Actor: text(model.WriterKubelet.String()), ActorTold: true, Subjects: []string{s.Node},
			What: what, TimeFrom: from, at: at}})
	}
	for i := range r.Silences {
		s := &r.Silences[i]
		add(s.last, s, "heard for the last time ("+s.LastWas+")")
		if !s.BackAtLatest {
			add(s.back, s, "heard again")
		}
	}
	return list
}

// notes are gaps, steps of clocks, stalls of the API server, and what people marked.
func (r *Report) notes(in *Input, scope Scope) (list []event) {
	found := slices.Concat(review.Find(in.History, nil, nil).List, review.Stalls(in.Found.Result))
	for i := range found {
		a := &found[i]
		if a.At > scope.To || a.Window.Latest < scope.From {
			continue
		}
		kind, subject := "gap", "the record"
		switch a.Kind {
		case review.ClockStep:
			kind = "clock"
		case review.Stall:
			kind, subject = "stall", "the API server"
		}
		list = append(list, event{Row: Row{Time: report.Stamp(a.At), Window: window(a.Window), Kind: kind, Subjects: []string{subject},
			What: topics.Anomaly(a).String(), TimeFrom: "window", at: a.At}})
	}
	for _, m := range in.Marks {
		if scope.From <= m.At && m.At <= scope.To {
			list = append(list, event{Row: Row{Time: report.Stamp(m.At), Kind: "mark", Actor: text("its marker"), ActorTold: true, Subjects: []string{}, What: m.Note,
				TimeFrom: "exact", at: m.At}})
		}
	}
	return list
}

// actorWords names who wrote something.
func actorWords(a *author) string {
	switch {
	case a.writer == model.WriterPerson && a.by != nil:
		return a.by.String()
	case a.writer == model.WriterUnknown:
		return "an actor that the input does not name"
	case a.writer == model.WriterPerson:
		return "a person, or a client that is none of the control plane's"
	}
	return a.writer.String()
}

func (r *Report) tellTimeline() chapter {
	c := chapter{title: "Timeline"}
	if len(r.Timeline) == 0 {
		c.say(r.nothing("Nothing to report: only the kubelets wrote anything about nodes."))
		return c
	}
	c.say(fmt.Sprintf("All times are UTC; T+ counts from %s, %s. Within says how well the time is known: “its clock” is the kubelet's own. An actor with a question mark is who decided by the models: the input does not tell who wrote. "+
		"“Person” is any client that is none of the control plane's own. What is inferred leaves no object behind. What was the same of several within a second is one row, from the first to the last.", coarse(r.zero), r.ZeroIs))
	c.blocks = append(c.blocks, block{picture: true})
	days := r.days()
	t := &table{head: []string{"Time", "Within", "T+", "Actor", "Subject", "What", "By rule", "Known as"}}
	var who requesters
	var by rules
	for i := range r.Timeline[:min(len(r.Timeline), most)] {
		row := &r.Timeline[i]
		when := row.when()
		if days && row.at.Bounded() {
			when = row.at.Time().Format("01-02 ") + when
		}
		t.add(when, row.within(), r.relative(row.at), who.named(row), names(row.Subjects, mostNames), row.What, by.named(row), row.knownAs())
	}
	c.put(t)
	if more := len(r.Timeline) - most; more > 0 {
		c.say(fmt.Sprintf("%s more are in the JSON; --from, --to, --node and --zone narrow the report down.", counted(more, "row")))
	}
	by.tell(&c)
	who.tell(&c)
	return c
}

// rules are those by which decisions of a timeline were made, in the order in which they come.
type rules []model.Rule

// named is the rule of a row; empty where it is no decision's.
func (list *rules) named(row *Row) string {
	if row.Rule == nil {
		return ""
	}
	if !slices.Contains(*list, row.rule) {
		*list = append(*list, row.rule)
	}
	return *row.Rule
}

// tell says what they are.
func (list rules) tell(c *chapter) {
	t := &table{head: []string{"Rule", "What it says"}}
	for _, rule := range list {
		t.add(rule.String(), rule.Text())
	}
	c.put(t)
}

// days says that the rows are of several days.
func (r *Report) days() bool {
	first, last := r.Timeline[0].at, r.Timeline[len(r.Timeline)-1].at
	return first.Bounded() && last.Bounded() && first.Time().Format(time.DateOnly) != last.Time().Format(time.DateOnly)
}

// within is how well a time is known, in words.
func (row *Row) within() string {
	if row.TimeFrom == "kubelet" {
		return "its clock"
	}
	if row.TimeFrom == "zone-assumed" {
		return "zone assumed"
	}
	if row.Window == nil {
		return "exact"
	}
	from, to := model.Instant(row.Window.Earliest), model.Instant(row.Window.Latest)
	switch {
	case !from.Bounded() && !to.Bounded():
		return "not known"
	case !from.Bounded():
		return "by then"
	case !to.Bounded():
		return "from then on"
	}
	if d := to.Sub(from); d < time.Second {
		return fmt.Sprintf("%d ms", (d + time.Millisecond - 1).Milliseconds())
	} else {
		return length(d)
	}
}

func (row *Row) actor() string {
	switch {
	case row.Actor == nil:
		return "unknown"
	case row.Kind == "decision" && !row.ActorTold:
		return *row.Actor + "?"
	}
	return *row.Actor
}

// knownAs is how a row is known.
func (row *Row) knownAs() string {
	switch {
	case row.Basis != nil:
		return *row.Basis
	case row.Kind == "mark":
		return "marked"
	case row.Kind == "gap":
		return "nothing known"
	}
	return "observed"
}

// tellNotes is what people marked, each note with when it was; ok is false where there are none.
func (r *Report) tellNotes() (c chapter, ok bool) {
	c.title = "Notes that people made"
	t := &table{head: []string{"Time", "T+", "Note"}}
	for i := range r.Timeline {
		if row := &r.Timeline[i]; row.Kind == "mark" {
			t.add(stamp(row.at), r.relative(row.at), cmp.Or(row.What, "(no words)"))
		}
	}
	c.say("Marks are of a time; when they were made is not known.")
	c.put(t)
	return c, len(t.rows) > 0
}
