// Package loop lets the models of the controllers be the control plane: their Decisions are applied to a cluster of
// API-like objects, in virtual time. Scenarios, lessons, forecasts and what-ifs run on it.
//
// Writes succeed at once, and every cache sees them at once. Events of one time have a fixed order: changes from
// outside, pass, tick, timers, pod garbage collection.
package loop

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
)

// Clock is when the loops run. Real loops slide: each pass starts one period after the last one ended.
type Clock struct {
	// Pass is the first pass, Period and Drift the distance to the next.
	Pass          model.Instant
	Period, Drift time.Duration
	// Takes is how long after its start a pass judges the zones, EachWrite how much longer for each object that it has
	// written. Ticks may run in between, and the next pass comes that much later.
	Takes, EachWrite time.Duration
	// Tick is the first tick, Collect the first cycle of pod garbage collection.
	Tick, Collect model.Instant
}

// StartingAt is the clock of a controller that starts at a time.
func StartingAt(at model.Instant, period, drift time.Duration) Clock {
	return Clock{Pass: at, Period: period, Drift: drift, Tick: at, Collect: at}
}

// Loop is a cluster and its control plane. Not safe for concurrent use.
type Loop struct {
	// Cache is the API server's and the informers' state. Change it only by the Loop's methods.
	Cache  *informer.Cache
	Nodes  *nodelifecycle.Controller
	Taints *tainteviction.Controller
	Pods   *podgc.Controller
	// Hidden are the choices that cannot be observed; they may be changed at any time.
	Hidden nodelifecycle.Hidden
	// TickView, if set, gives the cache as a tick sees it, for informers that lag.
	TickView func(at model.Instant, cache *informer.Cache) *informer.Cache
	// PassAfter, if set, replaces the Clock: the pass after one at a time, or after one whose wait ended then.
	PassAfter func(model.Instant) model.Instant
	// NextTick, if set, replaces the 100 ms: the next tick, not before a time; FarFuture for none. Each event asks
	// again.
	NextTick func(model.Instant) model.Instant
	// Brief leaves out what no controller decides by: pods' readiness, and the condition DisruptionTarget.
	Brief bool
	// Room, if set, stores the decisions, which may be read until it is cleared; see model.Room.
	Room *model.Room
	// Terminates reports whether a running kubelet ends the node's deleted pods, after their termination grace. Nil:
	// none.
	Terminates func(node string) bool
	// Watch, if set, gets every object written, in order, as from a watch of the API server. It must not call the Loop.
	Watch func(*model.Change)
	// Decided, if set, gets every list of decisions before it is carried out, including those that follow an edit
	// between two Runs. It must not call the Loop.
	Decided func([]model.Decision)

	params model.Params
	clock  Clock
	now    model.Instant
	// zones is when the current pass judges the zones; FarFuture between passes.
	zones  model.Instant
	script script

	// version is the last resourceVersion.
	version uint64
	told    model.Change // the Change for Watch, reused

	// stopped is until when the controller manager is paused, or waits for the API server.
	stopped model.Instant

	// events are the rows of changed nodes that the controllers have not handled, noted the same as a set. settling:
	// they are being handled. deciding: the writes of a pass, tick or event are being carried out.
	events             []int32
	noted              []bool
	settling, deciding bool

	// out is what this Run decided, a list for each call of a controller.
	out [][]model.Decision
}

// New is an empty cluster whose controllers start with the clock.
func New(params model.Params, clock Clock) *Loop {
	return Resume(model.FarPast, informer.New(), nodelifecycle.New(params), tainteviction.New(params), podgc.New(params), params, clock)
}

// Resume continues from a state. It takes over cache and controllers without copying them.
func Resume(at model.Instant, cache *informer.Cache, nodes *nodelifecycle.Controller, taints *tainteviction.Controller,
	pods *podgc.Controller, params model.Params, clock Clock) *Loop {
	l := &Loop{
		Cache: cache, Nodes: nodes, Taints: taints, Pods: pods,
		params: params, clock: clock, now: at, zones: model.FarFuture, version: cache.LeaseVersion(),
	}
	for i := range int32(cache.Rows()) {
		l.version = max(l.version, cache.Row(i).Version)
	}
	return l
}

