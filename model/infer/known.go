package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// Known is the controllers' state at a time by the evidence up to then, as if the input ended there. In a gap of all
// watches, its Before is the state at the start of the gap.
//
// It reads the History again, and may be called from any goroutine, but not concurrently.
func (r *Result) Known(t model.Instant) (s *State, err error) {
	x := r.run
	switch {
	case r.captured != nil && (x == nil || !r.captured.recorded.Contains(t)):
		s, err = r.captured.state(t)
	case !x.leaseless() && x.o.Mode == Causal && t >= x.evidence.Last:
		s, err = x.known(t)
	default:
		s, err = x.knownBy(t)
	}
	if err != nil || x == nil {
		return s, err
	}
	r.heededAt(s)
	if since := x.evidence.Blind(t); since.Known() && since < t {
		s.Before, err = x.knownBy(since)
	}
	return s, err
}

// knownBy is known without later evidence, even the evidence that nothing was watched later.
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
	view, err := r.lately(upTo(h, o.Until), h.PageBefore(t).End, o.Until)
	if err != nil {
		return nil, err
	}
	then, err := newRun(view, o)
	if err != nil {
		return nil, err
	}
	if list := r.knownAssumptions(t); len(list) > 0 {
		if then, err = then.supposing(list, true, false); err != nil {
			return nil, err
		}
	}
	then.concluded = r.concluded
	return then.known(t)
}

// lately is a History up to a position and a time. A long one starts late, from a state of the whole History.
func (r *run) lately(h view, end int, t model.Instant) (history.History, error) {
	first, _ := h.Span()
	if end-first <= r.knows {
		return h, nil
	}
	return h.from(min(h.PageAt(end-r.knows).First, t.Add(-leastKnown)))
}

// windows bounds the starts of countdowns and the deletions of pods.
func (r *run) windows() {
	if r.within == nil {
		r.within, r.evicted, r.scheduled = map[model.DecisionID]model.Interval{}, map[model.Key]model.Interval{}, map[model.Key]model.Interval{}
		for _, list := range [...][]model.Decision{r.found.Decisions, r.pending.fired} {
			for d := range model.Each(list) {
				switch {
				case d.Kind == model.ScheduleEviction:
					r.within[d.ID], r.scheduled[d.Pod] = d.Window, d.Window
				case d.Kind == model.EvictPod && d.Outcome == model.Did:
					r.evicted[d.Pod] = d.Window
				}
			}
		}
	}
}

