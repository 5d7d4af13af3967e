package whatif

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// Answer is the effects of a branch.
type Answer struct {
	// Recorded are the recorded decisions, Branch those of the branch, both in order.
	Recorded []model.Decision
	Branch   []Decision
	Changes  []Change
	Pods     Pods
	Nodes    Nodes
	// Evacuated is when pods are deleted in the branch, after the start of their nodes' silence.
	Evacuated   Evacuation
	Assumptions []Assumption
}

// Decision is one of the branch. Its Window is the hull of its courses.
type Decision struct {
	model.Decision
	// Certain: every course makes it.
	Certain bool
}

// ChangeKind is how a decision differs.
type ChangeKind uint8

const (
	Moved ChangeKind = iota + 1
	Appears
	Vanishes
)

func (k ChangeKind) String() string {
	return [...]string{"", "moved", "appears", "vanishes"}[min(k, Vanishes)]
}

// Change is one decision that differs.
type Change struct {
	Change ChangeKind
	// Certain: it differs in every course.
	Certain bool
	// Recorded is nil for an unrecorded decision, Branch for one that surely vanishes.
	Recorded *model.Decision
	Branch   *Decision
	// Unchanged is the decision of the unchanged run after the end of the recording; nil for none.
	Unchanged *Decision
}

// Decision is the recorded decision, else that of the branch or the unchanged run.
func (c *Change) Decision() *model.Decision {
	switch {
	case c.Recorded != nil:
		return c.Recorded
	case c.Branch != nil:
		return &c.Branch.Decision
	}
	return &c.Unchanged.Decision
}

// Set is pods for which something is certain, and others for which it is only possible. Both are sorted.
type Set struct{ Certain, Possible []Pod }

func (s *Set) add(p Pod, certain bool) {
	list := &s.Possible
	if certain {
		list = &s.Certain
	}
	*list = append(*list, p)
}

// Pod is a pod with its owner; zero for none.
type Pod struct {
	model.Key
	Owner model.Owner
}

// Pods are the effects on pods.
type Pods struct {
	// Recorded is how many pods taint eviction deleted in the recording; the others are of the branch and without
	// changes.
	Recorded, Least, Most         int
	UnchangedLeast, UnchangedMost int
	// Spared were deleted, and are not in the branch; Lost are the reverse. SparedLeast and so on are their numbers.
	Spared, Lost                                 Set
	SparedLeast, SparedMost, LostLeast, LostMost int
	// Open were recorded as deleted. The branch has not deleted them by its end, but may later.
	Open []Pod
	// LaterRecorded is how many pods were pending at the end of the recording, if their nodes stay silent. LaterLeast
	// and LaterMost are the same of the branch. These are delayed, not spared.
	LaterRecorded, LaterLeast, LaterMost int
	// Ended are Terminating at the end of the unchanged run, and ended in the branch by a kubelet that has returned.
	Ended Set
}

// Nodes are how many nodes got a NoExecute taint in the recording, and the numbers of the branch.
type Nodes struct{ Recorded, Least, Most int }

// Branch runs a branch and compares it with the recording. It is nil if Options.Progress stopped it.
func (b *Base) Branch(branch *Branch) *Answer {
	slices.SortStableFunc(branch.Edits, func(x, y Edit) int { return cmp.Compare(x.At, y.At) })
	b.stopped = false
	h := b.courses(branch, 0)
	if b.stopped {
		return nil
	}
	a := &Answer{Recorded: b.recorded}
	for i := range h.List {
		a.Branch = append(a.Branch, h.List[i].Decision)
	}
	slices.SortStableFunc(a.Branch, func(x, y Decision) int {
		return cmp.Or(cmp.Compare(x.Time, y.Time), cmp.Compare(x.Window.Earliest, y.Window.Earliest), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Subject(), y.Subject()))
	})
	b.changes(h, a)
	b.pods(h, a)
	a.Nodes = b.nodes(h)
	a.Evacuated = h.evacuated
	a.Assumptions = b.assumptions(branch, h, a)
	return a
}

// much is the least change of a window that counts as moved.
const much = 100 * time.Millisecond

