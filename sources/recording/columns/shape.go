package columns

import (
	"slices"

	"kardia/model"
)

// maxConditions is the most conditions of a typed node: the bits of moved.
const maxConditions = 64

// Split takes the newest heartbeat out of a node. If it has more than maxConditions some are left in.
func Split(n *model.Node) (without *model.Node, moved uint64, newest model.Instant) {
	newest = NewestHeartbeat(n)
	shape := *n
	shape.Conditions = append([]model.Condition(nil), n.Conditions...)
	for i := range shape.Conditions[:min(len(shape.Conditions), maxConditions)] {
		if c := &shape.Conditions[i]; c.Heartbeat == newest {
			c.Heartbeat = 0
			moved |= 1 << i
		}
	}
	return &shape, moved, newest
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
