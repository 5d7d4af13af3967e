package evidence

import (
	"slices"

	"kardia/model"
)

// Seeds are objects as they must have stood before the first write that shows them: an audit log
// shows a Node first when somebody writes to it.
type Seeds struct {
	Nodes []SeededNode
	pods  packedPods
}

type SeededNode struct {
	Name string
	Node *model.Node
	// Version is 0 where it is not known.
	Version uint64
	// after is how many pods stand before it in the order in which they were found.
	after int
}

// All are the nodes and pods in the order in which they were found, one of the two nil. The pods are
// made anew.
func (s *Seeds) All(yield func(*SeededNode, *model.Pod) bool) {
	next, i := 0, 0
	for p := range s.pods.all {
		for ; next < len(s.Nodes) && s.Nodes[next].after <= i; next++ {
			if !yield(&s.Nodes[next], nil) {
				return
			}
		}
		if !yield(nil, p) {
			return
		}
		i++
	}
	for ; next < len(s.Nodes); next++ {
		if !yield(&s.Nodes[next], nil) {
			return
		}
	}
}

// beforeNode undoes what the write, by its own stamps, has just changed.
func beforeNode(ch *model.Change) *model.Node {
	n := *ch.Node
	n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
	if ch.Writer != model.WriterNodeLifecycle {
		return undone(ch.Node, func(t model.Instant) bool { return fresh(t, ch) })
	}
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Status == model.StatusUnknown && c.Reason == model.ReasonUnknown && fresh(c.Transition, ch) {
			c.Status, c.Transition = model.StatusFalse, n.Created
			if c.Type == "Ready" {
				c.Status = model.StatusTrue
			}
		}
	}
	n.Taints = slices.DeleteFunc(n.Taints, func(t model.Taint) bool { return t.OfNodeLifecycle() && fresh(t.Added, ch) })
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

// OtherNodes stands for the nodes that nobody wrote to, where no list and no lease names them. No node has
// such a name.
const OtherNodes = "(OtherNodes)"
