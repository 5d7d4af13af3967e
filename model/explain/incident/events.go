package incident

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/explain/removal"
	"kardia/model/explain/review"
	"kardia/model/infer"
	"kardia/model/infer/testimony"
	"kardia/model/past"
)

// EventKind is the kind of an Event; it is the word in JSON.
type EventKind string

const (
	OfBeat    EventKind = "heartbeat"
	OfAct     EventKind = "decision"
	OfWrite   EventKind = "write"
	OfNode    EventKind = "node"
	OfPod     EventKind = "pod"
	OfLeader  EventKind = "leader"
	OfGap     EventKind = "gap"
	OfStall   EventKind = "stall"
	OfClock   EventKind = "clock"
	OfMark    EventKind = "bookmark"
	theRecord           = "record"
	theServer           = "api-server"
)

// Code says what happened.
type Code string

const (
	LeaderChanged Code = "leader"
	NodeDeleted   Code = "node-deleted"
	NodeCreated   Code = "node-created"
	NodeWritten   Code = "node-written"
	PodGone       Code = "pod-gone"
	PodAsked      Code = "pod-asked"
	Differs       Code = "differs"
	HeardLast     Code = "heard-last"
	HeardAgain    Code = "heard-again"
	Decided       Code = "decided"
	DecidedDoubt  Code = "decided-doubted"
	DecidedUnseen Code = "decided-unseen"
	Written       Code = "written"
	Noted         Code = "noted"
	Marked        Code = "marked"
)

// What is a Code with its values. Each code has only some of them.
type What struct {
	Code          Code
	Before, After string          // leaders
	Difference    past.Difference // of two versions of a Node
	Message       string          // a condition's, or a mark's
	Decision      *model.Decision
	Write         *infer.Write
	Anomaly       *review.Anomaly
	Beat          loss.Beat
}

// Event is something that happened to one subject.
type Event struct {
	At     model.Instant
	Window model.Interval
	Kind   EventKind
	// Author is the writer, if shown. For a decision, it is Controller by the models. The last field: it is shown.
	Author
	Controller model.Controller
	Told       bool
	// Subject is a name. For the record and the API server it is a fixed word; a bookmark has none.
	Subject string
	What
	// TimeFrom is the precision of the time: "window" if Window bounds it, else "exact". It is "zone-assumed" on a
	// clock of unknown time zone, "kubelet" on the kubelet's, or else the quality of the Change's time.
	TimeFrom string
}

// OfRecord and OfServer report whether the subject of an event is the record or the API server.
func (e *Event) OfRecord() bool { return e.Subject == theRecord && e.Code == Noted }
func (e *Event) OfServer() bool { return e.Subject == theServer && e.Code == Noted }

// first is 0 for the start of a process, which precedes everything else at its time.
func (e *Event) first() int {
	if e.Decision != nil && e.Decision.Kind == model.ControllerStart {
		return 0
	}
	return 1
}

// ByPerson reports whether a person changed a node, apart from removing a failed node of Removed.
func (x *Incident) ByPerson(e *Event) bool {
	lost := e.Code == NodeDeleted && slices.ContainsFunc(x.Removed, func(r removal.Removal) bool { return r.Node == e.Subject })
	return e.Kind == OfNode && e.Writer == model.WriterPerson && !lost
}

// Author is the writer of a change, as far as the input shows it.
type Author struct {
	Writer model.Writer
	By     *model.Requester
}

func (s *scan) event(ch *model.Change, kind EventKind, subject string, what What) {
	if s.within(ch.Effective()) {
		s.events = append(s.events, Event{At: ch.Effective(), Window: ch.Time, Kind: kind, Author: Author{ch.Writer, ch.Requester}, Told: ch.Writer != model.WriterUnknown,
			Subject: subject, What: what, TimeFrom: ch.Quality.String()})
	}
}

func (s *scan) nodeEvent(ch *model.Change, n *node, what What) {
	if s.about(n.name, n.zone) {
		s.event(ch, OfNode, n.name, what)
	}
}

func (s *scan) podEvent(ch *model.Change, p *pod, what What) {
	if n := s.nodes.Of(p.Node); s.about(n.name, n.zone) {
		s.event(ch, OfPod, p.Key.String(), what)
	}
}

