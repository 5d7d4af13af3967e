package model

import "slices"

// Held is a copy of the state for reading only, that stays as it is while c is folded into. It
// takes the time of copying the rows, however many pods there are: Pod looks for those that are bound on
// their nodes.
func (c *Cluster) Held() *Cluster {
	c.lent, c.unboundLent = true, true
	c.epoch = new(byte) // c may not write into the lists it now shares
	d := *c
	d.rows, d.leaders, d.pods, d.epoch = slices.Clone(c.rows), slices.Clone(c.leaders), nil, new(byte)
	return &d
}

// PodOn finds a pod that is bound to a node; nil if it is gone from there, even if another of its name is elsewhere. A state
// that is Held does not look on all others for it, as for Pod.
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

// findPod finds a pod in a list; nil if it is not there.
func findPod(list []*Pod, k Key) *Pod {
	if i := slices.IndexFunc(list, func(p *Pod) bool { return p.Key == k }); i >= 0 {
		return list[i]
	}
	return nil
}

// podOnNode finds a pod on the node that it is bound to, or among those that are bound to none; nil if there is none.
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
