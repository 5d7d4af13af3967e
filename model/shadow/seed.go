package shadow

import (
	"slices"
	"time"

	"kardia/model"
)

// seed is an object as it must have stood before the first write that shows it.
type seed struct {
	key  model.Key
	node *model.Node
	pod  *model.Pod
}

// nowhere is the zone in which nodes stand that are known by their leases only.
var nowhere = model.Place{Region: "unseen", Zone: "unseen"}

// seed finds what an input that shows only what was written to leaves out: an audit log
// shows a Node first when somebody writes to it, and others by their leases alone.
func (r *run) seed() {
	nodes, pods := map[string]bool{}, map[model.Key]bool{}
	leases := map[string]bool{}
	listed := false
	for i := range r.changes {
		ch := &r.changes[i]
		if ch.Op == model.OpAttempt || ch.Op == model.OpRepeat || ch.Op == model.OpPatch {
			continue
		}
		switch {
		case ch.Kind == model.KindNodeLease:
			leases[ch.Key.Name] = true
		case ch.Kind == model.KindNode && ch.Node != nil && !nodes[ch.Key.Name]:
			nodes[ch.Key.Name] = true
			listed = listed || ch.Op == model.OpBaseline
			if ch.Op == model.OpModify {
				r.seeds = append(r.seeds, seed{key: ch.Key, node: beforeNode(ch)})
			}
		case ch.Kind == model.KindPod && ch.Pod != nil && !pods[ch.Key]:
			pods[ch.Key] = true
			if ch.Op == model.OpModify {
				r.seeds = append(r.seeds, seed{key: ch.Key, pod: beforePod(ch)})
			}
		}
	}
	if listed {
		return
	}
	for name := range leases {
		if !nodes[name] {
			r.unseen = append(r.unseen, name)
		}
	}
	slices.Sort(r.unseen)
}

// beforeNode undoes what the write, by its own stamps, has just changed.
func beforeNode(ch *model.Change) *model.Node {
	n := *ch.Node
	n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
	fresh := func(t model.Instant) bool {
		return t.Known() && t >= ch.Time.Earliest.Add(-1500*time.Millisecond) && t <= ch.Time.Latest
	}
	if ch.Writer != model.WriterNodeLifecycle && ch.Writer != model.WriterUnknown {
		return &n
	}
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Status == model.StatusUnknown && c.Reason == "NodeStatusUnknown" && fresh(c.Transition) {
			c.Status, c.Transition = model.StatusFalse, n.Created
			if c.Type == "Ready" {
				c.Status = model.StatusTrue
			}
		}
	}
	n.Taints = slices.DeleteFunc(n.Taints, func(t model.Taint) bool { return owned(&t) && fresh(t.Added) })
	return &n
}

func beforePod(ch *model.Change) *model.Pod {
	p := *ch.Pod
	if ch.Writer == model.WriterNodeLifecycle {
		p.Ready = model.StatusTrue
	}
	if ch.Writer == model.WriterTaintEviction {
		p.Disrupted, p.DisruptionReason, p.Deletion = 0, "", 0
	}
	return &p
}

// placeholder stands for a node of which nothing is known but that it beats.
func placeholder(at model.Instant) *model.Node {
	return &model.Node{Created: at, Place: nowhere, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: at, Heartbeat: at}}}
}
