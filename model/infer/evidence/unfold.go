package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
)

// A Change that is seen after a gap hides others: what stamps tell of them is taken apart into Steps.

// Step is a version of an object that must have been, within a gap: nobody has seen it, but
// the stamps of a later one tell of it.
type Step struct {
	At       model.Instant
	id       int
	Position int // of the Change that tells
	Change   model.Change
}

// Key tells the writes that a step shows from those of Changes, which have their position.
func (s *Step) Key() int { return -2 - s.id }

// spans says whether a Change may hide others. Where it is known when the list was made that
// is the first of its object only: what comes after it was seen.
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

// span takes apart a Change that hides OtherNodes, and says what is left for itself to show.
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
	// What leaves no stamp was done by the end of the gap, and by the next pass after what led
	// to it where nobody noted the end; when in it is for the models to say.
	by := gap.Latest
	if !gap.Noted {
		by = max(by, ch.Effective()).Add(s.Period + relisted)
	}
	last.Time = model.Interval{Earliest: min(max(gap.Earliest, s.told), ch.Time.Latest), Latest: max(ch.Time.Latest, by.Add(relisted))}
	if last.Op == model.OpAdd && (s.nodes[ch.Key.Name] != nil && ch.Kind == model.KindNode || s.pods[ch.Key] != nil && ch.Kind == model.KindPod) {
		last.Op = model.OpModify // a list that is made again shows what was there as new
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

// differs marks the writes found from an index on as seen as a difference only.
func (s *survey) differs(from, key int, at model.Instant) {
	for i := from; i < len(s.out); i++ {
		w := &s.out[i]
		w.Key, w.At, w.Across, w.Exact = key, at, true, false
	}
}

// tell makes a step of what a stamp says: it is cut to the second, and the write came soon.
// Where no stamp says when, it was at some time in the gap, after the step before.
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

// stamped says that a stamp tells when within a gap something was written.
func stamped(t model.Instant, ch *model.Change, gap model.Interval) bool {
	return t.Bounded() && t >= gap.Earliest.Add(-time.Second) && t <= ch.Time.Latest
}

// unfoldNode: conditions are declared and cordons set, NoSchedule taints follow at once,
// NoExecute taints when a token comes. What is taken off leaves no stamp, and is left for the
// Change itself.
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
	for i := range ch.Node.Taints {
		t := &ch.Node.Taints[i]
		was := TaintOf(old, t)
		if t.OfNodeLifecycle() && (was == nil || t.Effect == model.NoExecute && was.Added != t.Added) && stamped(t.Added, ch, gap) {
			taints = append(taints, *t)
		}
	}
	slices.SortStableFunc(taints, func(a, b model.Taint) int {
		return cmp.Or(cmp.Compare(a.Added, b.Added), cmp.Compare(a.Effect, b.Effect))
	})
	if n, x := silenced(&is, ch, taints); n != nil { // and heard again, within the gap
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

// silenced is a node as it was declared Unknown, and the Change that tells so, where new taints tell of
// it and its conditions do not any more; nil where they do not.
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
	if taints[i].Effect == model.NoSchedule { // it comes at once, and a token for the other only later
		ready.Transition = taints[i].Added.Add(-time.Second)
	}
	return &x, tells
}

// declared is when the conditions became what they are, by their stamps; unknown where those
// do not tell. changed is false if they, and the cordon, are what they were.
func declared(old *model.Node, ch *model.Change, gap model.Interval) (when model.Instant, changed bool) {
	changed = old.Unschedulable != ch.Node.Unschedulable
	for i := range ch.Node.Conditions {
		c := &ch.Node.Conditions[i]
		if was := old.Condition(c.Type); was != nil && was.Status == c.Status {
			continue
		}
		changed = true
		at := c.Transition
		if !stamped(at, ch, gap) && c.Status != model.StatusUnknown {
			at = c.Heartbeat // a kubelet that comes back with the transition it remembers
		}
		if stamped(at, ch, gap) {
			when = max(when, at)
		}
	}
	return when, changed
}

// unfoldPod: a pod is marked not ready, and later deleted.
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

// renewed notes that a node was heard within a gap: when at last is known, and how often
// before is not. It returns when that was.
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

// closeGaps makes a step of the end of each gap: from then on what is still to be done shows.
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
