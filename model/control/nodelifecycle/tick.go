package nodelifecycle

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// TickPeriod is the time between two ticks; no flag changes it.
const TickPeriod = 100 * time.Millisecond

const retryWait = 50 * time.Millisecond

// Tick serves the queues of all zones once, as far as their tokens last. It reads the condition from the cache of now
// (E8).
// Source: kubernetes: doNoExecuteTaintingPass, RateLimitedTimedQueue.Try.
func (c *Controller) Tick(at model.Instant, view *informer.Cache, h Hidden) []model.Decision {
	c.begin(at, view)
	for i := range c.zones {
		z := &c.zones[i]
		if z.queue.waiting > 0 && h.Withhold != nil && h.Withhold(z.zone) {
			continue
		}
		for z.queue.waiting > 0 {
			if _, ok := z.queue.limiter.after(at); !ok {
				break
			}
			head := z.queue.head(view, z.zone, h.Pick)
			since, sure := z.queue.limiter.since(at)
			token := model.Check{What: model.ComparedTokenSince, Left: model.InstantOperand(since), Op: model.AtMost, Right: model.InstantOperand(at), Holds: true}
			if !sure {
				token.What = model.ComparedTokenBy
			}
			z.queue.limiter.accept(at)
			if at < head.processAt {
				break // the token is lost all the same
			}
			c.serve(z, head, view, &h, token)
		}
	}
	return c.finish()
}

// serve handles the head of a queue. It costs a token in any case (E7).
func (c *Controller) serve(z *zone, head *entry, view *informer.Cache, h *Hidden, token model.Check) {
	row := h.row(view.Row(head.row))
	c.due[head.row] = model.FarPast // the next pass sees the result
	wasted := func(why model.ReasonCode) {
		c.emit(model.Decision{Kind: model.TaintNoExecute, Outcome: model.Declined, Node: row.Name, Zone: model.Some(z.zone),
			Rule: model.RuleTokenSpent, Why: model.Because(why), Checks: []model.Check{token}, Causes: causes(head.id, z.rateID)})
	}
	later := func(wait time.Duration) { head.processAt = c.now.Add(wait + 1) }
	if row.Node == nil {
		wasted(model.WhyTokenForNoNode)
		z.queue.finish(head.row)
		return
	}
	ready := row.Node.Ready()
	if ready == nil {
		wasted(model.WhyTokenForNoReady)
		later(retryWait)
		return
	}
	if h.Behind != nil && h.Behind(row.Name) {
		wasted(model.WhyTokenOnOldCache)
		z.queue.finish(head.row)
		return
	}
	add, opposite := model.TaintUnreachable, model.TaintNotReady
	has := noExecuteTaints(row.Node)
	shows, stands := has.notReady, has.unreachable
	switch ready.Status {
	case model.StatusFalse:
		add, opposite = model.TaintNotReady, model.TaintUnreachable
		shows, stands = has.unreachable, has.notReady
	case model.StatusUnknown:
	default:
		wasted(model.WhyTokenForReady)
		z.queue.finish(head.row)
		return
	}
	if !shows {
		opposite = ""
	}
	writes, ok := c.swapWrites(row.Name, add, opposite, h)
	if !ok {
		later(0)
	} else {
		z.queue.finish(head.row)
	}
	if len(writes) == 0 {
		wasted(model.WhyTokenRefused)
		return
	}
	why := model.Because(model.WhyTokenCame)
	if stands {
		writes[0].RefreshesTime = true
		why = why.And(model.WhyStampedAgain)
	}
	r := &c.records[head.row]
	r.tainted = c.emit(model.Decision{
		Kind: model.TaintNoExecute, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleTaintedFromQueue, Why: why,
		Checks: []model.Check{token, {What: model.ComparedCondition, Of: model.ConditionReady, Left: model.Text(ready.Status.String()), Op: model.Differs, Right: model.Text("True"), Holds: true}},
		Inputs: []model.Input{nodeInput(row)}, Causes: causes(head.id, z.rateID), Writes: writes,
	})
}
