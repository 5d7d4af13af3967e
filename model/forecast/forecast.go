// Package forecast says what the controllers will do next if the silent nodes stay silent,
// the others keep beating, and nobody changes anything.
//
// The models run forward from a State. What cannot be known from outside makes windows of
// the times: the phase of the passes (the models run with the earliest and with the latest
// that is possible), and the order of a queue (whoever waits may get each token).
package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/nodelifecycle"
	"kardia/model/shadow"
)

// Horizon is how far a forecast reaches unless told otherwise.
const Horizon = 15 * time.Minute

// SilentAfter is how long a node must not have been heard to count as silent: two
// renewals, at 10 s each.
const SilentAfter = 20 * time.Second

// Options guide a Run. The zero value is the usual forecast.
type Options struct {
	// Horizon is how far to look; 0 is the constant Horizon.
	Horizon time.Duration
	// Silent says which nodes stay silent. Nil: those for which Silent answers true.
	Silent func(node string) bool
	// Window bounds when an earlier decision was made, where the driver knows better than
	// the State; countdowns started by it move with it. Nil: exact.
	Window func(model.DecisionID) (model.Interval, bool)
}

// Forecast is what comes.
type Forecast struct {
	At, Until model.Instant
	// Coming are the decisions, by their earliest instant.
	Coming []Coming
	// Evictions are all pods for which an eviction is pending, held back, or under way:
	// those on nodes that are tainted, or will be.
	Evictions []Eviction
	// Waits are the nodes that wait for a taint at At.
	Waits       []Wait
	Assumptions []string
}

// Coming is a decision that will be made within its Decision's Window.
type Coming struct {
	// Decision is as the model makes it. Where it concerns one of several nodes its Node
	// is empty, and Among lists them.
	Decision model.Decision
	// Among are the nodes of which one gets the token, by name.
	Among []string
	// Sure is false where the decision depends on when the passes run.
	Sure bool
}

// Silent says whether a node has not been heard for SilentAfter as the controller sees it,
// or never was by this controller.
func Silent(s *shadow.State, node string) bool {
	v, ok := s.Nodes.Node(node, s.Cache)
	if s.Overdue.Known() && ok {
		// The controller has not looked lately; what it will find then is the lease as it stands.
		v.Probe = max(v.Probe, s.Cache.Find(node).Lease.Renewed)
	}
	return !ok || !v.Probe.Known() || s.At.Sub(v.Probe) >= SilentAfter
}

// Run forecasts from a state, which stays as it is.
func Run(s *shadow.State, o Options) *Forecast { return foresee(s, o, play, pair) }

// foresee is Run with the ways to play one course of events, and to match two.
func foresee(s *shadow.State, o Options,
	play func(*shadow.State, closedloop.Clock, model.Instant, func(string) bool) run, pair func(a, b *run)) *Forecast {
	if o.Horizon <= 0 {
		o.Horizon = Horizon
	}
	if o.Silent == nil {
		o.Silent = func(node string) bool { return Silent(s, node) }
	}
	f := &Forecast{At: s.At, Until: s.At.Add(o.Horizon), Assumptions: []string{
		"silent nodes stay silent, the others keep beating, and nobody changes anything",
		"of the nodes that wait in a zone, any may get the next token",
	}}
	if !s.Clock.Pass.Bounded() {
		f.Assumptions = append(f.Assumptions, "no pass of the controller is expected: nothing is forecast")
		return f
	}
	m := merge{at: s.At, period: s.Clock.Period + s.Clock.Drift}
	if s.Slack <= 0 {
		m.runs = []run{play(s, s.Clock, f.Until, o.Silent)}
	} else {
		early, late := phases(s)
		m.gap, m.pad = late.Pass.Sub(early.Pass), nodelifecycle.TickPeriod
		m.runs = []run{play(s, early, f.Until, o.Silent), play(s, late, f.Until, o.Silent)}
		pair(&m.runs[0], &m.runs[1])
		f.Assumptions = append(f.Assumptions, "the next pass begins between "+early.Pass.String()+" and "+late.Pass.String())
	}
	f.Coming = m.coming()
	f.Evictions = evictions(s, &o, &m)
	f.Waits = m.waits(s)
	if s.Overdue.Known() {
		f.wait()
	}
	return f
}

// phases are the earliest and the latest clock that the state allows. Where a pass may have
// run just before the state's instant, or may run just after it, the next may be at once, and
// as far away as a period.
func phases(s *shadow.State) (early, late closedloop.Clock) {
	early, late = s.Clock, s.Clock
	period := s.Clock.Period + s.Clock.Drift
	early.Pass = s.Clock.Pass.Add(-s.Slack)
	late.Pass = min(s.Clock.Pass.Add(s.Slack), early.Pass.Add(period-1))
	if early.Pass < s.At || s.Clock.Pass.Add(s.Slack-period) >= s.At {
		early.Pass, late.Pass = s.At, s.At.Add(period-1)
	}
	return early, late
}

// run is one course of events, with what its queues allow.
type run struct {
	list []*model.Decision
	byID map[model.DecisionID]int
	// twins are the positions in the other run of the same decisions, whatever their times;
	// -1 for those it does not make. Nil where there is no other run.
	twins []int32
	races races
}

// play runs the models forward with one clock.
func play(s *shadow.State, clock closedloop.Clock, until model.Instant, silent func(string) bool) run {
	l := closedloop.Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, clock)
	l.KeepBeating(beating(s, silent))
	return courseOf(s, l, until)
}

// beating are the rows of the nodes that keep beating.
func beating(s *shadow.State, silent func(string) bool) (rows []int32) {
	for i := range int32(s.Cache.Rows()) {
		if row := s.Cache.Row(i); row.Node != nil && !silent(row.Name) {
			rows = append(rows, i)
		}
	}
	return rows
}

// courseOf lets a loop run that begins in a state.
func courseOf(s *shadow.State, l *closedloop.Loop, until model.Instant) (r run) {
	for _, part := range l.RunInParts(until) {
		for i := range part {
			r.list = append(r.list, &part[i])
		}
	}
	r.byID = make(map[model.DecisionID]int, len(r.list))
	for i, d := range r.list {
		r.byID[d.ID] = i
	}
	r.races = race(s, r.list, l)
	return r
}
