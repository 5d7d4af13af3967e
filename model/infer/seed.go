package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
)

// seeds are objects as they must have stood before the first write that shows them: an audit log
// shows a Node first when somebody writes to it.
type seeds struct {
	nodes []seededNode
	pods  packedPods
}

type seededNode struct {
	name string
	node *model.Node
	// version is 0 where it is not known.
	version uint64
	// after is how many pods stand before it in the order in which they were found.
	after int
}

// all are the nodes and pods in the order in which they were found, one of the two nil. The pods are
// made anew.
func (s *seeds) all(yield func(*seededNode, *model.Pod) bool) {
	next, i := 0, 0
	for p := range s.pods.all {
		for ; next < len(s.nodes) && s.nodes[next].after <= i; next++ {
			if !yield(&s.nodes[next], nil) {
				return
			}
		}
		if !yield(nil, p) {
			return
		}
		i++
	}
	for ; next < len(s.nodes); next++ {
		if !yield(&s.nodes[next], nil) {
			return
		}
	}
}

// nowhere is the zone in which nodes stand that are known by their leases only.
var nowhere = model.Place{Region: "unseen", Zone: "unseen"}

// beforeNode undoes what the write, by its own stamps, has just changed.
func beforeNode(ch *model.Change) *model.Node {
	n := *ch.Node
	n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
	if ch.Writer != model.WriterNodeLifecycle && ch.Writer != model.WriterUnknown {
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

// Seen says that a node is known by more than its lease.
func (s *State) Seen(node string) bool {
	n := s.Cache.Node(node)
	return n != nil && n.Place != nowhere
}

// ZoneIsKnown says whether the state and the rate of a zone are known, whichever zones the nodes are in
// that are known by their leases only.
func (s *State) ZoneIsKnown(place model.Place) bool { return s.Nodes.ZoneIsKnown(place, s.Unseen) }

// Outlived is the gap before which that was seen which is known of a node or a pod, where nobody listed
// after it what there was, and nothing was seen of the object since; false where there is none.
func (s *State) Outlived(kind model.Kind, key model.Key) (gap model.Interval, ok bool) {
	if s.outlived == nil {
		return gap, false
	}
	return s.outlived(kind, key)
}

// Zones are the zones as the controller has them, those of which the state is known.
func (s *State) Zones() []nodelifecycle.ZoneView {
	return slices.DeleteFunc(s.Nodes.Zones(s.At, s.Cache), func(z nodelifecycle.ZoneView) bool { return !s.ZoneIsKnown(z.Place) })
}

// placeholder stands for a node of which nothing is known but that it beats.
func placeholder(at model.Instant) *model.Node {
	return &model.Node{Created: at, Place: nowhere, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: at, Heartbeat: at}}}
}

// others stands for the nodes that nobody wrote to, where no list and no lease names them. No node has
// such a name.
const others = "(others)"