// changes finds the differences, except those between the unchanged run and the recording.
func (b *Base) changes(h *hull, a *Answer) {
	add := func(d *model.Decision, was, is *occurrence) {
		if c, ok := changed(d, was, is); ok {
			a.Changes = append(a.Changes, c)
		}
	}
	for s, places := range b.bySubject {
		for nth, i := range places {
			at, d := courses.Slot{Subject: s, Recorded: true, Nth: nth}, &b.recorded[i]
			switch was, is := b.unchanged.Find(at), h.Find(at); {
			case was == nil: // the unchanged run does not make it either
			case is == nil:
				a.Changes = append(a.Changes, Change{Change: Vanishes, Certain: !b.open(h, d), Recorded: d})
			default:
				add(d, was, is)
			}
		}
	}
	for i := range h.List {
		is := &h.List[i]
		switch was := b.unchanged.Find(is.Slot); {
		case is.Recorded:
		case b.beyond(was):
			add(nil, was, is)
		case was == nil || !was.Certain && is.Certain:
			a.Changes = append(a.Changes, Change{Change: Appears, Certain: is.Certain, Branch: &is.Decision})
		}
	}
	for i := range b.unchanged.List {
		if was := &b.unchanged.List[i]; b.beyond(was) && was.Certain && h.Find(was.Slot) == nil {
			a.Changes = append(a.Changes, Change{Change: Vanishes, Certain: !b.open(h, &was.Decision.Decision), Unchanged: &was.Decision})
		}
	}
	slices.SortFunc(a.Changes, func(x, y Change) int {
		dx, dy := x.Decision(), y.Decision()
		return cmp.Or(cmp.Compare(dx.Time, dy.Time), cmp.Compare(dx.Kind, dy.Kind), cmp.Compare(dx.Subject(), dy.Subject()), cmp.Compare(dx.Why.Code, dy.Why.Code), cmp.Compare(dx.State.To, dy.State.To),
			cmp.Compare(dx.Rate.To, dy.Rate.To), cmp.Compare(x.Change, y.Change))
	})
}

// beyond reports whether a decision comes after the end of the recording, which therefore does not contradict it.
func (b *Base) beyond(was *occurrence) bool {
	return was != nil && !was.Recorded && was.Window.Latest > b.recordedUntil
}

// changed is the change of a recorded decision, or with d nil of one of the unchanged run after the recording.
func changed(d *model.Decision, was, is *occurrence) (c Change, ok bool) {
	c = Change{Recorded: d, Branch: &is.Decision}
	usual, then, before := was.Window, is.Window, was.Window
	if d != nil {
		before = d.Window
	} else {
		c.Unchanged = &was.Decision
	}
	switch {
	case d == nil && is.Certain && !was.Certain:
		c.Change, c.Certain = Appears, true
	case !is.Certain && was.Certain:
		c.Change = Vanishes
	case usual.Earliest.Sub(then.Earliest).Abs() <= much && usual.Latest.Sub(then.Latest).Abs() <= much:
		return c, false
	default:
		c.Change, c.Certain = Moved, is.Certain && !then.Overlaps(before)
	}
	return c, true
}

// open reports whether a decision missing in the branch may come after its end.
func (b *Base) open(h *hull, d *model.Decision) bool {
	if d.Pod != (model.Key{}) {
		return h.open[d.Pod] > 0
	}
	if d.Node != "" {
		return h.restless[d.Node] > 0
	}
	for name := range h.restless {
		if n := b.state.Cache.Node(name); n == nil || !d.Zone.Known || n.Zone == d.Zone.Value {
			return true
		}
	}
	return false
}

