package model

import "maps"

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
