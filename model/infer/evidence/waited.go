package evidence

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/stall"
)

// A request may wait in a stalled API server: the timestamps are of the decision, and the write comes later.

const (
	// early is how long before an observed Stall a request may have met it: the last answered write was earlier.
	early = 2 * time.Second
	// transport is the longest delay from the first write after a Stall to its arrival.
	transport = 200 * time.Millisecond
)

// AnsweredFrom is since when the API server takes writes after a Stall.
func AnsweredFrom(v model.Interval) model.Instant { return v.Latest.Add(-transport) }

func (s *survey) findStalls(in *Input) (err error) {
	var found stall.Finder
	err = in.Pages(in.First, func(page *history.Condensed, from, to int) (bool, error) {
		found.Page(page, from, to, s.until)
		return page.Last <= s.until, nil
	})
	s.Stalls = found.Stalls(in.History)
	s.stalls = s.Stalls
	return err
}

// stalledBefore is the end of the last Stall before a time; else FarPast.
func (o *observer) stalledBefore(at model.Instant) model.Instant {
	last := model.FarPast
	for _, v := range o.stalls {
		if v.Latest <= at {
			last = v.Latest
		}
	}
	return last
}

// StallAt is the Stall at a time, or the one whose waiting writes are still being written then.
func (e *Evidence) StallAt(t model.Instant) (v model.Interval, ok bool) {
	i := slices.IndexFunc(e.Stalls, func(v model.Interval) bool { return v.Earliest <= t && t <= v.Latest.Add(stall.Queued) })
	if i < 0 {
		return v, false
	}
	return e.Stalls[i], true
}

// Stalled reports whether the API server took no write at some time between two times.
func (e *Evidence) Stalled(from, to model.Instant) bool {
	return slices.ContainsFunc(e.Stalls, func(v model.Interval) bool { return from <= v.Latest && v.Earliest <= to })
}

// Waits is the latest time of a write decided within a window, if it waited; unknown if it did not.
func (e *Evidence) Waits(window model.Interval) model.Instant {
	for _, v := range e.Stalls {
		if v.Earliest <= window.Latest.Add(LagBound) && window.Earliest <= v.Latest {
			return v.Latest.Add(stall.Queued)
		}
	}
	return 0
}

// Made bounds the decision of a write, or the write if nothing shows that it waited.
func (w *Seen) Made() model.Interval {
	if w.Decided.Known() {
		return w.Decided
	}
	return w.Time
}

// Began bounds the start of the pass or tick that made a write.
func (w *Seen) Began() model.Interval {
	if w.Decided.Known() {
		return w.Decided
	}
	v := model.Interval{Earliest: w.Time.Earliest.Add(-Reaction), Latest: w.Time.Latest}
	if w.Exact {
		v.Latest = w.Time.Earliest
	}
	return v
}

// answered is the time of the write in a Change, without the Stall before it.
func (o *observer) answered(ch *model.Change) model.Interval {
	v := ch.Time
	if ch.Quality == model.ByServer { // starts at the request
		return v
	}
	for _, s := range o.stalls {
		if end := AnsweredFrom(s); s.Overlaps(v) && v.Latest >= end {
			v.Earliest = max(v.Earliest, end)
		}
	}
	return v
}

// waited dates the decision of a write that waited: by the API server's clock, or by its timestamp, to the second.
func (s *survey) waited(w *Seen, stamp model.Instant) {
	if asked := w.Time.Earliest; w.Exact && w.Time.Width() > LagBound {
		w.Decided = model.Interval{Earliest: asked.Add(-Reaction), Latest: asked}
		return
	}
	v, ok := s.StallAt(w.Time.Earliest)
	decided := model.Interval{Earliest: stamp, Latest: stamp.Add(time.Second)}
	if !ok || !stamp.Bounded() || decided.Latest < v.Earliest.Add(-early) || decided.Latest.Add(LagBound) > min(w.Time.Earliest, v.Latest) {
		return
	}
	w.Decided = decided
	if n := s.traces.Find(w.Node); n != nil { // signs of life at the end of the Stall are later
		w.Beat, w.Posted = n.heardBefore.by(decided.Latest, w.Beat), n.postedBefore.by(decided.Latest, w.Posted)
	}
}

// stampOf is the object's timestamp of a write's decision; unknown if it has none.
func stampOf(w *Seen, ch *model.Change) model.Instant {
	switch {
	case w.Kind == model.MarkUnknown && ch.Node != nil && ch.Node.Ready() != nil:
		return ch.Node.Ready().Transition
	case w.Effect.What == model.WriteTaint && ch.Node != nil:
		if t := ch.Node.Taint(w.Effect.Taint, w.Effect.On); t != nil {
			return t.Added
		}
	case w.Kind == model.MarkPodsNotReady && ch.Pod != nil:
		return ch.Pod.ReadySince
	case w.Kind == model.EvictPod && ch.Pod != nil:
		return ch.Pod.Disrupted
	}
	return 0
}

// sign is a node's last sign of life, and the last before the last Stall.
type sign struct{ before, last model.Instant }

// sees takes in a sign of life, with the end of the last Stall.
func (s *sign) sees(at, stalled model.Instant) {
	if s.last < stalled && stalled <= at {
		s.before = s.last
	}
	s.last = at
}

// by is the sign of life before the Stall if the last one is after t; else last.
func (s *sign) by(t, last model.Instant) model.Instant {
	if last > t {
		return s.before
	}
	return last
}