// tokensAt are the offsets of the zones' next tokens from their buckets. The window of the last taint bounds them, or
// that of the pass that changed the rate. unjudged is the pass that is unfinished or has not come, as in drive.Driver.
func (r *run) tokensAt(s *State, unjudged int) map[model.ZoneKey]Offset {
	last, swapped := map[model.ZoneKey]model.Interval{}, map[model.ZoneKey]bool{}
	for d := range model.Each(r.found.Decisions) {
		if d.Time > s.At && d.Observed == nil { // observed by now; the models may run later in its window
			continue
		}
		switch {
		case d.Kind == model.TaintNoExecute: // also one without a visible taint
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
	for zone := range r.pending.Zones { // the token is there, or was just spent without a visible taint
		_, _, rate := s.Nodes.Zone(zone)
		offsets[zone] = Offset{Later: drive.PerToken(max(rate, 1e-6))}
	}
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if unjudged > 0 && z.NextToken <= s.At && len(z.Waiting) > 0 {
			offsets[z.Zone] = Offset{Later: drive.PerToken(z.Rate)} // likewise
		}
		w, ok := last[z.Zone]
		if (!ok || w.Earliest < r.coverage.Earliest) && offsets[z.Zone].Later == 0 && r.arrivedBefore(s.At, z.Rate) {
			if youngest == nil {
				youngest = s.youngestTaints()
			}
			offsets[z.Zone] = s.tokenOfArrival(&z, r.coverage.Earliest, youngest[z.Zone])
			continue
		}
		if !ok && z.Rate > 0 && z.NextToken > s.At { // spent without a visible taint
			w, ok = r.spentOnNobody(z.Zone, z.NextToken.Add(-drive.PerToken(z.Rate)), z.Rate), true
		}
		if !ok || offsets[z.Zone].Later > 0 || z.Rate <= 0 || z.NextToken <= s.At && w.Latest.Add(drive.PerToken(z.Rate)) <= s.At {
			continue
		}
		if swapped[z.Zone] && z.NextToken <= s.At {
			continue // it was full
		}
		took := z.NextToken.Add(-drive.PerToken(z.Rate))
		switch {
		case z.NextToken <= s.At:
		case took < w.Earliest.Add(-evidence.LagBound):
			continue // the bucket has changed since
		case took > w.Latest.Add(evidence.LagBound):
			w = r.spentOnNobody(z.Zone, took, z.Rate)
		}
		off := Offset{min(0, w.Earliest.Sub(took)), max(0, w.Latest.Sub(took))}
		if z.NextToken > s.At && took.Add(evidence.LagBound) >= s.At && !r.taintedSince(z.Zone, took.Add(-evidence.LagBound)) {
			off.Earlier = min(off.Earlier, s.At.Sub(z.NextToken)) // not seen spent: it may be there
		}
		if burnt, ok := r.mayBeBurnt(&z, z.NextToken.Add(off.Earlier), s.At); ok {
			off.Later = max(off.Later, burnt.Add(drive.PerToken(z.Rate)).Sub(z.NextToken))
		}
		offsets[z.Zone] = off
	}
	return offsets
}

// mayBeBurnt is the latest time at which another tick burnt a zone's token, available since a time. It read a waiting
// node just before the declaration reached the cache. ok is false if that is impossible.
func (r *run) mayBeBurnt(z *nodelifecycle.ZoneView, since, at model.Instant) (burnt model.Instant, ok bool) {
	for w := range model.Each(r.evidence.Writes) {
		if w.Kind != model.MarkUnknown || w.Across || !slices.Contains(z.Waiting, w.Node) {
			continue
		}
		if by := min(w.Time.Latest.Add(evidence.SeenWithin), at); by >= since {
			burnt, ok = max(burnt, by), true
		}
	}
	return burnt, ok
}

// taintedSince reports whether a node of a zone was seen to be tainted since a time.
func (r *run) taintedSince(zone model.ZoneKey, since model.Instant) bool {
	return slices.ContainsFunc(r.evidence.Writes, func(w evidence.Seen) bool {
		return w.Kind == model.TaintNoExecute && w.Time.Latest >= since && w.Zone == model.Some(zone)
	})
}

// Evicting reports whether a pod's countdown may have ended, with its DELETE under way and not overdue yet, and bounds
// the end.
func (s *State) Evicting(pod model.Key) (w model.Interval, ok bool) {
	if s.of == nil {
		return w, false
	}
	s.of.windows()
	w, ok = s.of.evicted[pod]
	return w, ok && w.Earliest <= s.At && w.Latest.Add(evidence.LagBound+drive.DeletePatience) > s.At
}

// Collects bounds the deletion by pod garbage collection of the pods of a removed node, if no cycle left a trace. The
// first cycle that misses the node comes within a period, and one after the quarantine deletes them. Pods of a node
// removed before the watch may be deleted at any time. ok is false if better evidence exists.
func (s *State) Collects(node string) (w model.Interval, ok bool) {
	if s.of == nil {
		return w, false
	}
	went, ok := s.of.wentBy(node, s.Cache, s.At)
	w = model.Interval{Earliest: s.At, Latest: went.Latest.Add(podgc.Quarantine + 2*podgc.Period + evidence.LagBound)}
	if went.Earliest.Bounded() {
		w.Earliest = max(s.At, went.Earliest.Add(podgc.Quarantine))
	}
	return w, ok && s.At <= w.Latest
}

// TokenOffset is the offset of a zone's next token, and of those after it.
func (s *State) TokenOffset(zone model.ZoneKey) Offset { return s.tokens[zone] }

// Began bounds the start of a countdown; ok is false if the state has it exactly. Models that reach it by another way
// use that of the same pod.
func (s *State) Began(t *tainteviction.Timer) (w model.Interval, ok bool) {
	if s.of == nil {
		return w, false
	}
	s.of.windows()
	if w, ok = s.of.within[t.Decision]; ok {
		return w, true
	}
	w, ok = s.of.scheduled[t.Pod]
	return w, ok && w.Contains(t.Started)
}

// Ends bounds the end of a running countdown.
func (s *State) Ends(t tainteviction.Timer) model.Interval {
	began, ok := s.Began(&t)
	if !ok || !began.Bounded() {
		return model.Exactly(t.FireAt)
	}
	takes := t.FireAt.Sub(t.Started)
	return model.Interval{Earliest: began.Earliest.Add(takes), Latest: began.Latest.Add(takes)}
}
