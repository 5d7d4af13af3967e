package topics

import (
	"cmp"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// EvictionState is the word for a pod's eviction where no time lies ahead: the same on all screens, of eight letters at most.
func EvictionState(s forecast.State) string { return words.Of("forecast.state." + s.String()).String() }

// EvictIn is when a node's pods are deleted, for a column. It is the countdown to the first deletion ahead, with a question
// mark if a race decides it, and holds for the first pods only. Else it is the word for the pods' most serious state.
func EvictIn(n *outlook.Node, p *paint.Painter, at model.Instant) (text string, first, all int) {
	switch {
	case n == nil:
		return "", 0, 0
	case n.Ahead > 0 && !n.Sure:
		return p.Ahead(at, n.Next) + " ?", n.First, n.Ahead
	case n.Ahead > 0:
		return p.Ahead(at, n.Next), n.First, n.Ahead
	case n.Lost > 0:
		return EvictionState(forecast.Stuck), n.Lost, n.Lost // first: no controller tries again
	}
	for _, s := range []forecast.State{forecast.Halted, forecast.Unseen, forecast.Stuck, forecast.Terminating, forecast.Forever} {
		if n.Count[s] > 0 {
			return EvictionState(s), n.Count[s], n.Count[s]
		}
	}
	return "", 0, 0
}

// EvictionWhy is why a pod's eviction is as it is, and what limits that.
func EvictionWhy(w *forecast.Why) words.Say {
	say := because(w.Reason, w)
	if w.LastKnown.Known() {
		say = words.Of("forecast.as-of", "at", words.Stamp(w.LastKnown), "why", say)
	}
	if w.Again != forecast.NoReason {
		say = words.Of("forecast.again", "why", say, "again", because(w.Again, w))
	}
	if w.Dark.Known() {
		say = words.Of("forecast.dark", "why", say, "at", words.Stamp(w.Dark))
	}
	if w.MayNotCome {
		say = words.Of("forecast.may-not-come", "why", say)
	}
	if w.MayHaveCome {
		say = words.Of("forecast.may-have-come", "why", say)
	}
	if u := w.Undeleted; u != nil {
		say = words.Of("forecast.undeleted", "why", say, "undeleted", Assumption(forecast.Assumption{Code: forecast.Undeleted, N: u.Pods, Nodes: u.Nodes, When: model.Exactly(u.Since)}))
	}
	return say
}

func because(r forecast.Reason, w *forecast.Why) words.Say {
	return words.Of("forecast.why."+r.String(), "by", Why(&model.Decision{Why: w.By}), "name", w.Name, "state", w.State, "at", words.Stamp(w.When.Earliest), "when", words.Stamps(w.When), "deleted", w.Deleted)
}

// EvictionWhyShort is the reason in a few words, for a column.
func EvictionWhyShort(w *forecast.Why) words.Say {
	return words.Of("forecast.short."+w.Reason.String(), "by", Why(&model.Decision{Why: w.By}), "at", w.When.Earliest, "deleted", w.Deleted)
}

// Deleted is how many pods are deleted: "3 pods", "up to 1 of 11 pods", "2 to 4 of 14 pods".
func Deleted(d *forecast.Deleted) words.Say {
	pods := words.Of("count.pods-of", "most", d.Most, "n", d.Of).If(d.Most < d.Of).Or(words.Of("count.pods", "n", d.Of))
	switch d.Least {
	case d.Most:
		return pods
	case 0:
		return words.Of("count.up-to", "count", pods)
	}
	return words.Of("count.between", "least", d.Least, "count", pods)
}

// Doubt is that something predicted may not come; the zero Say if it is certain.
func Doubt(c *forecast.Coming) words.Say {
	return words.Of("forecast.doubt").If(!c.Sure)
}

// Whom is the nodes, pods or zones that something predicted is about.
func Whom(g *forecast.Next) words.Say {
	d, n := &g.Decision, g.N
	zone := cmp.Or(d.Zone.Value.Zone, d.Zone.Value.String())
	among := words.Of("count.nodes", "n", len(g.Among))
	switch pod := d.Pod != (model.Key{}); {
	case len(g.Among) > 0 && g.NamesZone:
		return words.Of("forecast.whom.of-zone", "n", n, "nodes", among, "zone", zone)
	case len(g.Among) > 0:
		return words.Of("forecast.whom.of", "n", n, "nodes", among)
	case g.Deleted.Of > 1 && g.NamesZone:
		return words.Of("forecast.whom.deleted", "pods", Deleted(&g.Deleted), "zone", zone)
	case g.Deleted.Of > 1:
		return Deleted(&g.Deleted)
	case n == 1:
		return words.Text(d.Subject())
	case pod && g.Waiting > g.Nodes:
		return words.Of("forecast.whom.pods-on", "n", n, "of", g.Nodes, "nodes", words.Of("count.nodes", "n", g.Waiting))
	case pod && g.Nodes == 1:
		return words.Of("forecast.whom.pods-of", "n", n, "whose", d.Node)
	case pod:
		return words.Of("forecast.whom.pods-of", "n", n, "whose", words.Of("count.nodes", "n", g.Nodes))
	case d.Node == "" && d.Zone.Known:
		return words.Of("count.zones", "n", n)
	}
	return words.Of("count.nodes", "n", n)
}

// Assumption is what a forecast rests on.
func Assumption(a forecast.Assumption) words.Say {
	return words.Of("forecast.assumes."+a.Code.String(), "n", a.N, "nodes", words.Of("count.nodes", "n", a.Nodes), "after", words.Stamp(a.At), "at", words.Stamp(a.When.Earliest), "when", words.Stamps(a.When), "for", a.Every)
}

// Assumptions are all that a forecast rests on.
func Assumptions(f *forecast.Forecast, p *paint.Painter) []string {
	list := make([]string, len(f.Assumptions))
	for i, a := range f.Assumptions {
		list[i] = Assumption(a).In(p)
	}
	return list
}
