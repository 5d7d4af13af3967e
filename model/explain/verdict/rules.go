package verdict

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
)

// controllerBlind (V2): the control plane does not see heartbeats of nodes that renew. A node that just returned, still
// Unknown, was silent around its declaration. Clocks that went back have their own rule.
func (e *Evidence) controllerBlind(bad []*node) (v Verdict, about []*node) {
	unknown := those(bad, func(n *node) bool { return n.declared() && n.fresh() && e.stepped[n.name] == 0 && n.behind() == 0 })
	if len(unknown) == 0 {
		return v, nil
	}
	if !e.history {
		return Verdict{Rule: ControllerBlind, Or: []Rule{SingleNode}, Says: []Fact{factOf("beating-unknown", unknown)}, For: []Fact{{Code: "renewed-lately"}},
			Missing: []Fact{{Code: "past-unseen"}}, Do: []Fact{run("kubectl get nodes --watch"), askLeader}}, unknown
	}
	always := those(unknown, func(n *node) bool { return !n.unheard && n.declaredAt.Bounded() && n.beatsThrough(n.declaredAt, e.At) })
	if len(always) == 0 {
		youngest := slices.MinFunc(unknown, func(a, b *node) int { return cmp.Compare(a.age.Age.Value, b.age.Age.Value) })
		return Verdict{Rule: SingleNode, Says: []Fact{factOf("back-unknown", unknown)}, For: []Fact{{Code: "newest-heartbeat", For: youngest.age.Age.Value}}}, unknown
	}
	v = Verdict{Rule: ControllerBlind, Says: []Fact{factOf("controller-blind", always)}, For: []Fact{factOf("beaten-on", always)}, Do: []Fact{askLeader, {Code: "restart-manager"}}}
	if l := e.manager(); l != nil && l.age < leading {
		v.For = append(v.For, Fact{Code: "leader-runs"})
	} else if l != nil {
		v.Against = append(v.Against, Fact{Code: "leader-may-not-run", For: l.age})
	}
	return v, always
}

// clock (V3): nodes are silent by renewTime, but their renewals arrive. Known arrivals decide, so such nodes are bad
// only without them. A step back is a fact if it was seen.
func (e *Evidence) clock(bad []*node) (v Verdict, about []*node) {
	stepped := those(bad, func(n *node) bool {
		return e.stepped[n.name] > 0 && len(n.beats) > 0 && e.At.Sub(n.beats[len(n.beats)-1]) < model.LateAfter
	})
	if len(stepped) == 0 {
		return e.clockBehind(bad)
	}
	v = Verdict{Rule: Clock, Says: []Fact{factOf("clock-back", stepped)}, Do: clocked}
	v.each(stepped, func(n *node) {
		v.For = append(v.For, Fact{Code: "renew-time-back", Name: n.name, For: e.stepped[n.name]})
	})
	return v, stepped
}

var clocked = []Fact{{Code: "ask-clock"}}

// clockBehind is V3 without a record of the step: the clock is seen to be behind. Without it the verdict would be
// ControllerBlind, whose advice is to restart the controller.
func (e *Evidence) clockBehind(bad []*node) (v Verdict, about []*node) {
	behind := those(bad, func(n *node) bool { return n.declared() && n.fresh() && n.behind() > 0 })
	if len(behind) == 0 {
		return v, nil
	}
	v = Verdict{Rule: Clock, Do: clocked, Says: []Fact{factOf("clock-behind", behind)}, Missing: []Fact{{Code: "clock-unwatched"}}}
	v.each(behind, func(n *node) {
		v.For = append(v.For, Fact{Code: "renew-time-behind", Name: n.name, For: n.behind().Round(time.Second)})
	})
	return v, behind
}

