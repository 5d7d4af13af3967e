package session

import (
	"time"

	"kardia/model"
	"kardia/model/timeline"
)

// searchBudget bounds how many Changes a search for the next or previous one reads.
const searchBudget = 5_000_000

// Seek goes to an instant, moved into the coverage, and says whether it had to be moved.
// A live session is held there.
func (s *Session) Seek(t model.Instant) (moved bool) {
	c := s.Coverage()
	if s.cursor == nil || !c.Bounded() {
		return false
	}
	if s.live != nil {
		s.Pause()
		c = s.Coverage()
	}
	to := min(max(t, c.Earliest), c.Latest)
	s.advanced = s.now()
	s.moveTo(to)
	s.touch()
	return to != t
}

// Step goes forwards or backwards by a duration.
func (s *Session) Step(d time.Duration) (moved bool) { return s.Seek(s.at.Add(d)) }

// Home goes to the start of the coverage, End to its end; in a live session End follows.
func (s *Session) Home() { s.Seek(s.Coverage().Earliest) }

// End goes to the end of the coverage; a live session follows again.
func (s *Session) End() {
	if s.live != nil {
		s.Follow()
		return
	}
	s.Seek(s.Coverage().Latest)
}

// Scope says which Changes a search stops at.
type Scope func(*model.Change) bool

// OfFleet stops at everything that is no heartbeat and no pod: node objects, Events,
// leaders, times of blindness.
func OfFleet(ch *model.Change) bool {
	return ch.Kind != model.KindNodeLease && ch.Kind != model.KindPod || ch.Op == model.OpGap
}

// OfNode stops at everything that concerns one node, its heartbeats included.
func OfNode(name string) Scope {
	return func(ch *model.Change) bool { return ch.NodeName() == name || ch.Op == model.OpGap }
}

// Next goes to the next instant at which something in scope changed, and holds there.
// It is false, and nothing moves, if there is none.
func (s *Session) Next(in Scope) bool {
	if s.history == nil {
		return false
	}
	budget := searchBudget
	var found model.Instant
	err := timeline.Walk(s.history, s.at+1, s.Coverage().Latest, func(_ int, ch *model.Change) bool {
		if in(ch) {
			found = ch.Effective()
		}
		budget--
		return !found.Known() && budget > 0
	})
	return s.land(found, err)
}

// Previous goes to the last instant before this one at which something in scope changed.
func (s *Session) Previous(in Scope) bool {
	if s.history == nil {
		return false
	}
	found, err := before(s.history, s.at, s.Coverage().Earliest, in)
	return s.land(found, err)
}

// before searches backwards in [earliest, at).
func before(h timeline.History, at, earliest model.Instant, in Scope) (model.Instant, error) {
	first, end := h.Span()
	if first == end {
		return 0, nil
	}
	for page, budget := h.PageBefore(at-1), searchBudget; ; page = h.PageAt(page.Start - 1) {
		changes, err := h.Read(page)
		if err != nil {
			return 0, err
		}
		for i := len(changes) - 1; i >= 0; i-- {
			t := changes[i].Effective()
			if t < earliest {
				return 0, nil
			}
			if t < at && in(&changes[i]) {
				return t, nil
			}
		}
		if budget -= len(changes); page.Start <= first || budget <= 0 {
			return 0, nil
		}
	}
}

// land goes to what a search has found.
func (s *Session) land(found model.Instant, err error) bool {
	if err != nil {
		s.err = err
		s.touch()
		return false
	}
	if !found.Known() {
		return false
	}
	s.Pause()
	s.Seek(found)
	return true
}
