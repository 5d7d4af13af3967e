package model

import "time"

// Polarity is which status of a condition is the good one.
type Polarity uint8

const (
	// PolarityUnknown: no status of the condition is known to be bad.
	PolarityUnknown Polarity = iota
	GoodWhenTrue
	GoodWhenFalse
	// PolarityNeither: the condition is about maintenance, and each status is intended.
	PolarityNeither
)

// Messages of conditions that the node-lifecycle controller declares Unknown.
// Source: kubernetes: pkg/controller/nodelifecycle, tryUpdateNodeHealth.
const (
	MessageNeverUpdated = "Kubelet never posted node status."
	MessageUnknown      = "Kubelet stopped posting node status."
)

const (
	ownerKubelet = "kubelet"
	ownerNetwork = "CNI or cloud route controller"
	ownerEKS     = "EKS node monitoring agent"
	ownerNPD     = "node-problem-detector"
	ownerDrain   = "whoever drains"
)

type conditionType struct {
	polarity Polarity
	owner    string
}

// conditionTypes are those of Kubernetes' components and common agents. Only kubelets' pressures are good when False.
var conditionTypes = map[string]conditionType{
	ConditionReady:              {GoodWhenTrue, ownerKubelet},
	ConditionMemoryPressure:     {GoodWhenFalse, ownerKubelet},
	ConditionDiskPressure:       {GoodWhenFalse, ownerKubelet},
	ConditionPIDPressure:        {GoodWhenFalse, ownerKubelet},
	ConditionNetworkUnavailable: {GoodWhenFalse, ownerNetwork},

	"KernelReady":              {GoodWhenTrue, ownerEKS},
	"NetworkingReady":          {GoodWhenTrue, ownerEKS},
	"StorageReady":             {GoodWhenTrue, ownerEKS},
	"ContainerRuntimeReady":    {GoodWhenTrue, ownerEKS},
	"AcceleratedHardwareReady": {GoodWhenTrue, ownerEKS},

	"KernelDeadlock":              {GoodWhenFalse, ownerNPD},
	"ReadonlyFilesystem":          {GoodWhenFalse, ownerNPD},
	"CorruptDockerOverlay2":       {GoodWhenFalse, ownerNPD},
	"FrequentKubeletRestart":      {GoodWhenFalse, ownerNPD},
	"FrequentContainerdRestart":   {GoodWhenFalse, ownerNPD},
	"FrequentUnregisterNetDevice": {GoodWhenFalse, ownerNPD},
	"KubeletUnhealthy":            {GoodWhenFalse, ownerNPD},
	"ContainerRuntimeUnhealthy":   {GoodWhenFalse, ownerNPD},
	"XfsShutdown":                 {GoodWhenFalse, ownerNPD},
	"CperHardwareErrorFatal":      {GoodWhenFalse, ownerNPD},

	// 1.37 alpha, KEP-5683
	"GracefulNodeShutdownInProgress": {PolarityNeither, ownerDrain},
	"DrainInProgress":                {PolarityNeither, ownerDrain},
	"Drained":                        {PolarityNeither, ownerDrain},
	"MaintenancePlanned":             {PolarityNeither, ownerDrain},
	"MaintenanceInProgress":          {PolarityNeither, ownerDrain},
}

// PolarityOf is the status of a condition type that is good.
func PolarityOf(condition string) Polarity { return conditionTypes[condition].polarity }

// ConditionOwner is the component that posts a condition type; "" if unknown.
func ConditionOwner(condition string) string { return conditionTypes[condition].owner }

// ConditionSense is the judgement of a condition's status.
type ConditionSense uint8

const (
	// SenseNeutral: the polarity is unknown, there is no status, or no maintenance.
	SenseNeutral ConditionSense = iota
	SenseGood
	SenseBad
	// SenseUnknown: the status is Unknown, so the owner is silent.
	SenseUnknown
	SenseMaintenance
)

// String is the word in JSON.
func (s ConditionSense) String() string {
	return [...]string{"neutral", "good", "bad", "unknown", "maintenance"}[min(s, SenseMaintenance)]
}

// SenseOf judges a status of a condition type.
func SenseOf(condition string, status Status) ConditionSense {
	polarity := PolarityOf(condition)
	switch {
	case status == StatusUnknown:
		return SenseUnknown
	case status == StatusAbsent || polarity == PolarityUnknown:
		return SenseNeutral
	case polarity == PolarityNeither && status == StatusTrue:
		return SenseMaintenance
	case polarity == PolarityNeither:
		return SenseNeutral
	case (status == StatusTrue) == (polarity == GoodWhenTrue):
		return SenseGood
	}
	return SenseBad
}

// staleAfter is three missed posts: kubelets and agents post an unchanged condition every five minutes.
const staleAfter = 15 * time.Minute

// StaleBy is how far the condition's heartbeat is behind the node's newest, if its owner must have stopped posting;
// else 0. It is 0 for conditions not posted regularly: NetworkUnavailable and maintenance.
func (n *Node) StaleBy(c *Condition) time.Duration {
	if !c.Heartbeat.Bounded() || c.Type == ConditionNetworkUnavailable || PolarityOf(c.Type) == PolarityNeither {
		return 0
	}
	newest := c.Heartbeat
	for i := range n.Conditions {
		if t := n.Conditions[i].Heartbeat; t.Bounded() {
			newest = max(newest, t)
		}
	}
	if behind := newest.Sub(c.Heartbeat); behind >= staleAfter {
		return behind
	}
	return 0
}
