package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Status is the status of a condition. The zero value is "absent": the object
// carries no such condition, which is not the same as Unknown.
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

// ParseStatus reads Kubernetes' word; a word that Kubernetes does not have is StatusUnknown,
// as its own comparisons with "True" and "False" would have it.
func ParseStatus(s string) Status {
	switch s {
	case "True":
		return StatusTrue
	case "False":
		return StatusFalse
	}
	return StatusUnknown
}

// Condition is one condition of a node.
type Condition struct {
	Type, Reason, Message string
	Status                Status
	// Transition is lastTransitionTime: when somebody decided the status, by that
	// somebody's clock, to the second.
	Transition Instant
	// Heartbeat is lastHeartbeatTime, by the kubelet's clock, to the second.
	Heartbeat Instant
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

// ParseEffect reads Kubernetes' word; ok is false for a word it does not have.
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
	// Added is timeAdded, by its writer's clock, to the second; often unset for NoSchedule
	// taints made by people.
	Added Instant
}

// Toleration is one toleration of a pod. Exists stands for the operator Exists;
// otherwise the operator is Equal. An empty key with Exists tolerates everything.
type Toleration struct {
	Key, Value string
	Operator   string
	Effect     Effect
	// Seconds is tolerationSeconds; unknown means forever.
	Seconds Maybe[int64]
}

// Node is one version of a Node object, trimmed to what node health depends on.
// It is never modified once it is in a Change.
type Node struct {
	UID     UID
	Created Instant
	// Deleted is deletionTimestamp; unknown while the node is not being deleted.
	Deleted Instant

	// Zone is the node's zone as the controller sees it.
	Zone ZoneKey
	// ExcludeDisruption: label node.kubernetes.io/exclude-disruption is present.
	ExcludeDisruption bool
	Unschedulable     bool

	Conditions []Condition
	Taints     []Taint

	KubeletVersion, OS, Arch, InstanceType, ProviderID string
	Details                                            NodeDetails
}

// Condition finds a condition by type; nil if the node has none such.
func (n *Node) Condition(kind string) *Condition {
	for i := range n.Conditions {
		if n.Conditions[i].Type == kind {
			return &n.Conditions[i]
		}
	}
	return nil
}

// HasNoExecute says that the node has a taint for which pods are deleted.
func (n *Node) HasNoExecute() bool {
	return slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Effect == NoExecute })
}

// ShuttingDown says that the node's kubelet says that its machine is shut down in order.
// Source: kubernetes: pkg/kubelet/nodeshutdown, managerImpl.ShutdownStatus.
func (n *Node) ShuttingDown() bool {
	r := n.Ready()
	return r != nil && r.Status == StatusFalse && strings.Contains(r.Message, "node is shutting down")
}

// Simulated says that no kubelet speaks for the node: kwok does, and beats as it is told to.
// Source: kwok: pkg/kwok/controllers, node status template.
func (n *Node) Simulated() bool { return strings.HasPrefix(n.KubeletVersion, "kwok-") }

// Ready is the node's Ready condition; nil if it never posted one.
func (n *Node) Ready() *Condition { return n.Condition(ConditionReady) }

// SameButConditionsAndTaints says that two versions of a Node differ in their conditions and taints at most.
func (n *Node) SameButConditionsAndTaints(other *Node) bool {
	return n.sameFields(other) && n.Details == other.Details
}

func (n *Node) sameFields(other *Node) bool {
	return n.UID == other.UID && n.Created == other.Created && n.Deleted == other.Deleted && n.Zone == other.Zone &&
		n.ExcludeDisruption == other.ExcludeDisruption && n.Unschedulable == other.Unschedulable && n.KubeletVersion == other.KubeletVersion &&
		n.OS == other.OS && n.Arch == other.Arch && n.InstanceType == other.InstanceType && n.ProviderID == other.ProviderID
}

// SameButConditionsTaintsAndWriters is SameButConditionsAndTaints whoever wrote when: who sets a taint becomes a writer
// of the object.
func (n *Node) SameButConditionsTaintsAndWriters(other *Node) bool {
	return n.sameFields(other) && n.Details.sameButWriters(other.Details)
}

// SameButHeartbeats says that a version of a Node tells nothing but that its kubelet was alive: it differs
// from the other in the heartbeats of its conditions at most.
func (n *Node) SameButHeartbeats(other *Node) bool {
	return n.SameButConditionsAndTaints(other) && slices.Equal(n.Taints, other.Taints) &&
		slices.EqualFunc(n.Conditions, other.Conditions, func(a, b Condition) bool {
			a.Heartbeat, b.Heartbeat = 0, 0
			return a == b
		})
}

