package infer

import (
	"kardia/model"
	"kardia/model/control/podgc"
	"kardia/model/infer/evidence"
)

// cycleAfter is the cycle that follows an instant at which one ran: a whole number of periods
// before the next that left a trace, else a period later.
func (r *run) cycleAfter(t model.Instant) model.Instant {
	for _, seen := range r.evidence.Cycles {
		if apart := seen.Sub(t); apart > evidence.OneCycle {
			return seen.Add(-(apart + podgc.Period/2 - 1) / podgc.Period * podgc.Period).Add(podgc.Period)
		}
	}
	return t.Add(podgc.Period)
}

// collect runs a cycle of pod garbage collection. It starts with its controller, and where
// none left a trace it may have run at any time in its period.
func (d *driver) collect(at model.Instant) {
	d.due = model.FarPast
	d.cycle = d.r.cycleAfter(at)
	window := model.Interval{Earliest: at.Add(-podgc.Period), Latest: at.Add(podgc.Period)}
	if len(d.r.evidence.Cycles) > 0 {
		window = model.Interval{Earliest: at.Add(-evidence.LagBound), Latest: at.Add(evidence.LagBound)}
	}
	out := d.pods.Cycle(at, d.cache)
	kept := out[:0]
	for _, x := range out {
		if x.Rule != model.RuleNodeMissed || d.r.evidence.Listed || d.r.evidence.Deleted[x.Node] {
			kept = append(kept, x)
		}
	}
	d.record(kept, window)
}
