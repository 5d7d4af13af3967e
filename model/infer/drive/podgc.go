package drive

import (
	"kardia/model"
	"kardia/model/control/podgc"
	"kardia/model/infer/evidence"
)

// cycleAfter is the cycle after one at t: a whole number of periods before the next with a trace, else a period later.
func (p *Plan) cycleAfter(t model.Instant) model.Instant {
	for _, seen := range p.Evidence.Cycles {
		if apart := seen.Sub(t); apart > evidence.OneCycle {
			return seen.Add(-(apart + podgc.Period/2 - 1) / podgc.Period * podgc.Period).Add(podgc.Period)
		}
	}
	return t.Add(podgc.Period)
}

// collect runs a cycle of pod garbage collection. Without an observed cycle it may have run at any time in its period.
func (d *Driver) collect(at model.Instant) {
	d.due = model.FarPast
	d.Cycle = d.plan.cycleAfter(at)
	window := model.Interval{Earliest: at.Add(-podgc.Period), Latest: at.Add(podgc.Period)}
	if len(d.plan.Evidence.Cycles) > 0 {
		window = model.Interval{Earliest: at.Add(-evidence.LagBound), Latest: at.Add(evidence.LagBound)}
	}
	d.record(d.Pods.Cycle(at, d.Cache), window)
}

func (p *Plan) collector() *podgc.Controller {
	c := podgc.New(p.Params)
	c.Gone = func(node string, by model.Instant) bool {
		deleted, ok := p.Evidence.Deleted[node]
		return ok && deleted <= by || p.Evidence.Listed <= by
	}
	return c
}
