package infer

import (
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// An observer that arrives late has seen no token spent: only existing taints show which zones have one.

// leaseless reports whether all Nodes were seen, and no lease: declarations are known, and the silence is not.
func (r *run) leaseless() bool {
	return r.evidence.Counts[model.KindNodeLease] == 0 && r.evidence.Counts[model.KindNode] > 0 && len(r.evidence.Unseen) == 0
}

// withoutLeases is the state for an observer without leases: that of one who arrives at the same time.
func (r *run) withoutLeases(t model.Instant) (*State, error) {
	at := min(t, r.coverage.Latest)
	o := r.given
	o.Mode, o.Until, o.Progress = Causal, model.Instant(0), nil
	arrived, err := arrive(r.input.History, at, o)
	if err != nil {
		return nil, err
	}
	s, err := arrived.at(at)
	if err != nil {
		return nil, err
	}
	s.Arrived, s.Leaseless, s.tokens = true, true, s.tokensOfArrival(at)
	return s, nil
}

// tokensOfArrival are the offsets of the zones' next tokens, if no taint was written since the observer arrived.
func (s *State) tokensOfArrival(arrived model.Instant) map[model.ZoneKey]Offset {
	offsets, youngest := map[model.ZoneKey]Offset{}, s.youngestTaints()
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if z.Rate > 0 {
			offsets[z.Zone] = s.tokenOfArrival(&z, arrived, youngest[z.Zone])
		}
	}
	return offsets
}

// arrivedBefore reports whether the observer arrived too recently to know which zones have a token.
func (r *run) arrivedBefore(t model.Instant, rate float32) bool {
	return r.evidence.KnownStart && rate > 0 && t < r.coverage.Earliest.Add(drive.PerToken(rate))
}

// spentOnNobody bounds the use of a token without a visible taint: back to the arrival if no taint was seen since.
func (r *run) spentOnNobody(zone model.ZoneKey, at model.Instant, rate float32) model.Interval {
	w := r.passes.TickAbout(at)
	if arrived := r.coverage.Earliest; r.evidence.KnownStart && !r.taintedSince(zone, arrived) {
		w.Earliest = min(w.Earliest, max(arrived, at.Add(-drive.PerToken(rate))))
	}
	return w
}

// tokenOfArrival is the offset of a zone's next token. It comes within a token's time of the arrival, and as long after
// the youngest taint, but later if it was burnt.
func (s *State) tokenOfArrival(z *nodelifecycle.ZoneView, arrived model.Instant, youngest model.Interval) Offset {
	since, each := model.FarPast, drive.PerToken(z.Rate)
	next := model.Interval{Earliest: s.At, Latest: max(s.At, arrived.Add(each))}
	if youngest.Known() {
		fills := model.Interval{Earliest: youngest.Earliest.Add(each), Latest: youngest.Latest.Add(each)}
		if both, ok := next.Intersect(fills); ok {
			since, next = fills.Earliest, both
		}
	}
	if burnt := s.mayHaveBurnt(z); burnt.Known() && burnt >= since {
		next.Latest = max(next.Latest, burnt.Add(each))
	}
	told := max(z.NextToken, s.At)
	return Offset{Earlier: min(0, next.Earliest.Sub(told)), Later: max(0, next.Latest.Sub(told))}
}

// mayHaveBurnt is the latest time at which a waiting node's token may have burnt: just after its declaration.
func (s *State) mayHaveBurnt(z *nodelifecycle.ZoneView) (latest model.Instant) {
	for _, name := range z.Waiting {
		if n := s.Cache.Node(name); n != nil && n.Ready() != nil && n.Ready().Transition.Known() {
			latest = max(latest, min(s.At, n.Ready().Transition.Add(time.Second+evidence.LagBound+evidence.SeenWithin)))
		}
	}
	return latest
}

// youngestTaints bounds the last taint of each zone, by the existing taints. A zone whose Ready conditions changed
// since about then has none: its rate and bucket may have changed, and taints been replaced.
func (s *State) youngestTaints() map[model.ZoneKey]model.Interval {
	youngest, changed := map[model.ZoneKey]model.Interval{}, map[model.ZoneKey]model.Instant{}
	for _, row := range s.Cache.All() {
		n := row.Node
		if n == nil {
			continue
		}
		ready := n.Ready()
		if ready != nil {
			changed[n.Zone] = max(changed[n.Zone], ready.Transition)
		}
		for _, t := range n.Taints {
			if t.Effect != model.NoExecute || !t.OfNodeLifecycle() || !t.Added.Known() {
				continue
			}
			at := model.Interval{Earliest: t.Added, Latest: t.Added.Add(time.Second + evidence.LagBound)}
			if is, ok := youngest[n.Zone]; !ok || at.Latest > is.Latest {
				youngest[n.Zone] = at
			}
		}
	}
	for zone, at := range youngest {
		if changed[zone] > at.Earliest.Add(-2*s.Params.NodeMonitorPeriod.Value) {
			delete(youngest, zone)
		}
	}
	return youngest
}
