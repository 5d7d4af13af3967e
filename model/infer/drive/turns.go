package drive

import (
	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/processes"
)

func (d *Driver) nextTurn() model.Instant {
	if d.turned < len(d.turns) {
		return d.turns[d.turned].At
	}
	return model.FarFuture
}

func (d *Driver) turn() {
	t := &d.turns[d.turned]
	d.turned++
	if t.Stops {
		d.stopped |= t.Who
		switch {
		case t.GoesOn:
			d.stands()
		case t.Dies:
			d.open = newOpenEffects(0)
		}
		return
	}
	d.stopped &^= t.Who
	if t.GoesOn {
		d.goOn(t.At, t.Within)
		return
	}
	d.beginEviction(t.At, t.Within)
}

// beginEviction restarts taint eviction: it starts without memory.
func (d *Driver) beginEviction(at model.Instant, within model.Interval) {
	d.Taints = tainteviction.New(d.plan.FlagsAt(at))
	d.evaluateAll(at, within)
}

// evaluateAll gives every node to taint eviction.
func (d *Driver) evaluateAll(at model.Instant, within model.Interval) {
	for row := range d.Cache.Nodes() {
		d.record(d.Taints.NodeChanged(at, row.Name, d.Cache), within)
	}
}

// behind is the assumption of a stale cache for the tick at a time; nil for none.
func (d *Driver) behind(at model.Instant) func(node string) bool {
	var burns func(string) bool
	for _, a := range d.plan.Course.Assumed {
		if a.Kind == processes.Burnt && a.At.Contains(at) {
			burns = func(node string) bool { return node == a.Node }
		}
	}
	return burns
}

// beginListening gives every node to the workers of a restarted node-lifecycle controller.
func (d *Driver) beginListening(at model.Instant, within model.Interval) {
	for row := range d.Cache.Nodes() {
		d.record(d.Nodes.NodeEvent(at, row.Name, d.Cache, nodelifecycle.Hidden{}), within)
	}
}

func (d *Driver) nodeEvent(at model.Instant, node string, within model.Interval) {
	if d.stopped&processes.NodeLifecycle == 0 {
		d.record(d.Nodes.NodeEvent(at, node, d.Cache, nodelifecycle.Hidden{}), within)
	}
}
