package glossary

import "slices"

// Mechanisms are parts of nodes and of the control plane that a watch shows little of, with the part that it does show.
func Mechanisms() []Term { return slices.Clone(mechanisms) }

var mechanisms = []Term{
	{"kubelet", "the node's agent: it renews the lease, posts the status, and runs and ends the pods. It does not repair the node. Container runtime and kube-proxy do not write to the API, so only the kubelet is visible here"},
	{"container runtime", "runs the containers for the kubelet, over CRI (containerd, CRI-O). Visible here are its version and, through Ready=False, a failure that the kubelet reports"},
	{"kube-proxy", "routes Services on each node, usually as a DaemonSet; in some clusters the network plugin does that instead. It sends no heartbeat, and since 1.33 the Node does not show its version"},
	{"static pod", "a pod that a kubelet runs from a local file. The API shows only a mirror of it: deleting the mirror ends nothing"},
	{"registration", "a kubelet creates its own Node at its start (registerNode, on by default), with the labels and taints of its configuration (--node-labels, --register-with-taints). Labels and taints that must exist before the first pod belong there: a controller adds them later"},
	{"Node authorizer", "lets a kubelet (user system:node:NAME, group system:nodes) read the objects of its own pods. It may write the status of its Node and its pods, its lease, and Events; nothing of other nodes"},
	{"NodeRestriction", "an admission plugin: a kubelet may write only its own Node and its own lease. It refuses labels that start with node-restriction.kubernetes.io/. A kubelet with another name than its Node is refused the lease"},
	{"kubelet certificate", "the client certificate that identifies a kubelet to the API server. The kubelet renews it when 70 to 90 % of its lifetime has passed. Nodes of the same age that fall silent in the same second hint at expired certificates, which the API does not show"},
	{"lease", "the node's heartbeat in kube-node-lease: since 1.14 on in every cluster, and cheap. Its leaseDurationSeconds (40) is no deadline: the kubelet renews the lease every quarter of that. The node-lifecycle controller has its own grace period. The Node owns the lease: both are deleted together"},
	{"TokenReview", "a kubelet asks the API server with it to identify a caller, and with SubjectAccessReview whether the caller has the right. If these are refused, logs and exec fail although the lease is renewed"},
	{"Terminating", "a pod whose deletion was requested. Its kubelet runs preStop hooks and sends TERM. After the termination grace (30 s by default, once 2 s more if a hook still runs) it sends KILL; sidecars end last. Meanwhile the pod is out of its Services. The object is removed when the kubelet reports the end; a forced deletion removes it without that proof"},
	{"owner reference", "names the object that another belongs to. The garbage collector deletes objects whose owner is gone: the pods of a ReplicaSet, the lease of a Node"},
	{"image garbage collection", "a kubelet removes unused images when the disk is 85 % full, until it is 80 % full, and ended containers every minute. If that fails, Events report it (ImageGCFailed, FreeDiskSpaceFailed). A separate disk for images has its own thresholds"},
	{"cgroups", "how the kernel limits the resources of pods. Kubelet and container runtime must use the same cgroup driver. A kubelet of 1.35 or later does not start on cgroup v1 unless failCgroupV1 is false. This is one reason why a node does not return after an upgrade"},
	{"swap", "a kubelet does not start on a machine with swap, unless failSwapOn is false; swapBehavior decides whether pods may use it"},
	{"node pressure", "a kubelet that is short of memory, disk or process IDs evicts pods itself, ignoring PodDisruptionBudgets. It reports the pressure for five minutes after it last saw it"},
	{"node-problem-detector", "posts its own conditions and Events about a node. No controller of Kubernetes itself taints a node for them"},
	{"default tolerations", "admission gives pods without a toleration of not-ready or unreachable one of 300 s each (--default-not-ready-toleration-seconds, --default-unreachable-toleration-seconds). A changed value applies only to pods created later"},
	{"DaemonSet pods", "tolerate not-ready, unreachable, all pressures and a cordon forever: they stay on a node whose pods are evicted"},
	{"toleration operators", "Exists matches any value, Equal exactly the same text (no patterns). Gt and Lt compare numbers: from 1.35 on, if their feature gate is on"},
	{"drain", "kubectl drain cordons a node and evicts its pods through the Eviction API, which respects PodDisruptionBudgets; with --disable-eviction it deletes them instead"},
	{"managed node group", "EKS drains a node for up to 15 minutes before it removes the machine. If that is not enough, an update fails with PodEvictionFailure. A spot machine has two minutes' notice. Moving machines between zones ignores PodDisruptionBudgets"},
	{"cloud controller manager", "gives nodes their provider ID, zone and addresses, removes the uninitialized taint, and deletes Nodes whose machine is gone. It also sets up routes and load balancers"},
}

// marks are taints of components other than the node-lifecycle controller: which one sets each, and which removes it.
var marks = []Term{
	{"node.cloudprovider.kubernetes.io/uninitialized", "set by a kubelet under an external cloud provider; the cloud controller manager removes it once it has filled in the Node. If it stays, the cloud controller manager does not run, or fails"},
	{"node.cloudprovider.kubernetes.io/shutdown", "set by the cloud's node-lifecycle controller on a node that is not Ready and whose machine is off. It is removed when the node is back"},
	{"ToBeDeletedByClusterAutoscaler", "set by the cluster autoscaler, which drains the node and deletes its machine. Only the autoscaler removes it, if that fails"},
	{"DeletionCandidateOfClusterAutoscaler", "set by the cluster autoscaler on a node that may not be needed: new pods go to other nodes if they can. It is removed when the node is needed again"},
	{"karpenter.sh/disrupted", "set by Karpenter on a node that it is about to remove. It is removed only if Karpenter cancels that"},
	{"karpenter.sh/unregistered", "set on a new node that Karpenter created; Karpenter removes it when the Node is registered"},
	{"aws-node-termination-handler/spot-itn", "set by aws-node-termination-handler: AWS reclaims the machine within two minutes"},
	{"cloud.google.com/impending-node-termination", "set by GKE: Google reclaims the machine within about half a minute"},
	{"node.cilium.io/agent-not-ready", "set when a node is created, so that no pod starts before its network; Cilium's operator removes it when its agent runs"},
}
