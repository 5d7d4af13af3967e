package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/passes"
	"kardia/model/infer/phases"
	"kardia/model/infer/processes"
)

// scheduleAt is what is known of the passes at a time.
func (r *run) scheduleAt(t model.Instant) *phases.Schedule {
	p := &r.o.Params
	c := &phases.Schedule{At: t, Period: p.NodeMonitorPeriod.Value, Grace: p.NodeMonitorGracePeriod.Value, Startup: p.NodeStartupGracePeriod.Value,
		Longest: r.rhythm().Longest(), Begun: model.Exactly(model.FarPast)}
	if t >= r.evidence.Last {
		c.Heard = r.evidence.Heard // else it includes later ones
	}
	for p := range model.Each(r.passes) {
		if p.Earliest > t {
			break
		}
		if p.Begins() {
			c.Traces = nil
		}
		if p.First {
			c.Begun = p.Interval
		}
		if p.Observed {
			c.Traces = append(c.Traces, phases.Trace{Interval: p.Interval, Slow: p.Slow()})
		}
	}
	c.BegunBy = c.Begun.Latest
	r.afterMasterDisruption(c)
	if stood, ok := r.course().StandstillBefore(t); ok {
		c.WentOn, c.Idle = processes.WentOn(stood), r.course().IdleSince(stood)
	}
	c.Divide(r.nextPass(c), r.evidence.Nodes)
	return c
}

// phasesAt sets the Phases of a State. unjudged is the unfinished pass, as in drive.Driver.
func (r *run) phasesAt(s *State, unjudged int) {
	s.passes = r.scheduleAt(s.At)
	if unjudged > 0 {
		s.passes.Rest = r.restOf(unjudged, s)
	}
	s.writing = s.passes.Writing()
	s.Phases = s.passes.Phases(s.Clock.Collect, len(r.evidence.Cycles) > 0, r.evidence.Nodes)
}

// nextPass is when the first pass after a time may come, by the traces of passes: sorted, disjoint intervals.
func (r *run) nextPass(c *phases.Schedule) (list []model.Interval) {
	furthest := c.At.Add(c.Period + c.Longest)
	if len(r.passes) == 0 {
		return nil
	}
	from := 0
	for i := range r.passes {
		if r.passes[i].Latest <= c.At {
			from = i
		}
	}
	for i := from; r.passAt(i).Earliest <= furthest; i++ {
		if i > 0 && r.passAt(i-1).Earliest > c.At {
			break
		}
		v := r.passAt(i).Interval
		if v = (model.Interval{Earliest: max(v.Earliest, c.At+1), Latest: min(v.Latest, furthest)}); v.Earliest <= v.Latest {
			list = append(list, v)
		}
	}
	return model.United(list)
}

// settlePhase places the passes without a trace so that no declaration is overdue at the end.
func (r *run) settlePhase() {
	c := r.scheduleAt(r.coverage.Latest)
	widest := model.Interval{}
	for _, part := range c.Parts {
		if (!widest.Known() || part.Width() >= widest.Width()) && !c.Due(part, false) {
			widest = part
		}
	}
	next := widest.Middle()
	last := -1
	for i := range r.passes {
		if r.passes[i].Observed {
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
			p.At = p.Earliest.Add(time.Duration(share * float64(p.Width()))).Add(time.Duration(i))
		}
		return
	}
}

// Counted is when a pass counted a node's last sign of life, in a Phase; ok is false if none did.
func (s *State) Counted(p *phases.Phase, node string) (at model.Instant, ok bool) {
	if s.passes == nil || s.uncounted(node) {
		return 0, false
	}
	return s.passes.Counted(p, s.passes.Heard[node])
}

// uncounted reports whether a node's last sign of life came without a leader: the next pass of any process counts it.
func (s *State) uncounted(node string) bool {
	return s.Unled.Known() && s.passes != nil && max(s.passes.Heard[node].Lease.Earliest, s.passes.Heard[node].Status.Earliest) > s.Unled
}

// Queues reports whether, in a Phase, the next pass is the first to see a posted NotReady, and so queues the node.
func (s *State) Queues(p *phases.Phase, node string) bool {
	n := s.Cache.Node(node)
	if s.passes == nil || n == nil || n.Ready() == nil || n.Ready().Status != model.StatusFalse {
		return false
	}
	return s.passes.Unseen(p, s.passes.Heard[node])
}

