// Package problem answers what is wrong with a node apart from silence and its Ready condition. For example: a Ready
// node with MemoryPressure has a Problem of Kind Condition with that Name.
package problem

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Kind is the kind of a Problem, the most serious first.
type Kind uint8

const (
	// Condition: a condition other than Ready is bad, such as a pressure or a fault found by an agent.
	Condition Kind = iota
	// OutOfService: a node that is Ready is marked as shut down. Its pods are deleted, and their volumes detached at once.
	// Source: kubernetes: pkg/controller/volume/attachdetach/reconciler, which does not ask if the node is Ready.
	OutOfService
	// StaleStatus: the lease is renewed, but no status is posted.
	StaleStatus
	// Flapping: it stopped being Ready twice or more in the last quarter of an hour.
	Flapping
	Reported
	// Failing: most pods of a Ready node are not ready.
	Failing
	// StaleCondition: the component that posts a condition has stopped.
	StaleCondition
	// NotYet: a taint that is set while a node starts keeps pods away.
	NotYet
	// Clock: the kubelet's clock is off.
	Clock
	// Holder: the node's lease is held by another node.
	Holder
)

// String is the word for people.
func (k Kind) String() string {
	return [...]string{"condition", "out of service", "stale status", "flapping", "reported", "pods not ready", "stale condition", "not yet", "clock", "holder"}[min(k, Holder)]
}

// Problem is one problem of a node.
type Problem struct {
	Kind Kind
	// Name is the condition, the taint, the Event's reason or the other node, Status the condition's, Owner the
	// component that should post it; "" if unknown. The text is not cleaned for a screen.
	Name, Status, Owner string
	// For is how long it lasts, how old a report is, or by how much a clock differs (negative: behind).
	For time.Duration
	// N is how many of All pods fail, or how often the node stopped being Ready.
	N, All int
	// Unread: a renewTime is later than the time at which it was read.
	Unread bool
	// Since is when it began, or was last reported; unknown if no data shows it.
	Since model.Instant
}

const (
	// statusAfter is the age from which on a status is stale. A kubelet posts an unchanged one every five minutes, plus
	// up to half of that at random, and checks every ten seconds.
	// Source: kubernetes: pkg/kubelet, nodeStatusReportFrequency, calculateDelay.
	statusAfter = 8 * time.Minute
	// reportedWithin is how long an Event counts, flapsWithin how long a flap does.
	reportedWithin = 10 * time.Minute
	flapsWithin    = 15 * time.Minute
	// ClockOff is the difference from which on a clock is off; smaller ones are latency of network and server.
	ClockOff = 10 * time.Second
)

// Around is context beyond the node itself.
type Around struct {
	// At is up to when the data was read.
	At model.AsOf
	// Posted is the newest status of any node: if none is fresh, old ones are no problem.
	Posted model.Instant
	// Seldom: more than a few kubelets post less often than the default, so an old status is no problem.
	Seldom bool
	Exists func(name string) bool
	// ClockOff is the difference from which on a clock is off; 0 for the default.
	ClockOff time.Duration
	// Unheard are spans without watched leases: renewals in them arrived late, whatever the clocks.
	Unheard []model.Interval
}

// AroundOf is the context of a cluster's nodes at a time, with the default ClockOff.
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

// Of lists the problems of a node, the most serious first. lastKnown: its object was not watched, old values are none.
func Of(row *model.NodeRow, ages model.Ages, around *Around, lastKnown bool) []Problem {
	return With(OfObject(row.Node, lastKnown), row, ages, around, lastKnown)
}

// OfObject lists the problems that a node's object alone shows; nil has none.
func OfObject(n *model.Node, lastKnown bool) (list []Problem) {
	if n == nil {
		return nil
	}
	list = conditions(n, lastKnown, list)
	if n.IsReady() && n.HasTaint(model.TaintOutOfService) {
		list = append(list, Problem{Kind: OutOfService})
	}
	for i := range n.Taints {
		if t := &n.Taints[i]; starting(t.Key) {
			list = append(list, Problem{Kind: NotYet, Name: t.Key, Since: t.Added})
			break
		}
	}
	return sorted(list)
}

// With lists the problems of a node given its OfObject, which is not modified.
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
	if h := row.Lease.Holder; h != "" && h != row.Name && row.Lease.Seen && !row.Lease.Gone && around.Exists(h) { // other holders are names that some kubelets use for themselves
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

// delayed reports whether a node's last renewal was made while none could arrive.
func delayed(row *model.NodeRow, around *Around) bool {
	return slices.ContainsFunc(around.Unheard, func(v model.Interval) bool {
		return row.Lease.Renewed >= v.Earliest.Add(-ClockOff) && row.Lease.Renewed <= v.Latest && row.Lease.Heard >= v.Earliest
	})
}

func conditions(n *model.Node, lastKnown bool, list []Problem) []Problem {
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Type != model.ConditionReady && model.SenseOf(c.Type, c.Status) == model.SenseBad {
			list = append(list, Problem{Kind: Condition, Name: c.Type, Status: c.Status.String(), Since: c.Transition})
		}
	}
	if lastKnown {
		return list
	}
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if by := n.StaleBy(c); by > 0 && c.Type != model.ConditionReady {
			list = append(list, Problem{Kind: StaleCondition, Name: c.Type, Owner: model.ConditionOwner(c.Type), For: by.Truncate(time.Minute), Since: c.Heartbeat})
		}
	}
	return list
}

// staleStatus: a kubelet, not a simulated one, renews its lease and posts no status, though others do.
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

// flapping counts how often a node stopped being Ready, by Events. One that began before the span counts once.
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
		times, since = times+n, since.Earlier(first)
	}
	if times < 2 {
		return Problem{}, false
	}
	return Problem{Kind: Flapping, N: times, For: flapsWithin, Since: since}, true
}

const (
	// failingFor is how long a pod must not be ready to count: images are pulled, and probes start.
	failingFor = 2 * time.Minute
	// failingFew is the least number of failing pods: fewer may be chance, or one workload's fault.
	failingFew = 3
)

// failing: at least half of a Ready node's pods are not ready. A node that is not Ready explains its pods.
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

// events are the reasons of Events that report a fault on a node.
// Source: kubernetes: pkg/kubelet/events, pkg/controller/nodeipam; node-problem-detector: config.
var events = map[string]bool{"SystemOOM": true, "FreeDiskSpaceFailed": true, "ContainerGCFailed": true, "ImageGCFailed": true, "EvictionThresholdMet": true,
	"Rebooted": true, "KubeletSetupFailed": true, "OOMKilling": true, "TaskHung": true, "KernelOops": true, "Ext4Error": true, "IOError": true,
	"MemoryReadError": true, "UnregisterNetDevice": true, "CIDRNotAvailable": true, "CIDRAssignmentFailed": true}

func reported(row *model.NodeRow, at model.Instant, list []Problem) []Problem {
	for _, e := range row.Events() {
		last := e.Newest()
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

// starting reports whether a taint is removed once a node is ready for pods. node-lifecycle's do not count.
func starting(key string) bool {
	switch key {
	case "node.cloudprovider.kubernetes.io/uninitialized", "node.cilium.io/agent-not-ready", "karpenter.sh/unregistered", "ebs.csi.aws.com/agent-not-ready", "efs.csi.aws.com/agent-not-ready":
		return true
	}
	return strings.HasPrefix(key, "readiness.k8s.io/") || strings.HasPrefix(key, "startup-taint.cluster-autoscaler.kubernetes.io/")
}
