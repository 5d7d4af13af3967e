package nodelifecycle

import (
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// handleDisruption judges the zones at the end of a pass (7.3).
// Source: kubernetes: handleDisruption.
func (c *Controller) handleDisruption(view *informer.Cache, h *Hidden) {
	allNow := true
	for i := range c.zones {
		if z := &c.zones[i]; z.counted() > 0 && c.stateOf(z) != model.ZoneFull {
			allNow = false
		}
	}
	allBefore := c.walk(h)
	switch {
	case allNow && allBefore:
	case allNow:
		c.enterMaster(view, h)
	case allBefore:
		c.exitMaster()
	default:
		for i := range c.zones {
			if z := &c.zones[i]; z.state != model.ZoneNone {
				c.settle(z, 0)
			}
		}
	}
}

// walk forgets zones without counted nodes until it meets the first that was not in FullDisruption. It reports whether
// it met none (Z8, Z9).
func (c *Controller) walk(h *Hidden) bool {
	for _, i := range c.walkOrder(h) {
		z := &c.zones[i]
		if z.counted() == 0 {
			z.state = model.ZoneNone
			continue
		}
		if z.state != model.ZoneFull {
			return false
		}
	}
	return true
}

func (c *Controller) walkOrder(h *Hidden) []int32 {
	var order []int32
	empty := 0
	for i := range c.zones {
		if z := &c.zones[i]; z.state != model.ZoneNone {
			order = append(order, int32(i))
			if z.counted() == 0 {
				empty++
			}
		}
	}
	if h.Walk == nil {
		if empty > 0 {
			slices.SortStableFunc(order, func(a, b int32) int {
				return int(min(c.zones[a].counted(), 1)) - int(min(c.zones[b].counted(), 1))
			})
		}
		return order
	}
	zones := make([]model.ZoneKey, len(order))
	for k, i := range order {
		zones[k] = c.zones[i].zone
	}
	h.Walk(zones)
	for k, p := range zones {
		order[k] = c.byZone[p]
	}
	return order
}

// enterMaster: every counted zone is in FullDisruption, and not all were before. All NoExecute taints in the snapshot
// are removed, and no more are set.
func (c *Controller) enterMaster(view *informer.Cache, h *Hidden) {
	c.master = true
	c.masterID = c.emit(model.Decision{Kind: model.EnterMasterDisruption, Rule: model.RuleMasterDisruption,
		Why: model.Because(model.WhyNoZoneReady), Causes: c.stateCauses()})
	for i := range c.records {
		if c.records[i].node != nil {
			c.reachable(int32(i), view.Row(int32(i)), h, model.RuleSnapshotTaints, model.WhyMasterStarts, c.masterID)
			c.due[i] = model.FarPast
		}
	}
	for i := range c.zones {
		z := &c.zones[i]
		if z.state == model.ZoneNone {
			continue
		}
		c.setState(z, model.ZoneFull, c.masterID)
		c.setRate(z, 0, model.RuleMasterDisruption, nil, c.masterID)
	}
}

// stateCauses are the decisions that set the zones' last states, and that marked their last nodes Unknown.
func (c *Controller) stateCauses() []model.DecisionID {
	var ids []model.DecisionID
	for i := range c.zones {
		ids = append(ids, c.zones[i].stateID, c.zones[i].turned)
	}
	return causes(ids...)
}

// exitMaster: a zone has left FullDisruption. Every node gets a new probe time, which does not protect those already
// Unknown (Z14).
func (c *Controller) exitMaster() {
	id := c.emit(model.Decision{Kind: model.ExitMasterDisruption, Rule: model.RuleMasterDisruption,
		Why: model.Because(model.WhyZoneReady), Causes: causes(c.masterID)})
	c.master, c.masterID = false, id
	for i := range c.records {
		r := &c.records[i]
		if r.node == nil || !r.has {
			continue
		}
		r.probe, r.transition = c.now, c.now
		r.beat = beat{what: beatExit, at: c.now}
	}
	for i := range c.zones {
		if z := &c.zones[i]; z.state != model.ZoneNone {
			c.settleAs(z, c.stateOf(z), id, true)
		}
	}
}

// settle gives a zone its new state and, if it changed, its rate (Z6).
func (c *Controller) settle(z *zone, cause model.DecisionID) {
	next := model.ZoneBlank // Z8: a zone without counted nodes that walk did not reach
	if z.counted() > 0 {
		next = c.stateOf(z)
	}
	if next != z.state {
		c.settleAs(z, next, cause, false)
	}
}

func (c *Controller) settleAs(z *zone, next model.DisruptionState, cause model.DecisionID, always bool) {
	if next != z.state || always {
		c.setState(z, next, cause)
	}
	if next == model.ZoneBlank {
		return
	}
	rate, checks := c.rateOf(z, next)
	c.setRate(z, rate, model.RuleZoneRate, checks, cause)
}

func (c *Controller) setState(z *zone, next model.DisruptionState, cause model.DecisionID) {
	if next == z.state {
		return
	}
	_, checks := c.disruptionState(z)
	z.stateID = c.emit(model.Decision{Kind: model.ZoneState, Zone: model.Some(z.zone), Rule: model.RuleZoneState,
		State: model.Shift[model.DisruptionState]{From: z.state, To: next}, Checks: checks, Causes: causes(cause, z.stateID, z.turned)})
	z.state = next
}

// setRate swaps the limiter, which may drain it (L5), or wrongly do nothing (L6).
func (c *Controller) setRate(z *zone, rate float32, rule model.Rule, checks []model.Check, cause model.DecisionID) {
	before := z.queue.limiter.rate()
	if !z.queue.limiter.swap(c.now, rate) {
		if before != rate {
			c.emit(model.Decision{Kind: model.SetRate, Outcome: model.Declined, Zone: model.Some(z.zone), Rule: model.RuleRateOfOne,
				Why:    model.Because(model.WhyRateOfOne),
				Checks: checks, Causes: causes(z.stateID, cause)})
		}
		return
	}
	if before == z.queue.limiter.rate() {
		return
	}
	checks = append(checks, model.Check{What: model.ComparedRate, Left: model.Number(before), Op: model.Differs, Right: model.Number(rate), Holds: true})
	z.rateID = c.emit(model.Decision{Kind: model.SetRate, Zone: model.Some(z.zone), Rule: rule,
		Rate: model.Shift[float32]{From: before, To: rate}, Checks: checks, Causes: causes(z.stateID, cause)})
}
