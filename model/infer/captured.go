package infer

import (
	"sort"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

// A capture shows one time. No model runs within or between captures: zone states, queues and rates are unknown, and no
// decision can be stated. The forecast is that of an observer who has just arrived.

// runCaptured judges only the recorded part.
func runCaptured(h history.History, captures []history.Capture, o Options) (*Result, error) {
	c := &captured{history: h, captures: captures, recorded: history.Recorded(h), o: o}
	res := &Result{Params: o.Params, Fits: map[string]Fit{}, Coverage: h.Coverage(), Mode: o.Mode}
	if c.recorded.Bounded() && !(o.Mode == Causal && o.Until.Known() && o.Until < c.recorded.Earliest) {
		part, err := recordedPart(h, c.recorded)
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
	n := sort.Search(len(c.captures), func(i int) bool { return c.captures[i].At > t })
	if n == 0 || c.recorded.Contains(t) || c.recorded.Known() && c.captures[n-1].At < c.recorded.Latest && c.recorded.Latest < t {
		return nil, false // none, or the recorded part is later
	}
	last = &c.captures[n-1]
	later := n < len(c.captures) || c.recorded.Known() && c.recorded.Earliest > t
	return last, t <= last.At+1 || !later
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
	return newRun(stateOnly(state, at), o)
}

// overdueIn are the overdue declarations of a capture: Ready nodes whose last heartbeat is older than the grace period,
// two passes and a write. A younger process counts from its start.
func (c *captured) overdueIn(cluster *model.Cluster, asOf model.AsOf) (o Overdue) {
	p := &c.o.Params
	allowed := p.NodeMonitorGracePeriod.Value + 2*p.NodeMonitorPeriod.Value + evidence.LagBound
	led := model.FarPast
	for _, l := range cluster.Leaders() {
		if l.Name == model.ControllerManager && l.Acquired.Bounded() {
			led = l.Acquired
		}
	}
	unwatched := history.UnwatchedIn(c.history)
	for row := range cluster.Nodes {
		ages := row.AgesAsOf(asOf)
		_, outdated := unwatched.Lease(row, asOf.At)
		if row.Node == nil || !row.Node.IsReady() || outdated || !ages.Late() {
			continue
		}
		from := max(asOf.Leases.Add(-ages.Age.Value), led)
		by := from.Add(allowed)
		if by >= asOf.At {
			continue
		}
		window := model.Interval{Earliest: from.Add(p.NodeMonitorGracePeriod.Value), Latest: by}
		o.lacks(by, window.Earliest-1)
		o.Decisions = append(o.Decisions, undeclared(row.Name, row.Node, window, model.WhyStillReady))
	}
	return o
}

// atEnd takes in the last capture, if nothing is later: overdue declarations and, without a record, the grace period.
func (c *captured) atEnd(res *Result) error {
	last := &c.captures[len(c.captures)-1]
	if c.recorded.Bounded() && c.recorded.Latest >= last.At {
		return nil
	}
	state, err := history.StateAt(c.history, last.At)
	if err != nil {
		return err
	}
	if !c.recorded.Bounded() {
		c.judgeGrace(res, state, last.At)
	}
	if c.overdue = c.overdueIn(state, history.AsOf(c.history, last.At)); c.overdue.Known() {
		res.Overdue = c.overdue
	}
	return nil
}
