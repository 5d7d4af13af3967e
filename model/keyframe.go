package model

import "slices"

// What follows reads a Cluster out whole and puts one together again, for keyframes: states
// kept beside the Changes, so that a far instant is reached without folding all before it.

// Rows calls yield for every row, also of nodes that do not exist, in the order of their first
// mention, until it returns false. Rows must not be kept across the next Fold.
func (c *Cluster) Rows(yield func(*NodeRow) bool) {
	for i := range c.rows {
		if c.rows[i].Name != "" && !yield(&c.rows[i]) {
			return
		}
	}
}

// PutRow sets all of a node's row but its pods and Events.
func (c *Cluster) PutRow(r NodeRow) {
	row := c.row(r.Name)
	r.pods, r.events, r.owner = row.pods, row.events, row.owner
	*row = r
}

// PutLease sets the lease of a node's row.
func (c *Cluster) PutLease(name string, l LeaseRow) { c.row(name).Lease = l }

// PutEvents sets the Events of a node's row, which it takes over.
func (c *Cluster) PutEvents(name string, events []*Event) {
	row := c.row(name)
	c.own(row)
	row.events = events
}

// ExpectPods makes room for pods in a state that has none.
func (c *Cluster) ExpectPods(n int) {
	if len(c.pods) == 0 {
		c.pods = make(map[Key]*Pod, n)
	}
}

// PutPods sets the pods of one node, or of none with "", as Changes that show them one by one
// would.
func (c *Cluster) PutPods(node string, pods []*Pod) {
	var row *NodeRow
	if node != "" {
		row = c.row(node)
		c.own(row)
		row.pods = slices.Grow(row.pods, len(pods))
	}
	for _, p := range pods {
		if old := c.pods[p.Key]; old != nil {
			c.unbind(old) // from a node that has a row: rows stay where they are
		}
		c.pods[p.Key] = p
		if row == nil {
			c.unbound++
		} else {
			row.pods = append(row.pods, p)
		}
	}
}

// DropPod removes a pod.
func (c *Cluster) DropPod(k Key) { c.foldPod(&Change{Kind: KindPod, Op: OpDelete, Key: k}) }

// PutLeader sets a leader-election lease.
func (c *Cluster) PutLeader(l Leader) { *c.leader(l.Name) = l.LeaseRow }

// PutObject sets what a node's row says of the Node object, and leaves its lease, pods and
// Events.
func (c *Cluster) PutObject(r NodeRow) {
	row := c.row(r.Name)
	row.Node, row.Version, row.Written, row.ReadySet, row.Posted, row.Gone = r.Node, r.Version, r.Written, r.ReadySet, r.Posted, r.Gone
}

// RowCount is how many rows there are, also of nodes that do not exist.
func (c *Cluster) RowCount() int { return len(c.rows) }
