package whatif

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
)

// maxCourses bounds how many courses are played, and maxPlayed how many events in them, all in all.
const (
	maxCourses = 300
	maxPlayed  = 60_000_000
)

// variants are the ways that are tried of what nobody can see, other than the order of queues and
// besides the one that is most like the recording.
var variants = [...]variant{
	{passes: early, ticks: prompt, deeds: early},
	{passes: early, ticks: prompt, takes: takes, eachWrite: eachWrite, deeds: late, late: true, reverse: true},
	{passes: late, ticks: tardy, takes: takes, eachWrite: eachWrite, deeds: late, late: true},
	{passes: late, ticks: tardy, deeds: early, reverse: true},
	{passes: fitted, ticks: prompt, takes: takes, eachWrite: eachWrite},
	{passes: fitted, ticks: tardy, late: true, reverse: true},
	{passes: early, ticks: tardy, takes: takes, eachWrite: eachWrite, deeds: late, reverse: true},
	{passes: late, ticks: prompt, takes: takes, eachWrite: eachWrite, deeds: early},
}

// hull is what the courses of one branch have in common.
type hull struct {
	courses int
	// sampled says that not all nodes were tried as the first and the last in their queue.
	sampled bool
	list    []occurrence
	bySlot  map[slot]int
	// deleted counts in how many courses each pod was deleted, open in how many it is still threatened
	// at the end.
	deleted, open map[model.Key]int
	endings       []ending
	// doomed are the pods that some course deletes, or whose countdown runs at its end.
	doomed map[model.Key]bool
	// left counts in how many courses each pod is still Terminating at the end, and ended in how many one is gone that
	// is so in all courses of the unchanged run.
	left, ended map[terminating]int
	// restless counts in how many courses a node is other than calm at the end.
	restless  map[string]int
	evacuated Evacuation
}

// terminating is a pod that was deleted, and is there.
type terminating struct {
	uid  model.UID
	key  model.Key
	node string
}

// ending is which pods one course deleted, which were still threatened at its end, and how many nodes
// it tainted.
type ending struct {
	deleted, open map[model.Key]bool
	tainted       int
}

// slot is a decision on a subject: the one that corresponds to the nth recorded one or, where none
// does, the nth of those.
type slot struct {
	subject
	recorded bool
	nth      int
}

// occurrence is one decision as the courses have it.
type occurrence struct {
	slot
	// decision is as the first course that has it made it, with the window of all.
	decision model.Decision
	in       int
	// liken is when the course that is most like the recording has it; unknown if it has not.
	liken model.Instant
}

// compared is which share of preparing the comparison is.
const compared = 0.1

// courses plays the courses of a branch, which are what is left from a share of all on.
func (b *Base) courses(branch *Branch, from float64) *hull {
	h := &hull{bySlot: map[slot]int{}, deleted: map[model.Key]int{}, open: map[model.Key]int{}, doomed: map[model.Key]bool{}, restless: map[string]int{}, left: map[terminating]int{}, ended: map[terminating]int{}}
	waited := map[model.ZoneKey][]string{}
	first := b.inPhases(append([]variant{b.liken}, variants[:]...))
	started := from + (1-from)/5
	for i, v := range first {
		b.begins(i, len(first), from, started)
		c := b.play(branch, v)
		if !b.goesOn(1) {
			return h
		}
		h.add(b, c, i == 0)
		for zone, names := range c.waited {
			waited[zone] = union(waited[zone], names)
		}
	}
	most := max(1, min(maxCourses, maxPlayed/b.load())-h.courses)
	list, sampled := b.inOrders(waited, most)
	h.sampled = sampled
	for i, v := range list {
		b.begins(i, len(list), started, 1)
		c := b.play(branch, v)
		if !b.goesOn(1) {
			return h
		}
		h.add(b, c, false)
	}
	return h
}

