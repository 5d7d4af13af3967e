// Package departure says by whom, and how, a pod is taken away: kinds that look alike and are not.
package departure

import (
	"strconv"
	"strings"

	"kardia/model"
)

// Kind is a way in which pods are taken away.
type Kind uint8

const (
	// Stays: not deleted.
	Stays Kind = iota
	// Ended: it ran to its end by itself.
	Ended
	// Taint: taint eviction deleted it, by a plain DELETE.
	Taint
	// Eviction: a request to the eviction API, which respects PodDisruptionBudgets: a drain, an autoscaler.
	Eviction
	// Collected: the pod garbage collector removed it.
	Collected
	// Kubelet: its kubelet ended it, and the status does not say why, or not yet.
	Kubelet
	// Pressure: its kubelet evicted it, for the node was low on something.
	Pressure
	// Limit: its kubelet evicted it, for it used more of the disk than it may; the node was not short of any.
	Limit
	// Shutdown: its kubelet ended it, for the machine is shut down.
	Shutdown
	// Critical: its kubelet ended it to make room for a pod that is critical to the system.
	Critical
	// Refused: its kubelet did not let it run.
	Refused
	// Preemption: the scheduler made room for another.
	Preemption
	// DeviceTaint: a device that it uses was tainted.
	DeviceTaint
	// Deleted: somebody deleted it, and says no more.
	Deleted
	// Disrupted: something disrupted it for a reason that is not known here.
	Disrupted
	// Failed: it failed, and no request to end it is recorded.
	Failed
	kindCount
)

var kinds = [kindCount]struct{ word, says string }{
	Stays:       {"stays", "not deleted"},
	Ended:       {"ended", "it ran to its end by itself"},
	Taint:       {"taint eviction", "a plain DELETE for a NoExecute taint: no PodDisruptionBudget was asked"},
	Eviction:    {"API eviction", "a request to the eviction API, which respects PodDisruptionBudgets: a drain, an autoscaler"},
	Collected:   {"pod GC", "the pod garbage collector removed it, without grace: its node is gone or out of service"},
	Kubelet:     {"its kubelet", "its kubelet ended it: for memory, disk or process pressure, or since its node shut down; its status does not say which, or was not kept"},
	Pressure:    {"node pressure", "its kubelet evicted it, for the node ran low"},
	Limit:       {"its own limit", "its kubelet evicted it, for it used more of the disk than its own limit; that says nothing of the node"},
	Shutdown:    {"node shutdown", "its kubelet ended it, for the machine was shut down in order"},
	Critical:    {"critical pod", "its kubelet ended it to make room for a pod that is critical to the system"},
	Refused:     {"refused", "its kubelet did not let it run"},
	Preemption:  {"preemption", "the scheduler made room for a pod of higher priority"},
	DeviceTaint: {"device taint", "a device that it uses was tainted"},
	Deleted:     {"deleted", "deleted without a condition that names the reason: a person, its controller, a rollout"},
	Disrupted:   {"disrupted", "a condition DisruptionTarget gives a reason that Kubernetes does not have"},
	Failed:      {"failed", "it failed, and no request to end it is recorded"},
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
	disruptedByKubelet:             Kubelet,
	"PreemptionByScheduler":        Preemption,
	"DeletionByDeviceTaintManager": DeviceTaint,
}

// Of says it of a pod. The condition is written before the deletion, and stays: of one that nobody has
// deleted and that has not ended it says what is about to come.
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

// byKubelet is the kind by what the kubelet says in the pod's status; ok is false where it says nothing of that.
// Source: kubernetes: pkg/kubelet/{eviction,nodeshutdown,preemption,lifecycle}.
func byKubelet(p *model.Pod) (k Kind, ok bool) {
	if p.Disrupted.Known() && p.DisruptionReason != "" && p.DisruptionReason != disruptedByKubelet {
		return 0, false // another was at it first
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

const disruptedByKubelet = "TerminationByKubelet"

// refusals are the reasons of kubelets that do not let a pod run, beside those that begin with OutOf.
var refusals = map[string]bool{"NodeShutdown": true, "NodeAffinity": true, "UnexpectedAdmissionError": true, "TopologyAffinityError": true,
	"NodePorts": true, "PodOSSelectorNodeLabelDoesNotMatch": true, "PodOSNotSupported": true, "Taint": true, "AppArmor": true, "SysctlForbidden": true,
	"PodFeatureUnsupported": true, "InitContainerRestartForbidden": true}

// Word is the kind in a word or two, with what the node was low on.
func Word(p *model.Pod) string {
	k := Of(p)
	if e, _ := p.Ending(); k == Pressure && e.Named != "" {
		named := e.Named
		switch named {
		case "ephemeral-storage", "nodefs", "imagefs", "disk":
			named = "disk"
		case "nodefsInodes", "imagefsInodes":
			named = "inodes"
		}
		return "low on " + named
	}
	return k.String()
}

// Says is how a pod is taken away in a sentence, with what its own status tells of it.
func Says(p *model.Pod) string {
	k := Of(p)
	text := k.Says()
	e, said := p.Ending()
	switch {
	case k == Pressure && e.Named != "":
		return "its kubelet evicted it, for the node was low on " + e.Named
	case k == Refused && e.By == model.EndedForCondition:
		return text + ": the node had " + strings.ReplaceAll(e.Named, "/", " and ")
	case k == Refused:
		return text + ": " + e.Reason
	case k == Shutdown:
		return text + phase(p)
	case k == Failed && said:
		return "it failed: " + e.Reason
	}
	return text
}

// phase is in which phase of the shutdown of its node a pod was ended. Kubelets end pods by ranges of priority, lower
// ones first; which ranges they have the API does not tell, beyond the two that they have where nothing else is set.
func phase(p *model.Pod) string {
	priority, known := p.Priority()
	switch {
	case !known:
		return ""
	case priority >= model.SystemCritical:
		return ", with the critical pods, last (priority " + strconv.FormatInt(priority, 10) + ")"
	}
	return ", before the critical pods (priority " + strconv.FormatInt(priority, 10) + "; which ranges of it its kubelet keeps apart is not known)"
}
