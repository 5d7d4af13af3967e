package infer

import (
	"time"

	"kardia/model"
)

// goingOn is how long before the first write that is seen of it a process goes on at most.
const goingOn = time.Second

// wentOn is within which the controllers went on that had stood still.
func wentOn(stood model.Interval) model.Interval {
	return model.Interval{Earliest: max(stood.Earliest, stood.Latest.Add(-goingOn)), Latest: stood.Latest}
}

// goOn is controllers that had stood still: they remember all, have the changes before them that came
// meanwhile, and do at once what was due.
func (d *driver) goOn(at model.Instant, within model.Interval) {
	d.wentOn = within
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.taints.NodeChanged(at, row.Name, d.cache), within)
		}
	}
	d.beginListening(at, within)
}

// idleSince is when a write was last seen of controllers before they were seen to stand still: since then
// they may have. FarPast where none was.
func (r *run) idleSince(stood model.Interval) model.Instant {
	last := model.FarPast
	for i := range r.out {
		if w := &r.out[i]; !w.across && w.Time.Latest < stood.Earliest {
			last = max(last, w.Time.Latest)
		}
	}
	return last
}

// stoodBefore is the last standstill that had ended by an instant, and less than a grace period before it.
func (r *run) stoodBefore(t model.Instant) (stood model.Interval, ok bool) {
	for _, v := range r.o.Stood {
		if t >= wentOn(v).Earliest && t <= v.Latest.Add(r.o.Params.NodeMonitorGracePeriod.Value) {
			stood, ok = v, true
		}
	}
	return stood, ok
}

// lateCount says which nodes' last heartbeats a pass may have counted only when the controllers went on:
// nobody knows since when they had stood still. They are not declared before a grace period later, but
// those that are seen to be. nil where there are none.
func (d *driver) lateCount(p pass) func(node string, renewed model.Instant) bool {
	stood, ok := d.r.stoodBefore(p.at)
	if !ok {
		return nil
	}
	since, marked := d.r.idleSince(stood), map[string]bool{}
	for i := d.next; i < len(d.r.out) && d.r.out[i].soonest <= p.Latest.Add(lagBound); i++ {
		if w := &d.r.out[i]; w.Kind == model.MarkUnknown && w.Time.Earliest <= p.Latest.Add(lagBound) {
			marked[w.Node] = true
		}
	}
	return func(node string, renewed model.Instant) bool {
		return renewed >= since.Add(-d.r.o.Params.NodeMonitorPeriod.Value) && renewed <= stood.Latest && !marked[node]
	}
}
