// Package departure says by whom, and how, a pod is taken away: kinds that look alike and are not.
package departure

import "kardia/model"

// Kind is a way in which pods are taken away.
type Kind uint8

const (
	// Stays: nobody has taken it away.
	Stays Kind = iota
	// Ended: it ran to its end by itself.
	Ended
	// Taint: taint eviction deleted it, by a plain DELETE.
	Taint
	// Eviction: somebody asked for it by the eviction API, which asks PodDisruptionBudgets: a drain, an autoscaler.
	Eviction
	// Collected: the pod garbage collector removed it.
	Collected
	// Kubelet: its kubelet ended it, for pressure or for the shutdown of its node.
	Kubelet
	// Preemption: the scheduler made room for another.
	Preemption
	// DeviceTaint: a device that it uses was tainted.
	DeviceTaint
	// Deleted: somebody deleted it, and says no more.
	Deleted
	// Disrupted: something disrupted it for a reason that is not known here.
	Disrupted
	// Failed: it failed, and nothing says that somebody ended it.
	Failed
	kindCount
)

var kinds = [kindCount]struct{ word, says string }{
	Stays:       {"stays", "nobody has taken it away"},
	Ended:       {"ended", "it ran to its end by itself"},
	Taint:       {"taint eviction", "a plain DELETE for a NoExecute taint: no PodDisruptionBudget was asked"},
	Eviction:    {"API eviction", "somebody asked for it by the eviction API, which asks PodDisruptionBudgets: a drain, an autoscaler"},
	Collected:   {"pod GC", "the pod garbage collector removed it, without grace: its node is gone or out of service"},
	Kubelet:     {"its kubelet", "its kubelet ended it: for memory, disk or process pressure, or since its node shut down. Which of these is not kept"},
	Preemption:  {"preemption", "the scheduler made room for a pod of higher priority"},
	DeviceTaint: {"device taint", "a device that it uses was tainted"},
	Deleted:     {"deleted", "somebody deleted it, and no condition says why: a person, its controller, a rollout"},
	Disrupted:   {"disrupted", "a condition DisruptionTarget gives a reason that Kubernetes does not have"},
	Failed:      {"failed", "it failed, and nothing says that somebody ended it"},
}

// String is the word for people, and in JSON.
func (k Kind) String() string { return kinds[min(k, kindCount-1)].word }

// Says is the kind in a sentence.
func (k Kind) Says() string { return kinds[min(k, kindCount-1)].says }

// byReason are the reasons of the condition DisruptionTarget.
// Source: kubernetes: k8s.io/api/core/v1, PodReason*; 1.37 for device taints.
var byReason = map[string]Kind{
	model.DisruptedByTaintManager:  Taint,
	model.DisruptedByPodGC:         Collected,
	"EvictionByEvictionAPI":        Eviction,
	"TerminationByKubelet":         Kubelet,
	"PreemptionByScheduler":        Preemption,
	"DeletionByDeviceTaintManager": DeviceTaint,
}

// Of says it of a pod. The condition is written before the deletion, and stays: of one that nobody has
// deleted and that has not ended it says what is about to come.
func Of(p *model.Pod) Kind {
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
