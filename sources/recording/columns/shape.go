package columns

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/wire"
)

// maxConditions is the most conditions of a typed node: the bits of moved.
const maxConditions = 64

// Shape is a Node without its newest heartbeats. The zero value is of no Node.
type Shape struct {
	Node  *model.Node
	Moved uint64 // the conditions with these heartbeats, bit by bit in their order
}

// Split takes the newest heartbeat out of a node. If it has more than maxConditions some are left in.
func Split(n *model.Node) (s Shape, newest model.Instant) {
	newest = NewestHeartbeat(n)
	shape := *n
	shape.Conditions = slices.Clone(n.Conditions)
	for i := range shape.Conditions[:min(len(shape.Conditions), maxConditions)] {
		if c := &shape.Conditions[i]; c.Heartbeat == newest {
			c.Heartbeat = 0
			s.Moved |= 1 << i
		}
	}
	s.Node = &shape
	return s, newest
}

// At is the node with the time of its newest heartbeats.
func (s *Shape) At(newest model.Instant) *model.Node {
	n := *s.Node
	n.Conditions = slices.Clone(n.Conditions)
	for i := range n.Conditions {
		if s.Moved>>i&1 != 0 {
			n.Conditions[i].Heartbeat = newest
		}
	}
	return &n
}

// Code writes or reads the shape of a Node.
func (s *Shape) Code(c *wire.Codec) {
	if c.Reading() {
		s.Node = &model.Node{}
	}
	wire.Uint(c, &s.Moved)
	c.Node(s.Node)
}

// NewestHeartbeat is the newest status heartbeat of a node's conditions.
func NewestHeartbeat(n *model.Node) (newest model.Instant) {
	for k := range n.Conditions {
		newest = max(newest, n.Conditions[k].Heartbeat)
	}
	return newest
}

// SameShape reports whether split gives the same of two nodes.
func SameShape(a, b *model.Node) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if len(a.Conditions) != len(b.Conditions) || !slices.Equal(a.Taints, b.Taints) || !a.SameButConditionsAndTaints(b) {
		return false
	}
	newestA, newestB := NewestHeartbeat(a), NewestHeartbeat(b)
	for k := range a.Conditions {
		x, y := a.Conditions[k], b.Conditions[k]
		if k < maxConditions && x.Heartbeat == newestA && y.Heartbeat == newestB {
			x.Heartbeat, y.Heartbeat = 0, 0
		} else if k < maxConditions && (x.Heartbeat == newestA || y.Heartbeat == newestB) {
			return false
		}
		if x != y {
			return false
		}
	}
	return true
}
