// Package recovery answers which deleted pods of a node are stuck, and how they can be removed. It checks what must
// hold before the node is declared out of service. It lists commands, and runs none. For example: a stuck pod on a
// silent node has the Exits Returns, OutOfService, DeleteNode and Force.
package recovery

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/tainteviction"
	"kardia/model/explain/command"
	"kardia/model/explain/volumes"
)

// Stuck is a deleted pod that still exists after its termination grace.
type Stuck struct {
	Pod *model.Pod
	// Since is when its termination grace ended.
	Since model.Instant
}

// Way is a way to remove stuck pods.
type Way uint8

const (
	// Returns: the node returns, and its kubelet ends them. Nothing needs to be done.
	Returns Way = iota
	// OutOfService: the node gets the out-of-service taint.
	OutOfService
	// DeleteNode: its Node object is deleted.
	DeleteNode
	// Force: the pods are deleted by force.
	Force
)

// String is the word in keys.
func (w Way) String() string {
	return [...]string{"returns", "out-of-service", "delete-node", "force"}[w]
}

// Exit is a way to remove stuck pods, and its commands.
type Exit struct {
	Way Way
	// Pods is how many are removed.
	Pods int
	// Commands are run one after the other, if any. After each, two copies of a pod may write if the machine runs.
	Commands []string
}

// Answer is the result of a Check.
type Answer uint8

const (
	// Unasked: Kardia cannot know.
	Unasked Answer = iota
	Yes
	No
)

// Finding is the question of a Check and its finding.
type Finding uint8

const (
	// NodeUnseen to NotReady: is the Node not Ready?
	NodeUnseen Finding = iota
	NeverPosted
	IsReady
	NotReadyFor
	NotReady
	// LeaseUnread and LastSeen: is its kubelet silent?
	LeaseUnread
	LastSeen
	// MachineOff and MachineUnknown: is the machine off?
	MachineOff
	MachineUnknown
	// VolumesUnread to VolumesAttached: does nothing write to its volumes?
	VolumesUnread
	NoVolume
	VolumesIdle
	VolumesAttached
	// VersionKnown and VersionUnknown: does the control plane support the taint?
	VersionKnown
	VersionUnknown
	// Marked: the node is marked out of service already.
	Marked
)

// String is the word in keys.
func (f Finding) String() string {
	return [...]string{"node-unseen", "never-posted", "is-ready", "not-ready-for", "not-ready", "lease-unread", "last-seen", "machine-off", "machine-unknown",
		"volumes-unread", "no-volume", "volumes-idle", "volumes-attached", "version-known", "version-unknown", "marked"}[f]
}

// Check is a condition that must hold before a node is declared out of service.
type Check struct {
	Answer  Answer
	Finding Finding
	// For is how long the finding lasts, Volumes how many are attached, Unread why they are unknown, Version the
	// control plane's. Each is set if the Finding is about it.
	For     time.Duration
	Volumes int
	Unread  string
	Version model.Version
	// Command answers the question if Kardia cannot; if "", Provider names the machine to ask about.
	Command, Provider string
}

// Assessment is the result for a node.
type Assessment struct {
	Stuck  []Stuck
	Exits  []Exit
	Checks []Check
	// Deleted counts the pods that the taint deletes at once, Tolerating those that tolerate it.
	Deleted, Tolerating int
	Taint, Untaint      string
	// Unread is why Volumes are unknown; "" if they are known.
	Volumes []volumes.Volume
	Unread  string
}

// Attached is the known volumes of a node.
type Attached struct {
	List []volumes.Volume
	// Unread is why they are unknown; "" if they are known.
	Unread string
}

// Fails counts the checks that fail. Without these and Open ones, a node may be marked out of service.
func (o *Assessment) Fails() int { return o.count(No) }

// Open counts the checks that are not answered.
func (o *Assessment) Open() int { return o.count(Unasked) }

func (o *Assessment) count(a Answer) (n int) {
	for i := range o.Checks {
		if o.Checks[i].Answer == a {
			n++
		}
	}
	return n
}

// Of assesses a node. asOf is up to when heartbeats were read, and params has the version.
func Of(row *model.NodeRow, asOf model.AsOf, at model.Instant, params model.Params, attached Attached) Assessment {
	o := Assessment{Volumes: attached.List, Unread: attached.Unread}
	for _, p := range row.Pods() {
		switch {
		case PastGrace(p, at):
			o.Stuck = append(o.Stuck, Stuck{p, p.Deletion})
		case p.Deletion.Known() || p.Ended():
		case tolerates(p, params):
			o.Tolerating++
		default:
			o.Deleted++
		}
	}
	slices.SortFunc(o.Stuck, func(a, b Stuck) int { return strings.Compare(a.Pod.Key.String(), b.Pod.Key.String()) })
	o.Taint = command.Line("kubectl", "taint", "nodes", command.Object("node", row.Name), model.TaintOutOfService+"=nodeshutdown:NoExecute")
	o.Untaint = command.Line("kubectl", "taint", "nodes", command.Object("node", row.Name), model.TaintOutOfService+"-")
	if ages := row.AgesAsOf(asOf); !ages.Age.Known || ages.Late() || ages.Unposted() {
		o.exits(row)
	}
	o.check(row, asOf, at, params)
	return o
}

