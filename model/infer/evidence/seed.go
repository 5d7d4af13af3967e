package evidence

import (
	"slices"

	"kardia/model"
)

// Seeds are objects before the first write that shows them: an audit log shows a Node first when it is written.
type Seeds struct {
	Nodes []SeededNode
	pods  seededPods
}

// SeededNode is a Node object as it was before the first Change.
type SeededNode struct {
	Name string
	Node *model.Node
	// Version is 0 if unknown.
	Version uint64
	// after is how many pods precede it in the order of discovery.
	after int
}

// All yields the nodes and pods in the order of discovery; one of the two is nil. They must not be modified.
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

// beforeNode undoes the changes of the write that shows a node first, by its timestamps.
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
	for c := range model.Each(n.Conditions) {
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

// withoutUndatedNoExecute removes the NoExecute taints without timeAdded. A person's write that shows the node first
// may have added them; older ones would have evicted their pods by then.
func withoutUndatedNoExecute(is *model.Node) *model.Node {
	undated := func(t model.Taint) bool { return t.Effect == model.NoExecute && !t.Added.Known() }
	if !slices.ContainsFunc(is.Taints, undated) {
		return is
	}
	n := *is
	n.Taints = slices.DeleteFunc(slices.Clone(is.Taints), undated)
	return &n
}

// declares reports whether a controller's write declares a node Unknown, however old its timestamp: the taints that
// follow at once are missing. A stalled API server writes late.
func declares(n *model.Node) bool {
	ready := n.Ready()
	return ready != nil && ready.Status == model.StatusUnknown && ready.Reason == model.ReasonUnknown && !n.HasTaint(model.TaintUnreachable)
}

// takenOff is the NoExecute taint that a controller's write without additions removed from a node that is not Ready.
// The NoSchedule taint of the same key stays until then.
func takenOff(n *model.Node) (key string) {
	for t := range model.Each(n.Taints) {
		switch {
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

// OtherNodes is the name for all nodes without writes, if no list and no lease names them. No node can have it.
const OtherNodes = "(OtherNodes)"