func (x *Incident) aboutNode(name string) bool {
	n := x.scan.nodes.Find(name)
	return n != nil && x.about(name, n.zone) || n == nil && x.about(name, model.Maybe[model.ZoneKey]{})
}

func (x *Incident) events(in *Input) {
	all := x.scan.events
	for _, d := range x.Decided {
		if d.ID == 0 || x.LongAgo(d) {
			continue
		}
		code := Decided
		if x.Doubts(d) {
			code = DecidedDoubt
		}
		all = append(all, x.scan.decided(d, code))
	}
	for _, d := range x.Unseen {
		all = append(all, x.scan.decided(d, DecidedUnseen))
	}
	for _, list := range [...][]infer.Write{x.Result.Writes, x.Result.NotJudged} {
		for i := range list {
			if w := &list[i]; w.Decision == 0 && x.From <= w.Time.Latest && w.Time.Latest <= x.To && x.aboutNode(w.Node) {
				all = append(all, Event{At: w.Time.Latest, Window: w.Time, Kind: OfWrite, Author: Author{w.Writer, w.Requester}, Told: w.Writer != model.WriterUnknown,
					Subject: w.Subject(), What: What{Code: Written, Write: w}, TimeFrom: "window"})
			}
		}
	}
	all = append(append(all, x.beats()...), x.notes(in)...)
	slices.SortStableFunc(all, func(a, b Event) int { return cmp.Or(cmp.Compare(a.At, b.At), a.first()-b.first()) })
	x.Events = all
}

func (s *scan) author(d *model.Decision) Author {
	for _, in := range d.Observed.Evidence {
		if a := s.told[in.Position-1]; in.Position > 0 && a != (Author{}) {
			return a
		}
	}
	return Author{}
}

func (s *scan) decided(d *model.Decision, code Code) Event {
	e := Event{At: d.Time, Window: d.Window, Kind: OfAct, Controller: d.Controller, Subject: d.Subject(), What: What{Code: code, Decision: d}, TimeFrom: "window"}
	if !d.Window.Known() || d.Window.Width() == 0 {
		e.TimeFrom = "exact"
	}
	if d.ZoneAssumed {
		e.TimeFrom = "zone-assumed"
	}
	if d.Basis == model.Observed && d.Observed != nil && code != DecidedUnseen {
		e.Author = s.author(d)
	}
	if d.Basis == model.Observed {
		e.Told = e.Writer != model.WriterUnknown || testimony.ByItsLog(d)
	}
	return e
}

// beats are the starts and ends of silences, by the kubelets' clocks.
func (x *Incident) beats() (list []Event) {
	add := func(beat loss.Beat, s *Silence, code Code) {
		at, from := beat.At(), "kubelet"
		if !at.Bounded() || at < x.given.From || x.given.To.Known() && at > x.given.To {
			return
		}
		if beat.IsOff() {
			from = model.ByArrival.String()
		}
		list = append(list, Event{At: at, Kind: OfBeat, Author: Author{Writer: model.WriterKubelet}, Told: true, Subject: s.Node, What: What{Code: code, Beat: beat}, TimeFrom: from})
	}
	for i := range x.Silences {
		s := &x.Silences[i]
		add(s.Last, s, HeardLast)
		if !s.BackAtLatest {
			add(s.Back, s, HeardAgain)
		}
	}
	return list
}

func (x *Incident) notes(in *Input) (list []Event) {
	found := slices.Concat(review.Find(in.History, nil, nil).List, review.Stalls(x.Result))
	for i := range found {
		a := &found[i]
		if a.At > x.To || a.Window.Latest < x.From {
			continue
		}
		kind, subject := OfGap, theRecord
		switch a.Kind {
		case review.ClockStep:
			kind = OfClock
		case review.Stall:
			kind, subject = OfStall, theServer
		}
		list = append(list, Event{At: a.At, Window: a.Window, Kind: kind, Subject: subject, What: What{Code: Noted, Anomaly: a}, TimeFrom: "window"})
	}
	for _, m := range in.Marks {
		if x.From <= m.At && m.At <= x.To {
			list = append(list, Event{At: m.At, Kind: OfMark, Told: true, What: What{Code: Marked, Message: m.Note}, TimeFrom: "exact"})
		}
	}
	return list
}
