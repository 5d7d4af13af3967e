package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// relisted is how long after the end of a gap the list that ends it may take.
const relisted = time.Second

// Gaps is when nothing was seen of the objects of a kind.
type Gaps [model.KindPod + 1][]Gap

// Gap is a gap of all sources that speak of a kind. Where nobody noted when the watch was
// back, it was by the first event after the list: until tells when, FarFuture while there is
// none.
type Gap struct {
	model.Interval
	until model.Instant
	// Noted: it is known when the list was made.
	Noted bool
	// Unlisted: nobody listed what there was when it ended.
	Unlisted bool
	// BeforeStart: it lies before what stood there when the input begins; what comes after that was seen.
	BeforeStart bool
}

// End is until when something that comes may have happened in the gap.
func (b *Gap) End() model.Instant {
	if b.BeforeStart {
		return b.Latest
	}
	return b.Latest.Add(relisted)
}

// gapsIn finds when no source spoke of a kind.
func gapsIn(h history.History) (b Gaps) {
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		for _, v := range history.BlindIn(h, kind) {
			x := Gap{Interval: v.Interval, until: v.Latest, Noted: v.Noted, Unlisted: v.Unlisted}
			if !v.Noted {
				x.until = model.FarFuture
			}
			b[kind] = append(b[kind], x)
		}
	}
	return b
}

// sees ends gaps of which nobody noted the end: an event after the list shows that the watch
// is back.
func (b *Gaps) sees(kind model.Kind, at model.Instant) {
	if kind > model.KindPod {
		return
	}
	for i := range b[kind] {
		if v := &b[kind][i]; v.until == model.FarFuture && at > v.Latest {
			v.until = at
		}
	}
}

// At is the gap that a Change of an instant may span: it lies in the gap, or came with the
// list that ended it.
func (b *Gaps) At(kind model.Kind, t model.Instant) (gap Gap, ok bool) {
	if kind > model.KindPod {
		return gap, false
	}
	for _, v := range b[kind] {
		if v.Earliest < t && t <= v.End() {
			return v, true
		}
	}
	return gap, false
}

// Hides says that what happened to a kind within an interval may not have been seen.
func (b *Gaps) Hides(kind model.Kind, v model.Interval) bool {
	return slices.ContainsFunc(b[kind], func(gap Gap) bool { return v.Earliest <= gap.until && gap.Earliest <= v.Latest })
}

// MayHideToken says that one may have been given that nobody saw, shortly before an instant.
func (b *Gaps) MayHideToken(at model.Instant, every time.Duration) bool {
	return slices.ContainsFunc(b[model.KindNode], func(gap Gap) bool { return gap.Earliest < at && at < gap.Latest.Add(every) })
}

// Kind is the kind of the object on which an effect would show.
func (e Effect) Kind() model.Kind {
	if e.Pod != (model.Key{}) {
		return model.KindPod
	}
	return model.KindNode
}

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
		w.Detail += " (seen as a difference after a gap)"
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

type gapOf struct {
	gap  model.Instant // its start
	node string
}

// StillHeard is the gap after which a node may still count as heard: nobody made a list when it ended.
func (b *Gaps) StillHeard(t model.Instant, grace time.Duration) (gap Gap, ok bool) {
	for _, v := range b[model.KindNodeLease] {
		if v.Unlisted && v.End() < t && t <= v.End().Add(grace) {
			gap, ok = v, true
		}
	}
	return gap, ok
}

// since is the time from the first to the end of the last of the gaps of a kind that begin at or after
// one instant, and before another, after which nobody listed what there was: what was seen last at the
// first is the last that is known at the second.
func (b *Gaps) since(kind model.Kind, last, t model.Instant) (gap model.Interval, ok bool) {
	for _, v := range b[kind] {
		if !v.Unlisted || v.Earliest < last || v.Earliest >= t {
			continue
		}
		if !ok {
			gap = v.Interval
		}
		gap.Latest, ok = max(gap.Latest, v.Latest), true
	}
	return gap, ok
}

// AnyUnlisted says whether there is a gap after which nobody listed what there was of a kind.
func (b *Gaps) AnyUnlisted(kind model.Kind) bool {
	return kind <= model.KindPod && slices.ContainsFunc(b[kind], func(v Gap) bool { return v.Unlisted })
}

// beatsFor is how long after the end of a gap a renewal still tells that its node was heard in it:
// it renews every ten seconds.
const beatsFor = 15 * time.Second

// heardAcross notes that a node that was heard before a gap, and is heard soon after it, was heard in it.
func (s *survey) heardAcross(node string, last, at, renewed model.Instant) {
	for _, gap := range s.Gaps[model.KindNodeLease] {
		if gap.Unlisted && last.Known() && last <= gap.Earliest && gap.Earliest < at && at <= gap.Latest.Add(beatsFor) {
			s.heardIn[gapOf{gap.Earliest, node}] = cmp.Or(renewed, at)
		}
	}
}

// Outlived is the gap before which that was seen which is known of a node, or a pod, at an instant:
// nobody saw it since.
func (e *Evidence) Outlived(kind model.Kind, key model.Key, at model.Instant) (gap model.Interval, ok bool) {
	if !e.Gaps.AnyUnlisted(kind) {
		return gap, false
	}
	list := e.shown[model.Reference{Kind: kind.String(), Key: key}]
	i, _ := slices.BinarySearch(list, at+1)
	last := model.Instant(0)
	if i > 0 {
		last = list[i-1]
	}
	return e.Gaps.since(kind, last, at)
}
