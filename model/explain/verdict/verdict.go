// Package verdict answers which fault domain explains that nodes are silent or NotReady, from one node to the control
// plane or the observer. A Verdict lists facts for it, facts against it, and missing data.
//
// For example: 9 of 10 nodes of zone a were last seen within 8 s, and the nodes of other zones renew. The answer is one
// Verdict with Rule Zone and those nine nodes.
//
// The rules are tried in one order. The first that holds judges some nodes, and the rest are judged again.
package verdict

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"kardia/model"
)

// Rule is the rule that found a Verdict. The zero value is none: nothing is wrong.
type Rule uint8

// The rules, in the order in which they are tried.
const (
	RuleNone Rule = iota
	// OwnView: the observer has no data of the time.
	OwnView
	// ControllerBlind: leases are fresh, and the control plane has declared the nodes Unknown.
	ControllerBlind
	// Clock: nodes are silent by renewTime, but their renewals still arrive.
	Clock
	// ControlPlane: nearly all nodes and leader leases fell silent at once; or nodes of all zones renew too rarely.
	ControlPlane
	// AllDark: every node is silent, and the control plane's own leases are renewed.
	AllDark
	// Zone: most nodes of a zone fell silent at once, and those of other zones did not.
	Zone
	// Group: hardly any other node has a trait that all bad nodes share.
	Group
	// Kubelet: the kubelet renews its lease, and reports the node as NotReady.
	Kubelet
	// LeaseOnly: lease renewals stopped, and the kubelet still posts its status.
	LeaseOnly
	// SingleNode: one node is silent, or several that have nothing in common.
	SingleNode
	// NotActing: the controller's decisions are overdue. It comes before the verdicts on nodes.
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

// Verdict is one fault domain and its evidence. The zero value is that nothing is wrong.
type Verdict struct {
	Rule Rule
	// Or are rules that may hold as well, because the data to decide is missing.
	Or   []Rule
	Says []Fact
	// Nodes are the nodes that it covers, by name.
	Nodes []string
	// Back are the returned nodes of a zone that returns, the first and the last at BackSince.
	Back      []string
	BackSince model.Interval
	// Every is the average interval between a node's heartbeats, if the verdict is that it is too long.
	Every time.Duration
	// For and Against are facts that support and contradict the verdict. Missing is unavailable data.
	For, Against, Missing []Fact
	// Shared are traits that the Nodes have in common and others have less, the most distinctive first.
	Shared []Shared
	// Causes are the states of the Parts of single nodes; none if the fault is larger.
	Causes []Cause
	// Do is advice, and commands to copy.
	Do []Fact
}

// Whose is the scope in words: its Rule's, or the number of single nodes.
func (v *Verdict) Whose() string {
	if n := len(v.Nodes); v.Rule == SingleNode && n > 1 {
		return strconv.Itoa(n) + " nodes"
	}
	return v.Rule.String()
}

// Undecided reports whether more than one rule may hold.
func (v *Verdict) Undecided() bool { return len(v.Or) > 0 }

const (
	// AtOnce is the span within which nodes fell silent together: a renewal's ten seconds, and some to spare.
	AtOnce = 15 * time.Second
	// nearlyAll is the share of silent nodes that makes the control plane suspect, mostOf that of a zone for its fault.
	nearlyAll, mostOf = 0.8, 0.55
	// leading is how old a leader's lease may be: its holder gives it up after 15 s.
	leading = 15 * time.Second
)

// Of judges the evidence: the most urgent verdict first, then those on the nodes it leaves; empty if nothing is wrong.
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
		if !e.byName && (v.Rule != ControlPlane || !e.stall.Known()) { // else it is chance, or the traits of others are unknown
			v.Shared = e.shared(v.Nodes)
		}
		verdicts = append(verdicts, v)
		left = rest
	}
	slices.SortStableFunc(verdicts, inPlace)
	return verdicts
}

// inPlace orders verdicts: those on single nodes last, the ones with the most nodes first.
func inPlace(a, b Verdict) int {
	place := func(v *Verdict) int {
		if v.Rule == LeaseOnly || v.Rule == SingleNode {
			return -len(v.Nodes)
		}
		return math.MinInt
	}
	return cmp.Compare(place(&a), place(&b))
}

func (e *Evidence) firstRule(bad []*node) (v Verdict, rest []*node) {
	rules := []func([]*node) (Verdict, []*node){e.controllerBlind, e.clock, e.stalls, e.slow, e.everywhere, e.zone,
		func(bad []*node) (Verdict, []*node) { return e.sharing(bad, fewOthers) }, e.kubelet, e.leaseOnly, e.single}
	if e.byName { // the other rules need a share of all nodes
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

// glanced adds Clock as an alternative if one read shows nodes to be silent only by their own clocks.
func (v *Verdict) glanced(e *Evidence, about []*node) {
	byItsClock := func(n *node) bool {
		return n.age.From == model.AgeRenewTime && !n.confirmed && n.health == model.HealthReady
	}
	if e.Glanced && v.Rule != Clock && len(those(about, byItsClock)) == len(about) {
		v.Or = append(v.Or, Clock)
		v.Missing = append(v.Missing, Fact{Code: "heard-now"})
	}
}

// narrow adds the Parts of silent nodes that failed, and the commands that would decide more.
func (v *Verdict) narrow(e *Evidence, silent []*node) {
	if len(silent) == 0 || v.Rule != Group && v.Rule != LeaseOnly && v.Rule != SingleNode {
		return
	}
	v.Causes = e.causes(silent)
	v.Do = append(v.Do, silent[0].decide(v.Causes)...)
}

func (n *node) silent() bool { return n.late() || n.declared() && !n.fresh() }

func (n *node) declared() bool { return n.health == model.HealthUnknown }

// Code names what a Fact means. Its sentence is verdict.fact.CODE of ui/words/en.yaml.
type Code string

// Fact is one finding or one advice of a verdict. Without a Code it is its Text: a command, or a foreign message.
type Fact struct {
	Code Code
	// Node shows it, or Nodes how many do; neither if it is about all nodes of a verdict.
	Node  string
	Nodes int
	// Name is its subject: a node, a zone, a component, a trait. Text is foreign: a message, a command.
	Name, Text string
	Said       model.Said
	By         model.RefusedBy
	// N of Of is a number, mostly of nodes; Others of OthersOf counts the remaining ones.
	N, Of, Others, OthersOf int
	At, To                  model.Instant
	For                     time.Duration
}

func factOf(code Code, nodes []*node) Fact {
	f := Fact{Code: code, N: len(nodes)}
	if f.N == 1 {
		f.Name = nodes[0].name
	}
	return f
}

func run(line string) Fact { return Fact{Text: line} }

// The commands of several rules.
var (
	askReady      = run("kubectl get --raw '/readyz?verbose'")
	askPriorities = run("kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels")
	askLeader     = run("kubectl get lease -n " + model.SystemNamespace + " " + model.ControllerManager + " -o yaml")
	askZones      = run("kubectl get nodes -L " + model.LabelZone)
)
