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

// writesFor is how long the first pass of a process may take before it judges the zones: until then each has a token,
// whatever its state will be.
const writesFor = 150 * time.Millisecond

// begunAnew takes in what comes if another process leads from a State's instant on: the soonest that anybody can.
func (h *hull) begunAnew(s *infer.State, c *course) {
	for _, takes := range [...]time.Duration{0, writesFor} {
		n := newProcess(s)
		n.Clock.Takes = takes
		l := n.Loop(n.Clock, c.loop)
		l.Brief = true
		l.KeepBeating(beating(n, c.o.Silent))
		l.At(n.At, (*loop.Loop).Restart)
		c.begin(n, &phases.Phase{Clock: n.Clock}, true)
		c.run(l, h.f.Until)
		h.add(c)
	}
}

// registers is what a new process does to every node that it comes to know, and changes nothing: it is not told.
func registers(c Coming) bool { return c.Decision.Kind == model.RegisterNode }

// newProcess is a State in which the controllers remember nothing: each node's grace, and the countdowns on nodes that
// are tainted, begin then, zones have no state, and their buckets are full. The first pass takes taints off, and each is
// put on again by a token.
func newProcess(s *infer.State) *infer.State {
	n := *s
	n.Nodes, n.Taints = nodelifecycle.New(s.Params), tainteviction.New(s.Params)
	for i := range int32(n.Cache.Rows()) {
		if row := n.Cache.Row(i); row.Node != nil {
			n.Taints.NodeChanged(s.At, row.Name, n.Cache) // what is decided at once is decided again in the loop
		}
	}
	n.Clock = loop.StartingAt(s.At, s.Clock.Period, s.Clock.Drift)
	n.Phases, n.Otherwise, n.Before = nil, nil, nil
	return &n
}
