package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/tainteviction"
	"kardia/model/infer"
	"kardia/model/infer/phases"
)

// writesFor is how long the first pass of a process may take before it judges the zones: until then each has a token.
const writesFor = 150 * time.Millisecond

// begunAnew are the courses in which a new process leads from now on, the earliest possible.
func begunAnew(s *infer.State) (anew *infer.State, ways []phases.Phase) {
	anew = newProcess(s)
	slow := anew.Clock
	slow.Takes = writesFor
	return anew, []phases.Phase{{Clock: anew.Clock}, {Clock: slow}}
}

// startAnew delays decisions to the earliest by a new leader: declarations by a grace period, deletions by a countdown.
func (f *Forecast) startAnew(s *infer.State, silent func(string) bool) {
	fresh, grace := newProcess(s), map[string]time.Duration{}
	for _, i := range undeclared(s, silent) {
		row := s.Cache.Row(i)
		grace[row.Name] = s.Params.NodeMonitorGracePeriod.Value
		if row.Node.Ready() == nil {
			grace[row.Name] = s.Params.NodeStartupGracePeriod.Value
		}
	}
	put := func(w *model.Interval, soonest model.Instant) {
		if w.Known() && w.Earliest.Bounded() {
			w.Earliest = max(w.Earliest, soonest)
		}
	}
	for i := range f.Evictions {
		e := &f.Evictions[i]
		if !e.State.Ahead() {
			continue
		}
		soonest := s.At.Add(grace[e.Node] + time.Duration(e.Seconds.Value)*time.Second)
		if t, ok := fresh.Taints.Pending(e.Pod); ok {
			soonest = t.FireAt
		}
		switch {
		case e.State == Due:
			e.Why = because(CountdownRestarts)
		case grace[e.Node] > 0:
			e.Why = because(GraceRestarts)
		}
		was := e.Window.Earliest
		if put(&e.Window, soonest); was < e.Window.Earliest && (!f.IfResumed.Known() || was < f.IfResumed) {
			f.IfResumed = was
		}
	}
	for i := range f.Taints {
		put(&f.Taints[i].Window, s.At.Add(grace[f.Taints[i].Node]))
	}
	f.Evictions = inOrder(f.Evictions)
	if f.IfResumed.Known() {
		f.assume(since(LeaderExited, f.IfResumed))
	}
}

// newProcess is a State whose controllers have no memory. Grace periods and countdowns begin now, zones have no state
// and full buckets. The first pass removes taints, and tokens set them again.
func newProcess(s *infer.State) *infer.State {
	n := *s
	n.Nodes, n.Taints = nodelifecycle.New(s.Params), tainteviction.New(s.Params)
	for row := range n.Cache.Nodes() {
		n.Taints.NodeChanged(s.At, row.Name, n.Cache) // decisions at once are made again in the loop
	}
	n.Clock = loop.StartingAt(s.At, s.Clock.Period, s.Clock.Drift)
	n.Phases, n.Otherwise, n.Before = nil, nil, nil
	return &n
}
