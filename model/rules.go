package model

// rules are the rules by which decisions are made, in words. The ids are those of Kardia's
// specification of the controllers, v1.36.3 unless a version is named.
var rules = map[string]string{
	"N12":  "A node is lost when it was silent for strictly longer than the grace period, counted from the pass that saw its last sign of life: a greater renewTime of its lease, or another heartbeat of its Ready condition.",
	"M1":   "A node that is new to this process is registered, and its NoExecute taints of this controller are taken off. After a restart every node is new.",
	"4.1":  "A node whose object is gone is forgotten; its health record, and its place in a queue, stay.",
	"8.1":  "When Ready turns from True to Unknown, every pod of the node that has a Ready condition is marked not ready. A kubelet that says NotReady marks nothing.",
	"S2":   "NoSchedule taints follow conditions and cordon at every event of the node, at once, in both directions.",
	"E2":   "A node that is not Ready and lacks its NoExecute taint waits in its zone's queue, and takes its place anew in every pass: which of those that wait gets the next token is a race.",
	"E3":   "A node that is Ready loses its NoExecute taints and its place in the queue in the next pass.",
	"E7":   "Every node the queue hands out costs a token, whether it is tainted or not.",
	"6.2":  "A node that has the one NoExecute taint and deserves the other gets it swapped in the pass: no queue, no token.",
	"6.4":  "Every 100 ms each zone's queue hands out a node if a token is there, and the node is tainted if it is still not Ready.",
	"7.1":  "A zone without a Ready node is in FullDisruption; one with more than two nodes not ready that are at least the threshold's share is in PartialDisruption; any other is Normal.",
	"7.2":  "The rate of a zone follows its state when that changes: the normal rate, or in PartialDisruption the secondary rate where the zone has more nodes than the large-cluster threshold, else 0.",
	"7.3":  "When every zone is wholly dark and not all were before, master disruption begins: all taints of this controller go, and all rates are 0. It ends when a counted zone is not wholly dark and all were before.",
	"Z15":  "Entering master disruption takes off the taints that the pass's snapshot shows; one written since stays.",
	"L3":   "A zone's bucket holds one token and fills at the zone's rate; who finds it empty waits.",
	"L6":   "The limiter that never gives a token reports a rate of 1, so that a swap to exactly 1 is taken for no change.",
	"P1":   "A countdown that runs is never moved: only losing all NoExecute taints, tolerating them for ever, or one that is not tolerated ends it.",
	"P2":   "A countdown starts when this process evaluates the pod, with the shortest of the tolerations that match; timeAdded plays no part.",
	"9.3":  "When a node has no NoExecute taint any more, the countdowns of its pods are cancelled.",
	"9.4":  "When a pod is gone, its countdown is cancelled.",
	"9.5":  "A pod that does not tolerate a NoExecute taint of its node, or for no time, is deleted at once; one that tolerates all of them for ever stays.",
	"10.1": "Pod garbage collection deletes without grace: terminated pods beyond a threshold, Terminating pods on nodes out of service that are not Ready, and Terminating pods bound to no node.",
	"G2":   "Pods of a Node that does not exist are deleted without grace once the Node was missed for 40 s and is still not there.",
}

// RuleText is a rule in words; "" for an id that is none.
func RuleText(id string) string { return rules[id] }
