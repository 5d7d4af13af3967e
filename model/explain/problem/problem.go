// Package problem says what is wrong with a node beside its being silent or not Ready: what a node that
// reads Ready does not tell by that word.
package problem

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Kind is what sort of problem it is, the most serious first.
type Kind uint8

const (
	// Condition: one beside Ready is bad, a pressure or what an agent on the node found.
	Condition Kind = iota
	// StaleStatus: the lease is renewed, and the status is not posted any more.
	StaleStatus
	// Flapping: it stopped being Ready twice or more in the last quarter of an hour.
	Flapping
	// Reported: an Event of the last minutes tells of it.
	Reported
	// Failing: most of its pods are not ready, though it is.
	Failing
	// StaleCondition: who posts a condition has stopped, so its word is old.
	StaleCondition
	// NotYet: a taint that is set while a node starts keeps pods away.
	NotYet
	// Clock: the kubelet's clock is off.
	Clock
	// Holder: the node's lease is held by another node.
	Holder
)

// String is a word for it.
func (k Kind) String() string {
	return [...]string{"condition", "stale status", "flapping", "reported", "pods not ready", "stale condition", "not yet", "clock", "holder"}[min(k, Holder)]
}

// Problem is one of them.
type Problem struct {
	Kind Kind
	// Name is the condition, the taint, the Event's reason or the other node. Status is the condition's, Owner who should post
	// it; "" if that is not known. The text is the cluster's, and not cleaned for a screen.
	Name, Status, Owner string
	// For is how long it lasts, how old a report is, or by how much a clock differs: less than 0 if it is behind.
	For time.Duration
	// N of All pods, or the times that it stopped being Ready.
	N, All int
	// Unread says that a renewTime lies ahead of when it was read.
	Unread bool
	// Since is when it began, or was last reported; unknown where nothing tells.
	Since model.Instant
}

const (
	// statusAfter is from which age on a status is stale: a kubelet posts an unchanged one every five
	// minutes, put off by up to half of that at random, and looks every ten seconds whether it is time.
	// Source: kubernetes: pkg/kubelet, nodeStatusReportFrequency, calculateDelay.
	statusAfter = 8 * time.Minute
	// reportedWithin is how long an Event is news, flapsWithin how long a flap counts.
	reportedWithin = 10 * time.Minute
	flapsWithin    = 15 * time.Minute
	// ClockOff is from which difference on a clock is off: less than that is the way and the server.
	ClockOff = 10 * time.Second
)

// Around is what is known beyond the node itself.
type Around struct {
	// At is up to when what is known was read.
	At model.AsOf
	// Posted is the newest status of any node. Where none is fresh, the source shows no statuses, and an
	// old one says nothing.
	Posted model.Instant
	// Seldom says that more than a few kubelets have not posted for longer than the default rhythm allows: theirs is another,
	// and an old status says nothing.
	Seldom bool
	// Exists says whether there is a node of a name.
	Exists func(name string) bool
	// ClockOff is from which difference on a clock is off; 0 for the usual.
	ClockOff time.Duration
	// Unheard are the times in which no lease could be heard: renewals that were under way in one came late, whatever
	// the clocks.
	Unheard []model.Interval
}

// AroundOf is what is known beyond one node at an instant of a state, with the usual differences of clocks.
func AroundOf(c *model.Cluster, at model.AsOf) Around {
	a := Around{At: at, Exists: func(name string) bool { return c.Node(name) != nil }}
	kubelets, old := 0, 0
	for row := range c.Nodes {
		a.Posted = max(a.Posted, row.Posted)
		if row.Node == nil || row.Node.Simulated() || !row.Posted.Bounded() || row.Health() != model.HealthReady {
			continue
		}
		if kubelets++; at.Statuses.Sub(row.Posted) >= statusAfter {
			old++
		}
	}
	a.Seldom = old > max(1, kubelets/10)
	return a
}

// Of are the problems of a node, the most serious first. ages are its heartbeat's; lastKnown says that its
// object was not watched, so that what is old in it says nothing.
func Of(row *model.NodeRow, ages model.Ages, around *Around, lastKnown bool) []Problem {
	return With(OfObject(row.Node, lastKnown), row, ages, around, lastKnown)
}

