package columns

import (
	"kardia/model"
	"kardia/sources/recording/wire"
)

// Entry is what the rows of one object have in common: all of its Changes but their times,
// versions and origins. A lease has a new entry when anything but its renewTime changes; a
// node, when anything but the time of its status heartbeat does.
type Entry struct {
	Kind  model.Kind // KindNodeLease or KindNode
	Key   model.Key
	Uid   model.UID
	Lease model.Lease // without Renewed
	// node is a Node without the heartbeats of the conditions that moved names, bit by bit in
	// the order of the conditions.
	Node  *model.Node
	Moved uint64
}

// into makes the Change of a row, with the given renewTime or time of the status heartbeat.
func (e *Entry) into(ch *model.Change, value model.Instant) {
	ch.Kind, ch.Key, ch.UID = e.Kind, e.Key, e.Uid
	// The memory may have served for another Change.
	ch.Previous, ch.Node, ch.Pod, ch.Event, ch.Patch, ch.Note, ch.Requester = 0, nil, nil, nil, nil, "", nil
	if e.Node == nil {
		ch.Lease = e.Lease
		ch.Lease.Renewed = value
		return
	}
	node := *e.Node
	node.Conditions = append([]model.Condition(nil), node.Conditions...)
	for i := range node.Conditions {
		if e.Moved>>i&1 != 0 {
			node.Conditions[i].Heartbeat = value
		}
	}
	ch.Node, ch.Lease = &node, model.Lease{}
}

// renewedBy reports whether a row of the entry is a model.Renewal.
func (e *Entry) renewedBy(op model.Op, value model.Instant) bool {
	return e.Kind == model.KindNodeLease && e.Node == nil && op == model.OpModify && value.Known()
}

// LeaseObject is what the Renewals of an entry have in common; that of a node's entry means nothing.
func (e *Entry) LeaseObject() model.LeaseObject {
	return model.LeaseObject{Key: e.Key, UID: e.Uid, Lease: e.Lease}
}

// weight is about how much memory an entry takes.
func (e *Entry) weight() int {
	n := 200 + len(e.Key.Name)
	if e.Node != nil {
		n += 300 + 120*len(e.Node.Conditions) + 80*len(e.Node.Taints) + len(e.Node.ProviderID)
	}
	return n
}

func writeEntry(o *wire.Writer, e *Entry) {
	o.Byte(byte(e.Kind))
	o.Text(e.Key.Namespace)
	o.Text(e.Key.Name)
	o.UID(e.Uid)
	if e.Node != nil {
		o.Uint(e.Moved)
		o.Node(e.Node)
		return
	}
	o.Lease(&e.Lease)
}

func readEntry(i *wire.Reader, names *wire.Names) Entry {
	e := Entry{Kind: model.Kind(i.Byte())}
	e.Key.Namespace = names.Bytes(i.Blob())
	e.Key.Name = string(i.Blob())
	e.Uid = i.UID(names)
	switch e.Kind {
	case model.KindNode:
		e.Moved = i.Uint()
		e.Node = i.Node(names)
	case model.KindNodeLease:
		e.Lease = i.Lease(names)
	default:
		i.Fail(errDictionary)
	}
	return e
}
