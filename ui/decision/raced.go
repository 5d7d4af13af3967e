package decision

import (
	"kardia/model"
	"kardia/model/simulate/forecast"
)

// raced are deletions of which a race decides whose they are, as one step that comes for the pods of a zone that may go
// within the same time, and how many of them go: which of them a course of events has deleted tells nothing. of is of which
// decisions; nil for all.
func raced(f *forecast.Forecast, c *model.Cluster, now model.Instant, of func(*model.Decision) bool) (list []*forecast.Coming, counts map[*forecast.Coming]forecast.Deleted) {
	counts = map[*forecast.Coming]forecast.Deleted{}
	at, pods := map[model.Maybe[model.ZoneKey]][]*group{}, map[*group][]*forecast.Eviction{}
	var groups []*group
	for i := range f.Evictions {
		e := &f.Evictions[i]
		d := model.Decision{Kind: model.EvictPod, Outcome: model.Did, Pod: e.Pod, Node: e.Node, Zone: f.ZoneOf(e), Basis: model.Simulated, Rule: e.Rule, Window: e.Window}
		if !e.Raced() || e.Window.Earliest == model.FarFuture || e.Window.Latest < now || done(&d, c) || of != nil && !of(&d) {
			continue
		}
		g := alike(at[d.Zone], e.Window)
		if g == nil {
			g = &group{Coming: &forecast.Coming{Decision: d}, first: e.Window}
			at[d.Zone], groups = append(at[d.Zone], g), append(groups, g)
		}
		g.Coming.Decision.Window.Latest = max(g.Coming.Decision.Window.Latest, e.Window.Latest)
		pods[g] = append(pods[g], e)
	}
	for _, g := range groups {
		if n := f.DeletionsAmong(pods[g]).By(model.FarFuture); n.Most > 0 {
			list, counts[g.Coming] = append(list, g.Coming), n
		}
	}
	return list, counts
}

// open says that something to come is a deletion of which a race decides whose it is, if only in some of the courses that it may
// take: it is told with the race.
func open(f *forecast.Forecast, c *forecast.Coming) bool {
	if c.Decision.Kind != model.EvictPod {
		return false
	}
	e := f.Pod(c.Decision.Pod)
	return len(c.Among) > 0 || e != nil && e.Raced() && e.Window.Earliest != model.FarFuture
}