// OfObject are the problems that a node's object tells by itself: they are the same as long as the object is. nil has none.
func OfObject(n *model.Node, lastKnown bool) (list []Problem) {
	if n == nil {
		return nil
	}
	list = conditions(n, lastKnown, list)
	for i := range n.Taints {
		if t := &n.Taints[i]; starting(t.Key) {
			list = append(list, Problem{Kind: NotYet, Name: t.Key, Since: t.Added})
			break
		}
	}
	return sorted(list)
}

// With are the problems of a node of which OfObject is known. It is not modified.
func With(ofObject []Problem, row *model.NodeRow, ages model.Ages, around *Around, lastKnown bool) []Problem {
	if row.Node == nil {
		return nil
	}
	list := slices.Clip(ofObject)
	if p, ok := staleStatus(row, ages, around); ok && !lastKnown {
		list = append(list, p)
	}
	if p, ok := flapping(row, around.At.At); ok {
		list = append(list, p)
	}
	list = reported(row, around.At.At, list)
	if p, ok := failing(row, around.At.At); ok && !lastKnown {
		list = append(list, p)
	}
	if k := ages.Skew; k.Known && k.Value.Abs() >= cmp.Or(around.ClockOff, ClockOff) && !(k.Value < 0 && delayed(row, around)) {
		list = append(list, Problem{Kind: Clock, For: k.Value.Truncate(time.Second)})
	}
	if k := ages.Ahead; k.Known {
		list = append(list, Problem{Kind: Clock, For: k.Value.Truncate(time.Second), Unread: true})
	}
	if h := row.Lease.Holder; h != "" && h != row.Name && row.Lease.Seen && !row.Lease.Gone && around.Exists(h) { // a name that is no node's is how some kubelets call themselves
		list = append(list, Problem{Kind: Holder, Name: h})
	}
	if len(list) == len(ofObject) {
		return ofObject
	}
	return sorted(list)
}

func sorted(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Compare(a.Kind, b.Kind) })
	return list
}

// delayed says that a node's last renewal was made while none could be heard.
func delayed(row *model.NodeRow, around *Around) bool {
	return slices.ContainsFunc(around.Unheard, func(v model.Interval) bool {
		return row.Lease.Renewed >= v.Earliest.Add(-ClockOff) && row.Lease.Renewed <= v.Latest && row.Lease.Heard >= v.Earliest
	})
}

// conditions are those that are bad, and those whose owners have stopped posting.
func conditions(n *model.Node, lastKnown bool, list []Problem) []Problem {
	newest := model.Instant(0)
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Heartbeat.Bounded() {
			newest = max(newest, c.Heartbeat)
		}
		if c.Type != model.ConditionReady && model.SenseOf(c.Type, c.Status) == model.SenseBad {
			list = append(list, Problem{Kind: Condition, Name: c.Type, Status: c.Status.String(), Since: c.Transition})
		}
	}
	if lastKnown {
		return list
	}
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Heartbeat == newest || c.Type == model.ConditionReady {
			continue
		}
		if by := n.StaleBy(c); by > 0 {
			list = append(list, Problem{Kind: StaleCondition, Name: c.Type, Owner: model.ConditionOwner(c.Type), For: by.Truncate(time.Minute), Since: c.Heartbeat})
		}
	}
	return list
}

// staleStatus is of a kubelet that renews its lease and posts no status, though all others post theirs by the default rhythm.
// What only simulates a kubelet has a rhythm of its own.
func staleStatus(row *model.NodeRow, ages model.Ages, around *Around) (Problem, bool) {
	read := around.At.Statuses.Instant
	if !row.Posted.Bounded() || !read.Bounded() || !ages.Age.Known || ages.From == model.AgeStatus || ages.Age.Value >= model.LateAfter {
		return Problem{}, false
	}
	age, slack := read.Sub(row.Posted), ages.Skew.Value.Abs()
	if age-slack < statusAfter || around.Seldom || row.Node.Simulated() || read.Sub(around.Posted) >= statusAfter {
		return Problem{}, false
	}
	return Problem{Kind: StaleStatus, For: age.Truncate(time.Second), Since: row.Posted}, true
}

