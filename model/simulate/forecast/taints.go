package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/tainteviction"
	"kardia/model/simulate/courses"
)

// awaits reports whether a node waits, or will, for its first taint by the node-lifecycle controller.
func (k *podForecaster) awaits(row *informer.Row) bool {
	return !row.Node.TaintedAsNotWell() && len(k.c.races.stays[row.Name]) > 0
}

// tainted is a pod on a tainted node that gets another taint, which may evict it sooner.
func (k *podForecaster) tainted(row *informer.Row, p *model.Pod, e *Eviction) {
	d, ok := k.deletes[p.Key]
	if !ok || d.window.Earliest >= e.Window.Earliest {
		return
	}
	e.State, e.Rule, e.Certain, e.tokenless = WaitingForTaint, model.RuleSwapNeedsNoToken, true, true
	e.Window = model.Interval{Earliest: d.window.Earliest, Latest: min(e.Window.Latest, d.window.Latest)}
	e.Why = because(AnotherTaint)
	if mark, ok := k.declared[row.Name]; ok {
		e.Why = fromOn(DeclaredThenSwapped, mark.Earliest)
	}
	e.Seconds = model.Maybe[int64]{}
	if fate, wait := k.fate(row, p, model.TaintUnreachable); fate != tainteviction.FateNever {
		e.Seconds = model.Some(int64(wait / time.Second))
	}
}

// waiting is a pod on a node without a NoExecute taint by the controller.
func (k *podForecaster) waiting(row *informer.Row, p *model.Pod, e *Eviction) {
	stays := k.c.races.stays[row.Name]
	w, sure := k.c.tainted(stays)
	taint, swapped := k.taintOf(row, w)
	fate, wait := k.fate(row, p, taint)
	if fate == tainteviction.FateNever && !swapped {
		e.State, e.Window, e.Rule, e.Why = Forever, never, model.RuleToleratedOrNot, Why{Reason: Tolerated, Name: taint}
		return
	}
	e.Seconds = model.Some(int64(wait / time.Second))
	if len(stays) == 0 {
		e.State, e.Window, e.Rule, e.Why = Halted, never, model.RuleQueuedEveryPass, because(NotQueued)
		return
	}
	if w.Earliest == model.FarFuture {
		k.halted(row, e)
		return
	}
	e.State, e.Rule, e.Why = WaitingForTaint, model.RuleQueuedEveryPass, because(Queued)
	e.Window, e.Certain, e.follows = model.Interval{Earliest: w.Earliest.Add(wait), Latest: w.Latest.Add(wait)}, sure, !swapped
	if !k.c.exact {
		e.Window.Latest = e.Window.Latest.Add(courses.Lag)
	}
	mark, ok := k.declared[row.Name]
	if swapped {
		k.swapped(row, p, w, mark, e)
		return
	}
	if ok {
		e.Rule, e.Why = model.RuleSilentPastGrace, fromOn(DeclaredThenQueued, mark.Earliest)
	}
}

func (k *podForecaster) halted(row *informer.Row, e *Eviction) {
	hold := k.rates[row.Node.Zone]
	e.State, e.Window, e.Rule = Halted, never, model.RuleZoneRate
	e.Why = Why{Reason: RateZero, State: hold.state}
	if k.s.MasterDisruption() {
		e.Rule, e.Why = model.RuleMasterDisruption, because(InMasterDisruption)
	} else if hold.rate > 0 {
		e.Why = because(RateEnds)
	}
}

// darkens is a pod whose countdown or node's taint may come too late: master disruption removes the taints, and with
// them the countdowns. A node that is tainted during the pass that enters it keeps its taint.
func (k *podForecaster) darkens(row *informer.Row, p *model.Pod, e *Eviction) {
	dark := k.dark.window
	if !dark.Known() || row.Node == nil || e.State > Halted || e.Window.Latest < dark.Earliest || k.lasts(row, p) {
		return
	}
	again, wait := k.retainted(row, p)
	before := model.Interval{Earliest: e.Window.Earliest, Latest: min(e.Window.Latest, dark.Latest)}
	slips := k.slips(row, p)
	switch {
	case e.State == Halted && again == never && slips == never:
		return
	case e.Window == never || before.Earliest > dark.Latest:
		before = never
	}
	e.Certain, e.follows = false, false
	after := never
	if again != never { // its zone counts no node, and is new to each pass
		after = model.Interval{Earliest: again.Earliest.Add(wait), Latest: again.Latest.Add(wait)}
	}
	switch e.Window = either(either(before, slips), after); {
	case e.Window == never:
		e.State, e.Rule, e.Why = Halted, model.RuleMasterDisruption, because(BeforeIt)
	case slips != never:
		e.State, e.Rule, e.Why = WaitingForTaint, model.RuleSnapshotTaints, fromOn(InItsPass, dark.Earliest)
	case after != never:
		e.State, e.Rule, e.Why = WaitingForTaint, model.RuleZoneWithoutState, because(TaintedAfter)
		e.Certain = before == never
	default:
		e.Rule, e.Why.Dark = model.RuleMasterDisruption, dark.Earliest
	}
}

