package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/podgc"
)

const (
	// shortest is what a pass takes at least: each begins a period and this after the one before.
	shortest = 100 * time.Microsecond
	// seenWithin is how long after it was written a sign of life is in the controller's cache, at
	// most.
	seenWithin = 50 * time.Millisecond
	// waits is how long a pass may take before it judges the zones, for a tick to come between,
	// and eachWrite how much longer for each object that its eight workers write.
	waits, eachWrite = 150 * time.Millisecond, 6 * time.Millisecond
	// maxParts is into how many parts the instants are divided at which the next pass may come,
	// and partRows bounds that for large clusters: so many parts times nodes.
	maxParts, partRows = 8, 15_000
	// maxSplits is at how many instants within a part the nodes are divided of which it leaves open
	// when they were counted, and splitRows bounds that likewise.
	maxSplits, splitRows = 3, 5_000
	// minPart is the least width of a part.
	minPart = 25 * time.Millisecond
)

// Phase is one way in which the passes may have come, and will, that agrees with all that was
// known by the State's instant. Whatever comes, comes between what some two Phases make of it.
type Phase struct {
	Clock loop.Clock
	// next is within which bounds the next pass comes in this Phase and its neighbours. A node of
	// which that leaves open when it was counted counts as seen by the earlier pass if it would be
	// were the next pass at split.
	next  model.Interval
	split model.Instant
}

// Spread is how far apart in time the instants are of the next pass for which a Phase stands.
func (p *Phase) Spread() time.Duration { return p.next.Latest.Sub(p.next.Earliest) }

// signs are within which bounds the controller's cache showed a node's last signs of life; zero
// where there was none.
type signs struct {
	lease, status model.Interval
	// before is the status before the last.
	before model.Interval
	// judged says that the node was there at the end, and not Unknown; new that it had no Ready
	// condition.
	judged, new bool
	// fresh says that its kubelet said less than two passes ago that it is not Ready: whether a pass has
	// queued it by now is open.
	fresh bool
	// made is when the object of a node was created that gave no sign of life; unknown for others.
	made model.Instant
}

// dated is how well a write must be dated to say itself when a node was heard: else the stamp in
// the object does.
const dated = 3 * time.Second

// skewed is how far off a kubelet's clock may be.
const skewed = time.Second

// stampedWithin is when something was written that has a stamp of its writer, and was there at an
// instant.
func stampedWithin(written model.Interval, stamp, at model.Instant) model.Interval {
	if written.Bounded() && written.Width() <= dated {
		return written
	}
	if !stamp.Known() {
		return model.Exactly(at)
	}
	near := model.Interval{Earliest: stamp.Add(-skewed), Latest: stamp.Add(2 * skewed)}
	if both, ok := written.Intersect(near); ok && written.Known() {
		near = both
	}
	return model.Interval{Earliest: min(near.Earliest, at), Latest: min(near.Latest, at)}
}

// schedule is what is known of the passes at an instant.
type schedule struct {
	at              model.Instant
	period, longest time.Duration
	grace, startup  time.Duration
	// heard is when nodes were heard last; nil where that is not known of this instant.
	heard map[string]signs
	// parts are when the next pass may come.
	parts []model.Interval
	// begun is when the last thing was that made a pass count all nodes anew, and begunBy by when that
	// pass came: the first pass of this process, or the one that ended master disruption. FarPast where
	// nothing is known of either.
	begun   model.Interval
	begunBy model.Instant
	// wentOn is when the controllers went on that had stood still, not more than a grace period before;
	// zero if they had not. What they were shown after idle they may have counted only then.
	wentOn model.Interval
	idle   model.Instant
}

// heardWithin is when the cache showed something that was written within bounds.
func heardWithin(written model.Interval, at model.Instant) model.Interval {
	if !written.Bounded() {
		written = model.Exactly(at)
	}
	return model.Interval{Earliest: written.Earliest, Latest: written.Latest.Add(seenWithin)}
}

