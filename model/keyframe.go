package model

import (
	"maps"
	"slices"
)

// The functions below read and build a whole Cluster for keyframes. These are states kept beside the Changes, so that a
// far time is reached without folding all before it.

// Rows calls yield for every row, also of missing nodes, by first mention. Rows must not be kept across a Fold.
func (c *Cluster) Rows(yield func(*NodeRow) bool) {
	for i := range c.rows {
		if c.rows[i].Name != "" && !yield(&c.rows[i]) {
			return
		}
	}
}

// Row finds a row, also of a node that does not exist; nil if there is none.
func (c *Cluster) Row(name string) *NodeRow {
	i, ok := c.names.numbers[name]
	if !ok || name == "" {
		return nil
	}
	return &c.rows[i]
}

// RowNear is Row for a walk over another state with most rows in the same order: i is the row's index there.
func (c *Cluster) RowNear(i int, name string) *NodeRow {
	if i < len(c.rows) && c.rows[i].Name == name && name != "" {
		return &c.rows[i]
	}
	return c.Row(name)
}

// Unbound are the pods on no node, in no particular order.
func (c *Cluster) Unbound() (pods []*Pod) { return slices.Collect(maps.Values(c.unbound)) }

// RowNames numbers the rows of a Cluster by node name. Clusters share it, even across goroutines, until one adds a row.
type RowNames struct{ numbers map[string]int32 }

// NewRowNames numbers names in order; ok is false if one occurs twice.
func NewRowNames(names []string) (n *RowNames, ok bool) {
	n = &RowNames{make(map[string]int32, len(names))}
	for k, name := range names {
		n.numbers[name] = int32(k)
	}
	return n, len(n.numbers) == len(names)
}

func (c *Cluster) Names() *RowNames { return c.names }

// NewClusterOf is a state of these rows, numbered by names, with the pods and Events of s. It owns the rows.
func NewClusterOf(names *RowNames, rows []NodeRow, s Stored) *Cluster {
	c := NewCluster()
	c.names, c.lent, c.rows, c.stored = names, true, rows, s
	for k := range rows {
		r := &rows[k]
		r.pods, r.events, r.owner = nil, nil, nil
		r.shelf = shelf{pods: LazyPods{stored: s, row: int32(k)}, events: s, row: int32(k)}
		c.podCount += s.PodCount(k)
	}
	for _, p := range s.Pods(-1) {
		if c.pods[p.Key] == nil {
			c.podCount++
		}
		c.pods[p.Key] = p
		if p.Node == "" {
			c.noteUnbound(p.Key, p)
		}
	}
	return c
}

// PutLeader sets a leader-election lease.
func (c *Cluster) PutLeader(l Leader) { *c.leader(l.Name) = l.LeaseRow }

// RowCount counts the rows, also those of nodes that do not exist.
func (c *Cluster) RowCount() int { return len(c.rows) }
