// Package verdict says whose fault it is that nodes are silent or not Ready: one node's, a zone's, a
// group's, the control plane's, a clock's, the controller's, or that of whoever looks; with what speaks
// for it and against it, and what was not there to be asked.
//
// The rules are tried in one order, and the first that holds is the verdict on the nodes it speaks of;
// those it leaves are judged again. There are no percentages of belief.
package verdict

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"kardia/model"
)

// Rule is a rule by which a Verdict was found. The zero value is none: nothing is wrong.
type Rule uint8

// The rules, in the order in which they are tried.
const (
	RuleNone Rule = iota
	// OwnView: whoever looks sees nothing at the instant.
	OwnView
	// ControllerBlind: leases are fresh, and the control plane has declared the nodes Unknown.
	ControllerBlind
	// Clock: by renewTime nodes are silent, and they were heard just now.
	Clock
	// ControlPlane: nearly all nodes fell silent at once, and so did leases of the control plane; or nodes of all zones beat
	// too rarely, by turns.
	ControlPlane
	// AllDark: every node is silent, and the control plane's own leases are renewed.
	AllDark
	// Zone: most nodes of a zone fell silent at once, and those of others did not.
	Zone
	// Group: what the bad nodes have in common, hardly any other node has.
	Group
	// Kubelet: the kubelet renews its lease, and says itself that the node is not ready.
	Kubelet
	// LeaseOnly: the lease stopped, and the kubelet's status went on.
	LeaseOnly
	// SingleNode: one node is silent, or several that have nothing in common.
	SingleNode
	// NotActing: the controller has not done what it must have done. It is told before those on nodes,
	// and beside them.
	NotActing
	ruleCount
)

// names are each rule's scope in words, and its number in docs/verdict.md.
var names = [ruleCount]struct{ scope, number string }{
	OwnView:         {"observer", "V1"},
	ControllerBlind: {"controller", "V2"},
	Clock:           {"clock", "V3"},
	ControlPlane:    {"control plane", "V4"},
	AllDark:         {"all nodes", "V5"},
	Zone:            {"zone", "V6"},
	Group:           {"group of nodes", "V7"},
	Kubelet:         {"kubelet", "V8"},
	LeaseOnly:       {"lease", "V9"},
	SingleNode:      {"node", "V10"},
	NotActing:       {"controller", "V11"},
}

// String is the scope that the rule decides for: "zone"; "" for none.
func (r Rule) String() string { return names[min(r, ruleCount-1)].scope }

// Number is the rule's number: "V6"; "" for none.
func (r Rule) Number() string { return names[min(r, ruleCount-1)].number }

// Verdict is whose fault it is, as far as can be said. The zero value says that nothing is wrong.
type Verdict struct {
	Rule Rule
	// Or are other rules that would hold as well, where what tells them apart was not there to be
	// asked: then the Verdict is undecided.
	Or []Rule
	// Says is the verdict: one fact, or two that belong together.
	Says []Fact
	// Nodes are those it speaks of, by name.
	Nodes []string
	// Back are nodes that were silent together with these, and beat again: of a zone that comes back. BackSince is when the first
	// and the last of them did.
	Back      []string
	BackSince model.Interval
	// Every is how often a node is heard, on average, where its verdict is that this is too seldom; 0 for all others.
	Every time.Duration
	// For and Against are facts that speak for the verdict and against it, not against another; Missing what could not be
	// asked, and what that leaves open.
	For, Against, Missing []Fact
	// Shared is what the Nodes have in common and others have less, the most telling first.
	Shared []Shared
	// Causes are machine, network, kubelet, credentials and API server, as the last signs of the Nodes leave them; none
	// where it is not for single nodes to tell.
	Causes []Cause
	// Do is what a person would do next: advice, and commands to copy. Nothing of it was done.
	Do []Fact
}

// Whose is the scope in words: its Rule's, and of single nodes how many.
func (v *Verdict) Whose() string {
	if n := len(v.Nodes); v.Rule == SingleNode && n > 1 {
		return strconv.Itoa(n) + " nodes"
	}
	return v.Rule.String()
}

// Undecided says that more than one rule would hold.
func (v *Verdict) Undecided() bool { return len(v.Or) > 0 }