// retainted is when a node is tainted again after master disruption began, and how long a pod stays then.
func (k *podForecaster) retainted(row *informer.Row, p *model.Pod) (w model.Interval, wait time.Duration) {
	fate, wait := k.fate(row, p, model.TaintUnreachable)
	if fate == tainteviction.FateNever {
		return never, 0
	}
	w, _ = k.c.tainted(k.c.races.after(row.Name, int32(k.c.master)))
	return w, wait
}

// slips is when a pod is deleted whose node may be tainted in the pass that enters master disruption; never for none.
func (k *podForecaster) slips(row *informer.Row, p *model.Pod) model.Interval {
	fate, wait := k.fate(row, p, model.TaintUnreachable)
	if fate == tainteviction.FateNever {
		return never
	}
	for _, s := range k.c.races.stays[row.Name] {
		if s.by > int32(k.c.master) || s.first == model.FarFuture || s.last < k.c.snapshot {
			continue
		}
		w := k.c.stay(s)
		return model.Interval{Earliest: max(w.Earliest, k.c.snapshot).Add(wait), Latest: w.Latest.Add(wait + courses.Lag)}
	}
	return never
}

// lasts reports whether a pod's countdown outlives the controller's own taints. Another taint is tolerated for a while,
// or the taint stays: the pass that enters master disruption began before it.
func (k *podForecaster) lasts(row *informer.Row, p *model.Pod) bool {
	if !row.Node.HasNoExecute() {
		return false
	}
	if k.c.phase.Began.Known() && !k.untainted[row.Name] {
		return true
	}
	var others []model.Taint
	for _, t := range row.Node.Taints {
		if t.Key != model.TaintNotReady && t.Key != model.TaintUnreachable {
			others = append(others, t)
		}
	}
	fate, _, _ := tainteviction.FateUnder(p, others, k.s.Params.ComparisonOperators.Value)
	return fate == tainteviction.FateLater
}

// taintOf is the taint that a node gets with a token in a window. swapped: not-ready first, later unreachable.
func (k *podForecaster) taintOf(row *informer.Row, token model.Interval) (taint string, swapped bool) {
	if row.Node.ReadyStatus() != model.StatusFalse {
		return model.TaintUnreachable, false
	}
	mark, ok := k.declared[row.Name]
	switch {
	case !ok:
		return model.TaintNotReady, false
	case mark.Latest < token.Earliest:
		return model.TaintUnreachable, false
	}
	return model.TaintNotReady, true
}

// swapped is a pod on a node that posted NotReady and is now silent. Its token may come before its declaration: then
// one taint replaces the other.
func (k *podForecaster) swapped(row *informer.Row, p *model.Pod, token, mark model.Interval, e *Eviction) {
	notReady, first := k.fate(row, p, model.TaintNotReady)
	unreachable, then := k.fate(row, p, model.TaintUnreachable)
	e.Window = never
	e.Seconds = model.Maybe[int64]{}
	e.Rule, e.Why = model.RuleSwapNeedsNoToken, fromOn(QueuedAndDeclared, mark.Earliest)
	if notReady == tainteviction.FateNever && unreachable == tainteviction.FateNever {
		e.State, e.Rule, e.Why = Forever, model.RuleToleratedOrNot, because(ToleratesBoth)
		return
	}
	both := model.Interval{Earliest: max(token.Earliest, mark.Earliest), Latest: max(token.Latest, mark.Latest)}
	w := model.Interval{Earliest: model.FarFuture}
	if notReady != tainteviction.FateNever {
		w = model.Interval{Earliest: token.Earliest.Add(first), Latest: min(token.Latest, mark.Latest).Add(first)}
		e.Seconds = model.Some(int64(first / time.Second))
		if w.Latest < mark.Earliest && token.Latest < mark.Earliest {
			e.Window = w // it is deleted before the declaration
			return
		}
	}
	if unreachable == tainteviction.FateNever {
		w.Latest = model.FarFuture // a countdown may be cancelled, or never begin
	} else {
		w.Earliest = min(w.Earliest, both.Earliest.Add(then))
		w.Latest = max(w.Latest, both.Latest.Add(then))
		if e.Seconds = model.Some(int64(then / time.Second)); notReady == tainteviction.FateLater && first != then {
			e.Seconds = model.Maybe[int64]{}
		}
	}
	e.Window = w
}

// fate is what a future taint of its node means for a pod.
func (k *podForecaster) fate(row *informer.Row, p *model.Pod, taint string) (tainteviction.Fate, time.Duration) {
	add := model.Taint{Key: taint, Effect: model.NoExecute}
	if row.Node.HasNoExecute() {
		taints := []model.Taint{add}
		for _, t := range row.Node.Taints {
			if t.Key != model.TaintNotReady && t.Key != model.TaintUnreachable { // these replace each other
				taints = append(taints, t)
			}
		}
		fate, wait, _ := tainteviction.FateUnder(p, taints, k.s.Params.ComparisonOperators.Value)
		return fate, wait
	}
	key := waitFor{p.Tolerations, taint}
	w, known := k.fates[key]
	if !known {
		w.fate, w.time, _ = tainteviction.FateUnder(p, []model.Taint{add}, k.s.Params.ComparisonOperators.Value)
		k.fates[key] = w
	}
	return w.fate, w.time
}
