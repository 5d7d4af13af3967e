package recording

import "kardia/model"

// entry is what the rows of one object have in common: all of its Changes but their times,
// versions and origins. A lease has a new entry when anything but its renewTime changes; a
// node, when anything but the time of its status heartbeat does.
type entry struct {
	kind  model.Kind // KindNodeLease or KindNode
	key   model.Key
	uid   model.UID
	lease model.Lease // without Renewed
	// node is a Node without the heartbeats of the conditions that moved names, bit by bit in
	// the order of the conditions.
	node  *model.Node
	moved uint64
}

// into makes the Change of a row, with the given renewTime or time of the status heartbeat.
func (e *entry) into(ch *model.Change, value model.Instant) {
	ch.Kind, ch.Key, ch.UID = e.kind, e.key, e.uid
	// The memory may have served for another Change.
	ch.Previous, ch.Node, ch.Pod, ch.Event, ch.Patch, ch.Note = 0, nil, nil, nil, nil, ""
	if e.node == nil {
		ch.Lease = e.lease
		ch.Lease.Renewed = value
		return
	}
	node := *e.node
	node.Conditions = append([]model.Condition(nil), node.Conditions...)
	for i := range node.Conditions {
		if e.moved>>i&1 != 0 {
			node.Conditions[i].Heartbeat = value
		}
	}
	ch.Node, ch.Lease = &node, model.Lease{}
}

// renewedBy says whether a row of the entry is a model.Renewal.
func (e *entry) renewedBy(op model.Op, value model.Instant) bool {
	return e.kind == model.KindNodeLease && e.node == nil && op == model.OpModify && value.Known()
}

// leaseObject is what the Renewals of an entry have in common; that of a node's entry means nothing.
func (e *entry) leaseObject() model.LeaseObject {
	return model.LeaseObject{Key: e.key, UID: e.uid, Lease: e.lease}
}

// weight is about how much memory an entry takes.
func (e *entry) weight() int {
	n := 200 + len(e.key.Name)
	if e.node != nil {
		n += 300 + 120*len(e.node.Conditions) + 80*len(e.node.Taints) + len(e.node.ProviderID)
	}
	return n
}

func (o *out) entry(e *entry) {
	o.byte(byte(e.kind))
	o.string(e.key.Namespace)
	o.string(e.key.Name)
	o.uid(e.uid)
	if e.node != nil {
		o.uint(e.moved)
		o.node(e.node)
		return
	}
	o.lease(&e.lease)
}

func (i *in) entry(names *names) entry {
	e := entry{kind: model.Kind(i.byte())}
	e.key.Namespace = names.Bytes(i.bytes())
	e.key.Name = string(i.bytes())
	e.uid = i.uid(names)
	switch e.kind {
	case model.KindNode:
		e.moved = i.uint()
		e.node = i.node(names)
	case model.KindNodeLease:
		e.lease = i.lease(names)
	default:
		i.fail(errDictionary)
	}
	return e
}