const (
	// AtOnce is within what time nodes must have fallen silent to have done it together: a renewal's
	// ten seconds, and some to spare.
	AtOnce = 15 * time.Second
	// nearlyAll is the share of late nodes from which on the control plane is asked first, mostOf the
	// share of a zone that makes it the zone's.
	nearlyAll, mostOf = 0.8, 0.55
	// leading is how old a leader's lease may be: its holder gives it up after 15 s.
	leading = 15 * time.Second
)

// Of judges what is known at an instant: the verdict that speaks of the most urgent, and those on
// nodes that it leaves. It is empty where nothing is wrong.
func Of(e *Evidence) (verdicts []Verdict) {
	if e.Blind.Code != "" {
		return []Verdict{{Rule: OwnView, Says: []Fact{{Code: "nothing-known"}}, For: []Fact{e.Blind},
			Do: []Fact{askReady, run("kubectl get leases -n " + model.NodeLeaseNamespace)}, Missing: []Fact{{Code: "renewals-unseen"}}}}
	}
	switch v, ok := e.notActing(); {
	case ok && e.leaseFailure != nil:
		v.For = append(v.For, e.leaseFailure.Fact())
		verdicts = append(verdicts, v)
	case ok:
		verdicts = append(verdicts, v)
	case e.leaseFailure != nil:
		verdicts = append(verdicts, e.leaseFailed())
	}
	left := e.bad()
	for len(left) > 0 {
		v, rest := e.firstRule(left)
		if !e.byName && (v.Rule != ControlPlane || !e.stall.Known()) { // else it is by chance, or what others have less is not known
			v.Shared = e.shared(v.Nodes)
		}
		verdicts = append(verdicts, v)
		left = rest
	}
	slices.SortStableFunc(verdicts, inPlace)
	return verdicts
}

// inPlace has verdicts that are of each of their nodes stand behind those that are of all, and thousands of nodes before six.
func inPlace(a, b Verdict) int {
	place := func(v *Verdict) int {
		if v.Rule == LeaseOnly || v.Rule == SingleNode {
			return -len(v.Nodes)
		}
		return math.MinInt
	}
	return cmp.Compare(place(&a), place(&b))
}

// firstRule finds the first rule that holds for some of the bad nodes, and those it leaves. The last
// rule always holds for one.
func (e *Evidence) firstRule(bad []*node) (v Verdict, rest []*node) {
	rules := []func([]*node) (Verdict, []*node){e.controllerBlind, e.clock, e.stalls, e.slow, e.everywhere, e.zone, e.group, e.kubelet, e.leaseOnly, e.single}
	if e.byName { // the others rest on a share of all nodes
		rules = []func([]*node) (Verdict, []*node){e.clock, e.stalls, e.kubelet, e.leaseOnly, e.single}
	}
	for _, rule := range rules {
		if v, about := rule(bad); len(about) > 0 {
			v.Nodes = namesOf(about)
			v.early(e, about)
			v.glanced(e, about)
			v.leftOf(e, about)
			v.refused(e, about)
			v.narrow(e, those(about, (*node).silent))
			return v, without(bad, about)
		}
	}
	return Verdict{}, nil
}

// glanced says that by one look nodes are silent by nothing but their own clocks, where that is so: then it may be those
// that are behind.
func (v *Verdict) glanced(e *Evidence, about []*node) {
	if !e.Glanced || v.Rule == Clock || slices.ContainsFunc(about, func(n *node) bool { return !n.byItsClock() }) {
		return
	}
	v.Or = append(v.Or, Clock)
	v.Missing = append(v.Missing, Fact{Code: "heard-now"})
}

// byItsClock says that nothing but a node's own clock tells that it is silent.
func (n *node) byItsClock() bool {
	return n.age.From == model.AgeRenewTime && !n.confirmed && n.health == model.HealthReady
}

// narrow says which part of the silent nodes failed, as far as their last signs tell, and what would
// tell more.
func (v *Verdict) narrow(e *Evidence, silent []*node) {
	if len(silent) == 0 || v.Rule != Group && v.Rule != LeaseOnly && v.Rule != SingleNode {
		return
	}
	v.Causes = e.causes(silent)
	v.Do = append(v.Do, silent[0].decide(v.Causes)...)
}

// silent says that a node is late, or was declared Unknown and does not beat.
func (n *node) silent() bool { return n.late() || n.declared() && !n.fresh() }

// declared says that a node was declared Unknown.
func (n *node) declared() bool { return n.health == model.HealthUnknown }
