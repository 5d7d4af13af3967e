package nodelifecycle

import (
	"kardia/model"
	"kardia/model/control/informer"
)

// Heard sets when a node's last sign of life was counted, for a driver that assumes other times of passes than those
// that it ran. All that the cache shows of the node counts as seen. It does nothing for a row without a Node, or that
// no pass has evaluated.
func (c *Controller) Heard(i int32, at model.Instant, view *informer.Cache) {
	row := view.Row(i)
	if int(i) >= len(c.records) || !c.records[i].has || c.records[i].node == nil || row.Node == nil {
		return
	}
	r := &c.records[i]
	r.probe = at
	if ready := row.Node.Ready(); ready != nil {
		r.saved = savedReady{ready.Status, ready.Heartbeat, ready.Transition}
	}
	if l := &row.Lease; l.Exists {
		r.lease = savedLease{has: true, renewed: l.Renewed, version: l.Version, position: l.Position}
	}
	c.wake(i)
	c.due[i] = model.FarPast
}

// Unqueue removes a node from its zone's queue, for a driver that assumes a later time of the pass that queued it. The
// next pass queues it again if the node has not changed.
func (c *Controller) Unqueue(i int32) {
	if int(i) >= len(c.records) || c.records[i].zone == noZone {
		return
	}
	c.zones[c.records[i].zone].queue.remove(i)
	c.wake(i)
	c.due[i] = model.FarPast
}