// hear notes when nodes were heard last.
func (s *survey) hear() {
	s.heards = make(map[string]signs, len(s.names))
	for of, n := range s.names {
		h := signs{}
		if n.leased && n.last.lease.Known() {
			h.lease = heardWithin(n.last.lease, n.beat)
		}
		if n.last.status.Known() {
			h.status = heardWithin(n.last.status, n.posted)
		}
		if n.last.before.Known() {
			h.before = heardWithin(n.last.before, n.posted)
		}
		if is := s.nodes[of]; is != nil {
			ready := is.Ready()
			h.new, h.judged = ready == nil, ready == nil || ready.Status != model.StatusUnknown
			h.fresh = !h.new && ready.Status == model.StatusFalse && s.heardUntil.Sub(h.status.Earliest) < 2*s.period
			if h.new && !h.lease.Known() && !h.status.Known() {
				h.made = is.Created
			}
		}
		s.heards[of] = h
	}
}

// scheduleAt is what is known of the passes at an instant.
func (r *run) scheduleAt(t model.Instant) *schedule {
	p := &r.o.Params
	c := &schedule{at: t, period: p.NodeMonitorPeriod.Value, grace: p.NodeMonitorGracePeriod.Value, startup: p.NodeStartupGracePeriod.Value,
		longest: idle + time.Duration(r.size)*perNode, begun: model.Exactly(model.FarPast)}
	if t >= r.heardUntil {
		c.heard = r.heards // else they tell of what came after it
	}
	for i := range r.passes {
		if r.passes[i].first && r.passes[i].Earliest <= t {
			c.begun = r.passes[i].Interval
		}
	}
	c.begunBy = c.begun.Latest
	r.exited(c)
	if stood, ok := r.stoodBefore(t); ok {
		c.wentOn, c.idle = wentOn(stood), r.idleSince(stood)
	}
	if next := r.nextPass(c); len(next) > 0 {
		c.parts = c.likely(next, min(maxParts, max(2, partRows/max(1, r.size))))
	}
	return c
}

// phasesAt sets the Phases of a State.
func (r *run) phasesAt(s *State) {
	s.passes = r.scheduleAt(s.At)
	for _, part := range s.passes.parts {
		quick := Phase{Clock: loop.Clock{Pass: part.Earliest, Period: s.passes.period, Drift: shortest, Tick: s.At, Collect: s.Clock.Collect}, next: part}
		first := quick
		first.Clock.Takes, first.Clock.EachWrite = waits, eachWrite
		last := first
		last.Clock.Pass, last.Clock.Drift = part.Latest, s.passes.longest
		if len(r.cycles) == 0 {
			quick.Clock.Collect, last.Clock.Collect = s.At, s.At.Add(podgc.Period)
		}
		if s.passes.due(part, true) { // it still writes, or nobody knows when it will
			quick.Clock.Pass, first.Clock.Pass, last.Clock.Pass = s.At, s.At, s.At
		}
		quick.split, first.split, last.split = model.FarFuture, model.FarFuture, model.FarFuture
		s.Phases = append(append(s.Phases, quick, first, last), s.passes.unheard(quick)...)
		open := s.passes.open(part)
		if len(open) == 0 {
			continue
		}
		first.split, last.split = model.FarPast, model.FarPast
		s.Phases = append(s.Phases, first, last)
		splits := min(maxSplits, splitRows/max(1, r.size))
		for i := 1; i <= min(len(open)-1, splits); i++ {
			between := quick
			between.split = open[(i*len(open)-1)/min(len(open), splits+1)]
			if between.Clock.Pass != s.At {
				between.Clock.Pass = min(max(between.split, part.Earliest), part.Latest)
			}
			slow := between
			slow.Clock.Takes, slow.Clock.EachWrite = waits, eachWrite
			s.Phases = append(s.Phases, between, slow)
		}
	}
}

