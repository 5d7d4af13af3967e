package whatif

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/phases"
	"kardia/model/simulate/forecast"
)

// variant is one choice of what cannot be observed.
type variant struct {
	passes end
	// takes is how long a pass takes before it judges the zones, while ticks may come, eachWrite the time for each
	// write.
	takes, eachWrite time.Duration
	ticks            tickMode
	// phase is how long after From the first tick comes.
	phase time.Duration
	// recorded: tokens go to nodes in the recorded order. Otherwise favourite gets the token after so many others,
	// which go to the names that follow it, or with backward precede it. Without a favourite the order is that of
	// names.
	recorded  bool
	favourite string
	after     int
	backward  bool
	// deeds is when kubelets and people act, within the bounds of the recording; fitted: as recorded.
	deeds end
	// way is how the passes may come if none was observed; otherwise nil.
	way *phases.Phase
	// late: kubelets notice a declaration as late as possible, and a returning one would have posted its status anyway.
	late bool
	// reverse: passes meet the zones in reverse order, and forget none that they need not. The taint-eviction
	// controller handles a removed pod only once its namesake exists.
	reverse bool
}

// never is more tokens than there are.
const never = 1 << 30

type end uint8

const (
	// fitted agrees best with the recording; early and late are the bounds.
	fitted end = iota
	early
	late
)

type tickMode uint8

const (
	// usual ticks come every 100 ms, prompt ones with the token, tardy ones a tick later.
	usual tickMode = iota
	prompt
	tardy
)

const (
	// takes is the longest time until a pass judges the zones, eachWrite how much longer for each write.
	takes, eachWrite = 150 * time.Millisecond, 6 * time.Millisecond
	// shortest is the shortest time of a pass.
	shortest = 100 * time.Microsecond
	// settles is how far a tick may be from a recorded taint for it to count as that one.
	settles = 500 * time.Millisecond
)

type course struct {
	b       *Base
	branch  *Branch
	variant variant
	loop    *loop.Loop
	kubelets
	out []model.Decision
	// passed are the past passes, next the next one, nth the index of the next recorded one, written the written
	// objects.
	passed  []passed
	next    passed
	nth     int
	written int
	// since is when a tardy tick first found each zone's token.
	since  map[model.ZoneKey]model.Instant
	missed int
	// taken is how many of the recorded taints each node has had.
	taken map[string]int
	// silent is the last renewal of each node before its declaration.
	silent map[string]model.Instant
	// waited are the nodes that waited in a zone together with others.
	waited map[model.ZoneKey][]string
	// calm are the kubelets whose renewals are not simulated one by one.
	calm map[string]bool
	exchange
}

func (b *Base) play(branch *Branch, v variant) *course {
	s := b.state
	c := &course{b: b, branch: branch, variant: v, since: map[model.ZoneKey]model.Instant{}, taken: map[string]int{}, silent: map[string]model.Instant{},
		waited: map[model.ZoneKey][]string{}, calm: b.calmIn(branch), exchange: exchange{chance: map[string]model.Instant{}, given: map[model.ZoneKey][]*token{}, tokens: map[model.DecisionID]*token{}}}
	nodes, taints, pods := s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone()
	if branch.Params != b.Params {
		nodes.Reflag(b.From, branch.Params)
		taints.Reflag(branch.Params)
		pods.Reflag(branch.Params)
	}
	clock := loop.Clock{Pass: c.firstPass(), Tick: b.From.Add(v.phase), Collect: s.Clock.Collect, Takes: v.takes, EachWrite: v.eachWrite}
	c.loop = loop.Resume(b.From, s.Cache.Clone(), nodes, taints, pods, branch.Params, clock)
	if v.way != nil {
		forecast.Suppose(c.loop, s, v.way, func(name string) bool { return forecast.Silent(s, name) })
	}
	c.loop.PassAfter = c.passAfter
	c.loop.Hidden = nodelifecycle.Hidden{Pick: c.pick, Withhold: c.withhold}
	if v.reverse {
		c.loop.Hidden.Walk = c.forgetLast
	}
	if v.ticks != usual {
		c.loop.NextTick = c.nextTick
	}
	c.kubelets = newKubelets(c)
	c.loop.Terminates = c.alive
	c.loop.Decided = c.isDecided
	c.begin()
	c.live()
	c.reach(b.Until)
	return c
}

// forgetLast reverses the order of zones, with those without counted nodes last: they are rarely forgotten.
func (c *course) forgetLast(zones []model.ZoneKey) {
	slices.Reverse(zones)
	counted := func(zone model.ZoneKey) int {
		ready, bad, _ := c.loop.Nodes.Zone(zone)
		return min(1, ready+bad)
	}
	slices.SortStableFunc(zones, func(a, b model.ZoneKey) int { return counted(b) - counted(a) })
}

// begin makes the branch's immediate changes, and plans the later ones.
func (c *course) begin() {
	for _, p := range c.b.passes {
		if p.First {
			c.loop.At(p.At, func(l *loop.Loop) { c.restart(p.Alone) })
		}
	}
	if c.branch.Tolerations != nil {
		c.loop.At(c.b.From+1, func(l *loop.Loop) {
			for _, row := range l.Cache.All() {
				for _, p := range slices.Clone(row.Pods()) {
					if changed := c.branch.Tolerations.on(p); changed != p {
						l.SetPod(changed)
					}
				}
			}
		})
	}
	c.planStalls()
	c.planEdits()
	c.planLeaseless()
}

