package whatif

import (
	"slices"

	"kardia/model"
)

// apply repeats a recorded event, as far as it would have happened in this course.
func (c *course) apply(e *event) {
	if e.kubelets() && c.edited(e.name, c.loop.Now()) != NoEdit {
		return // the kubelet is dead, or renews on its own
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

// edit repeats a change of a Node without its conditions, or its creation.
func (c *course) edit(e *event) {
	l := c.loop
	if l.Cache.Node(e.name) == nil {
		n := *e.node.node
		if !e.node.made {
			return // it existed in the recording, and does not in this course
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

// find is this course's version of a pod; nil if it is gone, or another has its name.
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

// changePod repeats the creation or change of a pod. Consequences of its deletion by taint eviction need that deletion.
func (c *course) changePod(e *podEvent) {
	l := c.loop
	if e.old == nil {
		if e.replaces != nil {
			if was := c.find(e.replaces); was != nil && !was.Deletion.Known() {
				return // it still exists: nothing replaces it
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

func change[T comparable](to *T, old, is T) {
	if old != is {
		*to = is
	}
}
