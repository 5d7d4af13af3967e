package infer

import (
	"kardia/model"
	"kardia/model/infer/phases"
)

// afterMasterDisruption starts a schedule at the last end of master disruption, if no later restart did (Z14).
func (r *run) afterMasterDisruption(c *phases.Schedule) {
	for i := range r.found.Decisions {
		d := &r.found.Decisions[i]
		if d.Time > c.At {
			break
		}
		if d.Kind == model.ExitMasterDisruption && d.Window.Latest > c.Begun.Latest {
			c.Begun = r.woke(d)
			c.BegunBy = c.Begun.Latest.Add(c.Period + c.Longest)
		}
	}
}

// woke is when the first node became Ready that the previous pass had not seen; without one, the pass itself.
func (r *run) woke(exit *model.Decision) model.Interval {
	before := model.FarPast
	if i := r.passes.Index(exit.Time+1) - 2; i >= 0 && i < len(r.passes) {
		before = r.passes[i].At
	}
	for _, w := range r.evidence.BecameReady {
		if w.Latest > before && w.Earliest <= exit.Window.Latest {
			return w
		}
	}
	return exit.Window
}
