package infer

import (
	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

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
