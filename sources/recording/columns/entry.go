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
	Shape             // of a node
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
	ch.Node, ch.Lease = e.At(value), model.Lease{}
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

// code writes or reads an entry.
func (e *Entry) code(c *wire.Codec) {
	wire.Byte(c, &e.Kind)
	c.Word(&e.Key.Namespace)
	wire.Text(c, &e.Key.Name)
	c.UID(&e.Uid)
	switch {
	case e.Kind == model.KindNode:
		e.Shape.Code(c)
	case e.Kind == model.KindNodeLease:
		c.Lease(&e.Lease)
	case c.Reading():
		c.Fail(errDictionary)
	}
}
