package controllers

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// spokenOf are the nodes of which a Judgement foresees something, or says that it is their fault, by name; made are Views that
// may know them already.
func spokenOf(j *Judgement, from source, made []*View) (list []string) {
	for _, v := range made {
		if v != nil && v.from.state == from.state && v.from.forecast == from.forecast {
			return v.about
		}
	}
	if from.forecast != nil {
		list = from.forecast.Nodes()
	}
	for i := range j.Verdicts {
		list = append(list, j.Verdicts[i].Nodes...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// standing are those of some verdicts that still stand: those on nodes that are silent, or say that they are not ready, do until
// all of them are over it.
func standing(list []verdict.Verdict, over []string) []verdict.Verdict {
	if len(over) == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(v verdict.Verdict) bool {
		switch v.Rule {
		case verdict.AllDark, verdict.Zone, verdict.Group, verdict.Kubelet, verdict.LeaseOnly, verdict.SingleNode:
			return len(v.Nodes) > 0 && !slices.ContainsFunc(v.Nodes, func(name string) bool { return !isOf(over, name) })
		}
		return false
	})
}

// isOf says whether a node is of some, which are in order.
func isOf(nodes []string, name string) bool {
	_, is := slices.BinarySearch(nodes, name)
	return is
}

// untaints is how long after the pass that sees a node Ready its taint is off.
const untaints = 2 * time.Second

// since is what came of what a State and its Forecast foresaw, as is to be seen in a Cluster: of the nodes of which they speak
// those whose silence is over, are Ready again and still have their taint, are declared Unknown, and have their taint, each by
// name; and the pods that are deleted, and gone.
type since struct {
	over, ready, declared []string
	tainted               []forecast.Tainted
	deleted               []*model.Pod
	gone                  []model.Key
}

// sinceThen finds it. about are the nodes, by name.
func sinceThen(about []string, from source, c *model.Cluster, at model.Instant) (is since) {
	if c == nil {
		return is
	}
	for _, name := range about {
		row := c.Node(name)
		if why.Over(from.state, row) {
			is.over = append(is.over, name)
			continue
		}
		if why.ReadySince(from.state, row) {
			is.ready = append(is.ready, name)
			continue
		}
		if why.DeclaredSince(from.state, row) {
			is.declared = append(is.declared, name)
		}
		if given, ok := why.TaintedSince(from.state, row); ok {
			is.tainted = append(is.tainted, forecast.Tainted{Node: name, Zone: row.Node.Zone, Given: given})
		}
	}
	if from.forecast != nil {
		is.pods(from.forecast, from.state, c, at)
	}
	return is
}

// named are all that are of it, in words; "" for none.
func (is *since) named() string {
	if len(is.over)+len(is.ready)+len(is.declared)+len(is.tainted)+len(is.deleted)+len(is.gone) == 0 {
		return ""
	}
	deleted := make([]model.Key, len(is.deleted))
	for i, p := range is.deleted {
		deleted[i] = p.Key
	}
	return fmt.Sprint(is.over, is.ready, is.declared, is.taintedNodes(), deleted, is.gone)
}

func (is *since) taintedNodes() []string {
	list := make([]string, len(is.tainted))
	for i := range list {
		list[i] = is.tainted[i].Node
	}
	return list
}

// left is what is left of the Forecast.
func (is *since) left(f *forecast.Forecast, s *infer.State, at model.Instant) *forecast.Forecast {
	if len(is.over) > 0 {
		f = f.Without(is.over)
	}
	if len(is.ready) > 0 {
		f = f.WithReady(is.ready, at.Add(s.Params.NodeMonitorPeriod.Value+untaints))
	}
	if len(is.declared) > 0 {
		f = f.WithDeclared(is.declared)
	}
	if len(is.tainted) > 0 {
		f = f.WithTainted(is.tainted)
	}
	if len(is.deleted)+len(is.gone) > 0 {
		f = f.WithDeleted(is.deleted, is.gone, at, func(node string) bool { return !isOf(is.over, node) && forecast.Silent(s, node) })
	}
	return f
}

// zone takes those out of a zone's queue that wait no more; after a token the next comes once the rate has made one.
func (is *since) zone(v *nodelifecycle.ZoneView) {
	if len(is.over)+len(is.ready)+len(is.tainted) == 0 {
		return
	}
	tainted := is.taintedNodes()
	v.Waiting = slices.DeleteFunc(slices.Clone(v.Waiting), func(name string) bool { return isOf(is.over, name) || isOf(is.ready, name) || isOf(tainted, name) })
	for _, t := range is.tainted {
		if t.Zone == v.Zone && v.Rate > 0 {
			v.NextToken = max(v.NextToken, t.Given.Latest.Add(time.Duration(float64(time.Second)/float64(v.Rate))))
		}
	}
}

// pods finds those that are deleted, or gone, and were not in the State: whose deletion was due by an instant, and those that had
// been deleted; and of those whose nodes are heard again what becomes of them.
func (is *since) pods(f *forecast.Forecast, s *infer.State, c *model.Cluster, at model.Instant) {
	for i := range f.Evictions {
		e := &f.Evictions[i]
		due := e.State.Ahead() && e.Window.Earliest <= at
		ends := e.State == forecast.Terminating || e.State == forecast.Stuck && !e.Lost
		if !due && !ends {
			continue
		}
		row := s.Cache.Find(e.Node)
		if row == nil {
			continue
		}
		was, now := row.Pod(e.Pod), c.PodOn(e.Node, e.Pod)
		switch {
		case was == nil || due && was.Deletion.Known():
		case now == nil || now.UID != e.UID:
			is.gone = append(is.gone, e.Pod)
		case due && now.Deletion.Known(), e.State == forecast.Stuck && isOf(is.over, e.Node):
			is.deleted = append(is.deleted, now)
		}
	}
}
