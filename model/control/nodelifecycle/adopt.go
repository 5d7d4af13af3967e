package nodelifecycle

import "kardia/model/control/informer"

// Adopt makes a controller that has just begun one that has long been running, for those who
// begin to watch in the middle of its life: what has its NoExecute taint was served, and
// waits no more.
func (c *Controller) Adopt(view *informer.Cache) {
	for i := range c.zones {
		q := &c.zones[i].queue
		for k := range q.entries {
			e := &q.entries[k]
			if node := view.Row(e.row).Node; e.waiting && node != nil && noExecuteTaints(node) != (pair{}) {
				q.finish(e.row)
			}
		}
	}
}
