package evidence

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/stall"
)

// A request may wait in an API server that does not answer: its sender stamps the object when it decides, and the API
// server writes it when it answers again.

const (
	// early is how long before a Stall is seen a request may have met it: the last write that was answered came before.
	early = 2 * time.Second
	// transport is how long after it was written the first write after a Stall may be seen.
	transport = 200 * time.Millisecond
)

// AnsweredFrom is from when on the API server takes writes after a Stall.
func AnsweredFrom(v model.Interval) model.Instant { return v.Latest.Add(-transport) }

// findStalls reads the Input for its Stalls.
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

// stalledBefore is when the last Stall before an instant ended; FarPast where there was none.
func (o *observer) stalledBefore(at model.Instant) model.Instant {
	last := model.FarPast
	for _, v := range o.stalls {
		if v.Latest <= at {
			last = v.Latest
		}
	}
	return last
}

// StallAt is the Stall in which an instant lies, or at the end of which what waited is still being written.
func (e *Evidence) StallAt(t model.Instant) (v model.Interval, ok bool) {
	i := slices.IndexFunc(e.Stalls, func(v model.Interval) bool { return v.Earliest <= t && t <= v.Latest.Add(stall.Queued) })
	if i < 0 {
		return v, false
	}
	return e.Stalls[i], true
}

// Stalled says that the API server took no write at some time between two instants, nor shortly before the first.
func (e *Evidence) Stalled(from, to model.Instant) bool {
	return slices.ContainsFunc(e.Stalls, func(v model.Interval) bool { return from <= v.Latest && v.Earliest <= to })
}

// Waits is by when what was decided within a window may have been written, if it waited; unknown where it did not.
func (e *Evidence) Waits(window model.Interval) model.Instant {
	for _, v := range e.Stalls {
		if v.Earliest <= window.Latest.Add(LagBound) && window.Earliest <= v.Latest {
			return v.Latest.Add(stall.Queued)
		}
	}
	return 0
}

// Made is within when a write was decided, or written where nothing tells that it waited.
func (w *Seen) Made() model.Interval {
	if w.Decided.Known() {
		return w.Decided
	}
	return w.Time
}

// Began is within when the pass that made a write began, or the tick, as far as the write tells.
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

// answered is when a write was made that a Change shows, without the Stall before it: nothing was written in that.
func (o *observer) answered(ch *model.Change) model.Interval {
	v := ch.Time
	if ch.Quality == model.ByServer { // from when it was asked for
		return v
	}
	for _, s := range o.stalls {
		if end := AnsweredFrom(s); s.Overlaps(v) && v.Latest >= end {
			v.Earliest = max(v.Earliest, end)
		}
	}
	return v
}

// waited notes when a write was decided that waited: before it was asked for, where the API server says when, or by its
// stamp, to the second.
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
	if n := s.traces[w.Node]; n != nil { // what is heard when the API server answers again comes after it
		w.Beat, w.Posted = n.heardBefore.by(decided.Latest, w.Beat), n.postedBefore.by(decided.Latest, w.Posted)
	}
}

// stampOf is what the object says of when a write of a kind to it was decided; unknown where it says nothing.
func stampOf(w *Seen, ch *model.Change) model.Instant {
	switch {
	case w.Kind == model.MarkUnknown && ch.Node != nil && ch.Node.Ready() != nil:
		return ch.Node.Ready().Transition
	case w.Effect.What == model.WriteTaint && ch.Node != nil:
		if t := TaintOf(ch.Node, &model.Taint{Key: w.Effect.Taint, Effect: w.Effect.On}); t != nil {
			return t.Added
		}
	case w.Kind == model.MarkPodsNotReady && ch.Pod != nil:
		return ch.Pod.ReadySince
	case w.Kind == model.EvictPod && ch.Pod != nil:
		return ch.Pod.Disrupted
	}
	return 0
}

// sign is when the last sign of life was seen before the last Stall.
type sign struct{ before, last model.Instant }

// sees takes in one, with the end of the last Stall.
func (s *sign) sees(at, stalled model.Instant) {
	if s.last < stalled && stalled <= at {
		s.before = s.last
	}
	s.last = at
}

// by is the last that was seen by an instant before the end of the Stall; last is the last of all.
func (s *sign) by(t, last model.Instant) model.Instant {
	if last > t {
		return s.before
	}
	return last
}
