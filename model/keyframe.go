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

// ExpectRows makes room for rows in a state that has none.
func (c *Cluster) ExpectRows(n int) {
	if len(c.rows) == 0 {
		c.rows, c.byName = make([]NodeRow, 0, n), make(map[string]int32, n)
	}
}

// Row finds a row, also of a node that does not exist; nil if there is none.
func (c *Cluster) Row(name string) *NodeRow {
	i, ok := c.byName[name]
	if !ok || int(i) >= len(c.rows) || c.rows[i].Name == "" {
		return nil
	}
	return &c.rows[i]
}

// Unbound are the pods that name no node, in no particular order.
func (c *Cluster) Unbound() (pods []*Pod) {
	for _, p := range c.pods {
		if p.Node == "" {
			pods = append(pods, p)
		}
	}
	return pods
}

// PutRow sets all of a node's row but its pods and Events.
func (c *Cluster) PutRow(r NodeRow) {
	row := c.row(r.Name)
	r.pods, r.events, r.owner, r.shelf = row.pods, row.events, row.owner, row.shelf
	*row = r
}

// PutLeader sets a leader-election lease.
func (c *Cluster) PutLeader(l Leader) { *c.leader(l.Name) = l.LeaseRow }

// RowCount is how many rows there are, also of nodes that do not exist.
func (c *Cluster) RowCount() int { return len(c.rows) }
