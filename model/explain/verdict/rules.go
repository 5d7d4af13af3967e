package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
)

// controllerBlind (V2): the control plane says that it does not hear nodes that beat. A node that has
// just come back reads Unknown too, for as long as its kubelet needs to post its status and a pass: it
// was silent around its declaration, and this one was not. One whose clock went back is another matter.
func (e *Evidence) controllerBlind(bad []*node) (v Verdict, about []*node) {
	unknown := those(bad, func(n *node) bool { return n.declared() && n.fresh() && e.stepped[n.name] == 0 && n.behind() == 0 })
	if len(unknown) == 0 {
		return v, nil
	}
	if !e.history {
		return Verdict{Rule: ControllerBlind, Or: []Rule{SingleNode}, Says: fmt.Sprintf("declared Unknown, and beating: %s; back just now, or not seen by the controller", some(unknown)),
			For:     []string{fmt.Sprintf("renewed less than %s before they were read", model.LateAfter)},
			Missing: []string{"the past: a single time does not show since when they renew"},
			Do:      []string{"kubectl get nodes --watch", "kubectl get lease -n kube-system kube-controller-manager -o yaml"}}, unknown
	}
	always := those(unknown, func(n *node) bool { return !n.unheard && n.declaredAt.Bounded() && n.beatsThrough(n.declaredAt, e.At) })
	if len(always) == 0 {
		back := unknown
		return Verdict{Rule: SingleNode, Says: fmt.Sprintf("back, and Unknown until the status is posted and the next pass has seen it: %s", some(back)),
			For: []string{fmt.Sprintf("the newest heartbeat is %s old", model.Length(youngest(back)))}}, back
	}
	v = Verdict{Rule: ControllerBlind, Says: fmt.Sprintf("declared Unknown, and beating all along: %s; the controller does not see what the API server has", some(always)),
		For: []string{fmt.Sprintf("%s beaten without a pause since before the declaration", have(always))},
		Do:  []string{"kubectl get lease -n kube-system kube-controller-manager -o yaml", "look at the kube-controller-manager's log and restart it if its watch is stuck (kubernetes#85221)"}}
	for _, l := range e.leaders {
		if l.name == model.ControllerManager {
			if l.age < leading {
				v.For = append(v.For, "its leader's lease is renewed: it runs")
			} else {
				v.Against = append(v.Against, fmt.Sprintf("its leader's lease is %s old: it may not run at all", model.Length(l.age)))
			}
		}
	}
	return v, always
}

// clock (V3): by renewTime nodes are silent, and they were heard just now. What is heard decides, so
// such nodes are bad only where no arrival is known; a step is told where it was seen.
func (e *Evidence) clock(bad []*node) (v Verdict, about []*node) {
	stepped := those(bad, func(n *node) bool {
		return e.stepped[n.name] > 0 && len(n.beats) > 0 && e.At.Sub(n.beats[len(n.beats)-1]) < model.LateAfter
	})
	if len(stepped) == 0 {
		return e.clockBehind(bad)
	}
	v = Verdict{Rule: Clock, Says: fmt.Sprintf("the clock of %s went back: the controller takes no older renewTime for a heartbeat", some(stepped))}
	v.each(stepped, func(n *node) {
		v.For = append(v.For, fmt.Sprintf("renewTime of %s went back by %s, and it is renewed all the same", n.name, model.Length(e.stepped[n.name])))
	})
	v.Do = clocked
	return v, stepped
}

// clocked is what is done about a clock.
var clocked = []string{"chronyc tracking on the node, or what else keeps its clock"}

