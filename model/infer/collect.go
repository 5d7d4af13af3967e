package infer

import (
	"time"

	"kardia/model"
	"kardia/model/control/podgc"
	"kardia/model/infer/phases"
)

// oneCycle is how far apart the deletions of one cycle of pod garbage collection may be.
const oneCycle = 5 * time.Second

// cyclesOf are the cycles that deleted something, by the first deletion of each.
func cyclesOf(writes []seen) (cycles []model.Instant) {
	for i := range writes {
		w := &writes[i]
		if w.Kind != model.CollectPod || w.Time.Width() > oneCycle {
			continue
		}
		if n := len(cycles); n == 0 || w.Time.Earliest.Sub(cycles[n-1]) > oneCycle {
			cycles = append(cycles, w.Time.Earliest)
		}
	}
	return cycles
}

// cycleAfter is the cycle that follows an instant at which one ran: a whole number of periods
// before the next that left a trace, else a period later.
func (r *run) cycleAfter(t model.Instant) model.Instant {
	for _, seen := range r.cycles {
		if apart := seen.Sub(t); apart > oneCycle {
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
	if len(d.r.cycles) > 0 {
		window = model.Interval{Earliest: at.Add(-phases.LagBound), Latest: at.Add(phases.LagBound)}
	}
	out := d.pods.Cycle(at, d.cache)
	kept := out[:0]
	for _, x := range out {
		if x.Rule != model.RuleNodeMissed || d.r.listed || d.r.deleted[x.Node] {
			kept = append(kept, x)
		}
	}
	d.record(kept, window)
}
