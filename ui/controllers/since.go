package controllers

import (
	"slices"
	"strings"

	"kardia/model"
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

// over are those of some nodes whose silence is over since a State.
func over(nodes []string, s *infer.State, c *model.Cluster) (list []string) {
	if c == nil {
		return nil
	}
	for _, name := range nodes {
		if why.Over(s, c.Node(name)) {
			list = append(list, name)
		}
	}
	return list
}

// deleted are the pods whose deletion was due by an instant, and is to be seen in a Cluster though it was not in the State: as they
// are there, or, of those that are gone, as they were.
func deleted(f *forecast.Forecast, s *infer.State, c *model.Cluster, at model.Instant) (list []*model.Pod) {
	if f == nil || c == nil {
		return nil
	}
	for i := range f.Evictions { // who is due first stands first
		e := &f.Evictions[i]
		if !e.State.Ahead() || e.Window.Earliest > at {
			break
		}
		row := s.Cache.Find(e.Node)
		if row == nil {
			continue
		}
		was, is := row.Pod(e.Pod), c.PodOn(e.Node, e.Pod)
		switch {
		case was == nil || was.Deletion.Known():
		case is == nil || is.UID != e.UID:
			list = append(list, was)
		case is.Deletion.Known():
			list = append(list, is)
		}
	}
	return list
}

// lines are the names of pods, one a line, and of each whether it is gone.
func lines(pods []*model.Pod) string {
	if len(pods) == 0 {
		return ""
	}
	var text strings.Builder
	for _, p := range pods {
		text.WriteString(p.Key.String())
		if !p.Deletion.Known() {
			text.WriteString(" gone")
		}
		text.WriteByte('\n')
	}
	return text.String()
}