// unheard are the Phases of a part in which a pass comes just before the startup grace period of a node
// is over that never gave a sign of life, and just after it: that is counted from no pass, but from the
// node's creation (N3).
func (c *schedule) unheard(like Phase) (list []Phase) {
	part := like.next
	var made []model.Instant
	for _, h := range c.heard {
		if h.judged && h.made.Known() && h.made.Add(c.startup) > part.Earliest {
			made = append(made, h.made)
		}
	}
	slices.Sort(made)
	for _, made := range slices.Compact(made)[:min(len(made), maxSplits)] {
		for _, at := range [...]model.Instant{made.Add(c.startup), made.Add(c.startup) + 1} {
			n := time.Duration(floorDiv(at.Sub(part.Earliest), c.period+shortest))
			if at > part.Latest.Add(n*(c.period+c.longest)) {
				continue
			}
			p := like
			if p.Clock.Pass = at; n > 0 {
				p.Clock.Drift = min(max((at.Sub(part.Latest)+n-1)/n-c.period, shortest), c.longest)
				p.Clock.Pass = at.Add(-n * (c.period + p.Clock.Drift))
			}
			list = append(list, p)
		}
	}
	return list
}

// open are for the silent nodes that may have been counted by one pass or by another, within a
// part, where in it the one gives way to the other; in order.
func (c *schedule) open(part model.Interval) (list []model.Instant) {
	early, late := Phase{next: part, split: model.FarFuture}, Phase{next: part, split: model.FarPast}
	for _, h := range c.heard {
		if h.judged && (h.lease.Known() || h.status.Known()) && c.silent(h) && (c.between(h, &early) != c.between(h, &late) || c.late(h)) {
			list = append(list, c.gives(h, part))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// silent says that a node was not heard for two passes: it matters which of them counted it last.
func (c *schedule) silent(h signs) bool {
	return c.at.Sub(max(h.lease.Latest, h.status.Latest)) >= 2*c.period
}

// gives is where in a part the pass that may have counted a node last gives way to the one before it.
func (c *schedule) gives(h signs, part model.Interval) model.Instant {
	w := h.lease
	if !w.Known() {
		w = h.status
	}
	if c.begun.Earliest > w.Latest {
		w = c.begun
	}
	return middle(w).Add(time.Duration(c.passesSince(w, part)[1]) * (c.period + (shortest+c.longest)/2))
}

// nextPass is when the first pass after an instant may come, as far as the traces of passes tell:
// in order, apart from each other.
func (r *run) nextPass(c *schedule) (list []model.Interval) {
	furthest := c.at.Add(c.period + c.longest)
	if len(r.passes) == 0 {
		return nil
	}
	from := 0
	for i := range r.passes {
		if r.passes[i].Latest <= c.at {
			from = i
		}
	}
	for i := from; r.passAt(i).Earliest <= furthest; i++ {
		if i > 0 && r.passAt(i-1).Earliest > c.at {
			break
		}
		v := r.passAt(i).Interval
		if v = (model.Interval{Earliest: max(v.Earliest, c.at+1), Latest: min(v.Latest, furthest)}); v.Earliest <= v.Latest {
			list = append(list, v)
		}
	}
	return model.United(list)
}

// settlePhase places the passes that left no trace so that by the end no node must have been
// declared Unknown that was not.
func (r *run) settlePhase() {
	c := r.scheduleAt(r.coverage.Latest)
	widest := model.Interval{}
	for _, part := range c.parts {
		if (!widest.Known() || part.Width() >= widest.Width()) && !c.due(part, false) {
			widest = part
		}
	}
	next := middle(widest)
	last := -1
	for i := range r.passes {
		if r.passes[i].observed {
			last = i
		}
	}
	for n := max(last, 0); widest.Known() && n <= len(r.passes)+1; n++ {
		v := r.passAt(n).Interval
		if !v.Contains(next) || v.Width() == 0 {
			continue
		}
		share := float64(next.Sub(v.Earliest)) / float64(v.Width())
		for i := last + 1; i < len(r.passes); i++ {
			p := &r.passes[i]
			p.at = p.Earliest.Add(time.Duration(share * float64(p.Width()))).Add(time.Duration(i))
		}
		return
	}
}

// likely divides when the next pass may come, where a sign of life of a silent node may have been
// counted by one pass or by another: so that in most parts every node was counted by one alone.
// Parts are left out in which a node must have been declared Unknown, and was not.
func (c *schedule) likely(next []model.Interval, most int) (parts []model.Interval) {
	var width time.Duration
	for _, v := range next {
		width += v.Width()
	}
	cuts := c.cuts(next)
	for _, v := range next {
		n := max(1, int(time.Duration(most)*v.Width()/max(1, width)))
		parts = append(parts, divided(v, cuts, n)...)
	}
	if likely := slices.DeleteFunc(slices.Clone(parts), c.contradicts); len(likely) > 0 {
		return likely
	}
	return parts // the controller does not act, or not by these flags
}

// cuts are the instants of the next pass before which a node's last sign of life was counted by
// one pass surely, and after which by the one before.
func (c *schedule) cuts(next []model.Interval) (cuts []model.Instant) {
	for _, h := range c.heard {
		if !h.judged || !c.silent(h) && !h.fresh {
			continue
		}
		for _, w := range [...]model.Interval{h.lease, h.status} {
			if !w.Known() || c.at.Sub(w.Latest) > c.grace+3*c.period {
				continue
			}
			for _, v := range next {
				n := time.Duration(v.Earliest.Sub(w.Earliest) / (c.period + shortest))
				for _, n := range [...]time.Duration{n, n + 1} {
					cuts = append(cuts, w.Earliest.Add(n*(c.period+shortest)), w.Latest.Add(n*(c.period+c.longest)))
				}
			}
		}
	}
	slices.Sort(cuts)
	return cuts
}

// contradicts says that a node would have been declared Unknown some time ago, were the next pass
// in a part, and it was not.
func (c *schedule) contradicts(part model.Interval) bool {
	// The last pass may still be writing.
	return part.Latest.Add(-c.period) <= c.at.Add(-lagBound) && c.due(part, true)
}

// due says that the pass before the next one may have declared a node Unknown that is not, were the
// next in a part; or that it must have.
func (c *schedule) due(part model.Interval, must bool) bool {
	p := Phase{next: part, split: model.FarFuture}
	if must {
		p.split = model.FarPast
	}
	p.Clock.Pass, p.Clock.Period, p.Clock.Drift = part.Latest, c.period, c.longest
	last := part.Latest.Add(-c.period)
	for _, h := range c.heard {
		if !h.judged {
			continue
		}
		if at, ok := c.declares(&p, h, h.new); ok && at <= last {
			return true
		}
	}
	return false
}

// divided cuts an interval into about so many parts, where it can at the cuts.
func divided(v model.Interval, cuts []model.Instant, most int) (parts []model.Interval) {
	each := max(minPart, v.Width()/time.Duration(most))
	from := v.Earliest
	for from.Add(each+each/2) < v.Latest {
		ideal := from.Add(each)
		i, _ := slices.BinarySearch(cuts, ideal)
		at := ideal
		for _, k := range [...]int{i - 1, i} {
			if k >= 0 && k < len(cuts) && cuts[k] > from.Add(minPart) && cuts[k] < v.Latest.Add(-minPart) && (at == ideal || abs(cuts[k].Sub(ideal)) < abs(at.Sub(ideal))) && abs(cuts[k].Sub(ideal)) < each/2 {
				at = cuts[k]
			}
		}
		parts = append(parts, model.Interval{Earliest: from, Latest: at})
		from = at
	}
	return append(parts, model.Interval{Earliest: from, Latest: v.Latest})
}

func abs(d time.Duration) time.Duration { return max(d, -d) }

// counted is when a last sign of life was counted in a Phase.
func (c *schedule) counted(p *Phase, h signs) (at model.Instant, ok bool) {
	if !h.lease.Known() && !h.status.Known() {
		return h.made, h.made.Known()
	}
	at = p.Clock.Pass.Add(-time.Duration(c.between(h, p)) * (p.Clock.Period + p.Clock.Drift))
	if p.split == model.FarPast && c.late(h) {
		at = max(at, c.wentOn.Latest)
	}
	return at, true
}

// late says that a node's last sign of life may have been counted only when the controllers went on.
func (c *schedule) late(h signs) bool {
	last := max(h.lease.Latest, h.status.Latest)
	return c.wentOn.Known() && last >= c.idle.Add(-c.period) && max(h.lease.Earliest, h.status.Earliest) <= c.wentOn.Latest
}

// between is how many passes before the next one a node's last sign of life was counted: at
// most in an early Phase, at least in a late one. The pass after one that sees a new status, and
// no new renewal, counts the lease anew (N10); the first pass of a process counts every node (M1).
func (c *schedule) between(h signs, p *Phase) int {
	lease, status := h.lease, h.status
	leases, statuses := c.passesSince(lease, p.next), c.passesSince(status, p.next)
	late := p.split == model.FarPast || p.split != model.FarFuture && c.gives(h, p.next) > p.split
	switch {
	case !status.Known():
		return bound(late, c.ofProcess(leases, p))
	case !lease.Known():
		return bound(late, c.ofProcess(statuses, p))
	}
	var counts []int
	for _, l := range [...]int{leases[0], min(leases[0]+1, leases[1]), leases[1]} {
		for _, n := range [...]int{statuses[0], min(statuses[0]+1, statuses[1]), statuses[1]} {
			if n < l {
				if counts = append(counts, n-1); c.twice(h) {
					counts = append(counts, n)
				}
			} else {
				counts = append(counts, l)
			}
		}
	}
	return bound(late, c.ofProcess([2]int{slices.Min(counts), slices.Max(counts)}, p))
}

// twice says that the last two statuses may have been seen by passes that follow each other: the second of
// them, and not the one after it, then counts the lease that the first of them forgot.
func (c *schedule) twice(h signs) bool {
	return h.before.Known() && h.status.Earliest.Sub(h.before.Latest) < 2*(c.period+c.longest)
}

// ofProcess is no more passes than this process has made.
func (c *schedule) ofProcess(counts [2]int, p *Phase) [2]int {
	if !c.begun.Earliest.Bounded() {
		return counts
	}
	made := c.passesSince(c.begun, p.next)
	return [2]int{min(counts[0], made[0]), min(counts[1], made[1])}
}

func bound(late bool, bounds [2]int) int {
	if late {
		return bounds[0]
	}
	return bounds[1]
}

// passesSince is how many passes before the next one the first was that saw what was written
// within bounds: at least and at most.
func (c *schedule) passesSince(written, next model.Interval) [2]int {
	least := floorDiv(next.Earliest.Sub(written.Latest), c.period+c.longest)
	most := floorDiv(next.Latest.Sub(written.Earliest)-1, c.period+shortest)
	return [2]int{least, max(most, least)}
}

func floorDiv(a, b time.Duration) int {
	n := a / b
	if a < 0 && a%b != 0 {
		n--
	}
	return int(n)
}

// declares is when the pass comes, in a Phase, that declares a node Unknown which goes on being
// silent; in the past, if it should have been declared by then. new: it has no Ready condition.
func (c *schedule) declares(p *Phase, h signs, new bool) (at model.Instant, ok bool) {
	probe, ok := c.counted(p, h)
	if !ok {
		return 0, false
	}
	step := p.Clock.Period + p.Clock.Drift
	return p.Clock.Pass.Add(time.Duration(floorDiv(probe.Add(c.graceOf(new)).Sub(p.Clock.Pass), step)+1) * step), true
}

func (c *schedule) graceOf(new bool) time.Duration {
	if new {
		return c.startup
	}
	return c.grace
}

// Counted is when the last sign of life of a node was counted in a Phase; ok is false where the
// controller's own record says.
func (s *State) Counted(p *Phase, node string) (at model.Instant, ok bool) {
	if s.passes == nil {
		return 0, false
	}
	return s.passes.counted(p, s.passes.heard[node])
}

// Queues says that in a Phase it is the next pass that first sees a node to be not Ready, by what its own
// kubelet says: by then it waits for no token.
func (s *State) Queues(p *Phase, node string) bool {
	n := s.Cache.Node(node)
	if s.passes == nil || n == nil || n.Ready() == nil || n.Ready().Status != model.StatusFalse {
		return false
	}
	h := s.passes.heard[node]
	return h.status.Known() && bound(p.split == model.FarPast, s.passes.passesSince(h.status, p.next)) <= 0
}

// Declares is within which bounds a node is declared Unknown if it is not heard any more; ok is
// false where that is not known.
func (s *State) Declares(name string) (w model.Interval, ok bool) {
	node := s.Cache.Node(name)
	if node == nil || s.passes == nil {
		return w, false
	}
	for i := range s.Phases {
		// The Phases tell apart by which pass the silent nodes were counted. A node that was heard just
		// now is none of those: it may be by either.
		for _, split := range [...]model.Instant{s.Phases[i].split, model.FarPast, model.FarFuture} {
			p := s.Phases[i]
			if s.passes.silent(s.passes.heard[name]) {
				split = p.split
			}
			p.split = split
			at, ok := s.passes.declares(&p, s.passes.heard[name], node.Ready() == nil)
			if !ok {
				return model.Interval{}, false
			}
			if at = max(at, p.Clock.Pass); !w.Known() {
				w = model.Exactly(at)
			}
			w = model.Interval{Earliest: min(w.Earliest, at), Latest: max(w.Latest, at)}
		}
	}
	if !w.Known() {
		return w, false
	}
	w.Latest = w.Latest.Add(s.passes.writing())
	return s.Bounds(name, w, s.passes.writing()), true
}

// Bounds narrows when a node is declared Unknown to what its own signs of life allow: more than
// the grace period after the last of them, and no later than in the pass after the one that may
// have counted it, and a grace period; by so much later as passes before it write.
func (s *State) Bounds(name string, w model.Interval, writes time.Duration) model.Interval {
	node := s.Cache.Node(name)
	if s.passes == nil || node == nil {
		return w
	}
	c, h := s.passes, s.passes.heard[name]
	if !h.lease.Known() {
		return w
	}
	own := c.allows(h, node.Ready() == nil, writes)
	if both, ok := w.Intersect(own); ok {
		return both
	}
	if w.Latest < own.Earliest { // by the pass after it, then, at the latest
		n := (own.Earliest.Sub(w.Latest) + c.period - 1) / max(1, c.period)
		return model.Interval{Earliest: own.Earliest, Latest: max(own.Earliest, w.Latest.Add(n*(c.period+c.longest)))}
	}
	return w
}

// allows is when a node's own signs of life allow that it is declared Unknown: see Bounds.
func (c *schedule) allows(h signs, new bool, writes time.Duration) model.Interval {
	grace := c.graceOf(new)
	first, last := max(h.lease.Earliest, h.status.Earliest), h.lease.Latest
	if h.status.Latest > h.lease.Earliest {
		last = max(last, h.status.Latest).Add(c.period + c.longest)
	}
	n := time.Duration(grace/max(1, c.period)) + 2
	return model.Interval{Earliest: first.Add(grace), Latest: max(last, c.begunBy).Add(grace + c.period + n*c.longest + writes)}
}

// writing is how much later passes come for what those before them write.
func (c *schedule) writing() (delay time.Duration) {
	for _, h := range c.heard {
		if h.judged && c.silent(h) {
			delay += 3 * eachWrite
		}
	}
	return delay
}

// Silent is since when at least a node gives no sign of life; ok is false where none was seen.
func (s *State) Silent(node string) (since model.Instant, ok bool) {
	if s.passes == nil {
		return 0, false
	}
	h := s.passes.heard[node]
	since = max(h.lease.Earliest, h.status.Earliest)
	return since, since.Known()
}
