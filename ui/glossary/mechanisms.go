package glossary

import "slices"

// Mechanisms are parts of nodes and of the control plane of which a watch shows little or nothing, and what of them it
// does show.
func Mechanisms() []Term { return slices.Clone(mechanisms) }

var mechanisms = []Term{
	{"kubelet", "the node's agent: it renews the lease, posts the status, and runs and ends the pods. It does not repair the node. Of the three parts of a node only the kubelet writes to the API, so only the kubelet can be seen from here"},
	{"container runtime", "runs the containers for the kubelet, which talks CRI to it (containerd, CRI-O). From here only its version is seen, and that it is down where the kubelet says so: Ready is False then"},
	{"kube-proxy", "routes Services on each node, usually as a DaemonSet; in some clusters the network plugin does that instead. It sends no heartbeat, and since 1.33 the Node does not show its version"},
	{"static pod", "a pod that a kubelet runs from a local file. The API shows only a mirror of it: deleting the mirror ends nothing"},
	{"registration", "a kubelet makes its own Node as it starts (registerNode, on by default), with the labels and taints of its configuration (--node-labels, --register-with-taints): what must be there before the first pod belongs there, because what a controller adds comes later"},
	{"Node authorizer", "lets a kubelet (user system:node:NAME, group system:nodes) read what its own pods need, and write the status of its Node and of its pods, its lease, and Events; nothing of other nodes"},
	{"NodeRestriction", "the admission plugin that lets a kubelet write only its own Node and its own lease, and no label that starts with node-restriction.kubernetes.io/. A kubelet whose name is not that of its Node is refused the lease"},
	{"kubelet certificate", "the client certificate by which the API server knows a kubelet. The kubelet renews it when 70 to 90 % of its lifetime has passed. Nodes of the same age that fall silent in the same second hint at certificates that ran out; the API does not show that"},
	{"lease", "the node's heartbeat in kube-node-lease: cheap, on in every cluster since 1.14. leaseDurationSeconds (40) is no deadline: the lease is renewed every quarter of that, and the node controller has a grace period of its own. The Node owns it: it is deleted with the Node"},
	{"TokenReview", "by it a kubelet asks the API server who is calling, and by SubjectAccessReview whether the caller may. Where these are refused, logs and exec fail though the lease is renewed"},
	{"Terminating", "a pod whose deletion was asked for. Its kubelet runs preStop hooks, sends TERM and, after the grace period (30 s by default, once 2 s more if a hook still runs), KILL; sidecars end last. Meanwhile the pod is out of its Services. The object goes when the kubelet reports that the pod ended; a forced deletion removes it though nobody knows whether it did"},
	{"owner reference", "says which object another belongs to. What has lost its owner is deleted by the garbage collector: the pods of a ReplicaSet, the lease of a Node"},
	{"image garbage collection", "a kubelet removes unused images when the disk is 85 % full, until it is 80 % full, and ended containers every minute. Where that fails, Events say so (ImageGCFailed, FreeDiskSpaceFailed). A separate disk for images has thresholds of its own"},
	{"cgroups", "how the kernel limits what pods use. Kubelet and container runtime must use the same cgroup driver. A kubelet of 1.35 or later does not start on cgroup v1 unless failCgroupV1 is false: one reason why a node does not come back after an upgrade"},
	{"swap", "a kubelet does not start on a machine with swap, unless failSwapOn is false; swapBehavior says whether pods may use it"},
	{"node pressure", "a kubelet that runs low on memory, disk or process numbers evicts pods itself, without asking any PodDisruptionBudget, and goes on reporting the pressure for five minutes after it saw it last"},
	{"node-problem-detector", "posts its own conditions and Events about a node. No controller of Kubernetes itself taints a node for them"},
	{"default tolerations", "admission lets pods that say nothing of not-ready and unreachable tolerate each for 300 s (--default-not-ready-toleration-seconds, --default-unreachable-toleration-seconds). A changed value counts only for pods that are made after the change"},
	{"DaemonSet pods", "tolerate not-ready, unreachable, all pressures and a cordon forever: they stay on a node that is emptied"},
	{"toleration operators", "Exists matches any value, Equal exactly the same text (no patterns). Gt and Lt compare numbers: from 1.35 on, where their feature gate is on"},
	{"drain", "kubectl drain cordons a node and evicts its pods through the Eviction API, which respects PodDisruptionBudgets; with --disable-eviction it deletes them instead"},
	{"managed node group", "EKS drains a node for up to 15 minutes before it removes the machine; where that is not enough an update fails with PodEvictionFailure. A spot machine has two minutes' notice. When machines are moved between zones no budget is asked"},
	{"cloud controller manager", "gives nodes their provider ID, zone and addresses, takes the uninitialized taint off, and deletes Nodes whose machine is gone. It also sets up routes and load balancers"},
}

// marks are taints that others than node-lifecycle put on nodes: who does, and who takes them off.
var marks = []Term{
	{"node.cloudprovider.kubernetes.io/uninitialized", "set by a kubelet under an external cloud provider; the cloud controller manager removes it once it has filled in the Node. If it stays, the cloud controller manager does not run, or fails"},
	{"node.cloudprovider.kubernetes.io/shutdown", "set by the cloud's node-lifecycle controller on a node that is not Ready and whose machine is off; it is removed when the node is back"},
	{"ToBeDeletedByClusterAutoscaler", "set by the cluster autoscaler, which drains the node and deletes its machine. Only the autoscaler removes it, when that fails"},
	{"DeletionCandidateOfClusterAutoscaler", "set by the cluster autoscaler on a node that may not be needed: new pods go to other nodes if they can. It is removed when the node is needed again"},
	{"karpenter.sh/disrupted", "set by Karpenter on a node that it is about to remove. It is removed only if Karpenter changes its mind"},
	{"karpenter.sh/unregistered", "set on a new node that Karpenter made; Karpenter removes it when the Node is registered"},
	{"aws-node-termination-handler/spot-itn", "set by aws-node-termination-handler: AWS takes the machine back within two minutes"},
	{"cloud.google.com/impending-node-termination", "set by GKE: Google takes the machine back within about half a minute"},
	{"node.cilium.io/agent-not-ready", "set when a node is made, so that no pod starts before the network is there; Cilium's operator removes it when its agent runs"},
}
