package tainteviction

import (
	"time"

	"kardia/model"
)

// Fate is what the controller does with a pod on a tainted node.
type Fate uint8

const (
	// FateNone: the node has no NoExecute taint.
	FateNone Fate = iota
	// FateAtOnce: a taint is not tolerated, or for no time.
	FateAtOnce
	// FateLater: tolerated for a while.
	FateLater
	// FateNever: tolerated forever.
	FateNever
)

// FateUnder is what a list of taints means for a pod: deletion at once, after wait, or never. taint is the first that
// is not tolerated, if any. comparison is the feature gate of the operators Gt and Lt. Running timers do not count.
func FateUnder(pod *model.Pod, taints []model.Taint, comparison bool) (fate Fate, wait time.Duration, taint *model.Taint) {
	list := noExecute(taints)
	if len(list) == 0 {
		return FateNone, 0, nil
	}
	used, open := matching(list, pod.Tolerations.List(), comparison)
	if open >= 0 {
		return FateAtOnce, 0, &list[open]
	}
	switch wait, _ = minimum(used); {
	case wait < 0:
		return FateNever, 0, nil
	case wait == 0:
		return FateAtOnce, 0, nil
	}
	return FateLater, wait, nil
}

// Pending is a pod's countdown; ok is false if none runs.
func (c *Controller) Pending(pod model.Key) (t Timer, ok bool) {
	have, found := c.timers[pod]
	if !found || have.running {
		return Timer{}, false
	}
	return Timer{Pod: pod, PodUID: have.uid, Node: have.node, Started: have.created, FireAt: have.fire, Decision: have.id}, true
}

// WhyNot is what prevents the deletion of a pod at a time. It is a Declined EvictPod, with the check that does not hold
// and the window of the deletion if nothing changes.
func (c *Controller) WhyNot(at model.Instant, pod *model.Pod) model.Decision {
	d := model.Decision{Controller: model.TaintEviction, Kind: model.EvictPod, Outcome: model.Declined, Time: at,
		Node: pod.Node, Pod: pod.Key, PodUID: pod.UID}
	nt := c.tainted[pod.Node]
	t, pending := c.Pending(pod.Key)
	switch {
	case pending:
		d.Rule, d.Why, d.Causes = model.RuleCountdownStays, model.Because(model.WhyCountdownRuns), c.causes(t.Decision)
		d.Checks = []model.Check{{What: model.ComparedCountdown, Left: model.InstantOperand(t.FireAt), Op: model.AtMost, Right: model.InstantOperand(at), Holds: t.FireAt <= at}}
		d.Window = model.Exactly(t.FireAt)
	case len(nt.taints) == 0:
		d.Rule, d.Why = model.RuleTaintsGone, model.Because(model.WhyNoTaint)
		d.Checks = []model.Check{{What: model.ComparedNoExecute, Left: model.Count(0), Op: model.Greater, Right: model.Count(0)}}
	default:
		fate, _, _ := FateUnder(pod, nt.taints, c.params.ComparisonOperators.Value)
		d.Rule, d.Causes = model.RuleToleratedOrNot, c.causes(nt.cause)
		d.Why = model.Because(model.WhyCountdownEnded)
		if fate == FateNever {
			d.Why = model.Because(model.WhyToleratesAll).And(c.ignored(nt.taints, pod.Tolerations.List()))
		}
		d.Checks = []model.Check{{What: model.ComparedIntolerable, Left: model.Count(0), Op: model.Greater, Right: model.Count(0)}}
		if fate != FateNever {
			d.Checks[0] = model.Check{What: model.ComparedCountdowns, Left: model.Count(0), Op: model.Greater, Right: model.Count(0)}
		}
		d.Window = model.Exactly(model.FarFuture)
	}
	d.ID = d.Identify()
	return d
}
