package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Status is the status of a condition. The zero value is "absent", which is not the same as Unknown.
type Status uint8

const (
	StatusAbsent Status = iota
	StatusTrue
	StatusFalse
	StatusUnknown
)

// String is Kubernetes' own word, and "" for an absent condition.
func (s Status) String() string {
	return [...]string{"", "True", "False", "Unknown"}[min(s, StatusUnknown)]
}

// ParseStatus reads Kubernetes' word. Another word is StatusUnknown, as in Kubernetes' comparisons.
func ParseStatus(s string) Status {
	switch s {
	case "True":
		return StatusTrue
	case "False":
		return StatusFalse
	}
	return StatusUnknown
}

type Condition struct {
	Type, Reason, Message string
	Status                Status
	// Transition is lastTransitionTime, by the writer's clock; Heartbeat is lastHeartbeatTime, by the kubelet's.
	Transition Instant
	Heartbeat  Instant
}

// Effect is the effect of a taint; in a toleration the zero value matches all.
type Effect uint8

const (
	EffectAny Effect = iota
	NoSchedule
	PreferNoSchedule
	NoExecute
)

func (e Effect) String() string {
	return [...]string{"", "NoSchedule", "PreferNoSchedule", "NoExecute"}[min(e, NoExecute)]
}

// ParseEffect reads Kubernetes' word; ok is false for another.
func ParseEffect(s string) (e Effect, ok bool) {
	for e := EffectAny; e <= NoExecute; e++ {
		if e.String() == s {
			return e, true
		}
	}
	return EffectAny, false
}

// Taint is one taint of a node.
type Taint struct {
	Key, Value string
	Effect     Effect
	// Added is timeAdded, by the writer's clock, to the second; often unset for NoSchedule taints added by people.
	Added Instant
}

// Toleration is one toleration of a pod. An empty key with the operator Exists tolerates everything.
type Toleration struct {
	Key, Value string
	Operator   string
	Effect     Effect
	// Seconds is tolerationSeconds; unknown means forever.
	Seconds Maybe[int64]
}

// Node is one version of a Node object, reduced to node health. It is never modified once it is in a Change.
type Node struct {
	UID     UID
	Created Instant
	// Deleted is deletionTimestamp; unknown if it is not being deleted.
	Deleted Instant

	Zone              ZoneKey
	ExcludeDisruption bool
	Unschedulable     bool

	Conditions []Condition
	Taints     []Taint

	KubeletVersion, OS, Arch, InstanceType, ProviderID string
	Details                                            NodeDetails
}

// Condition finds a condition by type; nil if there is none, and for nil.
func (n *Node) Condition(kind string) *Condition {
	if n == nil {
		return nil
	}
	for i := range n.Conditions {
		if n.Conditions[i].Type == kind {
			return &n.Conditions[i]
		}
	}
	return nil
}

// HasNoExecute reports whether the node has a taint for which pods are evicted.
func (n *Node) HasNoExecute() bool {
	return slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Effect == NoExecute })
}

// ShuttingDown reports whether the kubelet has posted a graceful shutdown.
// Source: kubernetes: pkg/kubelet/nodeshutdown, managerImpl.ShutdownStatus.
func (n *Node) ShuttingDown() bool {
	r := n.Ready()
	return r != nil && r.Status == StatusFalse && strings.Contains(r.Message, "node is shutting down")
}

// Simulated reports whether kwok simulates the kubelet, with a rhythm of its own. It is false for a Node that was not
// seen.
// Source: kwok: pkg/kwok/controllers, node status template.
func (n *Node) Simulated() bool { return n != nil && strings.HasPrefix(n.KubeletVersion, "kwok-") }

// Ready is the node's Ready condition; nil if it never posted one, and for nil.
func (n *Node) Ready() *Condition { return n.Condition(ConditionReady) }

// ReadyStatus is the status of the Ready condition; absent also for nil.
func (n *Node) ReadyStatus() Status {
	if r := n.Ready(); r != nil {
		return r.Status
	}
	return StatusAbsent
}

// SameButConditionsAndTaints reports whether two versions differ at most in conditions and taints.
func (n *Node) SameButConditionsAndTaints(other *Node) bool {
	return n.UID == other.UID && n.Created == other.Created && n.Deleted == other.Deleted && n.Zone == other.Zone &&
		n.ExcludeDisruption == other.ExcludeDisruption && n.Unschedulable == other.Unschedulable && n.KubeletVersion == other.KubeletVersion &&
		n.OS == other.OS && n.Arch == other.Arch && n.InstanceType == other.InstanceType && n.ProviderID == other.ProviderID && n.Details == other.Details
}

// SameButHeartbeats reports whether two versions differ at most in the heartbeats of their conditions.
func (n *Node) SameButHeartbeats(other *Node) bool {
	return n.SameButConditionsAndTaints(other) && slices.Equal(n.Taints, other.Taints) &&
		slices.EqualFunc(n.Conditions, other.Conditions, func(a, b Condition) bool {
			a.Heartbeat, b.Heartbeat = 0, 0
			return a == b
		})
}

// HasTaint reports whether the node has a taint of that key, with any value and effect.
func (n *Node) HasTaint(key string) bool {
	return slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Key == key })
}

