package session

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// maxNews limits the messages that wait to be shown.
const maxNews = 100

// News is what happened since it was asked last.
func (s *Session) News() []Told {
	if s.live == nil {
		return nil
	}
	list := s.live.news.list
	s.live.news.list = nil
	return list
}

func (n *news) tell(at model.Instant, is words.Say) {
	n.list = append(n.list, Told{at, is.String()})
	if len(n.list) > maxNews {
		n.list = n.list[len(n.list)-maxNews:]
	}
}

// noteContact reports that the API server fell silent, and that it is back.
func (s *Session) noteContact() {
	n, c := &s.live.news, s.live.contact
	switch {
	case c.Lost && !n.lost.Known() && c.Last.Known():
		n.lost = c.Last
		n.tell(c.Last, words.Of("news.silent", "why", c.Why))
	case !c.Lost && n.lost.Known():
		n.tell(c.Last, words.Of("news.answers", "for", max(c.Last.Sub(n.lost), 0).Round(time.Second).String()))
		n.lost = 0
	}
}

// after is the part of an interval after earlier ones.
func after(others []model.Interval, v model.Interval) model.Interval {
	if k := len(others); k > 0 {
		v.Earliest = max(v.Earliest, others[k-1].Latest)
	}
	v.Latest = max(v.Latest, v.Earliest)
	return v
}

// ended is the standstill whose end a run up to a time shows; others came before it.
func ended(overdue infer.Overdue, others []model.Interval, found *infer.Result, until model.Instant) (s standstill) {
	s.told = model.Interval{Earliest: overdue.Since, Latest: until}
	for i := range found.Writes {
		if w := found.Writes[i].Time; w.Bounded() && w.Earliest >= overdue.Since {
			s.told.Latest, s.acts = min(w.Latest, until), true
			break
		}
	}
	s.anew = slices.ContainsFunc(found.Restarts, s.told.Overlaps)
	s.held = after(others, model.Interval{Earliest: heldFrom(overdue, found.Writes), Latest: s.told.Latest})
	return s
}

// heldFrom is from when on something overdue holds the models. It is before the first overdue decision can have been
// made, because another run may make it sooner, and after all earlier writes.
func heldFrom(overdue infer.Overdue, writes []infer.Write) model.Instant {
	const moment = time.Second // the possible difference of two runs
	from := overdue.Held
	if len(overdue.Decisions) == 0 {
		return from
	}
	first := overdue.Decisions[0].Window.Earliest
	if !first.Bounded() || first > from || from.Sub(first) > moment {
		return from
	}
	from = first.Add(-1)
	for i := range writes {
		if w := writes[i].Time; w.Bounded() && w.Latest <= overdue.Held {
			from = max(from, w.Latest)
		}
	}
	return from
}

// takeBack reports that a flag given by hand is wrong: with it the controller seemed not to act.
func (n *news) takeBack(r *infer.Result, until model.Instant) {
	if !n.overdue.Known() {
		return
	}
	n.stood, n.overdue = n.stood[:len(n.stood)-1], infer.Overdue{}
	n.tell(until, words.Of("news.acts", "flag", topics.FlagContradicted(&r.Contradicted[0])))
}

// noteController reports that the controller does not act, that it acts again, and that it restarted. The last argument
// is the standstill that has ended, if any.
func (s *Session) noteController(r *infer.Result, until model.Instant, stood *standstill) {
	n := &s.live.news
	tell := func(at model.Instant, code string) {
		n.tell(at, words.Of("news.stood."+code, "from", stood.told.Earliest.Clock(), "to", stood.told.Latest.Clock()))
	}
	if stood != nil && stood.unseen {
		n.stood, n.held = append(n.stood, stood.told), append(n.held, stood.held)
		tell(stood.told.Latest, "unseen")
	}
	if stood != nil && n.overdue.Known() {
		n.overdue = infer.Overdue{}
		n.stood[len(n.stood)-1], n.held = stood.told, append(n.held, stood.held)
		if !stood.acts || stood.anew { // nothing was seen to come late, or it is forgotten
			n.stood = n.stood[:len(n.stood)-1]
		}
		switch {
		case stood.anew:
			tell(stood.told.Latest, "restarted")
		case stood.acts:
			tell(stood.told.Latest, "ended")
		default:
			tell(until, "unneeded")
		}
	}
	switch is := r.Overdue; {
	case is.Known() && !n.overdue.Known():
		d := &is.Decisions[0]
		n.tell(until, words.Of("news.overdue", "omits", topics.Omits(is.Omits()), "kind", d.Kind, "subject", d.Subject(), "at", is.Since.Clock()))
		n.overdue = is
		n.stood = append(n.stood, model.Interval{Earliest: is.Since, Latest: model.FarFuture})
	case is.Known():
		n.overdue.Since, n.overdue.Held = min(n.overdue.Since, is.Since), min(n.overdue.Held, is.Held)
		n.stood[len(n.stood)-1].Earliest = n.overdue.Since
	}
	if more := r.Restarts[min(n.restarts, len(r.Restarts)):]; len(more) > 0 {
		for _, at := range more {
			n.tell(at.Latest, words.Of("news.restarted"))
		}
	}
	n.restarts = max(n.restarts, len(r.Restarts))
}
