package infer

import (
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
)

// Who arrives late has seen no token being spent: which zones have one is not known, but what the taints that are
// there tell of it.

// leaseless says that all Nodes were seen, and no lease: how long a node has been silent is not known, but who was
// declared Unknown, and tainted, is.
func (r *run) leaseless() bool {
	return r.evidence.Counts[model.KindNodeLease] == 0 && r.evidence.Counts[model.KindNode] > 0 && len(r.evidence.Unseen) == 0
}

// withoutLeases is what somebody can say of what comes who sees Nodes and no leases: as much as one who arrives just then.
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

// tokensOfArrival is how far off the next token of each zone may be for somebody who arrived at an instant, and has
// seen no taint being written since.
func (s *State) tokensOfArrival(arrived model.Instant) map[model.ZoneKey]Offset {
	offsets, youngest := map[model.ZoneKey]Offset{}, s.youngestTaints()
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if z.Rate > 0 {
			offsets[z.Zone] = s.tokenOfArrival(&z, arrived, youngest[z.Zone])
		}
	}
	return offsets
}

// arrivedBefore says that who watches arrived less than the time of a token before an instant: which zones had one then
// is not known yet.
func (r *run) arrivedBefore(t model.Instant, rate float32) bool {
	return r.evidence.KnownStart && rate > 0 && t < r.coverage.Earliest.Add(perToken(rate))
}

// spentOnNobody is within when a token was spent after which no taint was seen. Who has seen none since they arrived
// does not know since when there was one, nor when any after it was spent.
func (r *run) spentOnNobody(zone model.ZoneKey, at model.Instant, rate float32) model.Interval {
	w := r.passes.TickAbout(at)
	if arrived := r.coverage.Earliest; r.evidence.KnownStart && !r.taintedSince(zone, arrived) {
		w.Earliest = min(w.Earliest, max(arrived, at.Add(-perToken(rate))))
	}
	return w
}

// tokenOfArrival is how far off a zone's next token may be: one is there within the time that a token takes, and where
// the youngest taint tells since when the bucket fills, from then; unless that one may have been burnt by now.
func (s *State) tokenOfArrival(z *nodelifecycle.ZoneView, arrived model.Instant, youngest model.Interval) Offset {
	since, each := model.FarPast, perToken(z.Rate)
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

// mayHaveBurnt is until when at the latest a tick may have burnt a token of a zone for a node that waits now: just after
// it was declared, as its stamp tells.
func (s *State) mayHaveBurnt(z *nodelifecycle.ZoneView) (latest model.Instant) {
	for _, name := range z.Waiting {
		if n := s.Cache.Node(name); n != nil && n.Ready() != nil && n.Ready().Transition.Known() {
			latest = max(latest, min(s.At, n.Ready().Transition.Add(time.Second+evidence.LagBound+evidence.SeenWithin)))
		}
	}
	return latest
}

// youngestTaints is within when the node-lifecycle controller last tainted a node of each zone, by the taints that are
// there. Where a node became Ready, or was declared, about then or since, one taint may have taken another's place, and the
// zone may have another rate, and with it another bucket: there is none.
func (s *State) youngestTaints() map[model.ZoneKey]model.Interval {
	youngest, changed := map[model.ZoneKey]model.Interval{}, map[model.ZoneKey]model.Instant{}
	for i := range int32(s.Cache.Rows()) {
		n := s.Cache.Row(i).Node
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
