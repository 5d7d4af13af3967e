package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// A Run over what was known by an instant reads so many of the last Changes before it, or those of
// leastKnown if they are more: what stands there before them is where it begins, as one would who began
// to watch then.
const (
	maxKnown   = 150_000
	leastKnown = 2 * time.Minute
)

// Known is the controllers' state at an instant, found with nothing but what was known by then:
// the same as if the input had ended there.
//
// It reads the History again, and may be called from any goroutine, by one at a time. In a gap in which nobody watches
// anything it holds the state at which the gap began, as its Before.
func (r *Result) Known(t model.Instant) (*State, error) {
	s, err := r.knownAt(t)
	if err != nil || r.run == nil {
		return s, err
	}
	if since := r.run.evidence.Blind(t); since.Known() && since < t {
		s.Before, err = r.run.knownBy(since)
	}
	return s, err
}

func (r *Result) knownAt(t model.Instant) (*State, error) {
	if r.captured != nil && (r.run == nil || !r.captured.recorded.Contains(t)) {
		return r.captured.state(t)
	}
	x := r.run
	if !x.leaseless() && x.o.Mode == Causal && t >= x.evidence.Last {
		return x.known(t)
	}
	return x.knownBy(t)
}

// knownBy is known without what comes after an instant, also where that is only that nobody watches.
func (r *run) knownBy(t model.Instant) (*State, error) {
	if r.leaseless() {
		return r.withoutLeases(t)
	}
	h := r.input.History
	first, end := h.Span()
	if first == end || t >= r.coverage.Latest && r.o.Mode == Causal {
		return r.known(t)
	}
	o := r.given
	o.Mode, o.Until, o.Progress = Causal, min(t, r.coverage.Latest), nil
	view, err := r.lately(upTo{h, o.Until}, h.PageBefore(t).End, o.Until)
	if err != nil {
		return nil, err
	}
	then, err := newRun(view, o)
	if err != nil {
		return nil, err
	}
	return then.known(t)
}

// lately is a History up to a position and an instant; of a long one the last part, and what stood before that as the
// states of the whole History tell it.
func (r *run) lately(h upTo, end int, t model.Instant) (history.History, error) {
	first, _ := h.Span()
	if end-first <= r.knows {
		return h, nil
	}
	return from(h, min(h.PageAt(end-r.knows).First, t.Add(-leastKnown)))
}

// from is a History from an instant on, and what stood before that.
func from(h upTo, t model.Instant) (history.History, error) {
	first, _ := h.Span()
	c := history.NewCursor(h.History)
	if err := c.Seek(t); err != nil || c.Position() == first {
		return h, err
	}
	return lastPart{h, c, t}, nil
}

// lastPart is upTo of which what comes before an instant is known by how it left things.
type lastPart struct {
	upTo
	before *history.Cursor
	from   model.Instant
}

// Span begins after what stood there.
func (l lastPart) Span() (first, end int) {
	_, end = l.upTo.Span()
	return l.before.Position(), end
}

// StateBefore implements history.History.
func (l lastPart) StateBefore(int) (at int) { return l.before.Position() }

// State implements history.History.
func (l lastPart) State(int) (*model.Cluster, int, error) {
	return l.before.State().Clone(), l.before.Position(), nil
}

// Coverage begins with what stood there.
func (l lastPart) Coverage() model.Interval {
	v := l.upTo.Coverage()
	return model.Interval{Earliest: max(v.Earliest, l.from), Latest: v.Latest}
}

// Fork implements history.History.
func (l lastPart) Fork() history.History {
	l.History = l.History.Fork()
	return l
}

// upTo is a History as it stood at an instant. It is read from its start: what is asked for is its end.
type upTo struct {
	history.History
	at model.Instant
}

// StateBefore implements history.History.
func (u upTo) StateBefore(int) (at int) {
	first, _ := u.Span()
	return first
}

// State implements history.History.
func (u upTo) State(int) (*model.Cluster, int, error) { return u.History.State(u.StateBefore(0)) }

// Fork implements history.History.
func (u upTo) Fork() history.History { return upTo{u.History.Fork(), u.at} }

// Coverage ends at the instant.
func (u upTo) Coverage() model.Interval {
	v := u.History.Coverage()
	return model.Interval{Earliest: v.Earliest, Latest: max(v.Earliest, min(v.Latest, u.at))}
}

// Gaps are those that had begun; one that had not ended by the instant ends after it.
func (u upTo) Gaps() []history.Gap {
	gaps := slices.Clone(u.History.Gaps())
	gaps = slices.DeleteFunc(gaps, func(g history.Gap) bool { return g.Earliest >= u.at })
	for i := range gaps {
		gaps[i].Latest = min(gaps[i].Latest, u.at+1)
	}
	return gaps
}

