// Package glossary has the meanings of the words on the screens.
package glossary

import (
	"slices"

	"kardia/model"
	"kardia/ui/topics"
)

// Term is a word and its meaning.
type Term struct{ Name, Meaning string }

// Words are states, taints, conditions, zone states, and how a thing is known.
func Words() []Term { return slices.Concat(words, marks) }

// Rules are the rules of the controllers.
func Rules() (list []Term) {
	for _, r := range model.Rules() {
		list = append(list, Term{r.String(), topics.Rule(r).String()})
	}
	return list
}

var words = []Term{
	{"Ready", "the node's Ready condition is True: its kubelet posts its status and reports that it can run pods"},
	{"Unknown", "the node-lifecycle controller set the condition, because it received no heartbeat for longer than the grace period. The machine may still be running"},
	{"NotReady", "the kubelet itself reports that it cannot run pods. It still sends heartbeats"},
	{"NoStatus", "the Node object exists, but its kubelet has not posted a status yet"},
	{"lease-only", "a node known only by its lease or pods: its state is not known, because its Node object was not seen."},
	{"silent", "no heartbeat arrives. The time counts from the last arrival of a lease renewal or, if arrivals are not recorded, from its renewTime. The controller counts from the monitor pass that saw it, up to five seconds later"},
	{"late", "silent for 20 s or more, and not yet past the grace period: at least one renewal was missed. '2 missed' counts the missed renewals"},
	{"grace", "the grace period: how long a node may be silent before the node-lifecycle controller declares it Unknown (--node-monitor-grace-period)"},
	{"cordoned", "spec.unschedulable is set: no new pods are placed on the node. Its pods stay"},
	{"node.kubernetes.io/unreachable", "the taint of a node that was declared Unknown. With the effect NoExecute, it deletes pods that do not tolerate it, and others when their toleration ends"},
	{"node.kubernetes.io/not-ready", "the taint of a node whose kubelet reports that it is not ready. With the effect NoExecute it deletes pods as unreachable does"},
	{"node.kubernetes.io/unschedulable", "the taint of a cordoned node. Its effect is NoSchedule only"},
	{"node.kubernetes.io/memory-pressure", "the kubelet reports that the node is short of memory: no pods without requests are placed on it"},
	{"node.kubernetes.io/disk-pressure", "the kubelet reports that the node is short of disk space: no pods are placed on it"},
	{"node.kubernetes.io/pid-pressure", "the kubelet reports that the node is short of process IDs: no pods are placed on it"},
	{"node.kubernetes.io/network-unavailable", "the node's network is not set up: no pods are placed on it"},
	{"node.kubernetes.io/out-of-service", "an operator declared that the machine is off: its pods are deleted by force, and their volumes detached"},
	{"NoExecute", "a taint's effect: pods that do not tolerate it are deleted at once, the others after their tolerationSeconds. Each deletion is a taint eviction, which asks no PodDisruptionBudget"},
	{"NoSchedule", "a taint's effect: no new pods are placed on the node. Its pods stay"},
	{"tolerates", "how long a pod stays on a node with a NoExecute taint: the tolerationSeconds of its toleration. Most clusters give pods without a toleration of their own 300 s. A pod without any is deleted at once"},
	{"stuck", "the pod was deleted, but its kubelet, which must end it, is silent: it stays Terminating"},
	{"due", "the pod's countdown runs: it is deleted when that ends, unless the taint is removed first"},
	{"ending", "the pod was deleted, and its termination grace runs or its kubelet is ending it"},
	{"blocked", "the pod's node is silent or tainted, and no deletion is predicted: the zone's taints are stopped, or its countdown ends early"},
	{"stays", "the pod tolerates its node's taints forever: it is not deleted"},
	{"deleted?", "the pod's deletion was due in a gap: it is deleted if the controllers ran"},
	{"stopped", "the zone's taints are stopped: its rate is 0, or no zone has a Ready node. If only the rate is 0, running countdowns continue, and their pods are deleted. If no zone has a Ready node, the taints are removed, and the countdowns cancelled"},
	{"wait", "nodes queued for a NoExecute taint. They get it one by one, at the zone's rate. The next one is decided by a race: they have no order"},
	{"token", "lets a zone's queue taint one node. A zone has at most one, and gets a new one at its rate"},
	{"1/10s", "the rate at which nodes of a zone are tainted, at most: here one every ten seconds (--node-eviction-rate)"},
	{"Normal", "a zone whose nodes are tainted at the usual rate"},
	{"Partial", "PartialDisruption: more than two of the zone's nodes, and at least the threshold's share of them (55 % by default), are not Ready. The rate falls, in a small zone to 0"},
	{"Full", "FullDisruption: no node of the zone is Ready. It is tainted at the usual rate, also if that was 0 before, unless no zone has a Ready node"},
	{"master disruption", "no zone has a Ready node. The node-lifecycle controller then suspects its own connection: it removes its NoExecute taints, which cancels the countdowns, and taints no node"},
	{"pass", "a monitor pass: the node-lifecycle controller checks all nodes every five seconds. Passes are not visible from outside; their times are inferred from writes"},
	{"observed", "it was seen: an object, an Event, a renewal"},
	{"inferred", "the models of the controllers conclude it from observations; nothing shows it directly"},
	{"predicted", "the models expect it, if silent nodes stay silent"},
	{"m:ss", "time left, in minutes and seconds: 0:47, within 0:05–1:18, in 0:35 or later (≥0:35). Elapsed time has letters, 3m41s. A time of day ends in its zone, 23:53:37Z; without its hour it starts with a colon, :53:37.5"},
	{"later", "it is in the recording, but after the time shown: it could not be known then. c hides later events"},
	{"skew", "how far a kubelet's clock is ahead of the recorder's clock, or behind (-)"},
	{"reconstructed", "it happened before watching began or in a gap; later timestamps or Events show it"},
	{"last known", "it was seen before a gap, and not since: it may have changed"},
	{"last seen", "how long ago a node's lease was seen to change. renewTime is when its kubelet renewed it, by the kubelet's clock"},
	{"gap", "a time without data: changes during it are not known"},
}