// everywhere (V4, V5): nearly all nodes are silent.
func (e *Evidence) everywhere(bad []*node) (v Verdict, about []*node) {
	late := those(bad, (*node).silent)
	if len(e.nodes) < 2 || float64(len(late)) <= nearlyAll*float64(len(e.nodes)) {
		return v, nil
	}
	first, last, known := spread(late)
	together := known && last.Sub(first) <= AtOnce
	v.For = []Fact{{Code: "nodes-silent", N: len(late), Of: len(e.nodes)}}
	switch {
	case together:
		v.For = append(v.For, Fact{Code: "seen-within", For: last.Sub(first)})
	case known && len(e.leaders) > 0: // else it is the verdict itself
		v.For = append(append(v.For, Fact{Code: "not-together"}), waves(late)...)
	}
	if own := those(bad, func(n *node) bool { return n.health == model.HealthNotReady }); len(own) == 0 {
		v.For = append(v.For, Fact{Code: "none-not-ready"})
	} else {
		v.Against = append(v.Against, factOf("not-ready-by-kubelet", own))
	}
	lateLeaders := slices.DeleteFunc(slices.Clone(e.leaders), func(l leader) bool { return l.age < leading })
	for _, l := range e.leaders {
		say := Fact{Code: "leader-renewed", Name: l.name, For: l.age}
		if (l.age >= leading) == (together && len(lateLeaders) > 0) {
			v.For = append(v.For, say)
		} else {
			v.Against = append(v.Against, say)
		}
	}
	v.Do = []Fact{askReady, {Code: "server-first"}}
	switch {
	case len(e.leaders) == 0 && together:
		v.Rule, v.Or = ControlPlane, []Rule{AllDark}
		v.Says, v.Missing = []Fact{{Code: "nearly-all-silent"}}, []Fact{{Code: "leaders-unread"}}
	case together && len(lateLeaders) > 0:
		v.Rule, v.Says = ControlPlane, []Fact{{Code: "server-unreached"}}
	case len(late) == len(e.nodes):
		v.Rule, v.Says = AllDark, []Fact{{Code: "all-silent"}}
		if len(e.leaders) == 0 {
			v.Says, v.Missing = []Fact{{Code: "all-silent-apart"}}, []Fact{{Code: "leaders-unread"}}
			if known {
				v.Says = append(v.Says, waves(late)...)
			}
		}
		v.Do = append(v.Do, Fact{Code: "master-disruption"})
	default:
		return Verdict{}, nil
	}
	return v, late
}

// fewOthers is the share of other nodes that may have a group's trait.
const fewOthers = 0.1

// sharing (V7) is the verdict on nodes that share a trait, if at most a share of the others has it.
func (e *Evidence) sharing(bad []*node, others float64) (v Verdict, about []*node) {
	if len(bad) < 3 {
		return v, nil
	}
	for _, s := range e.shared(namesOf(bad)) {
		if s.BadOf < 3 || s.Bad < s.BadOf || float64(s.Others) > others*float64(s.OthersOf) || s.Trait == zoneTrait {
			continue
		}
		v = Verdict{Rule: Group, Says: []Fact{s.fact("group-shares")}, For: []Fact{s.fact("trait-separates-all")}, Do: []Fact{{Code: "ask-rollout"}}}
		if s.Others > 0 {
			v.Against = []Fact{{Code: "others-share", N: s.Others}}
		}
		if unseen := len(bad) - s.BadOf; unseen > 0 {
			v.Missing = append(v.Missing, Fact{Code: "share-unseen", N: unseen})
		}
		return v, bad
	}
	return v, nil
}