// Sources are described as far as they had come.
func (u upTo) Sources() []history.Source {
	list := slices.Clone(u.History.Sources())
	for i := range list {
		if v := &list[i].Coverage; v.Known() {
			v.Latest = max(v.Earliest, min(v.Latest, u.at))
		}
	}
	return list
}

// beganOf is within which bounds a countdown began. Where models that have not decided what nobody saw come to it by
// another way, it is the one of the same pod that may have begun then.
func (r *run) beganOf(t *tainteviction.Timer) (model.Interval, bool) {
	r.windows()
	if w, ok := r.within[t.Decision]; ok {
		return w, true
	}
	w, ok := r.scheduled[t.Pod]
	return w, ok && w.Contains(t.Started)
}

// windows finds within which bounds countdowns began, and pods were deleted.
func (r *run) windows() {
	if r.within == nil {
		r.within, r.evicted, r.scheduled = map[model.DecisionID]model.Interval{}, map[model.Key]model.Interval{}, map[model.Key]model.Interval{}
		for _, list := range [...][]model.Decision{r.found.Decisions, r.pending.fired} {
			for i := range list {
				switch d := &list[i]; {
				case d.Kind == model.ScheduleEviction:
					r.within[d.ID], r.scheduled[d.Pod] = d.Window, d.Window
				case d.Kind == model.EvictPod && d.Outcome == model.Did:
					r.evicted[d.Pod] = d.Window
				}
			}
		}
	}
}

// tokensAt is how far off the next token of each zone may be from what its bucket says at an
// instant: as far as the taint that took the last one may be, or the pass that changed its rate.
// unjudged is the pass that is not over, or has not come, as in drive.Driver.
func (r *run) tokensAt(s *State, unjudged int) map[model.ZoneKey]Offset {
	last, swapped := map[model.ZoneKey]model.Interval{}, map[model.ZoneKey]bool{}
	for i := range r.found.Decisions {
		d := &r.found.Decisions[i]
		if d.Time > s.At && d.Observed == nil { // the models may run later in its window what was seen by now
			continue
		}
		switch {
		case d.Kind == model.TaintNoExecute: // also one that was spent on nobody
			w := d.Window
			if _, _, rate := s.Nodes.Zone(d.Zone.Value); d.Observed == nil && rate > 0 {
				w.Earliest = min(w.Earliest, r.spentOnNobody(d.Zone.Value, d.Time, rate).Earliest)
			}
			last[d.Zone.Value], swapped[d.Zone.Value] = w, false
		case d.Outcome != model.Did, unjudged > 0 && d.Time >= r.passes[unjudged-1].At:
		case d.Kind == model.SetRate: // a new bucket, which may be empty
			last[d.Zone.Value], swapped[d.Zone.Value] = r.judgedWithin(s, d), true
		}
	}
	offsets, youngest := map[model.ZoneKey]Offset{}, map[model.ZoneKey]model.Interval(nil)
	for zone := range r.pending.Zones { // the token is there, or was spent just now on nobody
		_, _, rate := s.Nodes.Zone(zone)
		offsets[zone] = Offset{Later: perToken(max(rate, 1e-6))}
	}
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if unjudged > 0 && z.NextToken <= s.At && len(z.Waiting) > 0 {
			offsets[z.Zone] = Offset{Later: perToken(z.Rate)} // likewise
		}
		w, ok := last[z.Zone]
		if (!ok || w.Earliest < r.coverage.Earliest) && offsets[z.Zone].Later == 0 && r.arrivedBefore(s.At, z.Rate) {
			if youngest == nil {
				youngest = s.youngestTaints()
			}
			offsets[z.Zone] = s.tokenOfArrival(&z, r.coverage.Earliest, youngest[z.Zone])
			continue
		}
		if !ok && z.Rate > 0 && z.NextToken > s.At { // it was spent on nobody
			w, ok = r.spentOnNobody(z.Zone, z.NextToken.Add(-perToken(z.Rate)), z.Rate), true
		}
		if !ok || offsets[z.Zone].Later > 0 || z.Rate <= 0 || z.NextToken <= s.At && w.Latest.Add(perToken(z.Rate)) <= s.At {
			continue
		}
		if swapped[z.Zone] && z.NextToken <= s.At {
			continue // it was full
		}
		took := z.NextToken.Add(-perToken(z.Rate))
		switch {
		case z.NextToken <= s.At:
		case took < w.Earliest.Add(-evidence.LagBound):
			continue // the bucket was changed since
		case took > w.Latest.Add(evidence.LagBound):
			w = r.spentOnNobody(z.Zone, took, z.Rate)
		}
		off := Offset{min(0, w.Earliest.Sub(took)), max(0, w.Latest.Sub(took))}
		if z.NextToken > s.At && took.Add(evidence.LagBound) >= s.At && !r.taintedSince(z.Zone, took.Add(-evidence.LagBound)) {
			off.Earlier = min(off.Earlier, s.At.Sub(z.NextToken)) // nobody has seen it spent: it may be there
		}
		if burnt, ok := r.mayBeBurnt(&z, z.NextToken.Add(off.Earlier), s.At); ok {
			off.Later = max(off.Later, burnt.Add(perToken(z.Rate)).Sub(z.NextToken))
		}
		offsets[z.Zone] = off
	}
	return offsets
}

