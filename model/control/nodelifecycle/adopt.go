package nodelifecycle

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// Adopt makes a controller that has just begun one that has long been running, for those who
// begin to watch in the middle of its life: what has its NoExecute taint was served, and
// waits no more. But master disruption takes all taints off and empties the queues: a node that was tainted
// by a tick in the pass that entered it waits for another, and where who waits has waited longer than the tokens
// of its zone let anybody, there was one.
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
	for row := range int32(view.Rows()) { // also one whose pass, which queued it, was not modelled
		if node := view.Row(row).Node; node != nil && noExecuteTaints(node) != (pair{}) {
			if i, ok := c.byZone[node.Zone]; ok {
				c.zones[i].queue.served(row)
			}
		}
	}
}

// heldBack says that a node waits which would have had a token long ago, had there been any.
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
