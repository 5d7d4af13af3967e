package whatif

import (
	"slices"

	"kardia/model"
)

// apply lets happen what was recorded, as far as it would have in this course.
func (c *course) apply(e *event) {
	if e.kubelets() && c.edited(e.name, c.loop.Now()) != NoEdit {
		return // it is dead, or beats on its own
	}
	l := c.loop
	switch e.what {
	case beats:
		c.renew(e.name, e.renewed)
	case stopsLease:
		l.Cache.DeleteLease(e.name)
	case posts:
		if c.makes(e) {
			c.post(e.name, e.node.posted)
		}
	case edits:
		c.edit(e)
	case deletesNode:
		l.DeleteNode(e.name)
	case changesPod:
		c.changePod(e.pod)
	case removesPod:
		if p := c.find(e.pod.old); p != nil && (p.Deletion.Known() || !e.pod.follows) {
			if e.pod.succeeded && c.variant.reverse {
				l.LosePod(p.Node, p.Key)
			} else {
				l.RemovePod(p.Node, p.Key)
			}
		}
	}
}

// edit changes a Node as somebody did, but its conditions; and makes it where it was made.
func (c *course) edit(e *event) {
	l := c.loop
	if l.Cache.Node(e.name) == nil {
		n := *e.node.node
		if !e.node.made {
			return // it was there when this was recorded, and is not in this course
		}
		if zone := c.zoneAt(e.name, l.Now()); zone.Known {
			n.Zone = zone.Value
		}
		l.SetNode(e.name, &n)
		return
	}
	l.EditNode(e.name, func(n *model.Node) {
		conditions, taints := n.Conditions, n.Taints
		*n = *e.node.node
		n.Conditions = conditions
		if zone := c.zoneAt(e.name, l.Now()); zone.Known {
			n.Zone = zone.Value
		}
		for _, t := range slices.Concat(e.node.removed, e.node.added) {
			taints = slices.DeleteFunc(taints, func(have model.Taint) bool { return have.Key == t.Key && have.Effect == t.Effect })
		}
		n.Taints = append(taints, e.node.added...)
	})
}

// find is the pod of this course that is the one given; nil if it is there no more, or another has
// its name.
func (c *course) find(old *model.Pod) *model.Pod {
	p := c.loop.Pod(old.Node, old.Key)
	if p == nil && old.Node != "" {
		p = c.loop.Pod("", old.Key)
	}
	if p == nil || p.UID != old.UID {
		return nil
	}
	return p
}

// changePod makes or changes a pod as somebody did. What follows from its deletion by taint eviction
// happens only where that deletes it in this course, too.
func (c *course) changePod(e *podEvent) {
	l := c.loop
	if e.old == nil {
		if e.replaces != nil {
			if was := c.find(e.replaces); was != nil && !was.Deletion.Known() {
				return // it is still there: nothing takes its place
			}
		}
		l.SetPod(c.branch.Tolerations.on(e.pod))
		return
	}
	have := c.find(e.old)
	if have == nil || e.follows && !have.Deletion.Known() {
		return
	}
	p := *have
	old, is := e.old, e.pod
	if e.kubelets && old.Ready != is.Ready {
		c.unready[p.Key] = is.Ready == model.StatusFalse
	}
	change(&p.Node, old.Node, is.Node)
	change(&p.Phase, old.Phase, is.Phase)
	change(&p.Ready, old.Ready, is.Ready)
	change(&p.ReadySince, old.ReadySince, is.ReadySince)
	change(&p.Deletion, old.Deletion, is.Deletion)
	change(&p.GraceSeconds, old.GraceSeconds, is.GraceSeconds)
	change(&p.Disrupted, old.Disrupted, is.Disrupted)
	change(&p.DisruptionReason, old.DisruptionReason, is.DisruptionReason)
	change(&p.Tolerations, old.Tolerations, is.Tolerations)
	if p == *have {
		return
	}
	l.SetPod(c.branch.Tolerations.on(&p))
}

// change takes over what somebody changed.
func change[T comparable](to *T, old, is T) {
	if old != is {
		*to = is
	}
}