// Taint is the node's taint of a key and effect; nil without one.
func (n *Node) Taint(key string, effect Effect) *Taint {
	for i := range n.Taints {
		if n.Taints[i].Key == key && n.Taints[i].Effect == effect {
			return &n.Taints[i]
		}
	}
	return nil
}

// Lease is one version of a Lease, by value so that folding a renewal allocates nothing.
type Lease struct {
	UID     UID
	Created Instant
	// Renewed is renewTime as written, by the holder's clock; it may step back. Unknown if only the request was seen.
	Renewed  Instant
	Acquired Instant
	Holder   string
	// Seconds is leaseDurationSeconds; 0 if unknown.
	Seconds     int32
	Transitions int32
}

// Pod is one version of a Pod, reduced. It is never modified once it is in a Change.
type Pod struct {
	Key
	UID     UID
	Node    string
	Created Instant
	// Deletion is deletionTimestamp: the request's time plus GraceSeconds, so usually in the future when set.
	Deletion   Instant
	ReadySince Instant
	// Disrupted is the transition time of a DisruptionTarget condition that is True.
	Disrupted        Instant
	DisruptionReason string
	Owner            *Owner
	Tolerations      *Tolerations
	// Details are its labels, PersistentVolumeClaims, and more: see the names of details.
	Details      Details
	GraceSeconds int32
	Phase        Phase
	Ready        Status
}

// Ended reports whether the pod has ended, with success or failure.
func (p *Pod) Ended() bool { return p.Phase == PhaseSucceeded || p.Phase == PhaseFailed }

// Asked is when the deletion of a pod was requested; unknown if it was not.
func (p *Pod) Asked() Instant {
	if !p.Deletion.Known() {
		return 0
	}
	return p.Deletion.Add(-time.Duration(p.GraceSeconds) * time.Second)
}

// Stamped is the newest timestamp in a pod; unknown if it has none.
func (p *Pod) Stamped() Instant {
	return max(p.Created, p.ReadySince, p.Disrupted, p.Asked())
}

// Owner is the controller of a pod. Owners are interned.
type Owner struct {
	Kind, Name string
}

// Tolerations is a pod's list of tolerations. Lists are interned.
type Tolerations []Toleration

// List is the tolerations, empty for nil.
func (t *Tolerations) List() []Toleration {
	if t == nil {
		return nil
	}
	return *t
}

// Phase is a pod's phase; the zero value is "not set".
type Phase uint8

const (
	PhaseNone Phase = iota
	PhasePending
	PhaseRunning
	PhaseSucceeded
	PhaseFailed
	PhaseUnknown
)

func (p Phase) String() string {
	return [...]string{"", "Pending", "Running", "Succeeded", "Failed", "Unknown"}[min(p, PhaseUnknown)]
}

// ParsePhase reads Kubernetes' word; another is PhaseUnknown, none PhaseNone.
func ParsePhase(s string) Phase {
	for p := PhaseNone; p <= PhaseUnknown; p++ {
		if p.String() == s {
			return p
		}
	}
	return PhaseUnknown
}

// Reference names the object an Event is about.
type Reference struct {
	Kind string
	Key
	UID UID
}

// Event is one version of a Kubernetes Event.
type Event struct {
	UID       UID
	Regarding Reference
	Reason    string
	Message   string
	// Component is source.component or reportingController.
	Component   string
	Warning     bool
	Count       int32
	First, Last Instant
	Created     Instant
}

// Span is how often an Event occurred, at least once, and first and last when. Unknown times are not bounded.
func (e *Event) Span() (times int, first, last Instant) {
	last = e.Newest()
	first = last
	if e.First.Bounded() {
		first = e.First
	}
	return max(int(e.Count), 1), first, last
}

// Newest is when an Event last occurred; not bounded if unknown.
func (e *Event) Newest() Instant { return max(e.Last, e.First, e.Created) }

// ByControllers reports whether the node-lifecycle or the taint-eviction controller reports it.
func (e *Event) ByControllers() bool {
	switch e.Component {
	case ComponentNodeLifecycle, "taint-eviction-controller", "taint-controller":
		return true
	}
	return false
}

// DeclaresUnknown reports whether the node-lifecycle controller reports that it declared a node Unknown. A kubelet that
// posts NotReady records the same words, and the controller then none: without its component an Event proves nothing.
// Source: kubernetes: pkg/controller/nodelifecycle, monitorNodeHealth; pkg/kubelet/nodestatus, ReadyCondition.
func (e *Event) DeclaresUnknown() bool {
	return e.tellsNotReady() && e.Component == ComponentNodeLifecycle
}

// StopsReady reports whether a node stopped being Ready: its controller or its kubelet reports it, never both.
func (e *Event) StopsReady() bool {
	return e.DeclaresUnknown() || e.tellsNotReady() && e.Component == "kubelet"
}

func (e *Event) tellsNotReady() bool {
	return e.Reason == ReasonNodeNotReady && e.Regarding.Kind == "Node"
}

// FirstExactly is when an Event was first recorded, to the nanosecond: client-go appends it to the name. ok is false
// without it, or if First differs.
// Source: kubernetes: client-go/tools/record, makeEvent.
func (e *Event) FirstExactly(name string) (at Instant, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return 0, false
	}
	ns, err := strconv.ParseInt(name[dot+1:], 16, 64)
	at = Instant(ns)
	return at, err == nil && at.Truncate(time.Second) == e.First.Truncate(time.Second)
}
