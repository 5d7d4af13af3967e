package glossary

import "slices"

// Mechanisms are parts of nodes and of the control plane of which a watch shows little or nothing, and what of them it
// does show.
func Mechanisms() []Term { return slices.Clone(mechanisms) }

var mechanisms = []Term{
	{"kubelet", "the node's agent: it renews the lease, posts the status, runs and ends the pods. It repairs no node. Of the three parts of a node only it writes to the Node, so only it is seen from here"},
	{"container runtime", "what runs the containers for the kubelet, by CRI (containerd, CRI-O). Not seen from here but by its version, and where the kubelet says that it is down: Ready is False then"},
	{"kube-proxy", "routes Services on each node, as a DaemonSet as a rule, or something else does in its place. No heartbeat tells of it, and since 1.33 the Node does not tell its version"},
	{"static pod", "one that a kubelet runs from a file of its own. What the API has is a mirror of it: who deletes that ends nothing"},
	{"registration", "a kubelet makes its own Node as it starts (registerNode, on by default), with the labels and taints of its configuration (--node-labels, --register-with-taints): what must be there before the first pod comes belongs there, for what a controller adds comes later"},
	{"Node authorizer", "what lets a kubelet (user system:node:NAME, group system:nodes) read what its own pods need, and write its Node's status, its lease, its pods' status and Events, and nothing of other nodes"},
	{"NodeRestriction", "the admission that keeps a kubelet to its own Node and its own lease, and from labels that begin with node-restriction.kubernetes.io/. A kubelet under another name than its Node's is refused its lease"},
	{"kubelet certificate", "the client certificate by which a kubelet is known, which it renews itself when 70 to 90 % of its life is over. Nodes that fall silent in one second and are of one age are a hint that it ran out; that it did is not in the API"},
	{"lease", "the node's heartbeat in kube-node-lease: cheap, on in every cluster since 1.14. leaseDurationSeconds (40) is no deadline: it is renewed at a quarter of that, and the controller has a grace of its own. Its owner is the Node: it goes with it"},
	{"TokenReview", "how a kubelet asks the API server who calls it, and SubjectAccessReview whether that one may: refused, logs and exec fail while the lease is renewed"},
	{"Terminating", "a pod whose deletion was asked for. Its kubelet runs preStop hooks, sends TERM, after the grace period (30 s by default, 2 s more once if a hook still runs) KILL, sidecars last; meanwhile it is taken out of Services. The object goes when the kubelet says that it ended; a forced deletion removes it without anybody knowing"},
	{"owner reference", "which object another belongs to. What has lost its owner is collected: pods of a ReplicaSet, and a lease with its Node"},
	{"image garbage collection", "a kubelet removes unused images when the disk is 85 % full, until it is 80 %, and ended containers every minute. Failing, it says so by Events (ImageGCFailed, FreeDiskSpaceFailed). Where images have a disk of their own that has thresholds of its own"},
	{"cgroups", "how the kernel bounds pods. Kubelet and runtime must use the same driver. A kubelet of 1.35 or later does not start on cgroup v1 unless failCgroupV1 is false: a node that never came back after an upgrade"},
	{"swap", "a kubelet does not start on a machine that swaps, unless failSwapOn is false; swapBehavior says whether pods may"},
	{"node pressure", "a kubelet that runs low on memory, disk or process numbers evicts pods itself, asks no PodDisruptionBudget, and reports the pressure for five minutes after it saw it last"},
	{"node-problem-detector", "posts conditions and Events of its own about a node. No controller of Kubernetes' own taints a node for them"},
	{"default tolerations", "admission gives pods that say nothing of not-ready and unreachable 300 s of each (--default-not-ready-toleration-seconds, --default-unreachable-toleration-seconds). Other values are for pods that are made after"},
	{"DaemonSet pods", "tolerate not-ready and unreachable for ever, and the pressures and a cordon too: they stay on a node that is emptied"},
	{"toleration operators", "Exists takes any value, Equal the same text and no pattern. Gt and Lt compare numbers, from 1.35 where their feature is on"},
	{"drain", "kubectl drain cordons a node and asks for evictions by the API, which asks PodDisruptionBudgets, unless it was told --disable-eviction"},
	{"managed node group", "EKS drains a node for up to 15 minutes before its machine goes, and ends an update with PodEvictionFailure where that is not enough. A spot machine has two minutes' notice; machines that are moved between zones ask no budget"},
	{"cloud controller manager", "gives nodes their provider ID, zone and addresses, takes their uninitialized taint off, and deletes Nodes whose machine is gone; also routes and load balancers"},
}

// marks are taints that others than node-lifecycle put on nodes: who does, and who takes them off.
var marks = []Term{
	{"node.cloudprovider.kubernetes.io/uninitialized", "set by a kubelet that runs under an external cloud provider, until the cloud controller manager has filled the Node in and takes it off: one that stays says that it does not run, or cannot"},
	{"node.cloudprovider.kubernetes.io/shutdown", "set by the cloud's node-lifecycle controller on a node that is not Ready and whose machine is off; it takes it off when the node is back"},
	{"ToBeDeletedByClusterAutoscaler", "set by the cluster autoscaler, which drains the node and deletes its machine. Nobody takes it off but the autoscaler when it fails"},
	{"DeletionCandidateOfClusterAutoscaler", "set by the cluster autoscaler on a node that it may do without, for now only preferring others for new pods. It takes it off when the node is needed again"},
	{"karpenter.sh/disrupted", "set by Karpenter on a node that it takes away. It goes with the node, or when Karpenter gives that up"},
	{"karpenter.sh/unregistered", "set on a new node of Karpenter's, which takes it off when the Node is registered"},
	{"aws-node-termination-handler/spot-itn", "set by aws-node-termination-handler: the machine is taken back within two minutes"},
	{"cloud.google.com/impending-node-termination", "set by GKE: the machine is taken back within about half a minute"},
	{"node.cilium.io/agent-not-ready", "set where nodes are made, so that no pod comes before the network; Cilium's operator takes it off when its agent runs"},
}
