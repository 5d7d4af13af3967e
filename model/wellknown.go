package model

import "slices"

// The taints that the control plane writes, or that people write for it to act on.
// Source: kubernetes: k8s.io/api/core/v1, well_known_taints.go.
const (
	TaintNotReady           = "node.kubernetes.io/not-ready"
	TaintUnreachable        = "node.kubernetes.io/unreachable"
	TaintUnschedulable      = "node.kubernetes.io/unschedulable"
	TaintMemoryPressure     = "node.kubernetes.io/memory-pressure"
	TaintDiskPressure       = "node.kubernetes.io/disk-pressure"
	TaintPIDPressure        = "node.kubernetes.io/pid-pressure"
	TaintNetworkUnavailable = "node.kubernetes.io/network-unavailable"
	// TaintOutOfService is how a person declares that a node is off.
	TaintOutOfService = "node.kubernetes.io/out-of-service"
)

// NodeLeaseNamespace is where the leases of nodes live.
// Source: kubernetes: k8s.io/api/core/v1, NamespaceNodeLease.
const NodeLeaseNamespace = "kube-node-lease"

// SystemNamespace is where the leases of leaders live, and whose UID is the cluster's own.
// Source: kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1, NamespaceSystem.
const SystemNamespace = "kube-system"

// The programs that elect a leader among their instances, by the names of their leases.
const (
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
)

// The labels of a node that the control plane reads.
const (
	LabelZone              = "topology.kubernetes.io/zone"
	LabelRegion            = "topology.kubernetes.io/region"
	LabelExcludeDisruption = "node.kubernetes.io/exclude-disruption"
)

// The labels that say what kind of machine a node is.
const (
	LabelInstanceType     = "node.kubernetes.io/instance-type"
	LabelInstanceTypeBeta = "beta.kubernetes.io/instance-type"
)

// The conditions of a node that the control plane reads or writes.
const (
	ConditionReady              = "Ready"
	ConditionMemoryPressure     = "MemoryPressure"
	ConditionDiskPressure       = "DiskPressure"
	ConditionPIDPressure        = "PIDPressure"
	ConditionNetworkUnavailable = "NetworkUnavailable"
)

// The reasons that the node-lifecycle controller gives for a condition of a node that it does not hear,
// and for its Events of a node that is new to it, and of one that it has declared Unknown, as of its pods.
// Source: kubernetes: pkg/controller/nodelifecycle, tryUpdateNodeHealth and monitorNodeHealth.
const (
	ReasonNeverUpdated   = "NodeStatusNeverUpdated"
	ReasonUnknown        = "NodeStatusUnknown"
	ReasonRegisteredNode = "RegisteredNode"
	ReasonNodeNotReady   = "NodeNotReady"
)

// ComponentNodeLifecycle is by which name the node-lifecycle controller records its Events, in source.component and in
// reportingComponent.
// Source: kubernetes: pkg/controller/nodelifecycle, NewNodeLifecycleController.
const ComponentNodeLifecycle = "node-controller"

// DeclaredUnknown says that it is the controller that speaks in the condition, of a kubelet that it does
// not hear.
func (c *Condition) DeclaredUnknown() bool {
	return c.Status == StatusUnknown && (c.Reason == ReasonUnknown || c.Reason == ReasonNeverUpdated)
}

// Posted is the status heartbeat of a condition: unknown where no kubelet has posted it. The controller that
// declares a node without a condition writes the node's creation there: somebody made the object, and
// that is no sign of life of the machine. (In its own count a new Node begins a new grace period.)
func (c *Condition) Posted() Instant {
	if c.Status == StatusUnknown && c.Reason == ReasonNeverUpdated {
		return 0
	}
	return c.Heartbeat
}

// The reasons by which a pod's DisruptionTarget condition tells who deletes it.
const (
	DisruptedByTaintManager = "DeletionByTaintManager"
	DisruptedByPodGC        = "DeletionByPodGC"
)

// ConditionTaint is a NoSchedule taint that a condition asks for while it has a status.
type ConditionTaint struct {
	Condition string
	Status    Status
	Taint     string
}

// ConditionTaints are all of them.
// Source: kubernetes: pkg/controller/nodelifecycle, nodeConditionToTaintKeyStatusMap.
var ConditionTaints = [...]ConditionTaint{
	{ConditionReady, StatusFalse, TaintNotReady},
	{ConditionReady, StatusUnknown, TaintUnreachable},
	{ConditionMemoryPressure, StatusTrue, TaintMemoryPressure},
	{ConditionDiskPressure, StatusTrue, TaintDiskPressure},
	{ConditionPIDPressure, StatusTrue, TaintPIDPressure},
	{ConditionNetworkUnavailable, StatusTrue, TaintNetworkUnavailable},
}

// AsksFor says whether the node's state asks the node-lifecycle controller for a taint.
// Source: kubernetes: pkg/controller/nodelifecycle, doNoScheduleTaintingPass and processTaintBaseEviction.
func (n *Node) AsksFor(taint string) bool {
	if taint == TaintUnschedulable {
		return n.Unschedulable
	}
	for _, of := range ConditionTaints {
		if c := n.Condition(of.Condition); of.Taint == taint && c != nil && c.Status == of.Status {
			return true
		}
	}
	return false
}

// IsReady says that the node's Ready condition is there, and True.
func (n *Node) IsReady() bool {
	r := n.Ready()
	return r != nil && r.Status == StatusTrue
}

// TaintedAsNotWell says that a node has one of the two NoExecute taints that the
// node-lifecycle controller sets on nodes that are silent, or say they are not ready.
func (n *Node) TaintedAsNotWell() bool { return n.NotWellTaint() != nil }

// NotWellTaint is that taint; nil where there is none.
func (n *Node) NotWellTaint() *Taint {
	for i := range n.Taints {
		if t := &n.Taints[i]; t.Effect == NoExecute && t.OfNodeLifecycle() {
			return t
		}
	}
	return nil
}

// OfNodeLifecycle says whether the node-lifecycle controller writes such taints at all.
func (t *Taint) OfNodeLifecycle() bool {
	switch t.Effect {
	case NoExecute:
		return t.Key == TaintNotReady || t.Key == TaintUnreachable
	case NoSchedule:
		return t.Key == TaintUnschedulable || slices.ContainsFunc(ConditionTaints[:], func(of ConditionTaint) bool { return of.Taint == t.Key })
	}
	return false
}