// checkVolumes checks the volumes that the taint detaches: no process may still write to them.
func (o *Assessment) checkVolumes() Check {
	const find = "kubectl get volumeattachments"
	switch n := len(o.Volumes); {
	case o.Unread != "":
		return Check{Finding: VolumesUnread, Unread: o.Unread, Command: find}
	case n == 0:
		return Check{Answer: Yes, Finding: NoVolume}
	case slices.ContainsFunc(o.Checks, func(c Check) bool { return c.Finding == MachineOff }):
		return Check{Answer: Yes, Finding: VolumesIdle, Volumes: n}
	default:
		return Check{Finding: VolumesAttached, Volumes: n, Command: find}
	}
}

// tolerates reports whether a pod tolerates that its node is out of service.
func tolerates(p *model.Pod, params model.Params) bool {
	fate, _, _ := tainteviction.FateUnder(p, []model.Taint{{Key: model.TaintOutOfService, Value: "nodeshutdown", Effect: model.NoExecute}}, params.ComparisonOperators.Value)
	return fate == tainteviction.FateNever
}

// exits sets the ways out, the least dangerous first.
// Source: kubernetes: pkg/controller/podgc; pkg/kubelet, its pod workers.
func (o *Assessment) exits(row *model.NodeRow) {
	if len(o.Stuck) == 0 {
		return
	}
	n := len(o.Stuck)
	o.Exits = []Exit{
		{Returns, n, nil},
		{OutOfService, n, []string{o.Taint}},
		{DeleteNode, n, []string{command.Line("kubectl", "delete", command.Object("node", row.Name))}},
		{Force, n, o.byForce()},
	}
}

// byForce deletes the stuck pods by force, with one command for each namespace.
func (o *Assessment) byForce() (list []string) {
	for left := o.Stuck; len(left) > 0; { // they are in order by namespace
		namespace, n := left[0].Pod.Namespace, 0
		words := []string{"kubectl", "delete", "-n", namespace}
		for ; n < len(left) && left[n].Pod.Namespace == namespace; n++ {
			words = append(words, command.Object("pod", left[n].Pod.Name))
		}
		left = left[n:]
		list = append(list, command.Line(append(words, "--grace-period=0", "--force")...))
	}
	return list
}

// check fills the checklist.
// Source: kubernetes: pkg/controller/podgc, gcTerminating; the documentation of non-graceful node shutdown.
func (o *Assessment) check(row *model.NodeRow, asOf model.AsOf, at model.Instant, params model.Params) {
	add := func(c Check) { o.Checks = append(o.Checks, c) }
	answer := func(yes bool) Answer {
		if yes {
			return Yes
		}
		return No
	}
	switch ready := row.Node.Ready(); {
	case row.Node == nil:
		add(Check{Finding: NodeUnseen})
	case ready == nil:
		add(Check{Answer: Yes, Finding: NeverPosted})
	case ready.Status == model.StatusTrue:
		add(Check{Answer: No, Finding: IsReady})
	case ready.Transition.Bounded():
		add(Check{Answer: Yes, Finding: NotReadyFor, For: at.Sub(ready.Transition)})
	default:
		add(Check{Answer: Yes, Finding: NotReady})
	}
	switch ages := row.AgesAsOf(asOf); {
	case !ages.Age.Known || ages.From == model.AgeStatus:
		add(Check{Finding: LeaseUnread, Command: command.Line("kubectl", "get", "-n", model.NodeLeaseNamespace, command.Object("lease", row.Name), "-o", "yaml")})
	default:
		add(Check{Answer: answer(ages.Late()), Finding: LastSeen, For: ages.Age.Value})
	}
	if row.Node != nil && row.Node.HasTaint(taintShutdown) {
		add(Check{Answer: Yes, Finding: MachineOff})
	} else {
		m := command.MachineOf(row.Node)
		add(Check{Finding: MachineUnknown, Command: m.Line, Provider: m.Provider})
	}
	add(o.checkVolumes())
	if v := params.Version; v != (model.Version{}) {
		add(Check{Answer: answer(v.AtLeast(1, 26)), Finding: VersionKnown, Version: v})
	} else {
		add(Check{Finding: VersionUnknown, Command: "kubectl version"})
	}
	if row.Node != nil && row.Node.HasTaint(model.TaintOutOfService) {
		add(Check{Answer: No, Finding: Marked})
	}
}

// taintShutdown is set by the cloud's node-lifecycle controller if the machine is off.
const taintShutdown = "node.cloudprovider.kubernetes.io/shutdown"

// PastGrace reports whether a deleted pod still exists after its termination grace.
func PastGrace(p *model.Pod, at model.Instant) bool { return p.Deletion.Known() && p.Deletion <= at }
