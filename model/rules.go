package model

// Rule is a rule by which a controller decides. Rules have names a person can say. Their numbers are
// those of docs/rules.md; JSON and comments cite them, and no screen shows them.
//
// The zero value is no rule.
type Rule uint8

// The rules, in the order in which a silent node meets them.
const (
	RuleNone Rule = iota
	RuleSilentPastGrace
	RuleNewToProcess
	RuleNodeGone
	RuleLostNodesPods
	RuleConditionTaints
	RuleQueuedEveryPass
	RuleReadyAgain
	RuleTokenSpent
	RuleSwapNeedsNoToken
	RuleTaintedFromQueue
	RuleZoneState
	RuleZoneRate
	RuleMasterDisruption
	RuleSnapshotTaints
	RuleZoneWithoutState
	RuleOneToken
	RuleRateOfOne
	RuleCountdownStays
	RuleShortestToleration
	RuleTaintsGone
	RulePodGone
	RuleToleratedOrNot
	RulePodCollection
	RuleNodeMissed
	ruleCount
)

// rules are the name of each, its number in docs/rules.md, and its sentence.
var rules = [ruleCount]struct{ name, spec, text string }{
	RuleSilentPastGrace:    {"silent past grace", "N12", "A node is declared Unknown when it was silent for strictly longer than the grace period. The silence counts from the pass that saw its last sign of life. That is a greater renewTime of its lease, or another heartbeat of its Ready condition."},
	RuleNewToProcess:       {"new to this process", "M1", "A node that is new to this process is registered, and this controller's NoExecute taints are removed from it. After a restart every node is new."},
	RuleNodeGone:           {"node object gone", "4.1", "A node whose object is gone is forgotten; its health record, and its place in a queue, stay."},
	RuleLostNodesPods:      {"pods of a lost node", "8.1", "When Ready turns from True to Unknown, each pod of the node with a Ready condition is marked not ready. A NotReady that the kubelet posts marks no pod."},
	RuleConditionTaints:    {"NoSchedule follows conditions", "S2", "NoSchedule taints follow conditions and cordon at every event of the node, at once, in both directions."},
	RuleQueuedEveryPass:    {"queued in every pass", "E2", "A node that is not Ready and lacks its NoExecute taint waits in its zone's queue. Each pass queues it again, so which waiting node gets the next token is a race. After a start of the controller, and in master disruption, a tainted node waits too. It is tainted again when its zone gives tokens."},
	RuleReadyAgain:         {"ready again", "E3", "A node that is Ready loses its NoExecute taints and its place in the queue in the next pass."},
	RuleTokenSpent:         {"every hand-out costs a token", "E7", "Every node the queue hands out costs a token, whether it is tainted or not."},
	RuleSwapNeedsNoToken:   {"a swap needs no token", "6.2", "A node that has one NoExecute taint and deserves the other gets it swapped in the pass. That needs no queue and no token."},
	RuleTaintedFromQueue:   {"tainted from the queue", "6.4", "Every 100 ms each zone's queue hands out a node if the zone has a token. The node is tainted if it is still not Ready."},
	RuleZoneState:          {"state by share not Ready", "7.1", "A zone without a Ready node is in FullDisruption. Another zone is in PartialDisruption if more than two of its nodes, and at least the threshold's share of them, are not ready. The rest are Normal."},
	RuleZoneRate:           {"rate follows state", "7.2", "The rate of a zone is set when its state changes. PartialDisruption has the secondary rate if the zone has more nodes than the large-cluster threshold, else 0. The other states have the normal rate."},
	RuleMasterDisruption:   {"every zone dark", "7.3", "When every zone is in FullDisruption and one was not before, master disruption starts. All NoExecute taints of this controller are removed, and all rates are 0. It ends when a counted zone is not in FullDisruption and all were before."},
	RuleSnapshotTaints:     {"taints of the snapshot go", "Z15", "Entering master disruption removes the taints that the pass's snapshot shows; a taint written since stays."},
	RuleZoneWithoutState:   {"zone without state", "5.4", "A zone without a state starts with an empty queue and a full bucket at the normal rate. A zone that counts no node never gets a state, and starts again in every pass."},
	RuleOneToken:           {"one token per zone", "L3", "A zone's bucket holds one token and fills at the zone's rate; if it is empty, the nodes wait."},
	RuleRateOfOne:          {"a rate of 1 is no change", "L6", "The limiter that never gives a token reports a rate of 1. So a swap to exactly 1 is taken for no change."},
	RuleCountdownStays:     {"a countdown runs to its end", "P1", "A running countdown ends only if all NoExecute taints are removed, are tolerated forever, or one is not tolerated."},
	RuleShortestToleration: {"shortest toleration counts", "P2", "A countdown starts when this process evaluates the pod, with the shortest of the tolerations that match; timeAdded plays no part."},
	RuleTaintsGone:         {"no taint, no countdown", "9.3", "When a node has no NoExecute taint any more, the countdowns of its pods are cancelled."},
	RulePodGone:            {"no pod, no countdown", "9.4", "When a pod is gone, its countdown is cancelled."},
	RuleToleratedOrNot:     {"tolerated forever, or not", "9.5", "A pod that does not tolerate a NoExecute taint of its node is deleted at once. A pod that tolerates all of them forever stays."},
	RulePodCollection:      {"pod garbage collection", "10.1", "Pod garbage collection deletes pods without grace. These are terminated pods beyond a threshold, Terminating pods bound to no node, and Terminating pods on out-of-service nodes that are not Ready."},
	RuleNodeMissed:         {"node missed for 40 s", "G2", "If a Node was missed for 40 s and still does not exist, its pods are deleted without grace."},
}

// Rules lists every rule, for a glossary.
func Rules() []Rule {
	all := make([]Rule, 0, ruleCount-1)
	for r := RuleNone + 1; r < ruleCount; r++ {
		all = append(all, r)
	}
	return all
}

// String is the rule's name: "silent past grace"; "" for no rule.
func (r Rule) String() string { return rules[r].name }

// Spec is the rule's number in docs/rules.md: "N12"; "" for no rule.
func (r Rule) Spec() string { return rules[r].spec }

// Text is the rule in a sentence; "" for no rule.
func (r Rule) Text() string { return rules[r].text }
