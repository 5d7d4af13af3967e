package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
)

// A Change after a gap hides others: its timestamps show them, and each becomes a Step.

// Step is an unseen version of an object within a gap, by the timestamps of a later version.
type Step struct {
	At       model.Instant
	id       int
	Position int // of the Change that shows it
	Change   model.Change
}

// Key is negative, to distinguish the writes of a step from those of a Change, whose key is its position.
func (s *Step) Key() int { return -2 - s.id }

// spans reports whether a Change may hide others: if the list is dated, only the first Change of its object may.
func (s *survey) spans(ch *model.Change, gap *Gap) bool {
	if ch.Time.Earliest > gap.Latest {
		return false
	}
	if !gap.Noted {
		return true
	}
	of := model.Reference{Kind: ch.Kind.String(), Key: ch.Key}
	if s.spanned[of] == gap.Earliest {
		return false
	}
	s.spanned[of] = gap.Earliest
	return true
}

// span takes apart a Change that hides others, and observes the rest as written by the end of the gap.
func (s *survey) span(position int, ch *model.Change, gap *Gap) {
	switch {
	case ch.Op == model.OpAttempt || ch.Op == model.OpRepeat || ch.Op == model.OpPatch:
		s.observe(position, ch)
		return
	case ch.Kind == model.KindNode && ch.Node != nil:
		if old := s.nodes[ch.Key.Name]; old != nil {
			s.unfoldNode(position, ch, old, gap.Interval)
		}
	case ch.Kind == model.KindPod && ch.Pod != nil:
		if old := s.pods[ch.Key]; old != nil && old.UID == ch.Pod.UID && old.Node == ch.Pod.Node {
			s.unfoldPod(position, ch, old, gap.Interval)
		}
	}
	last := *ch
	last.Writer = model.WriterUnknown
	// Changes without a timestamp were made by the end of the gap, or by the next pass if its end is not recorded.
	by := gap.Latest
	if !gap.Noted {
		by = max(by, ch.Effective()).Add(s.Period + relisted)
	}
	last.Time = model.Interval{Earliest: min(max(gap.Earliest, s.told), ch.Time.Latest), Latest: max(ch.Time.Latest, by.Add(relisted))}
	if last.Op == model.OpAdd && (s.nodes[ch.Key.Name] != nil && ch.Kind == model.KindNode || s.pods[ch.Key] != nil && ch.Kind == model.KindPod) {
		last.Op = model.OpModify // a repeated list shows existing objects as new
	}
	before := len(s.out)
	s.observe(position, &last)
	if len(s.out) == before || ch.Kind != model.KindNode || by <= ch.Effective() {
		s.differs(before, position, ch.Effective())
		return
	}
	last.At = by
	x := Step{At: by, id: len(s.Steps), Position: position, Change: last}
	s.Steps = append(s.Steps, x)
	s.differs(before, x.Key(), x.At)
	s.Moved[position] = true
}

// differs marks the writes from an index on as seen only as a difference.
func (s *survey) differs(from, key int, at model.Instant) {
	for i := from; i < len(s.out); i++ {
		w := &s.out[i]
		w.Key, w.At, w.Across, w.Exact = key, at, true, false
	}
}

// tell makes a step at a timestamp, which is cut to the second; without one, in the gap after the previous step.
func (s *survey) tell(position int, ch *model.Change, gap model.Interval, stamp model.Instant, edit func(*model.Change)) {
	x := Step{id: len(s.Steps), Position: position, Change: *ch}
	x.Change.Op, x.Change.Writer, x.Change.Quality = model.OpModify, model.WriterUnknown, model.ByStamp
	from := max(gap.Earliest, s.told)
	x.Change.Time = model.Interval{Earliest: from, Latest: max(from, ch.Time.Latest)}
	if stamped(stamp, ch, gap) {
		from = max(from, stamp)
		x.Change.Time = model.Interval{Earliest: from, Latest: max(from, min(stamp.Add(time.Second+LagBound), ch.Time.Latest))}
	}
	x.At = min(from, ch.Effective())
	x.Change.At = x.At
	edit(&x.Change)
	s.told = x.At
	before := len(s.out)
	s.observe(position, &x.Change)
	s.differs(before, x.Key(), x.At)
	s.Steps = append(s.Steps, x)
}

// stamped reports whether a timestamp dates a write within a gap.
func stamped(t model.Instant, ch *model.Change, gap model.Interval) bool {
	return t.Bounded() && t >= gap.Earliest.Add(-time.Second) && t <= ch.Time.Latest
}

