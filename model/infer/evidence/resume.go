package evidence

import (
	"slices"
	"time"

	"kardia/model"
)

// After a gap without a list, objects return with their first write. Other differences were written in the gap.

// beforeNode is a node at the start of the input, by its first version and timestamps; after a gap, before the gap.
func (s *survey) beforeNode(ch *model.Change, at model.Instant) *model.Node {
	gap, ok := s.Outlived(model.KindNode, ch.Key, at)
	if !ok {
		return beforeNode(ch)
	}
	return undone(ch.Node, afterwards(gap))
}

func (s *survey) beforePod(ch *model.Change, at model.Instant) *model.Pod {
	gap, ok := s.Outlived(model.KindPod, ch.Key, at)
	if !ok {
		return beforePod(ch)
	}
	return undonePod(ch.Pod, afterwards(gap))
}

// afterwards reports whether a timestamp is not from before a gap.
func afterwards(gap model.Interval) func(model.Instant) bool {
	return func(t model.Instant) bool { return t.Bounded() && t >= gap.Earliest.Truncate(time.Second) }
}

// resume takes apart the first version of an object after a gap: changes by other writes become steps in the gap.
func (s *survey) resume(position int, ch *model.Change, gap model.Interval) {
	past := *ch
	past.Time.Latest = min(ch.Time.Latest, gap.Latest.Add(relisted))
	past.Time.Earliest = min(ch.Time.Earliest, past.Time.Latest)
	switch {
	case ch.Op == model.OpAttempt || ch.Op == model.OpRepeat || ch.Op == model.OpPatch:
	case ch.Kind == model.KindNode && ch.Node != nil:
		if old := s.nodes[ch.Key.Name]; old != nil && old.UID == ch.Node.UID {
			past.Node = replacedNode(ch, old, gap)
			s.unfoldNode(position, &past, old, gap)
			s.untainted(position, &past, ch, gap)
		}
	case ch.Kind == model.KindPod && ch.Pod != nil:
		if old := s.pods[ch.Key]; old != nil && old.UID == ch.Pod.UID && old.Node == ch.Pod.Node {
			past.Pod = replacedPod(ch)
			s.unfoldPod(position, &past, old, gap)
		}
	}
	s.observe(position, ch)
}

// untainted makes a step of removed taints, which leave no timestamp: in the gap, or at the write that shows it.
func (s *survey) untainted(position int, past, ch *model.Change, gap model.Interval) {
	is, off := s.nodes[ch.Key.Name], 0
	effects := map[model.Effect]bool{}
	for t := range model.Each(is.Taints) {
		if t.OfNodeLifecycle() && past.Node.Taint(t.Key, t.Effect) == nil {
			effects[t.Effect] = true
			off++
		}
	}
	if off == 0 {
		return
	}
	if past.Node == ch.Node { // the write did nothing else
		if ch.Writer == model.WriterNodeLifecycle && len(effects) == 1 {
			return
		}
		if ready := ch.Node.Ready(); ch.Writer == model.WriterNodeLifecycle || ch.Writer == model.WriterUnknown && !(ready != nil && fresh(ready.Heartbeat, ch)) {
			past.Time = ch.Time
		}
	}
	s.tell(position, past, gap, 0, func(*model.Change) {})
}

// fresh reports whether a timestamp is from the write that shows it.
func fresh(t model.Instant, ch *model.Change) bool {
	return t.Bounded() && t >= ch.Time.Earliest.Add(-1500*time.Millisecond) && t <= ch.Time.Latest
}

// replacedNode is a node before a write, without the taints that the write removed; the same pointer if it did nothing
// else. A controller writes conditions alone, and taints of one effect at a time.
func replacedNode(ch *model.Change, old *model.Node, gap model.Interval) *model.Node {
	n := *ch.Node
	if added := addedBy(ch, old); added != model.EffectAny {
		n.Taints = slices.DeleteFunc(slices.Clone(n.Taints), func(t model.Taint) bool {
			return t.OfNodeLifecycle() && t.Effect == added && fresh(t.Added, ch)
		})
		return &n
	}
	n.Conditions, n.Unschedulable = slices.Clone(n.Conditions), ch.Node.Unschedulable || n.HasTaint(model.TaintUnschedulable)
	if ch.Node.Unschedulable && !n.HasTaint(model.TaintUnschedulable) {
		n.Unschedulable = false // its taint follows at once
	}
	same := n.Unschedulable == ch.Node.Unschedulable
	for c := range model.Each(n.Conditions) {
		was := conditionBefore(ch, c, old, gap)
		same = same && was.Status == c.Status
		*c = was
	}
	if same {
		return ch.Node
	}
	return &n
}

// addedBy is the effect of the taints that a write added, or EffectAny.
func addedBy(ch *model.Change, old *model.Node) (added model.Effect) {
	if ch.Writer != model.WriterNodeLifecycle && ch.Writer != model.WriterUnknown {
		return added
	}
	for t := range model.Each(ch.Node.Taints) {
		if was := old.Taint(t.Key, t.Effect); t.OfNodeLifecycle() && (was == nil || was.Added != t.Added) && fresh(t.Added, ch) {
			added = max(added, t.Effect)
		}
	}
	return added
}

// conditionBefore is a condition before the write that shows it: the same if its timestamp is in the gap. Otherwise it
// is the last seen one, corrected by taints.
func conditionBefore(ch *model.Change, c *model.Condition, old *model.Node, gap model.Interval) model.Condition {
	was := old.Condition(c.Type)
	since := c.Transition.Bounded() && c.Transition >= gap.Earliest.Add(-time.Second) && !fresh(c.Transition, ch)
	stood := func(key string) (t model.Taint) {
		for _, t := range ch.Node.Taints {
			if t.Key == key && !fresh(t.Added, ch) {
				return t
			}
		}
		return t
	}
	if silent := stood(model.TaintUnreachable); was != nil && c.Type == "Ready" && c.Status != model.StatusUnknown && fresh(c.Heartbeat, ch) && silent.Key != "" {
		x := *was
		if x.Status != model.StatusUnknown {
			x.Status, x.Reason, x.Transition = model.StatusUnknown, model.ReasonUnknown, silent.Added.Add(-time.Second)
		}
		return x
	}
	if was == nil || was.Status == c.Status || since {
		return *c
	}
	x := *was
	if x.Type == "Ready" && c.Status == model.StatusTrue && stood(model.TaintNotReady).Key != "" && x.Status == model.StatusTrue {
		x.Status, x.Transition, x.Reason = model.StatusFalse, 0, ""
	}
	return x
}

func replacedPod(ch *model.Change) *model.Pod {
	p := *ch.Pod
	switch {
	case ch.Writer == model.WriterTaintEviction, ch.Writer == model.WriterUnknown && fresh(p.Disrupted, ch):
		p.Disrupted, p.DisruptionReason, p.Deletion = 0, "", 0
	case p.Ready == model.StatusFalse && (ch.Writer == model.WriterNodeLifecycle || ch.Writer == model.WriterUnknown && fresh(p.ReadySince, ch)):
		p.Ready, p.ReadySince = model.StatusTrue, p.Created
	}
	return &p
}
