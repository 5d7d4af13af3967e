package whatif

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/forecast"
)

// variant is one way in which what nobody can see may go.
type variant struct {
	passes end
	// takes is how long a pass takes before it judges the zones, so that ticks may come between, and
	// eachWrite how much longer for each object that it writes.
	takes, eachWrite time.Duration
	ticks            tickMode
	// phase is how long after the begin the first tick comes.
	phase time.Duration
	// recorded: tokens go to nodes in the order that was recorded. Else to favourite once it has waited
	// for so many tokens, and before that to those whose names follow it, or where backward is set
	// precede it; without a favourite by name.
	recorded  bool
	favourite string
	after     int
	backward  bool
	// deeds are when kubelets and people do what they were recorded to do, within what the recording
	// leaves open: fitted is where it shows it.
	deeds end
	// way is how the passes may come where none was seen; nil elsewhere.
	way *phases.Phase
	// late: kubelets find out that they are Unknown as late as they can, and whoever came back would have posted
	// its status also if it had not been declared.
	late bool
	// reverse: passes meet the zones in the reverse of the usual order and forget none that they need not, and the taint-eviction controller looks
	// after a pod that went only when its namesake is there.
	reverse bool
}

// never is after more tokens than there are.
const never = 1 << 30

// end is where within its bounds something is.
type end uint8

const (
	// fitted is where it fits what was recorded best; early and late are the ends of what that leaves
	// open.
	fitted end = iota
	early
	late
)

type tickMode uint8

const (
	// usual ticks come every 100 ms; prompt ones as soon as a token is there, and tardy ones a tick later.
	usual tickMode = iota
	prompt
	tardy
)

const (
	// takes is how long a pass takes at most before it judges the zones, and eachWrite how much longer
	// for each object that it writes.
	takes, eachWrite = 150 * time.Millisecond, 6 * time.Millisecond
	// shortest is what a pass takes at least.
	shortest = 100 * time.Microsecond
	// passTakes is what a pass without much to do takes; idle and perNode are what it takes at most.
	passTakes, idle, perNode = 4 * time.Millisecond, 10 * time.Millisecond, 50 * time.Microsecond
	// perWrite is how much longer a pass takes for each object that it writes, at most.
	perWrite = 15 * time.Millisecond
	// settles is how far a tick may be from where it was recorded, for the order of recorded taints.
	settles = 500 * time.Millisecond
)

// course is one run of the controllers under one variant.
type course struct {
	b       *Base
	branch  *Branch
	variant variant
	loop    *loop.Loop
	kubelets
	out []model.Decision
	// passed are the passes that have come, next is the one to come, which is that of nth recorded ones; written is how many
	// objects they have written.
	passed  []passed
	next    passed
	nth     int
	written int
	// since is from when each zone's token has been there for those that wait, as a tardy tick counts.
	since map[model.ZoneKey]model.Instant
	// missed is how many tokens the variant's favourite has missed.
	missed int
	// taken is how many of the recorded taints each node has had.
	taken map[string]int
	// silent is when each node that was declared Unknown had been heard last before that.
	silent map[string]model.Instant
	// waited are the nodes that waited for a token of a zone together with others.
	waited map[model.ZoneKey][]string
	// calm are the kubelets whose beats are not played one by one.
	calm map[string]bool
	exchange
}

// play runs one course to its end.
func (b *Base) play(branch *Branch, v variant) *course {
	s := b.state
	c := &course{b: b, branch: branch, variant: v, since: map[model.ZoneKey]model.Instant{}, taken: map[string]int{}, silent: map[string]model.Instant{},
		waited: map[model.ZoneKey][]string{}, calm: b.calmIn(branch), exchange: newExchange()}
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

// forgetLast puts the zones in the reverse of the usual order, and those without nodes that count last: they are
// forgotten only where every other zone is wholly dark, and not in every pass.
func (c *course) forgetLast(zones []model.ZoneKey) {
	slices.Reverse(zones)
	counted := func(zone model.ZoneKey) int {
		ready, bad, _ := c.loop.Nodes.Zone(zone)
		return min(1, int(ready+bad))
	}
	slices.SortStableFunc(zones, func(a, b model.ZoneKey) int { return counted(b) - counted(a) })
}

// begin changes what the branch changes at once, and plans what is known to come.
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

// looks is after how many events it is seen whether to go on.
const looks = 20_000

// live lets happen what was recorded.
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
		if c.variant.deeds != early { // what comes after may have been before
			c.reach(e.at)
		} else if i+1 < len(c.b.world.events) {
			c.reach(max(c.loop.Now(), c.b.world.events[i+1].at.Add(-undated)))
		}
	}
}

