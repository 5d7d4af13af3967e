package evidence

import (
	"slices"

	"kardia/model"
)

// Seeds are objects as they must have stood before the first write that shows them: an audit log
// shows a Node first when somebody writes to it.
type Seeds struct {
	Nodes []SeededNode
	pods  seededPods
}

type SeededNode struct {
	Name string
	Node *model.Node
	// Version is 0 where it is not known.
	Version uint64
	// after is how many pods stand before it in the order in which they were found.
	after int
}

// All are the nodes and pods in the order in which they were found, one of the two nil. Nobody may modify
// them.
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
		was := undone(ch.Node, func(t model.Instant) bool { return fresh(t, ch) })
		if ch.Writer == model.WriterPerson {
			was = withoutUndatedNoExecute(was)
		}
		return was
	}
	did, late := false, declares(ch.Node)
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Status == model.StatusUnknown && c.Reason == model.ReasonUnknown && (fresh(c.Transition, ch) || late) {
			did, c.Status, c.Transition = true, model.StatusFalse, n.Created
			if c.Type == "Ready" {
				c.Status = model.StatusTrue
			}
		}
	}
	n.Taints = slices.DeleteFunc(n.Taints, func(t model.Taint) bool { return t.OfNodeLifecycle() && fresh(t.Added, ch) })
	if taint := takenOff(&n); !did && taint != "" && len(n.Taints) == len(ch.Node.Taints) {
		n.Taints = append(n.Taints, model.Taint{Key: taint, Effect: model.NoExecute})
	}
	return &n
}

// withoutUndatedNoExecute is a node without the NoExecute taints that bear no stamp. Where a person's write shows it first, that may
// have put them on; had they stood there before, they would have driven out by then whom they drive out.
func withoutUndatedNoExecute(is *model.Node) *model.Node {
	undated := func(t model.Taint) bool { return t.Effect == model.NoExecute && !t.Added.Known() }
	if !slices.ContainsFunc(is.Taints, undated) {
		return is
	}
	n := *is
	n.Taints = slices.DeleteFunc(slices.Clone(is.Taints), undated)
	return &n
}

// declares says that a write of the controller declares a node Unknown, however long ago it decided so: what follows at once
// from that, the taints, is not there. An API server that is stalled takes writes late.
func declares(n *model.Node) bool {
	ready := n.Ready()
	return ready != nil && ready.Status == model.StatusUnknown && ready.Reason == model.ReasonUnknown && !n.HasTaint(model.TaintUnreachable)
}

// takenOff is the NoExecute taint that a write of the controller must have taken off a node which is not Ready,
// where it added nothing: the NoSchedule taint of the same key stands as long as the node is not Ready.
func takenOff(n *model.Node) (key string) {
	for i := range n.Taints {
		switch t := &n.Taints[i]; {
		case !t.OfNodeLifecycle() || t.Key != model.TaintUnreachable && t.Key != model.TaintNotReady:
		case t.Effect == model.NoExecute:
			return ""
		case n.AsksFor(t.Key):
			key = t.Key
		}
	}
	return key
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