// flapping counts how often a node stopped being Ready, by Events. Of an Event that tells of several times, and began
// before the time that is looked at, only the last is known to lie in it.
func flapping(row *model.NodeRow, at model.Instant) (Problem, bool) {
	times, since := 0, model.Instant(0)
	for _, e := range row.Events() {
		n, first, last := e.Span()
		if !e.StopsReady() || !last.Bounded() || last > at || at.Sub(last) >= flapsWithin {
			continue
		}
		if !e.First.Bounded() || at.Sub(first) >= flapsWithin {
			n, first = 1, last
		}
		if times += n; !since.Known() || first < since {
			since = first
		}
	}
	if times < 2 {
		return Problem{}, false
	}
	return Problem{Kind: Flapping, N: times, For: flapsWithin, Since: since}, true
}

const (
	// failingFor is for how long a pod must not be ready to fail: images are pulled, and probes begin.
	failingFor = 2 * time.Minute
	// failingFew is how many pods that fail may be bad luck, or one workload's own fault.
	failingFew = 3
)

// failing is of a node that reads Ready and at least half of whose pods are not: what they share is the node. Of a node
// that is not Ready it is said of the node.
func failing(row *model.NodeRow, at model.Instant) (Problem, bool) {
	if row.PodCount() < failingFew || row.Health() != model.HealthReady {
		return Problem{}, false
	}
	all, n, since := 0, 0, model.FarFuture
	for _, p := range row.Pods() {
		switch {
		case p.Ended() || p.Deletion.Known() || at.Sub(p.Created) < failingFor:
		case p.Ready == model.StatusFalse && p.ReadySince.Bounded() && at.Sub(p.ReadySince) >= failingFor:
			n, since = n+1, min(since, p.ReadySince)
			fallthrough
		default:
			all++
		}
	}
	if n < failingFew || 2*n < all {
		return Problem{}, false
	}
	return Problem{Kind: Failing, N: n, All: all, For: failingFor, Since: since}, true
}

// events are the reasons of Events about a node that tell of something wrong on it.
// Source: kubernetes: pkg/kubelet/events, pkg/controller/nodeipam; node-problem-detector: config.
var events = map[string]bool{"SystemOOM": true, "FreeDiskSpaceFailed": true, "ContainerGCFailed": true, "ImageGCFailed": true, "EvictionThresholdMet": true,
	"Rebooted": true, "KubeletSetupFailed": true, "OOMKilling": true, "TaskHung": true, "KernelOops": true, "Ext4Error": true, "IOError": true,
	"MemoryReadError": true, "UnregisterNetDevice": true, "CIDRNotAvailable": true, "CIDRAssignmentFailed": true}

// reported are what Events tell, once by reason, the newest.
func reported(row *model.NodeRow, at model.Instant, list []Problem) []Problem {
	for _, e := range row.Events() {
		_, _, last := e.Span()
		if !events[e.Reason] || !last.Bounded() || last > at || at.Sub(last) >= reportedWithin {
			continue
		}
		known := slices.IndexFunc(list, func(p Problem) bool { return p.Kind == Reported && p.Name == e.Reason })
		p := Problem{Kind: Reported, Name: e.Reason, For: at.Sub(last).Truncate(time.Second), Since: last}
		switch {
		case known < 0:
			list = append(list, p)
		case list[known].Since < last:
			list[known] = p
		}
	}
	return list
}

// starting says whether a taint is one that somebody takes off once a node is ready for pods. Those that
// node-lifecycle sets for conditions are told by the conditions.
func starting(key string) bool {
	switch key {
	case "node.cloudprovider.kubernetes.io/uninitialized", "node.cilium.io/agent-not-ready", "karpenter.sh/unregistered", "ebs.csi.aws.com/agent-not-ready", "efs.csi.aws.com/agent-not-ready":
		return true
	}
	return strings.HasPrefix(key, "readiness.k8s.io/") || strings.HasPrefix(key, "startup-taint.cluster-autoscaler.kubernetes.io/")
}
