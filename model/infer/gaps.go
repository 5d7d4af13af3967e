package infer

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
	"kardia/model/infer/phases"
)

// relisted is how long after the end of a gap the list that ends it may take.
const relisted = time.Second

// blindness is when nothing was seen of the objects of a kind.
type blindness [model.KindPod + 1][]blind

// blind is a gap of all sources that speak of a kind. Where nobody noted when the watch was
// back, it was by the first event after the list: until tells when, FarFuture while there is
// none.
type blind struct {
	model.Interval
	until model.Instant
	// noted: it is known when the list was made.
	noted bool
	// unlisted: nobody listed what there was when it ended.
	unlisted bool
	// base: it lies before what stood there when the input begins; what comes after that was seen.
	base bool
}

// end is until when something that comes may have happened in the gap.
func (b *blind) end() model.Instant {
	if b.base {
		return b.Latest
	}
	return b.Latest.Add(relisted)
}

// blindIn finds when no source spoke of a kind.
func blindIn(h history.History) (b blindness) {
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		for _, v := range history.BlindIn(h, kind) {
			x := blind{Interval: v.Interval, until: v.Latest, noted: v.Noted, unlisted: v.Unlisted}
			if !v.Noted {
				x.until = model.FarFuture
			}
			b[kind] = append(b[kind], x)
		}
	}
	return b
}

// seen ends gaps of which nobody noted the end: an event after the list shows that the watch
// is back.
func (b *blindness) seen(kind model.Kind, at model.Instant) {
	if kind > model.KindPod {
		return
	}
	for i := range b[kind] {
		if v := &b[kind][i]; v.until == model.FarFuture && at > v.Latest {
			v.until = at
		}
	}
}

// at is the gap that a Change of an instant may span: it lies in the gap, or came with the
// list that ended it.
func (b *blindness) at(kind model.Kind, t model.Instant) (gap blind, ok bool) {
	if kind > model.KindPod {
		return gap, false
	}
	for _, v := range b[kind] {
		if v.Earliest < t && t <= v.end() {
			return v, true
		}
	}
	return gap, false
}

// hides says that what happened to a kind within an interval may not have been seen.
func (b *blindness) hides(kind model.Kind, v model.Interval) bool {
	return slices.ContainsFunc(b[kind], func(gap blind) bool { return v.Earliest <= gap.until && gap.Earliest <= v.Latest })
}

// token says that one may have been given that nobody saw, shortly before an instant.
func (b *blindness) token(at model.Instant, every time.Duration) bool {
	return slices.ContainsFunc(b[model.KindNode], func(gap blind) bool { return gap.Earliest < at && at < gap.Latest.Add(every) })
}

// kindOf is the kind of the object on which an effect would show.
func kindOf(e effect) model.Kind {
	if e.pod != (model.Key{}) {
		return model.KindPod
	}
	return model.KindNode
}

// step is a version of an object that must have been, within a gap: nobody has seen it, but
// the stamps of a later one tell of it.
type step struct {
	at       model.Instant
	id       int
	position int // of the Change that tells
	change   model.Change
}

// key tells the writes that a step shows from those of Changes, which have their position.
func (s *step) key() int { return -2 - s.id }

// spans says whether a Change may hide others. Where it is known when the list was made that
// is the first of its object only: what comes after it was seen.
func (s *survey) spans(ch *model.Change, gap *blind) bool {
	if ch.Time.Earliest > gap.Latest {
		return false
	}
	if !gap.noted {
		return true
	}
	of := model.Reference{Kind: ch.Kind.String(), Key: ch.Key}
	if s.spanned[of] == gap.Earliest {
		return false
	}
	s.spanned[of] = gap.Earliest
	return true
}

