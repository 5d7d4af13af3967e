package glossary

import "kardia/ui/words"

// Mechanisms are parts of nodes and of the control plane that a watch shows little of, with the part that it does show.
func Mechanisms() []Term { return said(mechanisms) }

var mechanisms = []term{
	{"kubelet", words.Of("glossary.kubelet")},
	{"container runtime", words.Of("glossary.container-runtime")},
	{"kube-proxy", words.Of("glossary.kube-proxy")},
	{"static pod", words.Of("glossary.static-pod")},
	{"registration", words.Of("glossary.registration")},
	{"node name", words.Of("glossary.node-name")},
	{"zone", words.Of("glossary.zone")},
	{"pod CIDR", words.Of("glossary.pod-cidr")},
	{"Node authorizer", words.Of("glossary.node-authorizer")},
	{"NodeRestriction", words.Of("glossary.node-restriction")},
	{"kubelet certificate", words.Of("glossary.kubelet-certificate")},
	{"lease", words.Of("glossary.lease")},
	{"leader", words.Of("glossary.leader")},
	{"TokenReview", words.Of("glossary.token-review")},
	{"Konnectivity", words.Of("glossary.konnectivity")},
	{"Terminating", words.Of("glossary.terminating")},
	{"graceful node shutdown", words.Of("glossary.graceful-node-shutdown")},
	{"owner reference", words.Of("glossary.owner-reference")},
	{"allocatable", words.Of("glossary.allocatable")},
	{"requests", words.Of("glossary.requests")},
	{"image garbage collection", words.Of("glossary.image-collection")},
	{"image filesystem", words.Of("glossary.image-filesystem")},
	{"cgroups", words.Of("glossary.cgroups")},
	{"swap", words.Of("glossary.swap")},
	{"MemoryQoS", words.Of("glossary.memory-qos")},
	{"Topology Manager", words.Of("glossary.topology-manager")},
	{"node pressure", words.Of("glossary.node-pressure")},
	{"SystemOOM", words.Of("glossary.system-oom")},
	{"node-problem-detector", words.Of("glossary.node-problem-detector")},
	{"default tolerations", words.Of("glossary.default-tolerations")},
	{"DaemonSet pods", words.Of("glossary.daemon-set-pods")},
	{"toleration operators", words.Of("glossary.toleration-operators")},
	{"taint-eviction controller", words.Of("glossary.taint-eviction-controller")},
	{"drain", words.Of("glossary.drain")},
	{"managed node group", words.Of("glossary.managed-node-group")},
	{"cloud controller manager", words.Of("glossary.cloud-controller-manager")},
}

// marks are taints of components other than the node-lifecycle controller: which one sets each, and which removes it.
var marks = []term{
	{"node.cloudprovider.kubernetes.io/uninitialized", words.Of("glossary.taint-uninitialized")},
	{"node.cloudprovider.kubernetes.io/shutdown", words.Of("glossary.taint-shutdown")},
	{"ToBeDeletedByClusterAutoscaler", words.Of("glossary.taint-to-be-deleted")},
	{"DeletionCandidateOfClusterAutoscaler", words.Of("glossary.taint-deletion-candidate")},
	{"karpenter.sh/disrupted", words.Of("glossary.taint-karpenter-disrupted")},
	{"karpenter.sh/unregistered", words.Of("glossary.taint-karpenter-unregistered")},
	{"aws-node-termination-handler/spot-itn", words.Of("glossary.taint-spot-notice")},
	{"cloud.google.com/impending-node-termination", words.Of("glossary.taint-impending-termination")},
	{"node.cilium.io/agent-not-ready", words.Of("glossary.taint-cilium")},
}