// unfoldNode orders the changes of a node: conditions and cordons, NoSchedule taints at once, and NoExecute taints when
// a token comes. Removals leave no timestamp: the Change itself shows them.
func (s *survey) unfoldNode(position int, ch *model.Change, old *model.Node, gap model.Interval) {
	s.told = 0
	is := *old
	conditions := func() {
		if when, changed := declared(&is, ch, gap); changed {
			is.Conditions, is.Unschedulable = ch.Node.Conditions, ch.Node.Unschedulable
			s.tell(position, ch, gap, when, func(x *model.Change) { n := is; x.Node = &n })
		}
	}
	var taints []model.Taint
	for t := range model.Each(ch.Node.Taints) {
		was := old.Taint(t.Key, t.Effect)
		if t.OfNodeLifecycle() && (was == nil || t.Effect == model.NoExecute && was.Added != t.Added) && stamped(t.Added, ch, gap) {
			taints = append(taints, *t)
		}
	}
	slices.SortStableFunc(taints, func(a, b model.Taint) int {
		return cmp.Or(cmp.Compare(a.Added, b.Added), cmp.Compare(a.Effect, b.Effect))
	})
	if n, x := silenced(&is, ch, taints); n != nil { // it also returned within the gap
		is = *n
		s.tell(position, &x, gap, n.Ready().Transition, func(x *model.Change) { x.Node = n })
	} else {
		conditions()
	}
	for _, t := range taints {
		is.Taints = append(slices.DeleteFunc(slices.Clone(is.Taints), func(x model.Taint) bool { return x.Key == t.Key && x.Effect == t.Effect }), t)
		s.tell(position, ch, gap, t.Added, func(x *model.Change) { n := is; x.Node = &n })
	}
	conditions()
}

// silenced is a node declared Unknown, and the Change that shows it, if only its new taints still do; else nil.
func silenced(old *model.Node, ch *model.Change, taints []model.Taint) (n *model.Node, tells model.Change) {
	i := slices.IndexFunc(taints, func(t model.Taint) bool { return t.Key == model.TaintUnreachable })
	was, is := old.Ready(), ch.Node.Ready()
	if i < 0 || was == nil || is == nil || was.Status == model.StatusUnknown || is.Status == model.StatusUnknown {
		return nil, tells
	}
	tells = *ch
	tells.Time.Latest = min(ch.Time.Latest, taints[i].Added.Add(time.Second+LagBound))
	tells.Time.Earliest = min(ch.Time.Earliest, tells.Time.Latest)
	x := *old
	x.Conditions = slices.Clone(old.Conditions)
	ready := x.Ready()
	ready.Status, ready.Reason, ready.Transition = model.StatusUnknown, model.ReasonUnknown, 0
	if taints[i].Effect == model.NoSchedule { // it follows at once; a NoExecute taint waits for a token
		ready.Transition = taints[i].Added.Add(-time.Second)
	}
	return &x, tells
}

// declared is when conditions changed, by their timestamps, or unknown. changed says that they or the cordon did.
func declared(old *model.Node, ch *model.Change, gap model.Interval) (when model.Instant, changed bool) {
	changed = old.Unschedulable != ch.Node.Unschedulable
	for c := range model.Each(ch.Node.Conditions) {
		if was := old.Condition(c.Type); was != nil && was.Status == c.Status {
			continue
		}
		changed = true
		at := c.Transition
		if !stamped(at, ch, gap) && c.Status != model.StatusUnknown {
			at = c.Heartbeat // a returning kubelet keeps its old transition time
		}
		if stamped(at, ch, gap) {
			when = max(when, at)
		}
	}
	return when, changed
}

// unfoldPod orders the changes of a pod: marked not Ready, then deleted.
func (s *survey) unfoldPod(position int, ch *model.Change, old *model.Pod, gap model.Interval) {
	s.told = 0
	is := *old
	if old.Ready != ch.Pod.Ready {
		is.Ready, is.ReadySince = ch.Pod.Ready, ch.Pod.ReadySince
		s.tell(position, ch, gap, is.ReadySince, func(x *model.Change) { p := is; x.Pod = &p })
	}
	if old.Disrupted != ch.Pod.Disrupted {
		is = *ch.Pod
		s.tell(position, ch, gap, is.Disrupted, func(x *model.Change) { p := is; x.Pod = &p })
	}
}

// renewed notes a renewal within a gap, and returns its time. Earlier ones in the gap are unknown.
func (s *survey) renewed(position int, ch *model.Change, at model.Instant, gap model.Interval) model.Instant {
	if ch.Lease.Renewed.Known() {
		s.heardIn[gapOf{gap.Earliest, ch.Key.Name}] = ch.Lease.Renewed
	}
	when := ch.Lease.Renewed
	if when <= gap.Earliest || when >= at {
		return at
	}
	x := Step{At: when, id: len(s.Steps), Position: position, Change: *ch}
	x.Change.At = when
	s.Steps = append(s.Steps, x)
	return when
}

// closeGaps makes a step of each gap's end, from which pending effects can be seen.
func (s *survey) closeGaps() {
	for kind, gaps := range s.Gaps {
		for _, gap := range gaps {
			end := gap.End()
			if !gap.Noted {
				end = end.Add(s.Period + 2*relisted)
			}
			s.Steps = append(s.Steps, Step{At: end, id: len(s.Steps), Position: -1, Change: model.Change{Kind: model.Kind(kind), Op: model.OpGap, At: end}})
		}
	}
}
