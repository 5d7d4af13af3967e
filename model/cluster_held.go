package model

import "slices"

// Held is a copy of the state for reading only, that stays as it is while c is folded into. It
// takes the time of copying the rows, however many pods there are: pods that are bound to no node
// are not in it, and Pod looks for the others on their nodes.
func (c *Cluster) Held() *Cluster {
	c.lent = true
	c.epoch = new(byte) // c may not write into the lists it now shares
	d := *c
	d.rows, d.leaders, d.pods, d.epoch = slices.Clone(c.rows), slices.Clone(c.leaders), nil, new(byte)
	return &d
}

// podOnNode finds a pod on the node that it is bound to; nil if there is none.
func (c *Cluster) podOnNode(k Key) *Pod {
	for i := range c.rows {
		for _, p := range c.rows[i].Pods() {
			if p.Key == k {
				return p
			}
		}
	}
	return nil
}
