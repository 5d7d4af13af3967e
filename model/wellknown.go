package model

import "slices"

// The taints that the control plane writes or acts on.
// Source: kubernetes: k8s.io/api/core/v1, well_known_taints.go.
const (
	TaintNotReady           = "node.kubernetes.io/not-ready"
	TaintUnreachable        = "node.kubernetes.io/unreachable"
	TaintUnschedulable      = "node.kubernetes.io/unschedulable"
	TaintMemoryPressure     = "node.kubernetes.io/memory-pressure"
	TaintDiskPressure       = "node.kubernetes.io/disk-pressure"
	TaintPIDPressure        = "node.kubernetes.io/pid-pressure"
	TaintNetworkUnavailable = "node.kubernetes.io/network-unavailable"
	// TaintOutOfService is a person's declaration that a node is off.
	TaintOutOfService = "node.kubernetes.io/out-of-service"
	// TaintUninitialized is a kubelet's, until a cloud controller manager has initialized its node.
	TaintUninitialized = "node.cloudprovider.kubernetes.io/uninitialized"
)

// NodeLeaseNamespace has the leases of nodes.
// Source: kubernetes: k8s.io/api/core/v1, NamespaceNodeLease.
const NodeLeaseNamespace = "kube-node-lease"

// SystemNamespace has the leases of leaders; its UID is the cluster's identity.
// Source: kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1, NamespaceSystem.
const SystemNamespace = "kube-system"

// Programs that elect a leader, by the names of their leases.
const (
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
)

// APIServer is the component whose audit log shows requests.
const APIServer = "kube-apiserver"

// The labels of a node that the control plane reads.
const (
	LabelZone              = "topology.kubernetes.io/zone"
	LabelRegion            = "topology.kubernetes.io/region"
	LabelExcludeDisruption = "node.kubernetes.io/exclude-disruption"
)

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

// Reasons of the node-lifecycle controller: of a silent node's condition, and of Events about new nodes, and about
// nodes declared Unknown and their pods.
// Source: kubernetes: pkg/controller/nodelifecycle, tryUpdateNodeHealth and monitorNodeHealth.
const (
	ReasonNeverUpdated   = "NodeStatusNeverUpdated"
	ReasonUnknown        = "NodeStatusUnknown"
	ReasonRegisteredNode = "RegisteredNode"
	ReasonNodeNotReady   = "NodeNotReady"
)

// ComponentNodeLifecycle is the node-lifecycle controller in source.component and reportingComponent of its Events.
// Source: kubernetes: pkg/controller/nodelifecycle, NewNodeLifecycleController.
const ComponentNodeLifecycle = "node-controller"

// DeclaredUnknown reports whether the node-lifecycle controller wrote the condition, for missing heartbeats; false for
// nil.
func (c *Condition) DeclaredUnknown() bool {
	return c != nil && c.Status == StatusUnknown && (c.Reason == ReasonUnknown || c.Reason == ReasonNeverUpdated)
}

// Posted is the status heartbeat of a condition; unknown if no kubelet has posted it. The controller that declares a
// node without a condition writes its creation time there. (In its own count, a new Node starts a new grace period.)
func (c *Condition) Posted() Instant {
	if c.Status == StatusUnknown && c.Reason == ReasonNeverUpdated {
		return 0
	}
	return c.Heartbeat
}

// Reasons of a pod's DisruptionTarget condition, by the component that deletes it.
const (
	DisruptedByTaintManager = "DeletionByTaintManager"
	DisruptedByPodGC        = "DeletionByPodGC"
	DisruptedByEviction     = "EvictionByEvictionAPI"
	DisruptedByKubelet      = "TerminationByKubelet"
)

type ConditionTaint struct {
	Condition string
	Status    Status
	Taint     string
}

// ConditionTaints are the NoSchedule taints that conditions require.
// Source: kubernetes: pkg/controller/nodelifecycle, nodeConditionToTaintKeyStatusMap.
var ConditionTaints = [...]ConditionTaint{
	{ConditionReady, StatusFalse, TaintNotReady},
	{ConditionReady, StatusUnknown, TaintUnreachable},
	{ConditionMemoryPressure, StatusTrue, TaintMemoryPressure},
	{ConditionDiskPressure, StatusTrue, TaintDiskPressure},
	{ConditionPIDPressure, StatusTrue, TaintPIDPressure},
	{ConditionNetworkUnavailable, StatusTrue, TaintNetworkUnavailable},
}

// AsksFor reports whether the node's state requires a taint from the node-lifecycle controller.
// Source: kubernetes: pkg/controller/nodelifecycle, doNoScheduleTaintingPass and processTaintBaseEviction.
func (n *Node) AsksFor(taint string) bool {
	if taint == TaintUnschedulable {
		return n.Unschedulable
	}
	return slices.ContainsFunc(ConditionTaints[:], func(of ConditionTaint) bool {
		c := n.Condition(of.Condition)
		return of.Taint == taint && c != nil && c.Status == of.Status
	})
}

// IsReady reports whether the node has a Ready condition that is True; false for nil.
func (n *Node) IsReady() bool { return n.ReadyStatus() == StatusTrue }

// Unready reports whether the node has a Ready condition that is not True.
func (n *Node) Unready() bool { return !n.IsReady() && n.ReadyStatus() != StatusAbsent }

// TaintedAsNotWell reports whether a node has a NoExecute taint of the node-lifecycle controller.
func (n *Node) TaintedAsNotWell() bool { return n.NotWellTaint() != nil }

// NotWellTaint is that taint; nil if there is none.
func (n *Node) NotWellTaint() *Taint {
	for i := range n.Taints {
		if t := &n.Taints[i]; t.Effect == NoExecute && t.OfNodeLifecycle() {
			return t
		}
	}
	return nil
}

// OfNodeLifecycle reports whether the node-lifecycle controller writes such taints.
func (t *Taint) OfNodeLifecycle() bool {
	switch t.Effect {
	case NoExecute:
		return t.Key == TaintNotReady || t.Key == TaintUnreachable
	case NoSchedule:
		return t.Key == TaintUnschedulable || slices.ContainsFunc(ConditionTaints[:], func(of ConditionTaint) bool { return of.Taint == t.Key })
	}
	return false
}
