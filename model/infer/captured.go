package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// A capture shows one time. No model runs within or between captures: zone states, queues and rates are unknown, and no
// decision can be stated. The forecast is that of an observer who has just arrived.

// captured is a History with captures beside which nothing was recorded.
type captured struct {
	history  history.History
	captures []history.Capture
	recorded model.Interval
	o        Options
	overdue  Overdue // at the last capture
	arrived  *run    // at the last capture asked for
	at       model.Instant
}

// runCaptured judges only the recorded part.
func runCaptured(h history.History, captures []history.Capture, o Options) (*Result, error) {
	c := &captured{history: h, captures: captures, recorded: history.Recorded(h), o: o}
	res := &Result{Params: o.Params, Fits: map[string]Fit{}, Coverage: h.Coverage(), Mode: o.Mode}
	if c.recorded.Bounded() && !(o.Mode == Causal && o.Until.Known() && o.Until < c.recorded.Earliest) {
		part, err := newStretch(h, c.recorded)
		if err != nil {
			return nil, err
		}
		r, err := newRun(part, o)
		if err != nil {
			return nil, err
		}
		res = r.result()
		res.rests(Note{Code: PartlyInstant, Of: c.instants()})
	} else {
		res.Instants = c.instants()
		res.Assumptions = []Note{*res.Instants, {Code: TakenToBeat}}
	}
	res.captured = c
	if o.Until.Known() && o.Until < captures[len(captures)-1].At {
		return res, nil
	}
	err := c.atEnd(res)
	return res, err
}

// instants are the times of captures: the reason why nothing is judged.
func (c *captured) instants() *Note {
	first, last := c.captures[0].At, c.captures[len(c.captures)-1].At
	if len(c.captures) == 1 {
		return &Note{Code: OneInstant, At: first}
	}
	return &Note{Code: Instants, N: len(c.captures), Since: first, Until: last}
}

// alone is the capture with the last evidence before a time; nil in the recorded time. known: there is no later one.
func (c *captured) alone(t model.Instant) (last *history.Capture, known bool) {
	if c.recorded.Contains(t) {
		return nil, false
	}
	next := model.FarFuture
	for i := range c.captures {
		if c.captures[i].At <= t {
			last = &c.captures[i]
		} else {
			next = min(next, c.captures[i].At)
		}
	}
	if c.recorded.Earliest > t && c.recorded.Known() {
		next = min(next, c.recorded.Earliest)
	}
	if last != nil && c.recorded.Known() && last.At < c.recorded.Latest && c.recorded.Latest < t {
		last = nil // the recorded part is later
	}
	return last, last != nil && (t <= last.At+1 || next == model.FarFuture)
}

// state is the models' state for an observer who arrives with the capture. Between captures no passes are expected.
func (c *captured) state(t model.Instant) (*State, error) {
	last, known := c.alone(t)
	if last == nil {
		last = &c.captures[0]
	}
	at := last.At
	if last.Beside { // other kinds were recorded later
		at = max(at, min(t, history.Recorded(c.history).Latest))
	}
	if c.arrived == nil || c.at != at {
		r, err := arrive(c.history, at, c.o)
		if err != nil {
			return nil, err
		}
		c.arrived, c.at = r, at
	}
	s, err := c.arrived.at(at)
	if err != nil {
		return nil, err
	}
	s.Arrived, s.nodesByName = true, history.ByName(c.history.Sources(), model.KindNode)
	if c.overdue.Known() && t >= c.captures[len(c.captures)-1].At {
		s.Overdue = c.overdue
	}
	for _, v := range history.UnwatchedIn(c.history).Leases() {
		if v.Earliest < at && at <= v.Latest {
			s.Unwatched = v.Earliest
		}
	}
	s.tokens = s.tokensOfArrival(at)
	if !known {
		s.Clock.Pass = model.FarFuture
	}
	return s, nil
}

// silentAfter is the age of the last renewal at which a node is silent: two renewals.
const silentAfter = 20 * time.Second

// arrive is a run that knows only the state at a time. Nodes that are not seen to be silent are assumed to renew.
func arrive(h history.History, at model.Instant, o Options) (*run, error) {
	state, err := history.StateAt(h, at)
	if err != nil {
		return nil, err
	}
	read := history.AsOf(h, at).Leases
	unwatched := history.UnwatchedIn(h)
	heard := at.Add(-2 * o.Params.NodeMonitorPeriod.Value) // counted by the last pass
	var beating []model.Change
	state.Nodes(func(row *model.NodeRow) bool {
		l := &row.Lease
		_, outdated := unwatched.Lease(row, at) // seen in an older capture only
		seen := l.Seen && !l.Gone && l.Renewed.Known() && read.Known() && !outdated
		if row.Health() != model.HealthUnknown && !(seen && read.Sub(l.Renewed) >= silentAfter) {
			renewed := l.Lease
			renewed.Renewed = heard
			beating = append(beating, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: row.Name},
				UID: l.UID, Version: l.Version, Time: model.Exactly(heard), At: at, Lease: renewed})
		}
		return true
	})
	for i := range beating {
		state.Fold(&beating[i])
	}
	o.LeasesRead = read
	return newRun(capturedState{history.NewMemory(nil, model.Exactly(at), nil, nil), state}, o)
}

// capturedState is a History of one state, at its end.
type capturedState struct {
	*history.Memory
	state *model.Cluster
}

func (s capturedState) State(int) (*model.Cluster, int, error) { return s.state.Clone(), 0, nil }
func (s capturedState) Fork() history.History                  { return s }

// stretch is the recorded part of a History, from an empty state: the History's own states include captures.
type stretch struct {
	history.History
	first, end int
	recorded   model.Interval
}

func newStretch(h history.History, recorded model.Interval) (*stretch, error) {
	s := &stretch{History: h, recorded: recorded}
	var err error
	if s.first, err = positionOf(h, recorded.Earliest); err != nil {
		return nil, err
	}
	s.end, err = positionOf(h, recorded.Latest+1)
	return s, err
}

// positionOf is the position of the first Change at or after a time.
func positionOf(h history.History, t model.Instant) (int, error) {
	first, end := h.Span()
	if first == end {
		return end, nil
	}
	for p := h.PageBefore(t - 1); ; p = h.PageAt(p.End) {
		changes, err := history.ReadChanges(h, p)
		if err != nil {
			return 0, err
		}
		if i := slices.IndexFunc(changes, func(ch model.Change) bool { return ch.Effective() >= t }); i >= 0 {
			return p.Start + i, nil
		}
		if p.End >= end {
			return end, nil
		}
	}
}

func (s *stretch) Span() (first, end int)                 { return s.first, s.end }
func (s *stretch) Coverage() model.Interval               { return s.recorded }
func (s *stretch) StateBefore(int) (at int)               { return s.first }
func (s *stretch) State(int) (*model.Cluster, int, error) { return model.NewCluster(), s.first, nil }

func (s *stretch) Fork() history.History {
	fork := *s
	fork.History = s.History.Fork()
	return &fork
}

// Sources are the sources, without captures beside which nothing was recorded.
func (s *stretch) Sources() []history.Source {
	list := slices.Clone(s.History.Sources())
	for i := range list {
		if c := list[i].Captured; c != nil && !c.Beside {
			list[i].Kinds, list[i].Coverage = nil, model.Interval{}
		}
	}
	return list
}

// Gaps are the gaps without the times between captures.
func (s *stretch) Gaps() []history.Gap {
	return slices.DeleteFunc(slices.Clone(s.History.Gaps()), func(g history.Gap) bool { return g.Between })
}

var _ history.History = (*stretch)(nil)