// Now is the time that the loop has reached.
func (l *Loop) Now() model.Instant { return l.now }

// Clock is when the next pass, tick and cycle come.
func (l *Loop) Clock() Clock { return l.clock }

// At plans a change from outside. Changes at one time happen in the order in which they were planned.
func (l *Loop) At(at model.Instant, change func(*Loop)) {
	i := len(l.script)
	for i > 0 && l.script[i-1].at > at {
		i--
	}
	l.script = slices.Insert(l.script, i, planned{at, change})
}

// KeepBeating assumes that the kubelets of these rows keep renewing their leases.
func (l *Loop) KeepBeating(rows []int32) {
	for _, row := range rows {
		l.Cache.KeepLeaseOf(row)
	}
}

// Run lets time pass up to and including until, and returns the decisions.
func (l *Loop) Run(until model.Instant) []model.Decision {
	return slices.Concat(l.RunInParts(until)...)
}

// RunInParts is Run, with a list for each call of a controller, in order.
func (l *Loop) RunInParts(until model.Instant) [][]model.Decision {
	l.out, l.Nodes.Brief = nil, l.Brief
	l.Nodes.Room, l.Taints.Room = l.Room, l.Room
	for {
		timer := max(l.Taints.NextTimer(), l.stopped)
		next := min(l.script.next(), l.clock.Pass, l.zones, timer, l.clock.Collect)
		if l.NextTick != nil {
			l.clock.Tick = max(l.NextTick(l.now), l.stopped)
		} else {
			l.skipTicks(min(next, until.Add(1)))
		}
		next = min(next, l.clock.Tick)
		if next > until {
			l.now = until
			return l.out
		}
		l.now = max(l.now, next)
		switch {
		case l.script.next() <= next:
			change := l.script[0].change
			l.script = l.script[1:]
			change(l)
		case l.clock.Pass <= next:
			l.pass()
		case l.zones <= next:
			l.zones = model.FarFuture
			l.decide(l.Nodes.JudgeZones(l.now, l.Cache, l.Hidden))
		case l.clock.Tick <= next:
			l.tick()
		case timer <= next:
			l.decide(l.Taints.Fire(l.now, l.Cache))
		default:
			l.clock.Collect = l.clock.Collect.Add(podgc.Period)
			l.decide(l.Pods.Cycle(l.now, l.Cache))
		}
	}
}

func (l *Loop) pass() {
	wrote, last := time.Duration(0), l.clock.Pass
	if held := l.now < l.stopped; held || l.clock.Takes > 0 {
		judged := l.Nodes.JudgeNodes(l.now, l.Cache, l.Hidden)
		if wrote = l.clock.EachWrite * time.Duration(writes(judged)); held && writes(judged) > 0 {
			last = l.stopped
			wait(judged, last)
		}
		l.decide(judged)
		l.zones = max(l.now, last).Add(l.clock.Takes + wrote)
	} else {
		l.decide(l.Nodes.Pass(l.now, l.Cache, l.Hidden))
	}
	next := last.Add(l.clock.Period + l.clock.Drift + wrote)
	if l.PassAfter != nil {
		next = max(l.PassAfter(last), l.now+1)
	}
	l.clock.Pass = next
}

