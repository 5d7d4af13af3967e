package shadow

import (
	"slices"
	"time"

	"kardia/model"
)

// seed is an object as it must have stood before the first write that shows it: an audit log
// shows a Node first when somebody writes to it.
type seed struct {
	key  model.Key
	node *model.Node
	pod  *model.Pod
	// version is the node's, where that is known.
	version uint64
}

// nowhere is the zone in which nodes stand that are known by their leases only.
var nowhere = model.Place{Region: "unseen", Zone: "unseen"}

// beforeNode undoes what the write, by its own stamps, has just changed.
func beforeNode(ch *model.Change) *model.Node {
	n := *ch.Node
	n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
	fresh := func(t model.Instant) bool {
		return t.Known() && t >= ch.Time.Earliest.Add(-1500*time.Millisecond) && t <= ch.Time.Latest
	}
	if ch.Writer != model.WriterNodeLifecycle && ch.Writer != model.WriterUnknown {
		return undone(ch.Node, fresh)
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