// HasTaint says whether the node has a taint of that key, whatever its value and effect.
func (n *Node) HasTaint(key string) bool {
	for i := range n.Taints {
		if n.Taints[i].Key == key {
			return true
		}
	}
	return false
}

// Lease is one version of a Lease, by value so that folding a renewal allocates nothing.
type Lease struct {
	UID     UID
	Created Instant
	// Renewed is renewTime exactly as written, by the holder's clock; a step
	// backwards is data. Unknown where only the request was seen.
	Renewed  Instant
	Acquired Instant
	Holder   string
	// Seconds is leaseDurationSeconds; 0 where unknown.
	Seconds     int32
	Transitions int32
}

// Pod is one version of a Pod, trimmed. It is never modified once it is in a Change.
type Pod struct {
	Key
	UID     UID
	Node    string
	Created Instant
	// Deletion is deletionTimestamp: the request's time plus GraceSeconds, so usually in
	// the future when it is set.
	Deletion Instant
	// ReadySince is the transition time of the Ready condition.
	ReadySince Instant
	// Disrupted is the transition time of a DisruptionTarget condition that is True.
	Disrupted        Instant
	DisruptionReason string
	Owner            *Owner
	Tolerations      *Tolerations
	// Details are its labels, and which PersistentVolumeClaims it asks for.
	Details      Details
	GraceSeconds int32
	Phase        Phase
	Ready        Status
}

// Ended says whether the pod ran to its end.
func (p *Pod) Ended() bool { return p.Phase == PhaseSucceeded || p.Phase == PhaseFailed }

// Asked is when the deletion of a pod was asked for; unknown where it was not.
func (p *Pod) Asked() Instant {
	if !p.Deletion.Known() {
		return 0
	}
	return p.Deletion.Add(-time.Duration(p.GraceSeconds) * time.Second)
}

// Stamped is the newest that a pod tells of itself; unknown where it tells of no time.
func (p *Pod) Stamped() Instant {
	return max(p.Created, p.ReadySince, p.Disrupted, p.Asked())
}

// Owner is the controller of a pod. Owners are interned: many pods share one.
type Owner struct {
	Kind, Name string
}

// Tolerations is a pod's list of tolerations. Lists are interned: many pods share one.
type Tolerations []Toleration

// List is the tolerations, also of a pod that has none.
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

// ParsePhase reads Kubernetes' word; another word is PhaseUnknown, none is PhaseNone.
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
	// Component is the reporting component (source.component or reportingController).
	Component   string
	Warning     bool
	Count       int32
	First, Last Instant
	Created     Instant
}

// Span is how often an Event tells of something, at least once, and when first and last. Times that nobody knows are not
// bounded.
func (e *Event) Span() (times int, first, last Instant) {
	last = max(e.Last, e.First, e.Created)
	first = last
	if e.First.Bounded() {
		first = e.First
	}
	return max(int(e.Count), 1), first, last
}

// ByControllers says that one of the controller manager's controllers reports it that act on silent nodes.
func (e *Event) ByControllers() bool {
	switch e.Component {
	case ComponentNodeLifecycle, "taint-eviction-controller", "taint-controller":
		return true
	}
	return false
}

// DeclaresUnknown says that the node-lifecycle controller reports that it has declared a node Unknown: where a kubelet said
// itself that it is not ready the controller reports nothing, and the kubelet does in the same words. So one that does not say
// whose it is tells nothing.
// Source: kubernetes: pkg/controller/nodelifecycle, monitorNodeHealth; pkg/kubelet/nodestatus, ReadyCondition.
func (e *Event) DeclaresUnknown() bool {
	return e.tellsNotReady() && e.Component == ComponentNodeLifecycle
}

// StopsReady says that a node stopped being Ready, by the controller's word or by its kubelet's own: of one time only one of them
// tells.
func (e *Event) StopsReady() bool {
	return e.DeclaresUnknown() || e.tellsNotReady() && e.Component == "kubelet"
}

func (e *Event) tellsNotReady() bool {
	return e.Reason == ReasonNodeNotReady && e.Regarding.Kind == "Node"
}

// FirstExactly is when an Event of a name was recorded first, where its name has the nanosecond that client-go puts
// there, and that is in the second of its First.
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
