package evidence

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/tainteviction"
)

// What led to a write may lie in a gap, or before the input begins, where nobody saw it. It is judged
// all the same where nothing that happened there could have led to it: the controllers act on what stands
// in their caches, and those are behind by a moment only.

const (
	// FreshCache is how far the cache of a controller may be behind.
	FreshCache = LagBound
	// longAgo is how old a kubelet's stamp must be for no skew of its clock to matter.
	longAgo = time.Minute
)

// recentNode is what the caches may hold of a node.
type recentNode struct {
	// since is when it was seen first: at all, or after the last gap.
	since model.Instant
	// replaced are the versions that stood lately.
	replaced []formerNode
}

// formerNode is a version of a node, and until when it stood.
type formerNode struct {
	until model.Instant
	node  *model.Node
}

// replaces notes that the version of a node that stands is about to be replaced; afresh: nobody knows what
// was there shortly before.
func (s *survey) replaces(name string, at model.Instant, afresh bool) {
	lately, was := s.recent[name], s.nodes[name]
	if afresh || was == nil {
		s.recent[name] = recentNode{since: at}
		return
	}
	lately.replaced = slices.DeleteFunc(lately.replaced, func(x formerNode) bool { return x.until < at.Add(-FreshCache) })
	lately.replaced = append(lately.replaced, formerNode{at, was})
	s.recent[name] = lately
}

// versionsOf are the versions of a node that a cache may have held at an instant. seen says that these are
// all: else it is the one that stands alone.
func (s *survey) versionsOf(name string, at model.Instant) (list []*model.Node, seen bool) {
	n, lately := s.nodes[name], s.recent[name]
	if n == nil {
		return nil, false
	}
	if seen = lately.since.Known() && lately.since <= at.Add(-FreshCache); seen {
		for _, x := range lately.replaced {
			if x.until >= at.Add(-FreshCache) {
				list = append(list, x.node)
			}
		}
	}
	return append(list, n), seen
}

// ruledOut is why nothing that is hidden can have led to a write that a Change shows.
func (s *survey) ruledOut(w *Seen, ch *model.Change) RuledOut {
	at := w.Time.Earliest
	if _, outlived := s.Outlived(model.KindNode, model.Key{Name: w.Node}, at); !at.Bounded() || w.Across || outlived && ch.Kind != model.KindNode {
		return NotRuledOut
	}
	steady := func(is func(*model.Node) bool, stamps ...string) bool { return s.steady(w.Node, at, is, stamps...) }
	ready := func(n *model.Node) bool { r := n.Ready(); return r != nil && r.Status == model.StatusTrue }
	switch w.Kind {
	case model.AddNoSchedule, model.TaintNoExecute:
		if steady(func(n *model.Node) bool { return !n.AsksFor(w.Taint) }, conditionsOf(w.Taint)...) {
			return NeverAsked
		}
	case model.RemoveNoSchedule:
		if steady(func(n *model.Node) bool { return n.AsksFor(w.Taint) }, conditionsOf(w.Taint)...) {
			return AlwaysAsked
		}
	case model.UntaintNoExecute:
		if steady(func(n *model.Node) bool { return n.AsksFor(w.Taint) }, "Ready") && !s.Gaps.endedWithin(at, OneBurst) && at > s.Begins.Add(OneBurst) && s.someReady(at) {
			return NeverReady
		}
	case model.MarkPodsNotReady:
		if steady(ready, "Ready") {
			return AlwaysReady
		}
	case model.EvictPod:
		if steady(func(n *model.Node) bool { return !n.HasNoExecute() }) {
			return NeverTainted
		}
		if p := s.pods[w.Pod]; p != nil && steady(func(n *model.Node) bool { return forEver(n, p) }) {
			return Tolerates
		}
	}
	return NotRuledOut
}

// steady says that something was so of every version of a node that a cache may have held: because they
// were seen, or by stamps of conditions that are older than the cache can be.
func (s *survey) steady(name string, at model.Instant, is func(*model.Node) bool, stamps ...string) bool {
	list, seen := s.versionsOf(name, at)
	if len(list) == 0 || slices.ContainsFunc(list, func(n *model.Node) bool { return !is(n) }) {
		return false
	}
	if seen {
		return true
	}
	n := list[len(list)-1]
	return len(stamps) > 0 && !slices.ContainsFunc(stamps, func(of string) bool {
		c := n.Condition(of)
		return c == nil || !c.Transition.Bounded() || c.Transition > at.Add(-longAgo)
	})
}

// someReady says that some node was Ready for a while, so that not all zones are dark.
func (s *survey) someReady(at model.Instant) bool {
	for name, n := range s.nodes {
		if r := n.Ready(); r == nil || r.Status != model.StatusTrue || !r.Transition.Bounded() || r.Transition > at.Add(-longAgo) {
			continue
		}
		_, outlived := s.Outlived(model.KindNode, model.Key{Name: name}, at)
		if since := s.recent[name].since; !outlived && since.Known() && since <= at.Add(-s.Period-FreshCache) {
			return true
		}
	}
	return false
}

// conditionsOf are the conditions that ask for a taint; none for a cordon, which has no stamp.
func conditionsOf(taint string) (types []string) {
	for _, of := range model.ConditionTaints {
		if of.Taint == taint {
			types = append(types, of.Condition)
		}
	}
	return types
}

// forEver says that a pod tolerates all NoExecute taints of a node without an end: of the tolerations that
// match a taint the first counts.
func forEver(n *model.Node, p *model.Pod) bool {
	list := p.Tolerations.List()
	for i := range n.Taints {
		t := &n.Taints[i]
		for _, comparison := range [...]bool{false, true} {
			k := slices.IndexFunc(list, func(x model.Toleration) bool { return tainteviction.Tolerates(&x, t, comparison) })
			if t.Effect == model.NoExecute && (k < 0 || list[k].Seconds.Known) {
				return false
			}
		}
	}
	return true
}

// endedWithin says that a gap ended shortly before an instant, or has not.
func (b *Gaps) endedWithin(at model.Instant, d time.Duration) bool {
	return slices.ContainsFunc(slices.Concat(b[model.KindNode], b[model.KindNodeLease], b[model.KindPod]), func(v Gap) bool {
		return v.Earliest <= at && at <= v.End().Add(d)
	})
}
