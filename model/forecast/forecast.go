// Package forecast says what the controllers will do next if the silent nodes stay silent,
// the others keep beating, and nobody changes anything.
//
// The models run forward from a State. What cannot be known from outside makes windows of
// the times: the phase of the passes (the models run with the earliest and with the latest
// that is possible), and the order of a queue (whoever waits may get each token).
package forecast

import (
	"cmp"
	"slices"
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
	return !ok || !v.Probe.Known() || s.At.Sub(v.Probe) >= SilentAfter
}

// Run forecasts from a state, which stays as it is.
func Run(s *shadow.State, o Options) *Forecast {
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
	m := merge{at: s.At, stays: map[*stay]model.Interval{}, period: s.Clock.Period + s.Clock.Drift}
	if s.Slack <= 0 {
		m.runs = []run{play(s, s.Clock, f.Until, o.Silent)}
	} else {
		early, late := phases(s)
		m.gap, m.pad = late.Pass.Sub(early.Pass), nodelifecycle.TickPeriod
		m.runs = []run{play(s, early, f.Until, o.Silent), play(s, late, f.Until, o.Silent)}
		f.Assumptions = append(f.Assumptions, "the next pass begins between "+early.Pass.String()+" and "+late.Pass.String())
	}
	if len(m.runs) > 1 {
		m.runs[0].compare()
		m.runs[1].compare()
	}
	f.Coming = m.coming()
	f.Coming = inOrder(f.Coming, func(a, b *Coming) int {
		return cmp.Or(cmp.Compare(a.Decision.Window.Earliest, b.Decision.Window.Earliest), cmp.Compare(a.Decision.Time, b.Decision.Time))
	})
	f.Evictions = evictions(s, &o, &m)
	f.Waits = m.waits(s)
	return f
}

// inOrder sorts a list whose elements are too large to be moved about: equal ones keep
// their order.
func inOrder[T any](list []T, compare func(a, b *T) int) []T {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(compare(&list[a], &list[b]), cmp.Compare(a, b))
	})
	sorted := make([]T, len(list))
	for i, from := range order {
		sorted[i] = list[from]
	}
	return sorted
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
	list []model.Decision
	byID map[model.DecisionID]int
	// index finds a decision by what it is about, whatever its time, and keys are theirs;
	// nil where there is no other run to compare with.
	index map[key]int
	keys  []key
	races races
}

// key is what makes decisions of two runs the same. nth counts those that are otherwise
// alike.
type key struct {
	controller model.Controller
	kind       model.DecisionKind
	outcome    model.Outcome
	node, text string
	place      model.Maybe[model.Place]
	pod        model.Key
	nth        int
}

func keyOf(d *model.Decision) key {
	k := key{controller: d.Controller, kind: d.Kind, outcome: d.Outcome, node: d.Node, place: d.Place, pod: d.Pod}
	switch d.Kind {
	case model.AddNoSchedule, model.RemoveNoSchedule:
		if len(d.Writes) > 0 {
			k.text = d.Writes[0].Taint.Key
		}
	case model.ZoneState, model.SetRate:
		k.text = d.Why
	}
	return k
}

// play runs the models forward with one clock.
func play(s *shadow.State, clock closedloop.Clock, until model.Instant, silent func(string) bool) run {
	l := closedloop.Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, clock)
	var beating []int32
	for i := range int32(l.Cache.Rows()) {
		if row := l.Cache.Row(i); row.Node != nil && !silent(row.Name) {
			beating = append(beating, i)
		}
	}
	l.KeepBeating(beating)
	r := run{list: l.Run(until)}
	r.byID = make(map[model.DecisionID]int, len(r.list))
	for i := range r.list {
		r.byID[r.list[i].ID] = i
	}
	r.races = race(s, r.list, l)
	return r
}

// compare makes the run's index.
func (r *run) compare() {
	r.index, r.keys = make(map[key]int, len(r.list)), make([]key, len(r.list))
	for i := range r.list {
		k := keyOf(&r.list[i])
		for _, taken := r.index[k]; taken; _, taken = r.index[k] {
			k.nth++
		}
		r.index[k], r.keys[i] = i, k
	}
}