// kubelet (V8): it renews the lease, and reports the node as NotReady.
func (e *Evidence) kubelet(bad []*node) (v Verdict, about []*node) {
	said := those(bad, func(n *node) bool { return n.health == model.HealthNotReady && n.said.By.OfKubelet() && !n.late() })
	if len(said) == 0 {
		return v, nil
	}
	v = Verdict{Rule: Kubelet, Says: []Fact{factOf("kubelet-not-ready", said)},
		Do: []Fact{run(command.Line("kubectl", "describe", command.Object("node", said[0].name))), stillServed}}
	if len(those(said, (*node).fresh)) == len(said) {
		v.For = []Fact{{Code: "lease-renewed"}}
	}
	v.each(said, func(n *node) {
		v.For = append(v.For, Fact{Node: n.name, Text: n.why})
		if n.said.By != model.WriterKubelet {
			v.Missing = append(v.Missing, Fact{Code: "writer-unseen", Name: n.name})
		}
	})
	v.signs(said)
	return v, said
}

// stillServed is advice on nodes that are NotReady but were not declared by the controller.
var stillServed = Fact{Code: "still-served"}

// leaseOnly (V9): lease renewals stopped, and the status is still posted.
func (e *Evidence) leaseOnly(bad []*node) (v Verdict, about []*node) {
	only := those(bad, func(n *node) bool { return n.leaseOnly(e.At) })
	if len(only) == 0 {
		return v, nil
	}
	v = Verdict{Rule: LeaseOnly, Says: []Fact{factOf("lease-only", only)},
		Do: []Fact{run(command.Line("kubectl", "get", "-n", model.NodeLeaseNamespace, command.Object("lease", only[0].name), "-o", "yaml"))}}
	v.each(only, func(n *node) {
		v.For = append(v.For, Fact{Code: "lease-and-status", Node: n.name, At: n.leased, To: n.posted})
		if n.refused > 0 && n.answers.times == 0 {
			v.For = append(v.For, Fact{Code: "renewals-refused", Node: n.name, N: int(n.refused)})
		}
	})
	return v, only
}

// ofOneZone is the zone of all nodes of a list; "" if they are in several, or it is unknown.
func ofOneZone(list []*node) string {
	zone := list[0].zone
	if !zone.Known || zone.Value.Zone == "" || slices.ContainsFunc(list, func(n *node) bool { return n.zone != zone }) {
		return ""
	}
	return zone.Value.Zone
}

// only is a fact about one node. If all nodes are known and renew, it is the stronger fact that no other shares.
func (e *Evidence) only(says Fact, only Code, unheard int) []Fact {
	switch {
	case e.byName:
		return []Fact{says, {Code: "others-unknown"}}
	case unheard == 0:
		says.Code = only
	}
	return []Fact{says}
}

func (e *Evidence) single(bad []*node) (v Verdict, about []*node) {
	v.Rule = SingleNode
	silent := bad[0].late() || bad[0].declared()
	beating, allBad := len(those(e.nodes, (*node).fresh)), len(e.bad())
	unheard := len(e.nodes) - beating - allBad
	switch n := bad[0]; {
	case len(bad) > 1 && e.byName:
		v.Says = e.only(Fact{Code: "nodes-bad", N: len(bad)}, "", 0)
	case len(bad) > 1:
		v.several(e, bad)
	case !silent:
		v.Says = e.only(Fact{Code: "node-not-ready", Name: n.name, Said: n.said}, "only-node-not-ready", 0)
	case allBad > 1: // other verdicts cover the rest
		v.Says = []Fact{{Code: "node-also-silent", Name: n.name}}
	default:
		v.Says = e.only(Fact{Code: "node-silent", Name: n.name}, "only-node-silent", unheard)
	}
	if beating > 0 || unheard <= 0 {
		v.For = append(v.For, Fact{Code: "nodes-beat", N: beating, Of: len(e.nodes)})
	} else {
		v.Missing = append(v.Missing, Fact{Code: "others-heard", N: unheard})
	}
	if ahead := those(e.nodes, func(n *node) bool { return n.age.Ahead.Known }); len(ahead) > 0 {
		v.Missing = append(v.Missing, factOf("renew-time-ahead", ahead))
	}
	v.each(bad, func(n *node) {
		switch {
		case n.last.Bounded():
			v.For = append(v.For, n.lastHeard())
		case n.neverPosted():
			v.For = append(v.For, Fact{Code: "never-posted", Node: n.name, At: n.object.Created})
		}
		if n.refused > 0 && n.answers.times == 0 {
			v.For = append(v.For, Fact{Code: "renewals-refused", Node: n.name, N: int(n.refused)})
		}
		if n.health == model.HealthNotReady {
			v.For = append(v.For, Fact{Code: "not-ready-since", Node: n.name, Said: n.said, At: n.declaredAt, Text: n.why})
			v.Do = []Fact{stillServed}
		}
	})
	v.signs(bad)
	return v, bad
}

