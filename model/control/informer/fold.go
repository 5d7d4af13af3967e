package informer

import "kardia/model"

// Event is what a Change means to a watching controller: a Node that was added, changed or deleted, or a pod with the
// version before it. The zero value is no event.
type Event struct {
	// Node is set for Node events; Gone if the object was deleted.
	Node string
	Gone bool
	// Old and Pod are set for pod events: an added pod has no Old, a deleted one no Pod.
	Old, Pod *model.Pod
}

// Fold applies a Change as the informers would show it, and returns the event that the controllers get. position is its
// position in the History plus one. old is the pod's version before it, nil if there is none (model.Cluster has it).
// cause is the Decision that wrote it, 0 if none or not known. model.Apply decides which version stays.
//
// A renewal whose request alone was seen has no renewTime. It is taken to be later than the one before.
func (c *Cache) Fold(ch *model.Change, position int, old *model.Pod, cause model.DecisionID) Event {
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

// Renew is Fold for a Renewal, by row number. It allocates nothing.
func (c *Cache) Renew(row int32, r *model.Renewal, position int) {
	if !r.Before(c.rows[row].Lease.Version) {
		c.SetLeaseOf(row, r.Renewed, r.Version, position)
	}
}

func (c *Cache) foldNode(ch *model.Change, position int, cause model.DecisionID) Event {
	name, before := ch.Key.Name, model.ObjectVersion{}
	row := c.Find(name)
	if row != nil && row.Node != nil {
		before = model.ObjectVersion{Exists: true, UID: row.Node.UID, Version: row.Version}
	}
	switch model.Apply(ch, before) {
	case model.TransitionSet:
		c.SetNode(name, ch.Node, ch.Version, position, cause)
		return Event{Node: name}
	case model.TransitionGone:
		if before.Exists {
			c.DeleteNode(name)
			return Event{Node: name, Gone: true}
		}
	}
	return Event{}
}

func (c *Cache) foldLease(ch *model.Change, position int) {
	i := c.Number(ch.Key.Name)
	have := &c.rows[i].Lease
	switch model.Apply(ch, model.ObjectVersion{Exists: have.Exists, Version: have.Version}) {
	case model.TransitionSet:
		renewed := ch.Lease.Renewed
		if !renewed.Known() {
			if renewed = ch.Effective(); have.Renewed.Known() {
				renewed = max(renewed, have.Renewed+1)
			}
		}
		c.SetLeaseOf(i, renewed, ch.Version, position)
	case model.TransitionGone:
		c.DeleteLease(ch.Key.Name)
	}
}

func (c *Cache) foldPod(ch *model.Change, old *model.Pod) Event {
	switch model.Apply(ch, model.PodVersion(old)) {
	case model.TransitionSet:
		c.SetPod(old, ch.Pod)
		return Event{Old: old, Pod: ch.Pod}
	case model.TransitionGone:
		if old != nil {
			c.DeletePod(old)
			return Event{Old: old}
		}
	}
	return Event{}
}
