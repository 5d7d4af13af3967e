package verdict

import (
	"fmt"
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
	v = Verdict{Rule: NotActing, Says: fmt.Sprintf("overdue %s: the controller does not act", model.Length(o.For(e.At).Round(time.Second)))}
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
	led := false
	for _, l := range e.leaders {
		if l.name != model.ControllerManager {
			continue
		}
		led = true
		if l.age < leading {
			v.Against = append(v.Against, "a process that has died: its leader's lease is renewed. It is stalled, its cache is behind, or its flags are others than assumed")
		} else {
			v.For = append(v.For, fmt.Sprintf("its leader's lease is %s old: it is dead, or nobody leads", model.Length(l.age)))
		}
	}
	if !led {
		v.Missing = append(v.Missing, "the lease of "+model.ControllerManager+": whether it is stalled, dead, without a leader, its cache behind, or its flags are others than assumed is not known")
	}
	v.Do = []string{command.Line("kubectl", "get", "lease", "-n", "kube-system", model.ControllerManager, "-o", "yaml"),
		"look at the kube-controller-manager's log; what is due comes at once when it acts again"}
	return v, true
}

// leaderless is that nobody leads the controllers, though nothing is overdue: nothing will be done by anybody. Where
// nearly all nodes are silent as well, it is for another rule to say why.
func (e *Evidence) leaderless() (v Verdict, ok bool) {
	silent := those(e.nodes, (*node).silent)
	if len(e.nodes) == 0 || float64(len(silent)) > nearlyAll*float64(len(e.nodes)) {
		return v, false
	}
	v = Verdict{Rule: NotActing, Says: "nobody leads the controllers: none declares, taints or deletes anything until one does",
		Do: []string{command.Line("kubectl", "get", "lease", "-n", "kube-system", model.ControllerManager, "-o", "yaml"),
			"look whether kube-controller-manager runs; a new leader begins all graces and countdowns anew"}}
	if e.unled.Known() {
		v.For = []string{fmt.Sprintf("the lease of %s is nobody's since %s: by %s nobody was seen to take it, nor to do anything",
			model.ControllerManager, e.unled.Clock(), e.At.Clock())}
		return v, true
	}
	for _, l := range e.leaders {
		if !e.Watched || l.name != model.ControllerManager || l.age <= 2*leading {
			continue
		}
		if e.Glanced && l.glimpsed {
			return l.glimpse(), true
		}
		if l.unseen <= leading {
			continue
		}
		v.For = []string{fmt.Sprintf("the lease of %s was renewed last %s ago, and it is for %s", l.name, model.Length(l.age.Round(time.Second)), model.Length(leading))}
		return v, true
	}
	return Verdict{}, false
}

// glimpse is that nobody leads, as far as one look tells: by the time in the lease, and whether the API server's clock
// says so too.
func (l *leader) glimpse() Verdict {
	v := Verdict{Rule: NotActing, Says: "by one look nobody leads the controllers: none declares, taints or deletes anything until one does",
		For: []string{fmt.Sprintf("the lease of %s was renewed last %s ago, and it is for %s", l.name, model.Length(l.age.Round(time.Second)), model.Length(leading))},
		Do:  []string{command.Line("kubectl", "get", "lease", "-n", "kube-system", model.ControllerManager, "-o", "yaml"), "look whether kube-controller-manager runs; kardia check --for 15s sees whether the lease is renewed"}}
	if l.confirmed {
		v.For = append(v.For, "the API server wrote it then, by its own clock (managedFields)")
		return v
	}
	v.Or = []Rule{Clock}
	v.Missing = []string{"whether it is renewed: one look sees only its renewTime, and its holder's clock may be behind; --for 15s watches it"}
	return v
}
