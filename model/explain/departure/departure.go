// Package departure answers which component removes a pod, and how: ways that look alike and differ. For example, a
// deleted pod whose DisruptionTarget condition has reason EvictionByEvictionAPI has Kind Eviction.
package departure

import (
	"strings"

	"kardia/model"
)

// Kind is a way in which pods are removed.
type Kind uint8

const (
	Stays Kind = iota
	// Ended: it ended by itself.
	Ended
	// Taint: taint eviction deleted it, by a plain DELETE.
	Taint
	// Eviction: a request to the eviction API, which respects PodDisruptionBudgets: a drain, an autoscaler.
	Eviction
	// Collected: the pod garbage collector removed it.
	Collected
	// Kubelet: its kubelet ended it, for a reason that is not shown (yet).
	Kubelet
	// Pressure: its kubelet evicted it, because the node was low on a resource.
	Pressure
	// Limit: its kubelet evicted it, because it used more disk than its own limit.
	Limit
	// Shutdown: its kubelet ended it, because the machine shuts down.
	Shutdown
	// Critical: its kubelet ended it to make room for a system-critical pod.
	Critical
	// Refused: its kubelet did not let it run.
	Refused
	// Preemption: the scheduler made room for another.
	Preemption
	// DeviceTaint: a device that it uses was tainted.
	DeviceTaint
	// Deleted: it was deleted by a request without a recorded reason.
	Deleted
	// Disrupted: it was disrupted for an unknown reason.
	Disrupted
	// Failed: it failed, and no request to end it is recorded.
	Failed
	kindCount
)

var kinds = [kindCount]string{
	Stays:       "stays",
	Ended:       "ended",
	Taint:       "taint eviction",
	Eviction:    "API eviction",
	Collected:   "pod GC",
	Kubelet:     "its kubelet",
	Pressure:    "node pressure",
	Limit:       "its own limit",
	Shutdown:    "node shutdown",
	Critical:    "critical pod",
	Refused:     "refused",
	Preemption:  "preemption",
	DeviceTaint: "device taint",
	Deleted:     "deleted",
	Disrupted:   "disrupted",
	Failed:      "failed",
}

// String is the word for people, and in JSON.
func (k Kind) String() string { return kinds[min(k, kindCount-1)] }

// byReason are the reasons of the condition DisruptionTarget.
// Source: kubernetes: k8s.io/api/core/v1, PodReason*; 1.37 for device taints.
var byReason = map[string]Kind{
	model.DisruptedByTaintManager:  Taint,
	model.DisruptedByPodGC:         Collected,
	model.DisruptedByEviction:      Eviction,
	model.DisruptedByKubelet:       Kubelet,
	"PreemptionByScheduler":        Preemption,
	"DeletionByDeviceTaintManager": DeviceTaint,
}

// Of is the way in which a pod is removed. The condition comes before the deletion, and is a prediction until then.
func Of(p *model.Pod) Kind {
	if k, ok := byKubelet(p); ok {
		return k
	}
	if p.Disrupted.Known() && p.DisruptionReason != "" {
		if k, ok := byReason[p.DisruptionReason]; ok {
			return k
		}
		return Disrupted
	}
	switch {
	case p.Deletion.Known():
		return Deleted
	case p.Phase == model.PhaseFailed:
		return Failed
	case p.Phase == model.PhaseSucceeded:
		return Ended
	}
	return Stays
}

// byKubelet is the kind by the kubelet's reason in the pod's status; ok is false if it has none.
// Source: kubernetes: pkg/kubelet/{eviction,nodeshutdown,preemption,lifecycle}.
func byKubelet(p *model.Pod) (k Kind, ok bool) {
	if p.Disrupted.Known() && p.DisruptionReason != "" && p.DisruptionReason != model.DisruptedByKubelet {
		return 0, false // another component was first
	}
	e, said := p.Ending()
	switch {
	case !said:
		return 0, false
	case e.Reason == "Evicted" && e.By == model.EndedForLimit:
		return Limit, true
	case e.Reason == "Evicted" && e.By == model.EndedForCondition:
		return Refused, true
	case e.Reason == "Evicted":
		return Pressure, true
	case e.Reason == "Terminated", e.Reason == "Shutdown": // Shutdown until 1.21
		return Shutdown, true
	case e.Reason == "Preempting":
		return Critical, true
	case refusals[e.Reason], strings.HasPrefix(e.Reason, "OutOf"):
		return Refused, true
	}
	return 0, false
}

// refusals are reasons of kubelets that do not let a pod run, beside those that begin with OutOf.
var refusals = map[string]bool{"NodeShutdown": true, "NodeAffinity": true, "UnexpectedAdmissionError": true, "TopologyAffinityError": true,
	"NodePorts": true, "PodOSSelectorNodeLabelDoesNotMatch": true, "PodOSNotSupported": true, "Taint": true, "AppArmor": true, "SysctlForbidden": true,
	"PodFeatureUnsupported": true, "InitContainerRestartForbidden": true}
