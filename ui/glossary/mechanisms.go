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
	{"Node authorizer", words.Of("glossary.node-authorizer")},
	{"NodeRestriction", words.Of("glossary.node-restriction")},
	{"kubelet certificate", words.Of("glossary.kubelet-certificate")},
	{"lease", words.Of("glossary.lease")},
	{"TokenReview", words.Of("glossary.token-review")},
	{"Terminating", words.Of("glossary.terminating")},
	{"owner reference", words.Of("glossary.owner-reference")},
	{"image garbage collection", words.Of("glossary.image-collection")},
	{"cgroups", words.Of("glossary.cgroups")},
	{"swap", words.Of("glossary.swap")},
	{"node pressure", words.Of("glossary.node-pressure")},
	{"node-problem-detector", words.Of("glossary.node-problem-detector")},
	{"default tolerations", words.Of("glossary.default-tolerations")},
	{"DaemonSet pods", words.Of("glossary.daemon-set-pods")},
	{"toleration operators", words.Of("glossary.toleration-operators")},
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
