package evidence

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/tainteviction"
)

// A write whose cause may be unseen is still judged if no unseen event could have led to it. Controllers act on their
// caches, which are behind by a moment only.

const (
	// FreshCache is how far a controller's cache may be behind.
	FreshCache = LagBound
	// longAgo is the age at which the skew of a kubelet's timestamp no longer matters.
	longAgo = time.Minute
)

// recentNode holds the versions of a node that caches may hold.
type recentNode struct {
	// since is when the node was first seen, at all or after the last gap.
	since    model.Instant
	replaced []formerNode
}

type formerNode struct {
	until model.Instant
	node  *model.Node
}

// replaces notes the end of a node's current version. afresh says that the versions shortly before are unknown.
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

// versionsOf are the versions of a node that a cache may hold at a time. seen says that there are no others.
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

func (s *survey) ruledOut(w *Seen, ch *model.Change) RuledOut {
	at := w.Time.Earliest
	if _, outlived := s.Outlived(model.KindNode, model.Key{Name: w.Node}, at); !at.Bounded() || w.Across || outlived && ch.Kind != model.KindNode {
		return NotRuledOut
	}
	steady := func(is func(*model.Node) bool, stamps ...string) bool { return s.steady(w.Node, at, is, stamps...) }
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
		if steady((*model.Node).IsReady, "Ready") {
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

// steady reports whether is holds for all versions of a node that a cache may hold. They were seen, or the conditions'
// timestamps are older than a cache.
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

// someReady reports whether a node was Ready for a while: then it was no master disruption.
func (s *survey) someReady(at model.Instant) bool {
	for name, n := range s.nodes {
		if r := n.Ready(); !n.IsReady() || !r.Transition.Bounded() || r.Transition > at.Add(-longAgo) {
			continue
		}
		_, outlived := s.Outlived(model.KindNode, model.Key{Name: name}, at)
		if since := s.recent[name].since; !outlived && since.Known() && since <= at.Add(-s.Period-FreshCache) {
			return true
		}
	}
	return false
}

// conditionsOf are the conditions that ask for a taint; none for a cordon, which has no timestamp.
func conditionsOf(taint string) (types []string) {
	for _, of := range model.ConditionTaints {
		if of.Taint == taint {
			types = append(types, of.Condition)
		}
	}
	return types
}

// forEver reports whether a pod tolerates all NoExecute taints of a node forever. The first matching toleration counts.
func forEver(n *model.Node, p *model.Pod) bool {
	list := p.Tolerations.List()
	for t := range model.Each(n.Taints) {
		for _, comparison := range [...]bool{false, true} {
			k := slices.IndexFunc(list, func(x model.Toleration) bool { return tainteviction.Tolerates(&x, t, comparison) })
			if t.Effect == model.NoExecute && (k < 0 || list[k].Seconds.Known) {
				return false
			}
		}
	}
	return true
}

// endedWithin reports whether a gap covers a time, or ended shortly before it.
func (b *Gaps) endedWithin(at model.Instant, d time.Duration) bool {
	return slices.ContainsFunc(slices.Concat(b[model.KindNode], b[model.KindNodeLease], b[model.KindPod]), func(v Gap) bool {
		return v.Earliest <= at && at <= v.End().Add(d)
	})
}
