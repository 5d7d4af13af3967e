package model

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

// PutPod sets a pod, as a Change that shows it would.
func (c *Cluster) PutPod(p *Pod) { c.foldPod(&Change{Kind: KindPod, Op: OpModify, Key: p.Key, Pod: p}) }

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
