package model

import (
	"maps"
	"slices"
)

func (c *Cluster) foldPod(ch *Change) {
	old := c.Pod(ch.Key)
	switch Apply(ch, PodVersion(old)) {
	case TransitionStale:
		c.Stale++
		return
	case TransitionUnknown:
		return
	case TransitionGone:
		c.evicted(ch.Key)
		if old != nil {
			c.release(old, nil, ch.Time)
			c.unbind(old)
			c.ownPods()
			delete(c.pods, ch.Key)
			c.noteUnbound(ch.Key, nil)
			c.podCount--
		}
		return
	}
	c.release(old, ch.Pod, ch.Time)
	if old != nil {
		c.unbind(old)
		if old.UID.Known() && ch.Pod.UID.Known() && old.UID != ch.Pod.UID {
			c.evicted(ch.Key)
		}
	} else {
		c.podCount++
	}
	c.ownPods()
	c.pods[ch.Key] = ch.Pod
	if ch.Pod.Node == "" {
		c.noteUnbound(ch.Key, ch.Pod)
		return
	}
	c.noteUnbound(ch.Key, nil)
	row := c.row(ch.Pod.Node)
	c.own(row)
	row.pods = append(row.pods, ch.Pod)
}

func (c *Cluster) ownPods() {
	if c.podsLent {
		c.pods, c.podsLent = maps.Clone(c.pods), false
	}
}

func (c *Cluster) noteUnbound(k Key, p *Pod) {
	if p == nil && c.unbound[k] == nil {
		return
	}
	if c.unboundLent {
		c.unbound, c.unboundLent = maps.Clone(c.unbound), false
	}
	if p == nil {
		delete(c.unbound, k)
		return
	}
	c.unbound[k] = p
}

func (c *Cluster) unbind(p *Pod) {
	if p.Node == "" {
		return
	}
	row := c.row(p.Node)
	c.own(row)
	row.drop(p)
}

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
