package forecast

import (
	"math"
	"slices"
	"time"

	"kardia/model"
)

// taintWindow is when a node gets its next taint.
func (m *merge) taintWindow(stays []*stay) model.Interval { return m.firstOf(stays, m.stayWindow) }

// firstOf is when the first of a node's stays ends in a taint: one that is taken out of the
// queue, and put in again, may get it then.
func (m *merge) firstOf(stays []*stay, window func(*stay) model.Interval) model.Interval {
	w := never
	for _, s := range stays {
		next := window(s)
		w.Earliest = min(w.Earliest, next.Earliest)
		if w.Latest = next.Latest; w.Latest != model.FarFuture {
			break
		}
	}
	return w
}

// stayWindow is when a node that waits may get its taint. Nodes of its zone that may wait at
// the same time, or not, as the phase has it, may go before it or after.
func (m *merge) stayWindow(s *stay) model.Interval {
	if !m.queued {
		return m.stayAlone(s)
	}
	if !s.together.Known() {
		s.together = m.stayTogether(s)
	}
	return s.together
}

func (m *merge) stayTogether(s *stay) model.Interval {
	w := m.stayAlone(s)
	if len(m.runs) == 1 {
		return w
	}
	own := m.queuedWithin(s)
	there := model.Interval{Earliest: own.Earliest.Add(-m.period), Latest: max(own.Latest.Add(m.period), w.Latest)}
	races := false
	for _, o := range m.runs[0].races.zones[s.place] {
		if o.node == s.node {
			continue
		}
		others, alone := m.queuedWithin(o), m.stayAlone(o)
		if others == own || !there.Overlaps(model.Interval{Earliest: others.Earliest, Latest: max(others.Latest, alone.Latest)}) {
			continue
		}
		races = true
		w.Latest = max(w.Latest, alone.Latest)
	}
	if races {
		w.Earliest = min(w.Earliest, m.tokenFrom(s.place, own.Earliest))
	}
	w = m.stirs(s, own, w)
	w.Earliest = max(w.Earliest, own.Earliest)
	return w
}

// queuedWithin is when a stay may begin.
func (m *merge) queuedWithin(s *stay) model.Interval {
	if s.by < 0 {
		return model.Exactly(s.since)
	}
	return m.windows[s.by]
}

// tokenFrom is the earliest instant, not before another, at which a zone may have a token.
func (m *merge) tokenFrom(place model.Place, from model.Instant) model.Instant {
	early, late := m.runs[0].races.given[place], m.runs[1].races.given[place]
	first := model.FarFuture
	for n := range max(len(early), len(late)) {
		var w model.Interval
		switch {
		case n >= len(late):
			w = m.apart(model.Exactly(early[n]), model.Interval{})
		case n >= len(early):
			w = m.apart(model.Exactly(late[n]), model.Interval{})
		default:
			w = m.apart(model.Exactly(early[n]), model.Exactly(late[n]))
		}
		if w = m.padded(w, n+1); w.Latest >= from {
			first = min(first, max(from, w.Earliest))
		}
	}
	return first
}

// stayAlone is stayWindow as far as the two runs tell.
func (m *merge) stayAlone(s *stay) model.Interval {
	if !s.alone.Known() {
		s.alone = m.stayOf(s)
	}
	return s.alone
}

func (m *merge) stayOf(s *stay) model.Interval {
	w := model.Interval{Earliest: s.first, Latest: s.last}
	if len(m.runs) == 1 {
		return w
	}
	o := m.twinStay(s)
	if o == nil {
		w = m.apart(w, model.Interval{})
		w.Latest = model.FarFuture // with the other clock it is never tainted
		return m.padded(w, s.tokens)
	}
	if s.by < 0 {
		return m.padded(m.apart(w, model.Interval{Earliest: o.first, Latest: o.last}), max(s.tokens, o.tokens))
	}
	after := func(end model.Instant, since model.Instant) time.Duration {
		if end == model.FarFuture {
			return math.MaxInt64 // Add makes FarFuture of it
		}
		return end.Sub(since)
	}
	w = m.windows[s.by]
	w.Earliest = w.Earliest.Add(min(after(s.first, s.since), after(o.first, o.since)))
	w.Latest = w.Latest.Add(max(after(s.last, s.since), after(o.last, o.since)))
	return m.padded(w, max(s.tokens, o.tokens))
}

// twinStay is the same stay in the late run.
func (m *merge) twinStay(s *stay) *stay {
	nth := slices.Index(m.runs[0].races.stays[s.node], s)
	if other := m.runs[1].races.stays[s.node]; nth >= 0 && nth < len(other) {
		return other[nth]
	}
	return nil
}
