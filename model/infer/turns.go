package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// nextTurn is when the next turn comes.
func (d *driver) nextTurn() model.Instant {
	if d.turned < len(d.turns) {
		return d.turns[d.turned].At
	}
	return model.FarFuture
}

// turn takes the next one.
func (d *driver) turn() {
	t := &d.turns[d.turned]
	d.turned++
	if t.Stops {
		if d.stopped |= t.Who; t.GoesOn {
			d.stands()
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

// beginEviction is taint eviction that begins again: its memory is empty, and it is shown every node
// there is.
func (d *driver) beginEviction(at model.Instant, within model.Interval) {
	d.taints = tainteviction.New(d.r.o.Params)
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.taints.NodeChanged(at, row.Name, d.cache), within)
		}
	}
}

// behind is whether the tick at an instant reads a node in a cache that is assumed to be behind.
func (d *driver) behind(at model.Instant) func(node string) bool {
	var burns func(string) bool
	for i := range d.r.assumed {
		if a := &d.r.assumed[i]; a.Kind == Burnt && a.At.Contains(at) {
			burns = func(node string) bool { return node == a.Node }
		}
	}
	return burns
}

// beginListening is node-lifecycle that begins again: its workers are shown every node there is.
func (d *driver) beginListening(at model.Instant, within model.Interval) {
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.nodes.NodeEvent(at, row.Name, d.cache, nodelifecycle.Hidden{}), within)
		}
	}
}

// nodeEvent tells node-lifecycle's workers of a node, unless nobody listens.
func (d *driver) nodeEvent(at model.Instant, node string, within model.Interval) {
	if d.stopped&processes.NodeLifecycle == 0 {
		d.record(d.nodes.NodeEvent(at, node, d.cache, nodelifecycle.Hidden{}), within)
	}
}

// course is what is known, and assumed, of the processes.
func (r *run) course() *processes.Course {
	c := &processes.Course{Evidence: r.evidence, Standstills: r.o.Standstills, Grace: r.o.Params.NodeMonitorGracePeriod.Value, Until: r.coverage.Latest}
	for _, a := range r.assumed {
		if a.Kind == Restarted {
			c.Restarts = append(c.Restarts, processes.Restart{Who: a.Who, At: a.At, Stopped: a.Stopped})
		}
	}
	return c
}

// pausedPasses leaves out the passes of a time in which nothing was done.
func (r *run) pausedPasses() {
	for _, v := range r.course().Idle(processes.NodeLifecycle) {
		r.passes = slices.DeleteFunc(r.passes, func(p passes.Pass) bool { return !p.Begins() && p.At >= v.Earliest && p.At < v.Latest })
	}
}
