package model

// Rule is a rule by which a controller decides; the zero value is none. Rules have names for people; their numbers are
// those of docs/rules.md, cited in JSON and comments but on no screen.
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

var rules = [ruleCount]struct{ name, spec string }{
	RuleSilentPastGrace:    {"silent past the grace period", "N12"},
	RuleNewToProcess:       {"new to this process", "M1"},
	RuleNodeGone:           {"node object gone", "4.1"},
	RuleLostNodesPods:      {"pods of a lost node", "8.1"},
	RuleConditionTaints:    {"NoSchedule follows conditions", "S2"},
	RuleQueuedEveryPass:    {"queued in every pass", "E2"},
	RuleReadyAgain:         {"ready again", "E3"},
	RuleTokenSpent:         {"every hand-out costs a token", "E7"},
	RuleSwapNeedsNoToken:   {"a swap needs no token", "6.2"},
	RuleTaintedFromQueue:   {"tainted from the queue", "6.4"},
	RuleZoneState:          {"state by share not Ready", "7.1"},
	RuleZoneRate:           {"rate follows state", "7.2"},
	RuleMasterDisruption:   {"no zone has a Ready node", "7.3"},
	RuleSnapshotTaints:     {"taints of the snapshot go", "Z15"},
	RuleZoneWithoutState:   {"zone without state", "5.4"},
	RuleOneToken:           {"one token per zone", "L3"},
	RuleRateOfOne:          {"a rate of 1 is no change", "L6"},
	RuleCountdownStays:     {"a countdown runs to its end", "P1"},
	RuleShortestToleration: {"shortest toleration counts", "P2"},
	RuleTaintsGone:         {"no taint, no countdown", "9.3"},
	RulePodGone:            {"no pod, no countdown", "9.4"},
	RuleToleratedOrNot:     {"tolerated forever, or not", "9.5"},
	RulePodCollection:      {"pod garbage collection", "10.1"},
	RuleNodeMissed:         {"node missed for 40 s", "G2"},
}

// Rules lists every rule, for a glossary.
func Rules() []Rule {
	all := make([]Rule, 0, ruleCount-1)
	for r := RuleNone + 1; r < ruleCount; r++ {
		all = append(all, r)
	}
	return all
}

// String is the rule's name: "silent past the grace period"; "" for no rule.
func (r Rule) String() string { return rules[r].name }

// Spec is the rule's number in docs/rules.md: "N12"; "" for no rule.
func (r Rule) Spec() string { return rules[r].spec }
