// Package glossary says what the words on the screens mean.
package glossary

import (
	"slices"

	"kardia/model"
)

// Term is a word and what it means.
type Term struct{ Name, Meaning string }

// Words are states, taints, conditions, zone states, and how a thing is known.
func Words() []Term { return slices.Concat(words, marks) }

// Rules are the rules of the controllers.
func Rules() (list []Term) {
	for _, r := range model.Rules() {
		list = append(list, Term{r.String(), r.Text()})
	}
	return list
}

var words = []Term{
	{"Ready", "the node's Ready condition is True: its kubelet posts its status and says that it can run pods"},
	{"Unknown", "a controller wrote the condition, because it heard nothing of the node for longer than the grace period. It says nothing about the machine, which may run on"},
	{"NotReady", "the kubelet itself says that it cannot run pods. It is heard"},
	{"Never", "the node object exists, and its kubelet has not posted a status yet"},
	{"unseen", "only the node's lease or pods were seen, never its object: its state is not known"},
	{"silent", "no heartbeat was heard. How long, is counted from the last renewal of the lease that was heard, or from its renewTime where arrival is not known"},
	{"late", "silent for two renewals or more, and not yet for the grace period"},
	{"grace", "how long a node may be silent before the controller declares it Unknown (--node-monitor-grace-period)"},
	{"cordoned", "spec.unschedulable: no new pod is placed on it. Its pods stay"},
	{"node.kubernetes.io/unreachable", "the taint of a node declared Unknown. With NoExecute, pods that do not tolerate it, or no longer, are deleted"},
	{"node.kubernetes.io/not-ready", "the taint of a node whose kubelet says that it is not ready. With NoExecute, as unreachable"},
	{"node.kubernetes.io/unschedulable", "the taint of a cordoned node. NoSchedule only"},
	{"node.kubernetes.io/memory-pressure", "the kubelet says that memory runs out: no pods without requests are placed on it"},
	{"node.kubernetes.io/disk-pressure", "the kubelet says that its disk runs out: no pods are placed on it"},
	{"node.kubernetes.io/pid-pressure", "the kubelet says that process numbers run out: no pods are placed on it"},
	{"node.kubernetes.io/network-unavailable", "the node's network is not set up: no pods are placed on it"},
	{"node.kubernetes.io/out-of-service", "a person declared the node gone: its pods are deleted by force"},
	{"NoExecute", "a taint's effect: pods that do not tolerate it are deleted, the others after their tolerationSeconds. It is a plain DELETE and asks no PodDisruptionBudget"},
	{"NoSchedule", "a taint's effect: no new pod is placed on the node. Those on it stay"},
	{"tolerates", "for how long a pod stays on a node with a NoExecute taint: its tolerationSeconds, which most clusters set to 300 s where a pod does not say; none at all is not tolerated"},
	{"stuck", "the pod was deleted, and its kubelet, which would end it, is not heard: it stays Terminating"},
	{"halted", "the zone's rate is 0: nobody in it is tainted, so none of its pods is deleted for silence"},
	{"wait", "nodes of a zone that deserve a NoExecute taint get it one by one, at the zone's rate. Which one is next is a race"},
	{"1/10s", "how many nodes of a zone are tainted, at most: here one in ten seconds (--node-eviction-rate)"},
	{"Normal", "the zone's nodes are tainted at the usual rate"},
	{"Disrupted", "PartialDisruption: the threshold's share of the zone's nodes, and more than two, are not Ready. The rate falls, in a small cluster to 0"},
	{"Dark", "FullDisruption: no node of the zone is Ready"},
	{"master disruption", "every zone is dark. The controller takes it for its own fault: it takes its NoExecute taints off and taints nobody"},
	{"pass", "the node controller looks at all nodes every five seconds. Nobody outside sees a pass; its time is fitted to what was written"},
	{"observed", "it stands in the record: an object, an event, a renewal"},
	{"inferred", "the models of the controllers say so from what was observed; nothing shows it directly"},
	{"predicted", "the models say so of what has not happened yet, if silent nodes stay silent"},
	{"later", "the recording tells of it, and of a time after the one that is shown: nobody could know it then. c draws a curtain over all of it"},
	{"skew", "how far a kubelet's clock is from the one that heard it"},
	{"gap", "a time in which nothing was received: what happened then is not known"},
}