// Declares bounds the declaration of a node that stays silent; ok is false if it is not known.
func (s *State) Declares(name string) (w model.Interval, ok bool) {
	node := s.Cache.Node(name)
	if node == nil || s.passes == nil {
		return w, false
	}
	if w, ok = s.passes.Declared(s.Phases, s.passes.Heard[name], node.Ready() == nil); !ok {
		return w, false
	}
	if is := s.Otherwise; is != nil {
		if other, ok := is.passes.Declared(is.Phases, s.passes.Heard[name], node.Ready() == nil); ok {
			w = w.Around(other)
		}
	}
	w.Latest = w.Latest.Add(s.writing)
	if w = s.Bounds(name, w, s.writing); s.uncounted(name) {
		w.Earliest = max(w.Earliest, s.At.Add(s.passes.GraceOf(node.Ready() == nil)))
		w.Latest = max(w.Latest, w.Earliest)
	}
	return w, true
}

// GraceEnds bounds the end of a silent node's grace period, from the pass that counted its last sign of life, if known.
func (s *State) GraceEnds(name string) (w model.Interval, ok bool) {
	declared, ok := s.Declares(name)
	if !ok {
		return w, false
	}
	h, grace := s.passes.Heard[name], s.passes.GraceOf(s.Cache.Node(name).Ready() == nil)
	if w, ok = s.passes.CountedWithin(s.Phases, h); !ok {
		return w, false
	}
	if is := s.Otherwise; is != nil {
		if other, ok := is.passes.CountedWithin(is.Phases, h); ok {
			w = w.Around(other)
		}
	}
	if s.uncounted(name) {
		w = model.Interval{Earliest: s.At, Latest: declared.Latest.Add(-grace)}
	}
	w.Earliest = max(w.Earliest, h.Lease.Earliest, h.Status.Earliest).Add(grace)
	w.Latest = max(w.Earliest, min(w.Latest.Add(grace), declared.Latest))
	return w, true
}

// Bounds narrows a window of a node's declaration to its own signs of life; writes is the delay of passes that write.
func (s *State) Bounds(name string, w model.Interval, writes time.Duration) model.Interval {
	node := s.Cache.Node(name)
	if s.passes == nil || node == nil {
		return w
	}
	return s.passes.Narrowed(w, s.passes.Heard[name], node.Ready() == nil, writes)
}

// Silent is the earliest time of a node's last sign of life; ok is false without one.
func (s *State) Silent(node string) (since model.Instant, ok bool) {
	if s.passes == nil {
		return 0, false
	}
	h := s.passes.Heard[node]
	since = max(h.Lease.Earliest, h.Status.Earliest)
	return since, since.Known()
}

// StepPass is the first monitor pass after a time within coverage, or the last before it: when the models ran it, and its
// window.
func (r *Result) StepPass(from model.Instant, forwards bool) (at model.Instant, window model.Interval, ok bool) {
	all := r.models().passes
	i := all.Index(from) - 1
	if forwards {
		i = all.Index(from + 1)
	}
	if i < 0 || i >= len(all) || !r.Coverage.Contains(all[i].At) {
		return 0, window, false
	}
	return all[i].At, all[i].Interval, true
}

// Pass is a monitor pass, as fitted to the observations. Its At is more than a period from those of other passes.
type Pass = passes.Pass

// PassesAfter are the fitted passes after a time.
func (r *Result) PassesAfter(t model.Instant) []Pass {
	return slices.DeleteFunc(slices.Clone(r.models().passes), func(p Pass) bool { return p.At <= t })
}

// afterMasterDisruption starts a schedule at the last end of master disruption, if no later restart did (Z14).
func (r *run) afterMasterDisruption(c *phases.Schedule) {
	for d := range model.Each(r.found.Decisions) {
		if d.Time > c.At {
			break
		}
		if d.Kind == model.ExitMasterDisruption && d.Window.Latest > c.Begun.Latest {
			c.Begun = r.woke(d)
			c.BegunBy = c.Begun.Latest.Add(c.Period + c.Longest)
		}
	}
}

// woke is when the first node became Ready that the previous pass had not seen; without one, the pass itself.
func (r *run) woke(exit *model.Decision) model.Interval {
	before := model.FarPast
	if i := r.passes.Index(exit.Time+1) - 2; i >= 0 && i < len(r.passes) {
		before = r.passes[i].At
	}
	for _, w := range r.evidence.BecameReady {
		if w.Latest > before && w.Earliest <= exit.Window.Latest {
			return w
		}
	}
	return exit.Window
}