// looks is the number of events between two checks of goesOn.
const looks = 20_000

// live repeats the recorded events.
func (c *course) live() {
	for i := range c.b.world.events {
		if i%looks == looks-1 && !c.b.goesOn(float64(i)/float64(len(c.b.world.events))) {
			return
		}
		e := &c.b.world.events[i]
		if e.what == beats && c.calm[e.name] {
			continue
		}
		if e.what == beats && c.variant.deeds == fitted { // most are, and nothing is decided at once
			c.reach(e.at)
			c.apply(e)
			continue
		}
		at := e.at
		switch c.variant.deeds {
		case early:
			at = e.soonest
		case late:
			at = e.latest
		}
		c.loop.At(max(at, c.loop.Now()+1), func(*loop.Loop) { c.apply(e) })
		if c.variant.deeds != early { // later events may have come before
			c.reach(e.at)
		} else if i+1 < len(c.b.world.events) {
			c.reach(max(c.loop.Now(), c.b.world.events[i+1].at.Add(-undated)))
		}
	}
}

func (c *course) restart(alone bool) {
	if alone {
		c.loop.Nodes = nodelifecycle.New(c.branch.Params)
		return
	}
	c.loop.Restart()
}

func (c *course) reach(t model.Instant) {
	for _, part := range c.loop.RunInParts(t) {
		c.out = append(c.out, part...)
	}
}

// isDecided notes at once what kubelets, queues and later passes depend on.
func (c *course) isDecided(list []model.Decision) {
	for i := range list {
		d := &list[i]
		if d.Kind == model.TaintNoExecute && d.Outcome == model.Did {
			c.taken[d.Node]++
		}
		if d.Kind == model.MarkUnknown || d.Kind == model.MarkPodsNotReady || d.Kind == model.UntaintNoExecute {
			c.written += d.Written()
		}
		if d.Kind == model.MarkUnknown {
			c.silent[d.Node], c.declared[d.Node] = c.heard[d.Node], d.Time
		}
		c.exchange.decided(d)
	}
}

// passed is a pass of a course with its bounds.
type passed struct {
	at     model.Instant
	within model.Interval
	waited bool // for the API server: there is an entry for its start, and one after the wait
}

// firstPass is the first pass of the course. It sets nth.
func (c *course) firstPass() model.Instant {
	c.nth = 1
	within := model.Exactly(c.b.state.Clock.Pass)
	switch way := c.variant.way; {
	case way != nil:
		within = model.Interval{Earliest: way.Clock.Pass.Add(-way.Spread()), Latest: way.Clock.Pass.Add(way.Spread())}
		c.next = passed{max(way.Clock.Pass, c.b.From+2), within, false}
		return c.next.at
	case len(c.b.passes) > 0:
		within = c.within(0)
	}
	c.next = passed{max(c.at(0, within, c.b.From), c.b.From+2), within, false}
	return c.next.at
}

// passAfter is the next pass: the recorded one as long as the period is the same.
func (c *course) passAfter(last model.Instant) model.Instant {
	c.passed = append(c.passed, passed{min(last, c.loop.Now()), c.next.within, last > c.loop.Now()})
	c.waits(last)
	period := c.branch.Params.NodeMonitorPeriod.Value
	if i := c.nth; i < len(c.b.passes) && period == c.b.Params.NodeMonitorPeriod.Value && !c.waitedThen(last) {
		c.nth++
		within := c.within(i)
		at := c.at(i, within, last.Add(period+shortest))
		if c.b.passes[i].First {
			at = c.b.passes[i].At // the process starts as recorded
		}
		c.next = passed{at, within, false}
		return at
	}
	longest := passes.Rhythm{Nodes: c.b.state.Cache.NodeCount()}.Longest()
	within := model.Interval{Earliest: c.next.within.Earliest.Add(period + shortest), Latest: c.next.within.Latest.Add(period + longest)}
	c.next = passed{last.Add(period + [...]time.Duration{fitted: passes.Usual, early: shortest, late: longest}[c.variant.passes]), within, false}
	return c.next.at
}

// within bounds a recorded pass in this course: earlier or later if the passes before it write less or more.
func (c *course) within(i int) model.Interval {
	v := c.b.passes[i].Interval
	more := min(time.Duration(c.written)*passes.PerWrite, c.b.Params.NodeMonitorPeriod.Value/2)
	return model.Interval{Earliest: v.Earliest.Add(-c.b.busy[i]), Latest: v.Latest.Add(more)}
}

// at is when a recorded pass runs in this course, not before soonest.
func (c *course) at(i int, within model.Interval, soonest model.Instant) model.Instant {
	if len(c.b.passes) == 0 {
		return within.Earliest
	}
	switch c.variant.passes {
	case early:
		return max(within.Earliest, soonest)
	case late:
		return max(within.Latest, soonest)
	}
	return c.b.passes[i].At
}

// busy is how much later each pass came because of the writes of those before it.
func busy(list []infer.Pass, period time.Duration) []time.Duration {
	out := make([]time.Duration, len(list))
	for i := 1; i < len(list); i++ {
		out[i] = out[i-1]
		if took := list[i].At.Sub(list[i-1].At) - period; took > evidence.PassIdle && took < period && !list[i].First {
			out[i] += took - passes.Usual
		}
	}
	return out
}
