package tainteviction

import (
	"container/heap"
	"math"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// evaluate decides about one pod on a tainted node (9.5).
// Source: kubernetes: processPodOnNode.
func (c *Controller) evaluate(pod *model.Pod, node string, row *informer.Row) {
	nt := c.tainted[node]
	tolerations := pod.Tolerations.List()
	used, open := matching(nt.taints, tolerations, c.params.ComparisonOperators.Value)
	ignored := c.ignored(nt.taints, tolerations)
	if open >= 0 {
		taint := &nt.taints[open]
		checks := c.Room.Checks(model.Check{What: model.ComparedMatching, Of: taint.Key, Left: model.Count(0), Op: model.Greater, Right: model.Count(0), Holds: false})
		c.cancel(pod.Key, model.RuleToleratedOrNot, model.Because(model.WhyGoesAtOnce), c.causes(nt.cause))
		c.drop(pod.Key)
		t := timer{created: c.now, fire: c.now, node: node, uid: pod.UID, zone: zoneOf(row)}
		c.evictNow(pod.Key, t, model.Reason{Code: model.WhyNotTolerated, Name: taint.Key}.And(ignored), checks, nt.cause)
		return
	}
	wait, shortest := minimum(used)
	if wait < 0 {
		c.cancel(pod.Key, model.RuleToleratedOrNot, model.Because(model.WhyToleratesNow).And(ignored), c.causes(nt.cause))
		return
	}
	because := c.causes(nt.cause)
	if old, ok := c.timers[pod.Key]; ok {
		if old.running || old.created < c.now {
			return // P1: a timer that runs is never moved
		}
		because = append(because, c.cancel(pod.Key, model.RuleToleratedOrNot, model.Because(model.WhyEvaluatedTwice), c.causes(nt.cause)))
	}
	t := timer{created: c.now, fire: c.now.Add(wait), node: node, uid: pod.UID, zone: zoneOf(row)}
	t.checks = c.Room.Checks(model.Check{What: model.ComparedToleration, Left: model.DurationOperand(wait), Op: model.Greater, Right: model.DurationOperand(0), Holds: wait > 0})
	if wait <= 0 {
		c.evictNow(pod.Key, t, model.Because(model.WhyToleratedForNone).And(ignored), t.checks, nt.cause)
		return
	}
	d := model.Decision{Kind: model.ScheduleEviction, Node: node, Zone: t.zone, Pod: pod.Key, PodUID: pod.UID, Rule: model.RuleShortestToleration,
		Why: model.Reason{Code: model.WhyToleratedFor, Name: nt.taints[shortest].Key}.And(ignored), Checks: t.checks, Causes: because}
	if of := (model.Input{What: model.InputPod, Kind: model.KindPod, Key: pod.Key}); row == nil {
		d.Inputs = c.Room.Inputs(of)
	} else {
		d.Inputs = c.Room.Inputs(of, model.Input{What: model.InputNode, Kind: model.KindNode, Key: model.Key{Name: node}, Version: row.Version, Position: row.Position})
	}
	t.id = c.emit(d)
	c.put(pod.Key, t)
	heap.Push(&c.order, due{t.fire, pod.Key})
}

// evictNow deletes a pod as it is evaluated. Evaluations at one time repeat that while the cache shows the pod.
func (c *Controller) evictNow(key model.Key, t timer, why model.Reason, checks []model.Check, cause model.DecisionID) {
	if c.sentAt != c.now {
		c.sentAt, c.sent = c.now, map[model.Key]int{}
	}
	if n := c.sent[key]; n > 0 {
		checks = append(slices.Clone(checks), model.Check{What: model.ComparedDeletions, Left: model.Count(n), Op: model.Greater, Right: model.Count(0), Holds: true})
	}
	c.sent[key]++
	c.evict(key, t, model.RuleToleratedOrNot, why, checks, c.causes(cause), nil)
}

// evict deletes the pod: DisruptionTarget first, then a plain DELETE, without regard to disruption budgets. If
// view is not nil and no longer shows the pod, the decision is declined.
func (c *Controller) evict(key model.Key, t timer, rule model.Rule, why model.Reason, checks []model.Check, because []model.DecisionID, view *informer.Cache) {
	c.drop(key)
	d := model.Decision{Kind: model.EvictPod, Node: t.node, Zone: t.zone, Pod: key, PodUID: t.uid, Rule: rule, Why: why, Checks: checks, Causes: because}
	if view != nil && view.Named(key, t.node) == nil {
		d.Outcome = model.Declined
		d.Why = model.Because(model.WhyNoPod)
		c.emit(d)
		return
	}
	d.Writes = c.Room.Writes(
		model.Write{Kind: model.WriteEvent, Node: t.node, Pod: key, At: c.now, Reason: "TaintManagerEviction"},
		model.Write{Kind: model.WriteDisruption, Node: t.node, Pod: key, At: c.now, Reason: model.DisruptedByTaintManager},
		model.Write{Kind: model.WriteDelete, Node: t.node, Pod: key, At: c.now},
	)
	id := c.emit(d)
	if c.tombstones {
		c.put(key, timer{running: true, node: t.node, uid: t.uid, id: id})
	}
}

// cancel ends a pending timer and returns the decision; 0 if there is none, or only a tombstone.
func (c *Controller) cancel(key model.Key, rule model.Rule, why model.Reason, because []model.DecisionID) model.DecisionID {
	t, ok := c.timers[key]
	if !ok {
		return 0
	}
	c.drop(key)
	if t.running {
		return 0
	}
	return c.emit(model.Decision{
		Kind: model.CancelEviction, Outcome: model.Cancelled, Node: t.node, Zone: t.zone, Pod: key, PodUID: t.uid, Rule: rule, Why: why,
		Causes: append(because, t.id),
		Writes: c.Room.Writes(model.Write{Kind: model.WriteEvent, Node: t.node, Pod: key, At: c.now, Reason: "TaintManagerEviction"}),
	})
}

// emit completes a decision and returns its id.
func (c *Controller) emit(d model.Decision) model.DecisionID {
	d.Time, d.Window = c.now, model.Exactly(c.now)
	d.Controller = model.TaintEviction
	d.LeavesTrace = len(d.Writes) > 0
	d.ID = d.Identify()
	c.out = c.Room.Add(c.out, d)
	return d.ID
}

// matching finds the first toleration of each taint, in order. open is the index of the first taint without one, -1 if
// all are tolerated. comparison is the feature gate of the operators Gt and Lt.
// Source: kubernetes: GetMatchingTolerations.
func matching(taints []model.Taint, tolerations []model.Toleration, comparison bool) (used []*model.Toleration, open int) {
	for i := range taints {
		found := false
		for k := range tolerations {
			if Tolerates(&tolerations[k], &taints[i], comparison) {
				used, found = append(used, &tolerations[k]), true
				break
			}
		}
		if !found {
			return nil, i
		}
	}
	return used, -1
}

// Tolerates reports whether a toleration matches a taint. comparison is the feature gate of the operators Gt and
// Lt; without it they match nothing.
// Source: kubernetes: Toleration.ToleratesTaint.
func Tolerates(t *model.Toleration, taint *model.Taint, comparison bool) bool {
	if t.Effect != model.EffectAny && t.Effect != taint.Effect {
		return false
	}
	if t.Key != "" && t.Key != taint.Key {
		return false
	}
	switch t.Operator {
	case "", "Equal":
		return t.Value == taint.Value
	case "Exists":
		return true
	case "Gt", "Lt":
		return comparison && compares(t, taint)
	}
	return false
}

// compares reports whether the taint's value is above (Gt) or below (Lt) the toleration's. Both must be 64-bit decimal
// integers without a plus sign or leading zeros.
// Source: kubernetes: compareNumericValues, IsDecimalInteger.
func compares(t *model.Toleration, taint *model.Taint) bool {
	bound, ok := integer(t.Value)
	value, fine := integer(taint.Value)
	if !ok || !fine {
		return false
	}
	if t.Operator == "Gt" {
		return value > bound
	}
	return value < bound
}

func integer(s string) (n int64, ok bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// ignored is why Gt and Lt do not count, if the pod's fate would differ with them; NoReason otherwise.
func (c *Controller) ignored(taints []model.Taint, tolerations []model.Toleration) model.ReasonCode {
	gate := c.params.ComparisonOperators
	first := slices.IndexFunc(tolerations, func(t model.Toleration) bool { return t.Operator == "Gt" || t.Operator == "Lt" })
	if gate.Value || first < 0 {
		return model.NoReason
	}
	used, open := matching(taints, tolerations, false)
	could, left := matching(taints, tolerations, true)
	wait, _ := minimum(used)
	if other, _ := minimum(could); open == left && wait == other {
		return model.NoReason
	}
	if !c.params.Version.AtLeast(1, 35) {
		return model.WhyGateTooNew
	}
	if gate.From == model.FromDefault {
		return model.WhyGateGuessed
	}
	return model.WhyGateOff
}

// minimum is the shortest time of the tolerations used, and the index of its taint; a negative time means forever.
// Seconds become nanoseconds in 64 bits and wrap around, as in the real code.
// Source: kubernetes: getMinTolerationTime.
func minimum(used []*model.Toleration) (wait time.Duration, taint int) {
	if len(used) == 0 {
		return 0, 0
	}
	shortest := int64(math.MaxInt64)
	for i, t := range used {
		if !t.Seconds.Known {
			continue
		}
		if t.Seconds.Value <= 0 {
			return 0, i
		}
		if t.Seconds.Value < shortest {
			shortest, taint = t.Seconds.Value, i
		}
	}
	if shortest == math.MaxInt64 {
		return -1, 0
	}
	return time.Duration(shortest) * time.Second, taint
}

// zoneOf is the node's zone, if the Node is known.
func zoneOf(row *informer.Row) model.Maybe[model.ZoneKey] {
	if row == nil || row.Node == nil {
		return model.Maybe[model.ZoneKey]{}
	}
	return model.Some(row.Node.Zone)
}

// noExecute is the list of NoExecute taints, in the node's order.
func noExecute(taints []model.Taint) (list []model.Taint) {
	for i := range taints {
		if taints[i].Effect == model.NoExecute {
			list = append(list, taints[i])
		}
	}
	return list
}

// sameNoExecute reports whether old equals the NoExecute taints among taints, timeAdded included.
func sameNoExecute(old, taints []model.Taint) bool {
	n := 0
	for i := range taints {
		if taints[i].Effect != model.NoExecute {
			continue
		}
		if n >= len(old) || old[n] != taints[i] {
			return false
		}
		n++
	}
	return n == len(old)
}

func sameTolerations(a, b *model.Tolerations) bool {
	return a == b || slices.Equal(a.List(), b.List())
}

// byName sorts the pods, so that the same input gives the same decisions in the same order.
func byName(pods []*model.Pod) []*model.Pod {
	if len(pods) < 2 {
		return pods
	}
	sorted := slices.Clone(pods)
	slices.SortFunc(sorted, model.ComparePods)
	return sorted
}

func (c *Controller) causes(id model.DecisionID) []model.DecisionID {
	if id == 0 {
		return nil
	}
	return c.Room.Causes(id)
}
