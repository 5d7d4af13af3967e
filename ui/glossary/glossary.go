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
	{"Unknown", "the node controller wrote the condition, because it had heard nothing from the node for longer than the grace period. That says nothing about the machine, which may still be running"},
	{"NotReady", "the kubelet itself says that it cannot run pods. It still sends heartbeats"},
	{"Never", "the Node object exists, but its kubelet has not posted a status yet"},
	{"unseen", "of a node: only its lease or its pods were seen, never the Node object, so its state is not known. Of a pod: its deletion fell due while nobody was watching; it is probably gone"},
	{"silent", "no heartbeat is heard. The time counts from the last renewal of the lease that was heard or, where its arrival is not known, from its renewTime; the controller counts from the pass that saw that, up to five seconds later"},
	{"late", "silent for 20 s or more: the last renewal did not come, and the next is due. Not yet past the grace period. '2 missed' counts the renewals that did not come"},
	{"grace", "how long a node may be silent before the node controller declares it Unknown (--node-monitor-grace-period)"},
	{"cordoned", "spec.unschedulable is set: no new pods are placed on the node. Those on it stay"},
	{"node.kubernetes.io/unreachable", "the taint of a node that was declared Unknown. With the effect NoExecute, pods are deleted that do not tolerate it, or whose toleration has run out"},
	{"node.kubernetes.io/not-ready", "the taint of a node whose kubelet says that it is not ready. With the effect NoExecute it deletes pods as unreachable does"},
	{"node.kubernetes.io/unschedulable", "the taint of a cordoned node. Its effect is NoSchedule only"},
	{"node.kubernetes.io/memory-pressure", "the kubelet says that the node is short of memory: no pods without requests are placed on it"},
	{"node.kubernetes.io/disk-pressure", "the kubelet says that the node is short of disk space: no pods are placed on it"},
	{"node.kubernetes.io/pid-pressure", "the kubelet says that the node is short of process numbers: no pods are placed on it"},
	{"node.kubernetes.io/network-unavailable", "the node's network is not set up: no pods are placed on it"},
	{"node.kubernetes.io/out-of-service", "somebody declared that the machine is off: its pods are deleted by force, and their volumes detached"},
	{"NoExecute", "a taint's effect: pods that do not tolerate it are deleted at once, the others after their tolerationSeconds. It is a plain DELETE: no PodDisruptionBudget is asked"},
	{"NoSchedule", "a taint's effect: no new pods are placed on the node. Those on it stay"},
	{"tolerates", "how long a pod stays on a node with a NoExecute taint: the tolerationSeconds of its toleration. Most clusters give pods that say nothing 300 s; a pod without any toleration is deleted at once"},
	{"stuck", "the pod was deleted, but its kubelet, which would have to end it, is not heard: it stays Terminating"},
	{"due", "the pod's countdown runs: it is deleted when that ends, unless the taint goes before"},
	{"ending", "the pod was deleted, and its grace period runs or its kubelet is ending it"},
	{"halted", "the zone's rate is 0, or every zone is dark: no further node is tainted. Where only the rate is 0, countdowns that run go on, and their pods are deleted; where every zone is dark, the taints are removed, and the countdowns cancelled"},
	{"wait", "nodes of a zone that are to get a NoExecute taint get it one by one, at the zone's rate. Which of them is next is a race: they have no order"},
	{"token", "what lets a zone's queue taint one node. A zone has one at most, and gets a new one at its rate"},
	{"1/10s", "how fast nodes of a zone are tainted, at most: here one every ten seconds (--node-eviction-rate)"},
	{"Normal", "of a zone: its nodes are tainted at the usual rate"},
	{"Disrupted", "PartialDisruption: more than two of the zone's nodes, and at least the threshold's share of them (55 % by default), are not Ready. The rate falls, in a small zone to 0"},
	{"Dark", "FullDisruption: no node of the zone is Ready. It is tainted at the usual rate, also where that was 0 before, unless every zone is dark"},
	{"master disruption", "every zone is dark. The node controller then blames its own connection: it takes its NoExecute taints off, which cancels the countdowns, and taints no node"},
	{"pass", "the node controller looks at all nodes every five seconds. A pass cannot be seen from outside; when it ran is worked out from what it wrote"},
	{"observed", "it was seen: an object, an Event, a renewal"},
	{"inferred", "the models of the controllers conclude it from what was observed; nothing shows it directly"},
	{"predicted", "the models say that it will happen, if silent nodes stay silent"},
	{"m:ss", "how long it still is, in minutes and seconds: 0:47, within 0:05–1:18, in 0:35 or later (≥0:35). For how long something has been is written with letters, 3m41s; a time of day ends in its zone, 23:53:37Z, and where the hour has no room it starts with a colon, :53:37.5"},
	{"later", "it is in the recording, but after the time that is shown: nobody could know it then. c hides all of it behind a curtain"},
	{"skew", "how far a kubelet's clock is ahead of the clock of whoever heard it, or behind (-)"},
	{"reconstructed", "nobody was watching, but timestamps in objects or Events still tell of it"},
	{"last known", "it was seen before a gap, and not since: it may have changed"},
	{"heard", "how long ago a node's lease was seen to change. 'says' is how long ago its kubelet claims, by its own clock, to have renewed it"},
	{"gap", "a time in which nothing was received: what happened in it is not known"},
}