// union is what is in either of two sorted lists.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// add takes in a course.
func (h *hull) add(b *Base, c *course, liken bool) {
	h.courses++
	slacks := c.slacks()
	bySubject := map[subject][]int{}
	for i := range c.out {
		if told(&c.out[i]) {
			s := subjectOf(&c.out[i])
			bySubject[s] = append(bySubject[s], i)
		}
	}
	recorded := b.recordedBySubject()
	for i := range c.out {
		d := &c.out[i]
		if !told(d) {
			continue
		}
		s := subjectOf(d)
		if bySubject[s][0] != i {
			continue // the subject was dealt with at its first decision
		}
		var there, then []model.Instant
		for _, k := range recorded[s] {
			there = append(there, b.recorded[k].Time)
		}
		for _, k := range bySubject[s] {
			then = append(then, c.out[k].Time)
		}
		others := 0
		for n, of := range align(there, then) {
			k := bySubject[s][n]
			at := slot{subject: s, recorded: of >= 0, nth: of}
			if of < 0 {
				at.nth = others
				others++
			}
			h.take(at, &c.out[k], slacks[k], liken)
		}
	}
	deleted := map[model.Key]bool{}
	for i := range c.out {
		if d := &c.out[i]; d.Kind == model.EvictPod && d.Outcome == model.Did && !deleted[d.Pod] && !b.going[d.PodUID] {
			deleted[d.Pod], h.doomed[d.Pod] = true, true
			h.deleted[d.Pod]++
			if since, ok := c.silent[d.Node]; ok {
				h.evacuated.add(d.Time.Add(-slacks[i].earlier).Sub(since), d.Time.Add(slacks[i].later).Sub(since))
			}
		}
	}
	h.endings = append(h.endings, ending{deleted, c.atEnd, len(c.taken)})
	h.terminates(b, c, deleted)
	h.stands(b, c)
}

// stands notes which pods are still threatened when a course ends, and which nodes are other than calm.
func (h *hull) stands(b *Base, c *course) {
	for pod := range c.atEnd {
		h.open[pod]++
	}
	for _, pod := range c.counting {
		h.doomed[pod] = true
	}
	for i := range int32(c.loop.Cache.Rows()) {
		row := c.loop.Cache.Row(i)
		if row.Node == nil {
			continue
		}
		if ready := row.Node.Ready(); ready == nil || ready.Status != model.StatusTrue || row.Node.HasNoExecute() || c.silentAt(row.Name, b.Until) {
			h.restless[row.Name]++
		}
	}
}

// terminates notes which pods are still Terminating when a course ends, and which that are so in the unchanged run have ended,
// of those that were deleted in this one too.
func (h *hull) terminates(b *Base, c *course, deleted map[model.Key]bool) {
	for i := range int32(c.loop.Cache.Rows()) {
		for _, p := range c.loop.Cache.Row(i).Pods() {
			if p.Deletion.Known() {
				h.left[terminating{p.UID, p.Key, p.Node}]++
			}
		}
	}
	if b.unchanged == nil {
		return
	}
	for p, in := range b.unchanged.left {
		if in == b.unchanged.courses && (b.going[p.uid] || deleted[p.key]) && c.find(&model.Pod{Key: p.key, UID: p.uid, Node: p.node}) == nil {
			h.ended[p]++
		}
	}
}

func (h *hull) take(at slot, d *model.Decision, s slack, liken bool) {
	w := model.Interval{Earliest: d.Time.Add(-s.earlier), Latest: d.Time.Add(s.later)}
	i, ok := h.bySlot[at]
	if !ok {
		i = len(h.list)
		h.bySlot[at] = i
		h.list = append(h.list, occurrence{slot: at, decision: *d})
		h.list[i].decision.Window = w
	}
	o := &h.list[i]
	o.in++
	if liken {
		o.liken = d.Time
	}
	o.decision.Window = around(o.decision.Window, w)
}

// find is the occurrence in a slot; nil if no course has it.
func (h *hull) find(at slot) *occurrence {
	if i, ok := h.bySlot[at]; ok {
		return &h.list[i]
	}
	return nil
}