// mayBeBurnt is when at the latest a zone's next token, which may have been there since an instant, was spent
// by another on a node that waits: the tick may have read it just before the write reached the cache that declares it
// Unknown. ok is false where that cannot have been.
func (r *run) mayBeBurnt(z *nodelifecycle.ZoneView, since, at model.Instant) (burnt model.Instant, ok bool) {
	for i := range r.evidence.Writes {
		w := &r.evidence.Writes[i]
		if w.Kind != model.MarkUnknown || w.Across || !slices.Contains(z.Waiting, w.Node) {
			continue
		}
		if by := min(w.Time.Latest.Add(evidence.SeenWithin), at); by >= since {
			burnt, ok = max(burnt, by), true
		}
	}
	return burnt, ok
}

// taintedSince says that a taint of a zone's node was seen to be written since an instant.
func (r *run) taintedSince(zone model.ZoneKey, since model.Instant) bool {
	return slices.ContainsFunc(r.evidence.Writes, func(w evidence.Seen) bool {
		return w.Kind == model.TaintNoExecute && w.Time.Latest >= since && w.Zone == model.Some(zone)
	})
}

func perToken(rate float32) time.Duration { return time.Duration(float64(time.Second) / float64(rate)) }

// Evicting says that a pod's countdown has ended by the earliest that it can, and within which
// bounds it ends: its delete may be under way, or still to come. It is not lost before it would be overdue.
func (s *State) Evicting(pod model.Key) (w model.Interval, ok bool) {
	if s.evicting == nil {
		return w, false
	}
	w, ok = s.evicting(pod)
	return w, ok && w.Earliest <= s.At && w.Latest.Add(evidence.LagBound+drive.DeletePatience) > s.At
}

// Collects says within when pod garbage collection deletes the pods of a node whose object went, where no cycle of it left a
// trace: the first cycle that misses the node comes within a period of that, and one that follows the quarantine deletes them.
// Pods of a node that was gone when the watch began may be deleted at any time from then on. ok is false where that is known
// better.
func (s *State) Collects(node string) (w model.Interval, ok bool) {
	if s.gone == nil {
		return w, false
	}
	went, ok := s.gone(node)
	w = model.Interval{Earliest: s.At, Latest: went.Latest.Add(podgc.Quarantine + 2*podgc.Period + evidence.LagBound)}
	if went.Earliest.Bounded() {
		w.Earliest = max(s.At, went.Earliest.Add(podgc.Quarantine))
	}
	return w, ok && s.At <= w.Latest
}

func (r *run) evictingOf(pod model.Key) (model.Interval, bool) {
	r.windows()
	w, ok := r.evicted[pod]
	return w, ok
}

// Offset is how much earlier, and later, something may come.
type Offset struct{ Earlier, Later time.Duration }

// TokenOffset is how far off a zone's next token, and those after it, may be.
func (s *State) TokenOffset(zone model.ZoneKey) Offset { return s.tokens[zone] }

// Began is within which bounds a countdown began; ok is false where the state knows it exactly.
func (s *State) Began(t *tainteviction.Timer) (model.Interval, bool) {
	if s.began == nil {
		return model.Interval{}, false
	}
	return s.began(t)
}

// Ends is within which bounds a countdown that runs ends: as long after it began as it takes.
func (s *State) Ends(t tainteviction.Timer) model.Interval {
	began, ok := s.Began(&t)
	if !ok || !began.Bounded() {
		return model.Exactly(t.FireAt)
	}
	takes := t.FireAt.Sub(t.Started)
	return model.Interval{Earliest: began.Earliest.Add(takes), Latest: began.Latest.Add(takes)}
}