// clockBehind is V3 for who came later: that the clock went back was not seen, and that it is behind is. Whoever was told
// that the controller is blind would restart it for nothing.
func (e *Evidence) clockBehind(bad []*node) (v Verdict, about []*node) {
	behind := those(bad, func(n *node) bool { return n.declared() && n.fresh() && n.behind() > 0 })
	if len(behind) == 0 {
		return v, nil
	}
	v = Verdict{Rule: Clock, Do: clocked,
		Says:    fmt.Sprintf("the clock of %s is behind, and the controller takes no renewTime for a heartbeat that is older than one it saw", some(behind)),
		Missing: []string{"whether and when the clock went back: not watched then"}}
	v.each(behind, func(n *node) {
		v.For = append(v.For, fmt.Sprintf("renewTime of %s is %s older than its arrival, and it is renewed all the same", n.name, model.Length(n.behind().Round(time.Second))))
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
	v.For = []string{fmt.Sprintf("%d of %d nodes are silent", len(late), len(e.nodes))}
	switch {
	case together:
		v.For = append(v.For, fmt.Sprintf("last seen within %s", model.Length(last.Sub(first))))
	case known && len(e.leaders) > 0: // else the verdict itself says it
		v.For = append(v.For, "they did not fall silent together: "+waves(late))
	}
	if own := those(bad, func(n *node) bool { return n.health == model.HealthNotReady }); len(own) == 0 {
		v.For = append(v.For, "no kubelet reports NotReady: no sign of a cause in each node")
	} else {
		v.Against = append(v.Against, fmt.Sprintf("%s not ready by the kubelet's own word", are(own)))
	}
	lateLeaders := slices.DeleteFunc(slices.Clone(e.leaders), func(l leader) bool { return l.age < leading })
	for _, l := range e.leaders {
		say := fmt.Sprintf("the lease of %s was renewed %s ago", l.name, model.Length(l.age))
		if (l.age >= leading) == (together && len(lateLeaders) > 0) {
			v.For = append(v.For, say)
		} else {
			v.Against = append(v.Against, say)
		}
	}
	v.Do = []string{"kubectl get --raw '/readyz?verbose'", "look at the API server and etcd first: their stall makes every heartbeat late"}
	switch {
	case len(e.leaders) == 0 && together:
		v.Rule, v.Or = ControlPlane, []Rule{AllDark}
		v.Says = "nearly all nodes fell silent at once: the control plane, or the network to every node"
		v.Missing = []string{"the leases of kube-controller-manager and kube-scheduler: whether the control plane itself was late is not known"}
	case together && len(lateLeaders) > 0:
		v.Rule, v.Says = ControlPlane, "the way to the API server: nodes and the control plane's own components fell silent together"
	case len(late) == len(e.nodes):
		v.Rule, v.Says = AllDark, "every node is silent, and the control plane is not"
		if len(e.leaders) == 0 {
			v.Says = "every node is silent, and they did not fall silent together"
			if known {
				v.Says += ": " + waves(late)
			}
			v.Missing = []string{"the leases of kube-controller-manager and kube-scheduler"}
		}
		v.Do = append(v.Do, "when every zone is dark the controller taints no node more, and takes its taints off: pods go only from nodes whose taint it leaves (kardia get evictions)")
	default:
		return Verdict{}, nil
	}
	return v, late
}

// fewOthers is the share of all others that may have what a group has in common.
const fewOthers = 0.1

// group (V7): what all bad nodes share, hardly any other node has.
func (e *Evidence) group(bad []*node) (v Verdict, about []*node) {
	return e.sharing(bad, fewOthers)
}

// sharing is the verdict that it is what nodes have in common, and no larger a share of all others has.
func (e *Evidence) sharing(bad []*node, others float64) (v Verdict, about []*node) {
	if len(bad) < 3 {
		return v, nil
	}
	for _, s := range e.shared(namesOf(bad)) {
		if s.BadOf < 3 || s.Bad < s.BadOf || float64(s.Others) > others*float64(s.OthersOf) || s.Trait == zoneTrait {
			continue
		}
		whose := "whose " + s.Trait + " is " + s.Value
		if strings.HasPrefix(s.Trait, model.DetailLabel) {
			whose = "with " + s.Is()
		}
		v = Verdict{Rule: Group, Says: fmt.Sprintf("the nodes %s: it is what all %d have in common", whose, s.Bad),
			For: []string{fmt.Sprintf("all %d bad nodes have it, and %d of %d others", s.BadOf, s.Others, s.OthersOf)},
			Do:  []string{"ask what was rolled out to them, or what they share, and since when"}}
		if s.Others > 0 {
			v.Against = []string{fmt.Sprintf("%d others have it, and are well", s.Others)}
		}
		if unseen := len(bad) - s.BadOf; unseen > 0 {
			v.Missing = append(v.Missing, fmt.Sprintf("whether %d more have it: their objects were not seen", unseen))
		}
		return v, bad
	}
	return v, nil
}

// kubelet (V8): it beats, and says that the node is not ready.
func (e *Evidence) kubelet(bad []*node) (v Verdict, about []*node) {
	said := those(bad, func(n *node) bool { return n.health == model.HealthNotReady && n.said.Kubelet && !n.late() })
	if len(said) == 0 {
		return v, nil
	}
	v = Verdict{Rule: Kubelet, Says: fmt.Sprintf("the kubelet of %s says that the node is not ready", some(said)),
		Do: []string{command.Line("kubectl", "describe", command.Object("node", said[0].name)), stillServed}}
	if len(those(said, (*node).fresh)) == len(said) {
		v.For = []string{"the lease is renewed: it is not silent"}
	}
	v.each(said, func(n *node) {
		v.For = append(v.For, n.name+": "+n.why)
		if n.said.Full != model.WriterKubelet.SaysNotReady().Full {
			v.Missing = append(v.Missing, "who wrote that "+n.name+" is not ready: it is taken for its kubelet's word")
		}
	})
	v.signs(said)
	return v, said
}

// stillServed is of nodes that are not ready by somebody's word, and not by the controller's.
const stillServed = "pods stay Ready until the taint deletes them, and traffic still goes to them"

// leaseOnly (V9): the lease stopped, and the status went on.
func (e *Evidence) leaseOnly(bad []*node) (v Verdict, about []*node) {
	only := those(bad, func(n *node) bool { return n.leaseOnly(e.At) })
	if len(only) == 0 {
		return v, nil
	}
	v = Verdict{Rule: LeaseOnly, Says: fmt.Sprintf("the lease of %s is not renewed, and the kubelet posts its status: identity, rights or the lease itself", some(only)),
		Do: []string{command.Line("kubectl", "get", "-n", model.NodeLeaseNamespace, command.Object("lease", only[0].name), "-o", "yaml")}}
	v.each(only, func(n *node) {
		v.For = append(v.For, fmt.Sprintf("%s: lease renewed %s, status posted %s", n.name, n.leased.Clock(), n.posted.Clock()))
		if n.refused > 0 && n.answers.times == 0 {
			v.For = append(v.For, fmt.Sprintf("%s: the API server refused %d of its renewals", n.name, n.refused))
		}
	})
	return v, only
}

// ofOneZone names the zone of which all of some nodes are; "" where they are of several, or that is not known.
func ofOneZone(list []*node) string {
	zone := list[0].zone
	if !zone.Known || zone.Value.Zone == "" || slices.ContainsFunc(list, func(n *node) bool { return n.zone != zone }) {
		return ""
	}
	return " of " + zone.Value.Zone
}

// only says of something that is true of one node that it is true of no other, if all are known and none is unheard.
func (e *Evidence) only(says string, unheard int) string {
	switch {
	case e.byName:
		return says + "; the input does not show whether there are other nodes"
	case unheard > 0:
		return says
	}
	return "only " + says
}

// single (V10): one node, or several with nothing in common.
func (e *Evidence) single(bad []*node) (v Verdict, about []*node) {
	v.Rule = SingleNode
	silent := bad[0].late() || bad[0].declared()
	beating, allBad := len(those(e.nodes, (*node).fresh)), len(e.bad())
	unheard := len(e.nodes) - beating - allBad
	if len(bad) == 1 {
		n := bad[0]
		v.Says = e.only(fmt.Sprintf("node %s is silent", n.name), unheard)
		if allBad > 1 { // of whom the other verdicts are
			v.Says = fmt.Sprintf("node %s is also silent, but not together with the others", n.name)
		}
		if !silent {
			v.Says = e.only(fmt.Sprintf("node %s is not ready, %s", n.name, n.said.Short), 0)
		}
	} else if e.byName {
		v.Says = e.only(fmt.Sprintf("%d nodes are silent or not ready", len(bad)), 0)
	} else {
		v.Says = fmt.Sprintf("%d nodes, with nothing that only they have in common", len(bad))
		if s, ok := e.alone(bad); ok {
			v.Says = fmt.Sprintf("%d nodes, and only they have %s: possibly chance, as they are few", len(bad), s.Is())
		}
		if first, last, ok := spread(bad); ok && last.Sub(first) <= AtOnce {
			v.Says = fmt.Sprintf("%d nodes%s fell silent together; all else they share is common to others", len(bad), ofOneZone(bad))
			if s, ok := e.alone(bad); ok {
				v.Says = fmt.Sprintf("%d nodes fell silent together, and only they have %s: possibly chance, as they are few", len(bad), s.Is())
			}
			v.For = append(v.For, fmt.Sprintf("last seen within %s", model.Length(last.Sub(first))))
		} else if ok {
			v.For = append(v.For, fmt.Sprintf("last seen %s apart", model.Length(last.Sub(first))))
			v.together(those(bad, (*node).silent))
		}
	}
	if beating > 0 || unheard <= 0 {
		v.For = append(v.For, fmt.Sprintf("%d of %d nodes beat", beating, len(e.nodes)))
	} else {
		v.Missing = append(v.Missing, fmt.Sprintf("whether the other %s beat: no heartbeat of theirs is known", model.Counted(unheard, "node", "nodes")))
	}
	if ahead := those(e.nodes, func(n *node) bool { return n.age.Ahead.Known }); len(ahead) > 0 {
		beats := " beat"
		if len(ahead) == 1 {
			beats = " beats"
		}
		v.Missing = append(v.Missing, "whether "+some(ahead)+beats+": a renewTime ahead of when it was read does not show it")
	}
	v.each(bad, func(n *node) {
		switch {
		case n.last.Bounded():
			v.For = append(v.For, n.name+": "+n.lastHeard())
		case n.neverPosted():
			v.For = append(v.For, fmt.Sprintf("%s: its object was made at %s, and no kubelet has posted its status since", n.name, n.object.Created.Clock()))
		}
		if n.refused > 0 && n.answers.times == 0 {
			v.For = append(v.For, fmt.Sprintf("%s: the API server refused %d of its renewals", n.name, n.refused))
		}
		if n.health == model.HealthNotReady {
			v.For = append(v.For, fmt.Sprintf("%s: not ready, %s, since %s: %s", n.name, n.said.Full, n.declaredAt.Clock(), n.why))
			v.Do = []string{stillServed}
		}
	})
	v.signs(bad)
	return v, bad
}

// alone is what all of some nodes have in common, and nobody else has; false where there is nothing.
func (e *Evidence) alone(bad []*node) (Shared, bool) {
	for _, s := range e.shared(namesOf(bad)) {
		if s.Bad == s.BadOf && s.BadOf == len(bad) && s.Others == 0 {
			return s, true
		}
	}
	return Shared{}, false
}

// together says how many of some nodes fell silent at once, though not all did, where it is half of them or more.
func (v *Verdict) together(silent []*node) {
	n, from, to := most(silent, func(n *node) model.Instant { return n.last })
	if n >= 2 && 2*n >= len(silent) && n < len(silent) {
		v.For = append(v.For, fmt.Sprintf("%d of them fell silent together: heard last from %s to %s", n, from.Clock(), to.Clock()))
	}
}

// named is of how many nodes each is told of.
const named = 3

// each says something of the first nodes, and how many more there are.
func (v *Verdict) each(nodes []*node, say func(*node)) {
	before := len(v.For)
	for _, n := range nodes[:min(named, len(nodes))] {
		say(n)
	}
	if more := len(nodes) - named; more > 0 && len(v.For) > before {
		v.For = append(v.For, "and "+model.Counted(more, "more node", "more nodes"))
	}
}

// signs adds what Events tell of the machines.
func (v *Verdict) signs(nodes []*node) {
	for _, n := range nodes[:min(named, len(nodes))] {
		for _, ev := range n.events {
			v.For = append(v.For, fmt.Sprintf("%s: Event %s at %s: %s", n.name, ev.Reason, ev.Last.Clock(), ev.Message))
		}
	}
}

// neverPosted says that the controller has declared the node's object, and found no status that a kubelet had posted.
func (n *node) neverPosted() bool {
	if n.object == nil || !n.object.Created.Bounded() {
		return false
	}
	ready := n.object.Ready()
	return ready != nil && ready.DeclaredUnknown() && !ready.Posted().Known()
}

// lastHeard says what was heard of a node last.
func (n *node) lastHeard() string {
	say := "its lease was renewed last at " + n.leased.Clock()
	if n.posted.Bounded() {
		say += ", and its status posted at " + n.posted.Clock() + " (every five minutes, where nothing changes)"
	}
	return say
}

// beatsThrough says whether a node beat without a pause from before one instant to another.
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

func youngest(nodes []*node) time.Duration {
	age := nodes[0].age.Age.Value
	for _, n := range nodes {
		age = min(age, n.age.Age.Value)
	}
	return age
}

// some names a node, or says how many.
func some(nodes []*node) string {
	if len(nodes) == 1 {
		return nodes[0].name
	}
	return fmt.Sprintf("%d nodes", len(nodes))
}

// oneOr is a word of one node, or of several.
func oneOr(nodes []*node, one, many string) string {
	if len(nodes) == 1 {
		return one
	}
	return many
}

func verb(nodes []*node, one, many string) string {
	return some(nodes) + " " + oneOr(nodes, one, many)
}

func have(nodes []*node) string { return verb(nodes, "has", "have") }
func are(nodes []*node) string  { return verb(nodes, "is", "are") }