// span takes apart a Change that hides others, and says what is left for itself to show.
func (s *survey) span(position int, ch *model.Change, gap *blind) {
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
	if !gap.noted {
		by = max(by, ch.Effective()).Add(s.period + relisted)
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
	x := step{at: by, id: len(s.steps), position: position, change: last}
	s.steps = append(s.steps, x)
	s.differs(before, x.key(), x.at)
	s.moved[position] = true
}

// differs marks the writes found from an index on as seen as a difference only.
func (s *survey) differs(from, key int, at model.Instant) {
	for i := from; i < len(s.out); i++ {
		w := &s.out[i]
		w.key, w.at, w.across, w.exact = key, at, true, false
		w.Detail += " (seen as a difference after a gap)"
	}
}

// tell makes a step of what a stamp says: it is cut to the second, and the write came soon.
// Where no stamp says when, it was at some time in the gap, after the step before.
func (s *survey) tell(position int, ch *model.Change, gap model.Interval, stamp model.Instant, edit func(*model.Change)) {
	x := step{id: len(s.steps), position: position, change: *ch}
	x.change.Op, x.change.Writer, x.change.Quality = model.OpModify, model.WriterUnknown, model.ByStamp
	from := max(gap.Earliest, s.told)
	x.change.Time = model.Interval{Earliest: from, Latest: max(from, ch.Time.Latest)}
	if stamped(stamp, ch, gap) {
		from = max(from, stamp)
		x.change.Time = model.Interval{Earliest: from, Latest: max(from, min(stamp.Add(time.Second+phases.LagBound), ch.Time.Latest))}
	}
	x.at = min(from, ch.Effective())
	x.change.At = x.at
	edit(&x.change)
	s.told = x.at
	before := len(s.out)
	s.observe(position, &x.change)
	s.differs(before, x.key(), x.at)
	s.steps = append(s.steps, x)
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
		was := taintOf(old, t)
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
	i := slices.IndexFunc(taints, func(t model.Taint) bool { return t.Key == keyUnreachable })
	was, is := old.Ready(), ch.Node.Ready()
	if i < 0 || was == nil || is == nil || was.Status == model.StatusUnknown || is.Status == model.StatusUnknown {
		return nil, tells
	}
	tells = *ch
	tells.Time.Latest = min(ch.Time.Latest, taints[i].Added.Add(time.Second+phases.LagBound))
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
	x := step{at: when, id: len(s.steps), position: position, change: *ch}
	x.change.At = when
	s.steps = append(s.steps, x)
	return when
}

// closeGaps makes a step of the end of each gap: from then on what is still to be done shows.
func (s *survey) closeGaps() {
	for kind, gaps := range s.blind {
		for _, gap := range gaps {
			end := gap.end()
			if !gap.noted {
				end = end.Add(s.period + 2*relisted)
			}
			s.steps = append(s.steps, step{at: end, id: len(s.steps), position: -1, change: model.Change{Kind: model.Kind(kind), Op: model.OpGap, At: end}})
		}
	}
}

// reopen forgets which effects of a kind are expected: nobody knows whether they came in the
// gap that has just ended, and the models decide anew what is still to be done.
func (d *driver) reopen(kind model.Kind, at model.Instant) {
	for e := range d.open.decisions {
		if kindOf(e) == kind {
			d.open.close(e)
		}
	}
	if s := d.r.survey; kind == model.KindNode && s.based && at == s.begins {
		d.nodes.Adopt(d.cache)
	}
}

type gapOf struct {
	gap  model.Instant // its start
	node string
}

// unseenBeat says that a node may have been heard by a pass, though no renewal shows it: one
// that came later in the same gap does. Where a gap has no end yet any node may, and so where nobody
// made a list when it ended, until a node that was heard in it last would be declared; but not those
// that are seen to be marked then.
func (d *driver) unseenBeat(p pass, marked map[string]bool) func(node string, renewed model.Instant) bool {
	s := d.r.survey
	gap, ok := s.blind.at(model.KindNodeLease, p.at)
	if !ok {
		gap, ok = s.blind.shadows(p.at, d.r.o.Params.NodeMonitorGracePeriod.Value)
	}
	if !ok {
		return nil
	}
	open := gap.Latest >= d.r.coverage.Latest || gap.unlisted || gap.base
	return func(node string, renewed model.Instant) bool {
		_, declared := marked[node]
		if p.at > gap.end() {
			return renewed <= gap.Earliest && !declared
		}
		last, heard := s.heardIn[gapOf{gap.Earliest, node}]
		return open && !declared || heard && renewed < last
	}
}

// marked are the nodes that are seen to be declared Unknown by a pass.
func (d *driver) marked(p pass) map[string]bool {
	var nodes map[string]bool
	for i := d.next; i < len(d.r.out) && d.r.out[i].soonest <= p.Latest.Add(phases.LagBound); i++ {
		if w := &d.r.out[i]; w.Kind == model.MarkUnknown && w.Time.Earliest <= p.Latest.Add(phases.LagBound) {
			if nodes == nil {
				nodes = map[string]bool{}
			}
			nodes[w.Node] = d.r.unleased[w.Node]
		}
	}
	return nodes
}

// hidden is what decides in a pass, and nobody saw: who may have been heard, and who was silent before
// anything was seen of it.
func (d *driver) hidden(p pass) nodelifecycle.Hidden {
	silent := d.marked(p)
	h := nodelifecycle.Hidden{MayBeat: d.mayBeat(p, silent)}
	if d.started {
		h.Silent = silent
	}
	d.behindIn(p, &h)
	return h
}

// shadows is the gap after which a node may still count as heard: nobody made a list when it ended.
func (b *blindness) shadows(t model.Instant, grace time.Duration) (gap blind, ok bool) {
	for _, v := range b[model.KindNodeLease] {
		if v.unlisted && v.end() < t && t <= v.end().Add(grace) {
			gap, ok = v, true
		}
	}
	return gap, ok
}

// since is the time from the first to the end of the last of the gaps of a kind that begin at or after
// one instant, and before another, after which nobody listed what there was: what was seen last at the
// first is the last that is known at the second.
func (b *blindness) since(kind model.Kind, last, t model.Instant) (gap model.Interval, ok bool) {
	for _, v := range b[kind] {
		if !v.unlisted || v.Earliest < last || v.Earliest >= t {
			continue
		}
		if !ok {
			gap = v.Interval
		}
		gap.Latest, ok = max(gap.Latest, v.Latest), true
	}
	return gap, ok
}

// unlisted says whether there is a gap after which nobody listed what there was of a kind.
func (b *blindness) unlisted(kind model.Kind) bool {
	return kind <= model.KindPod && slices.ContainsFunc(b[kind], func(v blind) bool { return v.unlisted })
}

// beatsFor is how long after the end of a gap a renewal still tells that its node was heard in it:
// it renews every ten seconds.
const beatsFor = 15 * time.Second

// heardAcross notes that a node that was heard before a gap, and is heard soon after it, was heard in it.
func (s *survey) heardAcross(node string, last, at, renewed model.Instant) {
	for _, gap := range s.blind[model.KindNodeLease] {
		if gap.unlisted && last.Known() && last <= gap.Earliest && gap.Earliest < at && at <= gap.Latest.Add(beatsFor) {
			s.heardIn[gapOf{gap.Earliest, node}] = cmp.Or(renewed, at)
		}
	}
}

// outlived is the gap before which that was seen which is known of a node, or a pod, at an instant:
// nobody saw it since.
func (s *survey) outlived(kind model.Kind, key model.Key, at model.Instant) (gap model.Interval, ok bool) {
	if !s.blind.unlisted(kind) {
		return gap, false
	}
	list := s.shown[model.Reference{Kind: kind.String(), Key: key}]
	i, _ := slices.BinarySearch(list, at+1)
	last := model.Instant(0)
	if i > 0 {
		last = list[i-1]
	}
	return s.blind.since(kind, last, at)
}

// settles is how long after a gap what is not known of it may still show: silent nodes are declared,
// and countdowns that began in it end.
func (r *run) settles() time.Duration {
	return r.o.Params.NodeMonitorGracePeriod.Value + r.period + admitted
}

// admitted is the longest that pods get without asking for it: the toleration that admission adds.
const admitted = 5 * time.Minute

// unsettled is a gap, after which nobody listed what there was, in which that may have happened on which
// rests what the controllers do at an instant: their queues, the state of their zones, their countdowns.
func (r *run) unsettled(v model.Interval) (in model.Interval, ok bool) {
	for _, gap := range slices.Concat(r.blind[model.KindNode], r.blind[model.KindNodeLease], r.blind[model.KindPod]) {
		if gap.unlisted && gap.Earliest <= v.Latest && v.Earliest <= gap.end().Add(r.settles()) {
			return gap.Interval, true
		}
	}
	return in, false
}

// guessed says that a decision would be a guess: it lies in a gap after which nobody listed what
// there was, or rests on what was known before it.
func (r *run) guessed(x *model.Decision) bool {
	if x.Observed != nil {
		return false
	}
	if x.Node != "" {
		if _, ok := r.outlived(model.KindNode, model.Key{Name: x.Node}, x.Window.Earliest); ok {
			return true
		}
	}
	settled := r.o.Params.NodeMonitorGracePeriod.Value + r.period // by then all that are silent are declared
	return slices.ContainsFunc(slices.Concat(r.blind[model.KindNode], r.blind[model.KindNodeLease]), func(v blind) bool {
		return v.unlisted && v.Earliest < x.Window.Latest && x.Window.Earliest < v.end().Add(settled) && (x.Node == "" || x.Window.Earliest < v.end())
	})
}
