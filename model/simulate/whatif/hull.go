package whatif

import (
	"cmp"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// maxCourses limits the courses of a branch, maxPlayed their events in sum.
const (
	maxCourses = 300
	maxPlayed  = 60_000_000
)

// variants are the tried choices of all but the order of queues, in addition to the one most like the recording.
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

// hull joins the courses of one branch.
type hull struct {
	courses.Hull[courses.Slot, occurrence]
	courses int
	// sampled: not every node was tried as the first and the last in its queue.
	sampled bool
	// deleted is in how many courses each pod was deleted, open in how many it is still threatened at the end.
	deleted, open map[model.Key]int
	endings       []ending
	// doomed are the pods that some course deletes, or counts down for at its end.
	doomed map[model.Key]bool
	// left is in how many courses each pod is still Terminating at the end. ended is in how many one is gone that all
	// courses of the unchanged run leave.
	left, ended map[terminating]int
	// restless is in how many courses a node is not calm at the end.
	restless  map[string]int
	evacuated Evacuation
}

// terminating is a pod that was deleted, and still exists.
type terminating struct {
	uid  model.UID
	key  model.Key
	node string
}

// ending is the pods that a course deleted, those still threatened at its end, and the number of nodes it tainted.
type ending struct {
	deleted, open map[model.Key]bool
	tainted       int
}

// occurrence is one decision of the courses: the first course's, with the window of all.
type occurrence struct {
	courses.Slot
	Decision
	// liken is its time in the course most like the recording; otherwise unknown.
	liken model.Instant
}

// compared is the share of the comparison in the progress of Prepare.
const compared = 0.1

// courses runs the courses of a branch; from is the progress so far.
func (b *Base) courses(branch *Branch, from float64) *hull {
	h := &hull{deleted: map[model.Key]int{}, open: map[model.Key]int{}, doomed: map[model.Key]bool{}, restless: map[string]int{}, left: map[terminating]int{}, ended: map[terminating]int{}}
	waited := map[model.ZoneKey][]string{}
	play := func(list []variant, from, to float64) (all bool) {
		for i, v := range list {
			b.begins(i, len(list), from, to)
			c := b.play(branch, v)
			if !b.goesOn(1) {
				return false
			}
			h.add(b, c)
			for zone, names := range c.waited {
				waited[zone] = courses.Union(waited[zone], names)
			}
		}
		return true
	}
	started := from + (1-from)/5
	if !play(b.inPhases(append([]variant{b.liken}, variants[:]...)), from, started) {
		return h
	}
	list, sampled := b.inOrders(waited, max(1, min(maxCourses, maxPlayed/b.load())-h.courses))
	h.sampled = sampled
	play(list, started, 1)
	for i := range h.List {
		o := &h.List[i]
		o.Time, o.Certain = cmp.Or(o.liken, o.Window.Earliest), h.In(i) == h.courses
	}
	return h
}

// add adds a course. The first is the one most like the recording.
func (h *hull) add(b *Base, c *course) {
	h.courses++
	slacks := c.slacks()
	var order []courses.Subject
	bySubject := map[courses.Subject][]int{}
	for i := range c.out {
		if told(&c.out[i]) {
			s := courses.SubjectOf(&c.out[i], false)
			if bySubject[s] == nil {
				order = append(order, s)
			}
			bySubject[s] = append(bySubject[s], i)
		}
	}
	for _, s := range order {
		var there, then []model.Instant
		for _, k := range b.bySubject[s] {
			there = append(there, b.recorded[k].Time)
		}
		for _, k := range bySubject[s] {
			then = append(then, c.out[k].Time)
		}
		others := 0
		for n, of := range align(there, then) {
			k := bySubject[s][n]
			at := courses.Slot{Subject: s, Recorded: of >= 0, Nth: of}
			if of < 0 {
				at.Nth = others
				others++
			}
			h.take(at, &c.out[k], slacks[k])
		}
	}
	e := ending{map[model.Key]bool{}, map[model.Key]bool{}, len(c.taken)}
	for i := range c.out {
		if d := &c.out[i]; d.Kind == model.EvictPod && d.Outcome == model.Did && !e.deleted[d.Pod] && !b.going[d.PodUID] {
			e.deleted[d.Pod], h.doomed[d.Pod] = true, true
			h.deleted[d.Pod]++
			if since, ok := c.silent[d.Node]; ok {
				h.evacuated.add(d.Time.Add(-slacks[i].earlier).Sub(since), d.Time.Add(slacks[i].later).Sub(since))
			}
		}
	}
	h.ends(b, c, &e)
	h.endings = append(h.endings, e)
}

// ends notes the state at the end of a course: threatened and Terminating pods, and nodes that are not calm. It also
// counts the pods that ended here but are Terminating in the unchanged run, if both deleted them.
func (h *hull) ends(b *Base, c *course, e *ending) {
	for _, row := range c.loop.Cache.All() {
		restless := row.Node != nil && (!row.Node.IsReady() || row.Node.HasNoExecute() || c.silentAt(row.Name, b.Until))
		if restless {
			h.restless[row.Name]++
		}
		for _, p := range row.Pods() {
			_, counting := c.loop.Taints.Pending(p.Key)
			switch {
			case p.Deletion.Known():
				h.left[terminating{p.UID, p.Key, p.Node}]++
			case restless || counting && row.Node != nil:
				e.open[p.Key] = true
				h.open[p.Key]++
				h.doomed[p.Key] = h.doomed[p.Key] || counting
			}
		}
	}
	if b.unchanged == nil {
		return
	}
	for p, in := range b.unchanged.left {
		if in == b.unchanged.courses && (b.going[p.uid] || e.deleted[p.key]) && c.find(&model.Pod{Key: p.key, UID: p.uid, Node: p.node}) == nil {
			h.ended[p]++
		}
	}
}

func (h *hull) take(at courses.Slot, d *model.Decision, s slack) {
	w := s.around(d.Time)
	o, met := h.Take(at)
	if !met {
		o.Slot, o.Decision.Decision = at, *d
		o.Window = w
	}
	if h.courses == 1 {
		o.liken = d.Time
	}
	o.Window = o.Window.Around(w)
}

const (
	// burst is how many writes the controller's client sends at once; after that it sends one every spaced.
	burst, spaced = 30, 50 * time.Millisecond
)

// slack is how much earlier or later a decision may be made, by the times of passes and writes alone.
type slack struct{ earlier, later time.Duration }

// atLeast is the slack of a decision that follows another one.
func (s slack) atLeast(cause slack) slack {
	return slack{max(s.earlier, cause.earlier), max(s.later, cause.later+courses.Lag)}
}

// around is when a decision of a time may be made.
func (s slack) around(at model.Instant) model.Interval {
	return model.Interval{Earliest: at.Add(-s.earlier), Latest: at.Add(s.later)}
}

// slacks are those of a course's decisions. A pass's decision has the bounds of the pass, a consequence those of its
// cause, and a token goes to any of equally old nodes. All may be later by the time of the writes before.
func (c *course) slacks() []slack {
	list := c.out
	out := make([]slack, len(list))
	byID := make(map[model.DecisionID]int, len(list))
	exchanged := map[int]*token{} // decision → the token it follows from
	busy := model.FarPast
	for from := 0; from < len(list); {
		to, writes := from, 0
		for ; to < len(list) && list[to].Time == list[from].Time; to++ {
			writes += list[to].Written()
		}
		now := list[from].Time
		busy = max(busy, now).Add(time.Duration(writes)*eachWrite + time.Duration(max(0, writes-burst))*spaced)
		for i := from; i < to; i++ {
			late := courses.Lag + busy.Sub(now)
			if ofPass(list[i].Kind) {
				within := c.passOf(now).within
				out[i] = slack{max(0, now.Sub(within.Earliest)), max(0, within.Latest.Sub(now)) + late}
			} else {
				out[i].later = late
				for _, id := range list[i].Causes {
					if k, ok := byID[id]; ok && (follows(list[i].Kind) || list[k].Kind == model.QueueForTaint) {
						if got := exchanged[k]; got != nil && list[i].Kind != model.CancelEviction { // a cancellation is of a node that has returned
							exchanged[i] = got
						}
						out[i] = out[i].atLeast(out[k])
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

// passOf is the pass of a decision at t.
func (c *course) passOf(t model.Instant) passed {
	i := sort.Search(len(c.passed), func(i int) bool { return c.passed[i].at > t })
	if i == 0 {
		return passed{at: t, within: model.Exactly(t)}
	}
	return c.passed[i-1]
}

func ofPass(kind model.DecisionKind) bool {
	switch kind {
	case model.MarkUnknown, model.MarkPodsNotReady, model.QueueForTaint, model.DequeueFromTaint, model.UntaintNoExecute, model.SwapNoExecute,
		model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption:
		return true
	}
	return false
}

// follows reports whether a kind of decision follows another's write as soon as it is seen, not the controller's clock.
func follows(kind model.DecisionKind) bool {
	switch kind {
	case model.AddNoSchedule, model.RemoveNoSchedule, model.ScheduleEviction, model.CancelEviction, model.EvictPod:
		return true
	}
	return false
}

// maxAligned limits the cost of one alignment, in pairs compared.
const maxAligned = 250_000

// align maps each time of a course to a recorded one, both in order: as many as possible, and as near; −1 for none.
func align(recorded, course []model.Instant) []int {
	out := make([]int, len(course))
	n, m := len(recorded), len(course)
	if n == 0 || n*m > maxAligned {
		for k := range out {
			if out[k] = k; k >= n {
				out[k] = -1
			}
		}
		return out
	}
	// cost is that of the best alignment of the first i and first k, with min(i, k) pairs.
	cost := make([][]time.Duration, n+1)
	for i := range cost {
		cost[i] = make([]time.Duration, m+1)
	}
	for i := 1; i <= n; i++ {
		for k := 1; k <= m; k++ {
			best := cost[i-1][k-1] + recorded[i-1].Sub(course[k-1]).Abs()
			if i > k {
				best = min(best, cost[i-1][k])
			} else if k > i {
				best = min(best, cost[i][k-1])
			}
			cost[i][k] = best
		}
	}
	for k := range out {
		out[k] = -1
	}
	for i, k := n, m; i > 0 && k > 0; {
		switch {
		case i > k && cost[i][k] == cost[i-1][k]:
			i--
		case k > i && cost[i][k] == cost[i][k-1]:
			k--
		default:
			out[k-1] = i - 1
			i, k = i-1, k-1
		}
	}
	return out
}
