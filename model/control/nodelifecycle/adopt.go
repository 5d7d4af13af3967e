package nodelifecycle

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// Adopt turns a new controller into one that has been running for long, for an observation that starts in the middle.
// Nodes with their NoExecute taint count as served.
//
// It does nothing during master disruption, or if a node waits longer than its zone's tokens explain, which is a sign
// of one before. Master disruption empties the queues: a node that a tick tainted in that pass waits for another token.
func (c *Controller) Adopt(at model.Instant, view *informer.Cache) {
	if in, _ := c.MasterDisruption(); in || c.heldBack(at, view) {
		return
	}
	for i := range c.zones {
		q := &c.zones[i].queue
		for k := range q.entries {
			e := &q.entries[k]
			if node := view.Row(e.row).Node; e.waiting && node != nil && noExecuteTaints(node) != (pair{}) {
				q.finish(e.row)
			}
		}
	}
	for row := range int32(view.Rows()) { // also one that was queued in a pass that was not modelled
		if node := view.Row(row).Node; node != nil && noExecuteTaints(node) != (pair{}) {
			if i, ok := c.byZone[node.Zone]; ok {
				c.zones[i].queue.served(row)
			}
		}
	}
}

// heldBack reports whether a node has waited longer than the tokens of its zone explain.
func (c *Controller) heldBack(at model.Instant, view *informer.Cache) bool {
	for i := range c.zones {
		q := &c.zones[i].queue
		rate := q.limiter.rate()
		if rate <= 0 {
			continue
		}
		all := time.Duration(float64(len(q.entries)+1)/float64(rate)*float64(time.Second)) + 2*c.params.NodeMonitorPeriod.Value
		for k := range q.entries {
			e := &q.entries[k]
			node := view.Row(e.row).Node
			if !e.waiting || node == nil || noExecuteTaints(node) != (pair{}) {
				continue
			}
			if ready := node.Ready(); ready != nil && ready.Status == model.StatusUnknown && ready.Transition.Known() && at.Sub(ready.Transition) > all {
				return true
			}
		}
	}
	return false
}
