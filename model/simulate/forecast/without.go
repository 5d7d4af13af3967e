package forecast

import (
	"maps"
	"slices"

	"kardia/model"
)

// Nodes are those of which a Forecast foresees something, each once.
func (f *Forecast) Nodes() []string {
	names := map[string]bool{}
	for i := range f.Evictions {
		if i == 0 || f.Evictions[i].Node != f.Evictions[i-1].Node {
			names[f.Evictions[i].Node] = true
		}
	}
	for _, list := range [][]Wait{f.Waits, f.Taints} {
		for i := range list {
			names[list[i].Node] = true
		}
	}
	for i := range f.Coming {
		if node := f.Coming[i].Decision.Node; node != "" {
			names[node] = true
		}
	}
	for node := range f.GraceEnds {
		names[node] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// setOf is which nodes some are.
func setOf(nodes []string) map[string]bool {
	is := make(map[string]bool, len(nodes))
	for _, node := range nodes {
		is[node] = true
	}
	return is
}

// Without is what is left of a Forecast where the silence of some nodes is over: nothing of what was to come to them,
// and to those of their pods that are not deleted yet. What comes to the others stays as it was foreseen, until the models say
// anew.
func (f *Forecast) Without(nodes []string) *Forecast {
	gone := setOf(nodes)
	over := func(node string) bool { return gone[node] }
	waits := func(w Wait) bool { return over(w.Node) }
	is := *f
	is.Evictions = slices.DeleteFunc(slices.Clone(f.Evictions), func(e Eviction) bool {
		return over(e.Node) && e.State != Terminating && (e.State != Stuck || e.Lost)
	})
	is.Waits, is.Taints = slices.DeleteFunc(slices.Clone(f.Waits), waits), slices.DeleteFunc(slices.Clone(f.Taints), waits)
	is.Coming, is.Zones = make([]Coming, 0, len(f.Coming)), nil // how many by when is counted by who takes part
	type race struct {
		kind model.DecisionKind
		zone model.Maybe[model.ZoneKey]
	}
	given, left := map[race]int{}, map[*string][]string{} // many share one list
	for i := range f.Coming {
		c := &f.Coming[i]
		d := &c.Decision
		if d.Node != "" && over(d.Node) && d.Controller != model.PodGC {
			continue
		}
		among := c.Among
		if len(among) > 0 {
			list, known := left[&among[0]]
			if !known {
				list = slices.DeleteFunc(slices.Clone(among), over)
				left[&among[0]] = list
			}
			among = list
		}
		if len(among) < len(c.Among) {
			token := race{d.Kind, d.Zone}
			if given[token]++; d.Kind == model.TaintNoExecute && given[token] > len(among) || len(among) == 0 {
				continue // nobody is left who gets it
			}
		}
		is.Coming = append(is.Coming, *c)
		is.Coming[len(is.Coming)-1].Among = among
	}
	is.GraceEnds = maps.Clone(f.GraceEnds)
	maps.DeleteFunc(is.GraceEnds, func(node string, _ model.Interval) bool { return over(node) })
	is.Index()
	return &is
}

// WithReady is what is left of a Forecast where some nodes are Ready again, and their taints are off by an instant: as Without
// them, but that of their pods those may be deleted before whose countdowns end by then.
func (f *Forecast) WithReady(nodes []string, untaint model.Instant) *Forecast {
	ready, is := setOf(nodes), f.Without(nodes)
	for _, e := range f.Evictions {
		if ready[e.Node] && e.State == Due && e.Window.Earliest <= untaint {
			e.Certain = false
			is.Evictions = append(is.Evictions, e)
		}
	}
	for _, c := range f.Coming {
		if d := &c.Decision; ready[d.Node] && d.Pod != (model.Key{}) && d.Controller == model.TaintEviction && d.Window.Earliest <= untaint {
			c.Sure = false
			is.Coming = append(is.Coming, c)
		}
	}
	slices.SortStableFunc(is.Coming, sooner)
	is.Evictions = inOrder(is.Evictions)
	is.Index()
	return is
}

// WithDeleted is what is left of a Forecast at a later instant, when pods are deleted, as they are then, or gone. They are
// Terminating, or no part of it, and nothing else changes until the models say anew. silent are the nodes that are not heard.
func (f *Forecast) WithDeleted(pods []*model.Pod, gone []model.Key, at model.Instant, silent func(node string) bool) *Forecast {
	now := make(map[model.Key]*model.Pod, len(pods)+len(gone)) // nil for one that is gone
	for _, key := range gone {
		now[key] = nil
	}
	for _, p := range pods {
		now[p.Key] = p
	}
	is := *f
	is.Evictions = make([]Eviction, 0, len(f.Evictions))
	for _, e := range f.Evictions {
		p, concerned := now[e.Pod]
		if concerned && p == nil {
			continue
		}
		if concerned {
			e = Eviction{Pod: e.Pod, UID: e.UID, Node: e.Node, Rule: model.RulePodCollection}
			e.State, e.Window, e.Why = terminating(p, at, silent(e.Node))
		}
		is.Evictions = append(is.Evictions, e)
	}
	is.Evictions = inOrder(is.Evictions)
	is.Coming = slices.DeleteFunc(slices.Clone(f.Coming), func(c Coming) bool {
		_, concerned := now[c.Decision.Pod]
		return concerned
	})
	is.Index()
	return &is
}
