package redact

import "kardia/model"

// Kubernetes' own words. Every other word is a person's, and becomes a pseudonym.

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

var namespaces = set("", "default", "kube-system", "kube-public", model.NodeLeaseNamespace)

var leaders = set("kube-controller-manager", "kube-scheduler")

// ours are Kardia's own words for sources, formats and clocks.
var ours = set("kardia", "audit", "log", "watch", "objects", "version", "live", "kwok", "recording", "recorder", "none", "API", "server", "redacted", "source")

var words = set("",
	// kinds
	"Node", "Lease", "LeaderLease", "Pod", "Event", "ReplicaSet", "DaemonSet", "StatefulSet", "Deployment",
	"Job", "CronJob", "ReplicationController",
	// conditions of nodes, and their reasons
	"Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "OutOfDisk",
	"KubeletReady", "KubeletNotReady", "KubeletHasSufficientMemory", "KubeletHasInsufficientMemory",
	"KubeletHasNoDiskPressure", "KubeletHasDiskPressure", "KubeletHasSufficientPID", "KubeletHasInsufficientPID",
	"NodeStatusUnknown", "NodeStatusNeverUpdated", "RouteCreated", "NoRouteCreated",
	// kubelets' reasons for pods that they ended or refused, and the resources
	"Terminated", "NodeShutdown", "Preempting", "DeadlineExceeded", "OutOfcpu", "OutOfmemory", "OutOfpods", "NodeAffinity",
	"UnexpectedAdmissionError", "memory", "ephemeral-storage", "inodes", "pids", "nodefs", "nodefsInodes", "imagefs", "imagefsInodes",
	// reasons of a pod's disruption
	"DeletionByTaintManager", "EvictionByEvictionAPI", "DeletionByPodGC", "TerminationByKubelet", "PreemptionByScheduler",
	// reasons of Events
	"NodeReady", "NodeNotReady", "RegisteredNode", "RemovingNode", "DeletingNode", "NodeNotSchedulable", "NodeSchedulable",
	"NodeHasSufficientMemory", "NodeHasInsufficientMemory", "NodeHasNoDiskPressure", "NodeHasDiskPressure",
	"NodeHasSufficientPID", "NodeHasInsufficientPID", "NodeAllocatableEnforced", "Starting", "Rebooted", "Shutdown", "InvalidDiskCapacity",
	"TaintManagerEviction", "Scheduled", "FailedScheduling", "Created", "Started", "Pulled", "Pulling", "Killing", "BackOff",
	"Failed", "Unhealthy", "Evicted", "Preempted", "SuccessfulCreate", "SuccessfulDelete", "LeaderElection",
	// components
	"kubelet", "node-controller", "taint-eviction-controller", "default-scheduler", "kube-scheduler", "kube-controller-manager",
	"kubectl", "k3s", "kubelite", "hyperkube", "kube-apiserver", "apiserver", "cloud-controller-manager", "pod-garbage-collector", "generic-garbage-collector", "namespace-controller", "kwok",
	"taint-controller", "controllermanager", "daemonset-controller", "replicaset-controller", "statefulset-controller", "job-controller",
	// taints and tolerations
	model.TaintNotReady, model.TaintUnreachable, model.TaintUnschedulable,
	model.TaintMemoryPressure, model.TaintDiskPressure, model.TaintPIDPressure,
	model.TaintNetworkUnavailable, model.TaintOutOfService,
	"node.cloudprovider.kubernetes.io/uninitialized", "node.cloudprovider.kubernetes.io/shutdown",
	"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master",
	"Exists", "Equal", "Lt", "Gt", "true", "false",
	// machines
	"linux", "windows", "amd64", "arm64", "arm", "ppc64le", "s390x", "riscv64",
)

const removedText = "(removed)"

// texts are those of Kubernetes' own components. % is a name, % with a slash namespace/name, @ one of those words.
var texts = []string{
	removedText,
	"kubelet is posting ready status",
	"kubelet has sufficient memory available", "kubelet has insufficient memory available",
	"kubelet has no disk pressure", "kubelet has disk pressure",
	"kubelet has sufficient PID available", "kubelet has insufficient PID available",
	"Kubelet stopped posting node status.", "Kubelet never posted node status.",
	"RouteController created a route", "RouteController failed to create a route",
	"Node is not ready",
	"Node % status is now: @",
	"Node % event: Registered Node % in Controller",
	"Node % event: Removing Node % from Controller",
	"Marking for deletion Pod %/%", "Cancelling deletion of Pod %/%",
	model.EvictNote(removedText), model.EvictNote(""), model.EvictNote("the line does not show the pod"), model.EvictNote("TooManyRequests"),
	model.EvictNote("TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget."),
	model.EvictNote("TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget. The disruption budget %"),
}
