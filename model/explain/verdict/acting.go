package verdict

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
)

// notActing (V11): the controller has not done what it must have done. It takes no node from the other
// rules: why nodes are silent is another matter.
func (e *Evidence) notActing() (v Verdict, ok bool) {
	o := &e.Overdue
	if !o.Known() {
		return e.leaderless()
	}
	late := model.Length(o.For(e.At).Round(time.Second))
	v = Verdict{Rule: NotActing, Says: "overdue " + late + ": " + o.Says()}
	for i := range o.Decisions {
		d := &o.Decisions[i]
		if i < 3 {
			v.For = append(v.For, fmt.Sprintf("due by %s, and not seen: %s %s", o.Since.Clock(), d.Kind, d.Subject()))
		}
		if d.Node != "" && (len(v.Nodes) == 0 || v.Nodes[len(v.Nodes)-1] != d.Node) {
			v.Nodes = append(v.Nodes, d.Node)
		}
	}
	if more := len(o.Decisions) - 3; more > 0 {
		v.For = append(v.For, fmt.Sprintf("and %d more", more))
	}
	v.Do = []string{command.Line("kubectl", "get", "lease", "-n", "kube-system", model.ControllerManager, "-o", "yaml"),
		"look at the kube-controller-manager's log; overdue actions follow at once when it acts again"}
	rate := ""
	if o.OnlyTaints() {
		rate = " (with --node-eviction-rate=0 no node is ever tainted)"
	}
	led := false
	for i := range e.leaders {
		l := &e.leaders[i]
		if l.name != model.ControllerManager {
			continue
		}
		led = true
		if unled, ok := e.byLease(l); ok {
			v.Says, v.For, v.Do, v.Or, v.Missing = "overdue "+late+": "+unled.Says, append(unled.For, v.For...), unled.Do, unled.Or, unled.Missing
		} else if l.age < leading {
			v.For = append(v.For, "its leader's lease is renewed: the process has not died. It is stalled, its cache is behind, or its flags are others than assumed"+rate)
		} else {
			v.For = append(v.For, fmt.Sprintf("its leader's lease is %s old: the leader is dead or has given up the lease", model.Length(l.age)))
		}
	}
	if !e.history && !slices.ContainsFunc(e.nodes, func(n *node) bool { return n.confirmed && slices.Contains(v.Nodes, n.name) }) {
		v.Or = append(v.Or, Clock)
		v.Missing = append(v.Missing, "whether the clocks of these nodes are behind: their renewTime alone says that they are silent")
	}
	if !led {
		v.Missing = append(v.Missing, "the lease of "+model.ControllerManager+": whether it is stalled, dead, without a leader, its cache behind, or its flags are others than assumed"+rate+" is not known")
	}
	return v, true
}

// leaderless is that kube-controller-manager has no leader, though nothing is overdue: nothing will be done. If nearly
// all nodes are silent as well, another rule says why.
func (e *Evidence) leaderless() (v Verdict, ok bool) {
	silent := those(e.nodes, (*node).silent)
	if len(e.nodes) == 0 || float64(len(silent)) > nearlyAll*float64(len(e.nodes)) {
		return v, false
	}
	if e.unled.Known() {
		return noLeader(fmt.Sprintf("the lease of %s has no holder since %s: until %s no process was seen to take it or to act",
			model.ControllerManager, e.unled.Clock(), e.At.Clock())), true
	}
	for i := range e.leaders {
		if v, ok := e.byLease(&e.leaders[i]); ok {
			return v, true
		}
	}
	return Verdict{}, false
}

// byLease is that there is no leader, as far as the lease of the controller manager tells who watches it.
func (e *Evidence) byLease(l *leader) (v Verdict, ok bool) {
	switch {
	case !e.Watched || l.name != model.ControllerManager:
		return v, false
	case l.released:
		return noLeader(fmt.Sprintf("the lease of %s was given up by its holder %s ago, and has no holder since", l.name, model.Length(l.age.Round(time.Second)))), true
	case l.age <= 2*leading:
		return v, false
	case e.Glanced && l.glimpsed:
		return l.glimpse(), true
	case l.unseen <= leading:
		return v, false
	}
	return noLeader(fmt.Sprintf("the lease of %s was last renewed %s ago, and lasts %s", l.name, model.Length(l.age.Round(time.Second)), model.Length(leading))), true
}

// unledSays is what follows where there is no leader.
const unledSays = ", so no node is declared or tainted, and no pod is deleted, until it has one"

// noLeader is the verdict, and what speaks for it.
func noLeader(because string) Verdict {
	return Verdict{Rule: NotActing, Says: model.NoLeader + unledSays, For: []string{because},
		Do: []string{command.Line("kubectl", "get", "lease", "-n", "kube-system", model.ControllerManager, "-o", "yaml"),
			"look whether kube-controller-manager runs; a new leader restarts all grace periods and countdowns"}}
}

// glimpse is that there is no leader, as far as one look shows: by the time in the lease, and by the API server's clock
// if that agrees.
func (l *leader) glimpse() Verdict {
	v := Verdict{Rule: NotActing, Says: model.NoLeader + " by this one look" + unledSays,
		For: []string{fmt.Sprintf("the lease of %s was last renewed %s ago, and lasts %s", l.name, model.Length(l.age.Round(time.Second)), model.Length(leading))},
		Do:  []string{command.Line("kubectl", "get", "lease", "-n", "kube-system", model.ControllerManager, "-o", "yaml"), "look whether kube-controller-manager runs; kardia check --for 15s sees whether the lease is renewed"}}
	if l.confirmed {
		v.For = append(v.For, "the API server wrote it then, by its own clock (managedFields)")
		return v
	}
	v.Or = []Rule{Clock}
	v.Missing = []string{"whether it is renewed: one look sees only its renewTime, and its holder's clock may be behind; --for 15s watches it"}
	return v
}
