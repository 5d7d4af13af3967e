package model

import "slices"

// Held is a read-only copy of the state that stays while c is folded into. It copies the rows, not the pods.
func (c *Cluster) Held() *Cluster {
	c.lent, c.unboundLent = true, true
	c.epoch = new(byte) // c may not write into the lists it now shares
	d := *c
	d.rows, d.leaders, d.pods, d.epoch = slices.Clone(c.rows), slices.Clone(c.leaders), nil, new(byte)
	return &d
}

// PodOn finds a pod bound to a node; nil if it is not there. Unlike Pod it never searches other nodes.
func (c *Cluster) PodOn(node string, k Key) *Pod {
	row := c.Row(node)
	switch {
	case row == nil:
		return nil
	case c.pods == nil:
		return findPod(row.Pods(), k)
	}
	if p := c.Pod(k); p != nil && p.Node == node {
		return p
	}
	return nil
}

func findPod(list []*Pod, k Key) *Pod {
	if i := slices.IndexFunc(list, func(p *Pod) bool { return p.Key == k }); i >= 0 {
		return list[i]
	}
	return nil
}

func (c *Cluster) podOnNode(k Key) *Pod {
	if p := c.unbound[k]; p != nil {
		return p
	}
	for i := range c.rows {
		if p := findPod(c.rows[i].Pods(), k); p != nil {
			return p
		}
	}
	return nil
}
