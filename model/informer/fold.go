package informer

import "kardia/model"

// Event is what a Change means to a controller that watches: the name of a Node that came,
// changed or went, or a pod with the version before it. The zero value is no event.
type Event struct {
	// Node is set for Node events; Gone says that the object was deleted.
	Node string
	Gone bool
	// Old and Pod are set for pod events: an added pod has no Old, a deleted one no Pod.
	Old, Pod *model.Pod
}

// Fold takes in a Change as the informers would show it, and says which event the
// controllers get. position is its position in the History plus one; old is the pod's
// version before it, nil if there is none (model.Cluster knows); cause is the Decision
// that wrote it, 0 if none did or it is not known.
//
// Refused writes, repeats, patches of unknown result and gaps change nothing. Where only the
// request of a renewal was seen, its renewTime is taken to be later than the one before:
// that is what a kubelet's renewal is.
func (c *Cache) Fold(ch *model.Change, position int, old *model.Pod, cause model.DecisionID) Event {
	switch ch.Op {
	case model.OpAttempt, model.OpRepeat, model.OpPatch, model.OpGap:
		return Event{}
	}
	switch ch.Kind {
	case model.KindNode:
		return c.foldNode(ch, position, cause)
	case model.KindNodeLease:
		c.foldLease(ch, position)
	case model.KindPod:
		return c.foldPod(ch, old)
	}
	return Event{}
}

func (c *Cache) foldNode(ch *model.Change, position int, cause model.DecisionID) Event {
	name := ch.Key.Name
	row := c.Find(name)
	if ch.Op == model.OpDelete {
		if row == nil || row.Node == nil {
			return Event{}
		}
		c.DeleteNode(name)
		return Event{Node: name, Gone: true}
	}
	if ch.Node == nil || stale(row, ch) {
		return Event{}
	}
	c.SetNode(name, ch.Node, ch.Version, position, cause)
	return Event{Node: name}
}

// stale says that a version of the same object is older than the one there.
func stale(row *Row, ch *model.Change) bool {
	return row != nil && row.Node != nil && row.Node.UID == ch.Node.UID && ch.Version != 0 && ch.Version < row.Version
}

func (c *Cache) foldLease(ch *model.Change, position int) {
	if ch.Op == model.OpDelete {
		c.DeleteLease(ch.Key.Name)
		return
	}
	i := c.Number(ch.Key.Name)
	have := &c.rows[i].Lease
	if ch.Version != 0 && ch.Version < have.Version {
		return
	}
	renewed := ch.Lease.Renewed
	if !renewed.Known() {
		if renewed = ch.Effective(); have.Renewed.Known() {
			renewed = max(renewed, have.Renewed+1)
		}
	}
	c.SetLeaseOf(i, renewed, ch.Version, position)
}

func (c *Cache) foldPod(ch *model.Change, old *model.Pod) Event {
	if ch.Op == model.OpDelete {
		if old == nil || (ch.UID.Known() && old.UID != ch.UID) {
			return Event{}
		}
		c.DeletePod(old)
		return Event{Old: old}
	}
	if ch.Pod == nil {
		return Event{}
	}
	c.SetPod(old, ch.Pod)
	return Event{Old: old, Pod: ch.Pod}
}