// bounds are the least and the greatest of a number over all courses' ends.
func (h *hull) bounds(of func(*ending) int) (least, most int) {
	least = of(&h.endings[0])
	for i := range h.endings {
		n := of(&h.endings[i])
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

func (b *Base) nodes(h *hull) (n Nodes) {
	recorded := map[string]bool{}
	for _, t := range b.tainted {
		recorded[t.node] = true
	}
	n.Recorded = len(recorded)
	n.Least, n.Most = h.bounds(func(e *ending) int { return e.tainted })
	return n
}

func (b *Base) pods(h *hull, a *Answer) {
	recorded := map[model.Key]bool{}
	for i := range b.recorded {
		if d := &b.recorded[i]; d.Kind == model.EvictPod && d.Outcome == model.Did {
			recorded[d.Pod] = true
		}
	}
	p := &a.Pods
	p.Recorded = len(recorded)
	for pod, in := range b.unchanged.deleted {
		if !recorded[pod] && in == b.unchanged.courses && b.unchanged.of(pod).Window.Latest > b.recordedUntil { // too late for the recording
			recorded[pod] = true
		}
	}
	spared, lost := map[model.Key]bool{}, map[model.Key]bool{}
	for pod := range recorded {
		was, open := b.unchanged.deleted[pod], h.deleted[pod]
		if was == 0 || h.deleted[pod] == h.courses || was < b.unchanged.courses && h.deleted[pod] > 0 {
			continue // the unchanged run is uncertain of it too
		}
		for i := range h.endings {
			if e := &h.endings[i]; e.open[pod] && !e.deleted[pod] {
				open++
			}
		}
		if open == h.courses { // deleted, or threatened at the end, in each course
			p.Open = append(p.Open, b.podOf(pod))
			continue
		}
		p.Spared.add(b.podOf(pod), open == 0)
		spared[pod] = true
	}
	for pod := range h.deleted {
		was, certain := b.unchanged.deleted[pod], h.deleted[pod] == h.courses
		if recorded[pod] || was == b.unchanged.courses || was > 0 && !certain {
			continue
		}
		p.Lost.add(b.podOf(pod), certain)
		lost[pod] = true
	}
	for pod, in := range h.ended {
		p.Ended.add(b.podOf(pod.key), in == h.courses)
	}
	for _, list := range [...][]Pod{p.Spared.Certain, p.Spared.Possible, p.Lost.Certain, p.Lost.Possible, p.Open, p.Ended.Certain, p.Ended.Possible} {
		slices.SortFunc(list, func(x, y Pod) int { return model.CompareKeys(x.Key, y.Key) })
	}
	b.between(h, p, spared, lost)
	b.later(h, p, recorded)
}

// later counts the pods still to be deleted at the end: not those threatened ones that may tolerate all taints forever.
func (b *Base) later(h *hull, p *Pods, recorded map[model.Key]bool) {
	count := func(e *ending) (n int) {
		for pod := range e.open {
			if !e.deleted[pod] && (recorded[pod] || h.doomed[pod] || b.unchanged.doomed[pod]) {
				n++
			}
		}
		return n
	}
	for pod := range b.unchanged.endings[0].open { // the course most like the recording
		if !recorded[pod] && (h.doomed[pod] || b.unchanged.doomed[pod]) {
			p.LaterRecorded++
		}
	}
	p.LaterLeast, p.LaterMost = h.bounds(count)
}

func (b *Base) between(h *hull, p *Pods, spared, lost map[model.Key]bool) {
	deleted := func(e *ending) int { return len(e.deleted) }
	p.UnchangedLeast, p.UnchangedMost = b.unchanged.bounds(deleted)
	p.Least, p.Most = h.bounds(deleted)
	p.SparedLeast, p.SparedMost = h.bounds(func(e *ending) (n int) {
		for pod := range spared {
			if !e.deleted[pod] && !e.open[pod] {
				n++
			}
		}
		return n
	})
	p.LostLeast, p.LostMost = h.bounds(func(e *ending) (n int) {
		for pod := range lost {
			if e.deleted[pod] {
				n++
			}
		}
		return n
	})
}

func (h *hull) of(pod model.Key) *occurrence {
	i := slices.IndexFunc(h.List, func(o occurrence) bool { return o.Kind == model.EvictPod && o.Pod == pod })
	return &h.List[i]
}

func (b *Base) podOf(key model.Key) Pod { return Pod{key, b.world.owners[key]} }

// Evacuation is from the start of a kubelet's silence to the first and last deletion of its pods by taint eviction.
// Unknown if none is deleted from a declared node.
type Evacuation struct{ First, Last model.Maybe[time.Duration] }

func (e *Evacuation) add(earliest, latest time.Duration) {
	if !e.First.Known || earliest < e.First.Value {
		e.First = model.Some(earliest)
	}
	if !e.Last.Known || latest > e.Last.Value {
		e.Last = model.Some(latest)
	}
}