// wait delays all that a pass decided, except declaring nodes, until the API server answers.
func wait(judged []model.Decision, until model.Instant) {
	for i := range judged {
		if judged[i].Kind != model.MarkUnknown {
			judged[i].Time = until
		}
	}
	slices.SortStableFunc(judged, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
}

// GoOn is the rest of a pass that began before a Resume. Nodes without a write are judged as of its beginning. The
// zones follow when all is written, longer later than the new writes take, and the next pass at least a period after
// them.
func (l *Loop) GoOn(began model.Instant, longer time.Duration) {
	judged := l.Nodes.JudgeRest(began, l.Cache, l.Hidden)
	l.decide(judged)
	end := l.now.Add(l.clock.Takes + longer + l.clock.EachWrite*time.Duration(writes(judged)))
	if l.zones = end; end == l.now {
		l.zones = model.FarFuture
		l.decide(l.Nodes.JudgeZones(l.now, l.Cache, l.Hidden))
	}
	l.clock.Pass = max(l.clock.Pass, end.Add(l.clock.Period))
}

// writes counts the objects written; a pass does not wait for Events.
func writes(list []model.Decision) (n int) {
	for i := range list {
		n += list[i].Written()
	}
	return n
}

// skipTicks skips the ticks before a time if no node waits: nothing else happens until then.
func (l *Loop) skipTicks(before model.Instant) {
	if l.clock.Tick < before && !l.Nodes.Waiting() {
		l.clock.Tick = l.clock.Tick.Add((before.Sub(l.clock.Tick) + nodelifecycle.TickPeriod - 1).Truncate(nodelifecycle.TickPeriod))
	}
}

func (l *Loop) tick() {
	l.clock.Tick = l.clock.Tick.Add(nodelifecycle.TickPeriod)
	if !l.Nodes.Waiting() {
		return
	}
	view := l.Cache
	if l.TickView != nil {
		view = l.TickView(l.now, l.Cache)
	}
	l.decide(l.Nodes.Tick(l.now, view, l.Hidden))
}

// decide records decisions and applies their writes, which may lead to more decisions.
func (l *Loop) decide(list []model.Decision) {
	if len(list) == 0 {
		return
	}
	l.out = append(l.out, list)
	if l.Decided != nil {
		l.Decided(list)
	}
	outer := l.deciding
	l.deciding = true
	for i := range list {
		for k := range list[i].Writes {
			l.apply(&list[i].Writes[k], &list[i])
		}
	}
	l.deciding = outer
	l.settle()
}

// Stop pauses the controller manager until a time, as SIGSTOP and SIGCONT do. It catches up then, and its loops go on.
func (l *Loop) Stop(until model.Instant) {
	l.clock.Pass = max(l.clock.Pass, until)
	if l.zones != model.FarFuture {
		l.zones = max(l.zones, until)
	}
	l.Hold(until)
}

// Hold lets the API server accept no write until a time. The next pass with something to write waits, and others pause.
func (l *Loop) Hold(until model.Instant) {
	l.stopped = until
	l.clock.Tick, l.clock.Collect = max(l.clock.Tick, until), max(l.clock.Collect, until)
	l.At(until, (*Loop).settle)
}

// Restart restarts the controller manager at once, even while paused: all memory is lost.
func (l *Loop) Restart() {
	l.stopped, l.events = 0, nil
	clear(l.noted)
	l.Nodes = nodelifecycle.New(l.params)
	l.Nodes.Brief = l.Brief
	gone := l.Pods.Gone
	l.Pods = podgc.New(l.params)
	l.Pods.Gone = gone // knowledge of the observer, not of the process
	l.clock.Pass, l.clock.Tick, l.clock.Collect, l.zones = l.now, l.now, l.now, model.FarFuture
	l.RestartTaintEviction()
	for i := range int32(l.Cache.Rows()) {
		l.decide(l.Nodes.NodeEvent(l.now, l.Cache.Row(i).Name, l.Cache, l.Hidden))
	}
}

// RestartTaintEviction restarts only the taint-eviction controller.
func (l *Loop) RestartTaintEviction() {
	l.Taints = tainteviction.New(l.params)
	for row := range l.Cache.Nodes() {
		l.decide(l.Taints.NodeChanged(l.now, row.Name, l.Cache))
	}
}

func (l *Loop) nextVersion() uint64 {
	l.version++
	return l.version
}

type script []planned

type planned struct {
	at     model.Instant
	change func(*Loop)
}

func (s script) next() model.Instant {
	if len(s) == 0 {
		return model.FarFuture
	}
	return s[0].at
}