// restart is a process that begins anew, as one was recorded to.
func (c *course) restart(alone bool) {
	if alone {
		c.loop.Nodes = nodelifecycle.New(c.branch.Params)
		return
	}
	c.loop.Restart()
}

// reach lets the time pass up to an instant.
func (c *course) reach(t model.Instant) {
	for _, part := range c.loop.RunInParts(t) {
		c.out = append(c.out, part...)
	}
}

// isDecided notes at once who is declared Unknown, for kubelets look whether they are, who waits no more, and what
// the next passes depend on.
func (c *course) isDecided(list []model.Decision) {
	for i := range list {
		c.decided(&list[i])
		switch d := &list[i]; d.Kind {
		case model.MarkUnknown:
			c.silent[d.Node], c.declared[d.Node] = c.heard[d.Node], d.Time
		default:
			c.exchange.decided(d)
		}
	}
}

// decided counts what the next passes depend on.
func (c *course) decided(d *model.Decision) {
	if d.Kind == model.TaintNoExecute && d.Outcome == model.Did {
		c.taken[d.Node]++
	}
	if d.Kind == model.MarkUnknown || d.Kind == model.MarkPodsNotReady || d.Kind == model.UntaintNoExecute {
		c.written += d.Written()
	}
}

// passed is a pass of a course, and within which bounds it may have come.
type passed struct {
	at     model.Instant
	within model.Interval
	waited bool // for the API server: then what it began with, and what it did after that
}

// firstPass is the first pass after the course begins, and sets which comes after it.
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

// passAfter is the pass that follows one: as it was recorded, as long as the period is the same.
func (c *course) passAfter(last model.Instant) model.Instant {
	c.passed = append(c.passed, passed{min(last, c.loop.Now()), c.next.within, last > c.loop.Now()})
	c.waits(last)
	period := c.branch.Params.NodeMonitorPeriod.Value
	if i := c.nth; i < len(c.b.passes) && period == c.b.Params.NodeMonitorPeriod.Value && !c.waitedThen(last) {
		c.nth++
		within := c.within(i)
		at := c.at(i, within, last.Add(period+shortest))
		if c.b.passes[i].First {
			at = c.b.passes[i].At // the process begins when it was recorded to
		}
		c.next = passed{at, within, false}
		return at
	}
	longest := idle + perNode*time.Duration(c.b.state.Cache.NodeCount())
	within := model.Interval{Earliest: c.next.within.Earliest.Add(period + shortest), Latest: c.next.within.Latest.Add(period + longest)}
	c.next = passed{last.Add(period + [...]time.Duration{fitted: passTakes, early: shortest, late: longest}[c.variant.passes]), within, false}
	return c.next.at
}

// within is within which bounds a recorded pass may come in this course: earlier where those before it
// have less to write than was recorded, and later where they have more.
func (c *course) within(i int) model.Interval {
	v := c.b.passes[i].Within
	more := min(time.Duration(c.written)*perWrite, c.b.Params.NodeMonitorPeriod.Value/2)
	return model.Interval{Earliest: v.Earliest.Add(-c.b.busy[i]), Latest: v.Latest.Add(more)}
}

// at is when a recorded pass runs in this course, not before an instant.
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

// busy is, for each pass, how much later it came than it would have if those before it had had
// nothing to write.
func busy(passes []infer.Pass, period time.Duration) []time.Duration {
	out := make([]time.Duration, len(passes))
	for i := 1; i < len(passes); i++ {
		out[i] = out[i-1]
		if took := passes[i].At.Sub(passes[i-1].At) - period; took > idle && took < period && !passes[i].First {
			out[i] += took - passTakes
		}
	}
	return out
}
