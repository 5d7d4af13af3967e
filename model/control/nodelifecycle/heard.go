package nodelifecycle

import (
	"kardia/model"
	"kardia/model/control/informer"
)

// Heard sets when a node's last sign of life was counted, for a driver that supposes the passes
// to have come at other instants than those it ran. All that the cache shows of the node counts
// as seen by then. It does nothing for a row that no pass has met, or that has no Node.
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

// Unqueue takes a node out of its zone's queue, for a driver that supposes the pass that would queue it to
// come later than the one it ran: the next pass queues it, if it is as it was.
func (c *Controller) Unqueue(i int32) {
	if int(i) >= len(c.records) || c.records[i].zone == noZone {
		return
	}
	c.zones[c.records[i].zone].queue.remove(i)
	c.wake(i)
	c.due[i] = model.FarPast
}