// several describes nodes that have nothing in common, or only by chance.
func (v *Verdict) several(e *Evidence, bad []*node) {
	says := Fact{Code: "nodes-unlike", N: len(bad)}
	s, alone := e.alone(bad)
	first, last, ok := spread(bad)
	together := ok && last.Sub(first) <= AtOnce
	switch {
	case together && alone:
		says = s.fact("nodes-together-share")
	case together:
		if says.Code, says.Name = "nodes-together", ofOneZone(bad); says.Name != "" {
			says.Code = "zone-nodes-together"
		}
	case alone:
		says = s.fact("nodes-share")
	}
	v.Says = []Fact{says}
	if together {
		v.For = append(v.For, Fact{Code: "seen-within", For: last.Sub(first)})
	} else if ok {
		v.For = append(v.For, Fact{Code: "seen-apart", For: last.Sub(first)})
		v.together(those(bad, (*node).silent))
	}
}

// alone is a trait that all of some nodes and no others have.
func (e *Evidence) alone(bad []*node) (Shared, bool) {
	for _, s := range e.shared(namesOf(bad)) {
		if s.Bad == s.BadOf && s.BadOf == len(bad) && s.Others == 0 {
			return s, true
		}
	}
	return Shared{}, false
}

// together adds how many of the nodes fell silent at once, if it is at least half of them and not all.
func (v *Verdict) together(silent []*node) {
	n, from, to := most(silent, func(n *node) model.Instant { return n.last })
	if n >= 2 && 2*n >= len(silent) && n < len(silent) {
		v.For = append(v.For, Fact{Code: "some-together", N: n, At: from, To: to})
	}
}

const named = 3

func (v *Verdict) each(nodes []*node, say func(*node)) {
	before := len(v.For)
	for _, n := range nodes[:min(named, len(nodes))] {
		say(n)
	}
	if more := len(nodes) - named; more > 0 && len(v.For) > before {
		v.For = append(v.For, Fact{Code: "more-nodes", N: more})
	}
}

func (v *Verdict) signs(nodes []*node) {
	for _, n := range nodes[:min(named, len(nodes))] {
		for _, ev := range n.events {
			v.For = append(v.For, Fact{Code: "event-seen", Node: n.name, Name: ev.Reason, At: ev.Last, Text: ev.Message})
		}
	}
}

// neverPosted reports whether the controller has declared a node for which no kubelet had posted a status.
func (n *node) neverPosted() bool {
	ready := n.object.Ready()
	return ready.DeclaredUnknown() && !ready.Posted().Known() && n.object.Created.Bounded()
}

func (n *node) lastHeard() Fact {
	if !n.posted.Bounded() {
		return Fact{Code: "lease-last", Node: n.name, At: n.leased}
	}
	return Fact{Code: "lease-and-status-last", Node: n.name, At: n.leased, To: n.posted}
}

// beatsThrough reports whether a node renewed without a pause between two times.
func (n *node) beatsThrough(from, to model.Instant) bool {
	before := false
	was := model.Instant(0)
	for _, at := range n.beats {
		if at <= from {
			before, was = true, at
			continue
		}
		if !before || at.Sub(was) >= model.LateAfter {
			return false
		}
		was = at
	}
	return before && to.Sub(was) < model.LateAfter
}