// always says that every course has an occurrence.
func (h *hull) always(o *occurrence) bool { return o != nil && o.in == h.courses }

// around is the least window that holds two.
func around(a, b model.Interval) model.Interval {
	return model.Interval{Earliest: min(a.Earliest, b.Earliest), Latest: max(a.Latest, b.Latest)}
}

// recordedBySubject are the places of the recorded decisions on each subject.
func (b *Base) recordedBySubject() map[subject][]int {
	if b.bySubject == nil {
		b.bySubject = map[subject][]int{}
		for i := range b.recorded {
			s := subjectOf(&b.recorded[i])
			b.bySubject[s] = append(b.bySubject[s], i)
		}
	}
	return b.bySubject
}

const (
	// lag is how long after a decision its write is there, at most, where nothing else is written.
	lag = 50 * time.Millisecond
	// burst is how many writes the controller's own client lets through at once; beyond it one comes
	// so often.
	burst, spaced = 30, 50 * time.Millisecond
)

// slack is how much earlier and later than in a course a decision may be made, were all as it is in the
// course but the instants of its passes and writes.
type slack struct{ earlier, later time.Duration }

// slacks are those of the decisions of a course. What a pass decides may come whenever that pass may;
// what follows from a decision comes with it; of nodes that wait equally long any may get a token. All may come
// later by as long as what was decided together with it, and shortly before, takes to be written.
func (c *course) slacks() []slack {
	list := c.out
	out := make([]slack, len(list))
	byID := make(map[model.DecisionID]int, len(list))
	exchanged := map[int]*token{} // from whose token a decision follows
	busy := model.FarPast
	for from := 0; from < len(list); {
		to, writes := from, 0
		for ; to < len(list) && list[to].Time == list[from].Time; to++ {
			writes += list[to].Written()
		}
		now := list[from].Time
		busy = max(busy, now).Add(time.Duration(writes)*eachWrite + time.Duration(max(0, writes-burst))*spaced)
		for i := from; i < to; i++ {
			late := lag + busy.Sub(now)
			if ofPass(list[i].Kind) {
				within := c.passOf(now).within
				out[i] = slack{max(0, now.Sub(within.Earliest)), max(0, within.Latest.Sub(now)) + late}
			} else {
				out[i].later = late
				for _, id := range list[i].Causes {
					if k, ok := byID[id]; ok && (follows(list[i].Kind) || list[k].Kind == model.QueueForTaint) {
						if got := exchanged[k]; got != nil && list[i].Kind != model.CancelEviction { // that is of a node that is back
							exchanged[i] = got
						}
						out[i] = slack{max(out[i].earlier, out[k].earlier), max(out[i].later, out[k].later+lag)}
					}
				}
			}
			if got := c.exchange.tokens[list[i].ID]; got != nil {
				exchanged[i] = got
			}
			byID[list[i].ID] = i
		}
		from = to
	}
	for i, got := range exchanged {
		out[i] = got.widen(out[i], list[i].Time, c.b.Until)
	}
	return out
}

// passOf is the pass that decided something at an instant.
func (c *course) passOf(t model.Instant) passed {
	i := sort.Search(len(c.passed), func(i int) bool { return c.passed[i].at > t })
	if i == 0 {
		return passed{at: t, within: model.Exactly(t)}
	}
	return c.passed[i-1]
}

// ofPass says that decisions of a kind are a pass's.
func ofPass(kind model.DecisionKind) bool {
	switch kind {
	case model.MarkUnknown, model.MarkPodsNotReady, model.QueueForTaint, model.DequeueFromTaint, model.UntaintNoExecute, model.SwapNoExecute,
		model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption:
		return true
	}
	return false
}

// follows says that decisions of a kind come of a write of another, as soon as it is seen, and not of
// the controller's own clock.
func follows(kind model.DecisionKind) bool {
	switch kind {
	case model.AddNoSchedule, model.RemoveNoSchedule, model.ScheduleEviction, model.CancelEviction, model.EvictPod:
		return true
	}
	return false
}
