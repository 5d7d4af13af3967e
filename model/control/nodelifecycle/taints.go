package nodelifecycle

import (
	"kardia/model"
	"kardia/model/control/informer"
)

// pair is which of the two NoExecute taints a node has.
type pair struct{ notReady, unreachable bool }

// off is which of the two taints this pass has removed. The snapshot still shows them, but they are not removed again.
func (r *record) off(pass uint32) *pair {
	if r.offPass != pass {
		r.offPass, r.offTaints = pass, pair{}
	}
	return &r.offTaints
}

func noExecuteTaints(n *model.Node) (p pair) {
	for i := range n.Taints {
		if t := &n.Taints[i]; t.Effect == model.NoExecute {
			p.notReady = p.notReady || t.Key == model.TaintNotReady
			p.unreachable = p.unreachable || t.Key == model.TaintUnreachable
		}
	}
	return p
}

// taintBaseEviction handles the node's NoExecute taints inside the pass (6.2).
// Source: kubernetes: processTaintBaseEviction.
func (c *Controller) taintBaseEviction(i int32, row *informer.Row, h *Hidden, ready model.Status) {
	has := noExecuteTaints(row.Node)
	switch ready {
	case model.StatusFalse:
		if has.unreachable {
			c.swap(i, row, h, model.TaintNotReady, model.TaintUnreachable)
		} else {
			c.enqueue(i, row, !has.notReady, ready)
		}
	case model.StatusUnknown:
		if has.notReady {
			c.swap(i, row, h, model.TaintUnreachable, model.TaintNotReady)
		} else {
			c.enqueue(i, row, !has.unreachable, ready)
		}
	case model.StatusTrue:
		c.reachable(i, row, h, model.RuleReadyAgain, model.WhyPostsReady, 0)
	}
}

// enqueue puts a node into its zone's queue. A node without its taint is removed and added again in every pass, so all
// waiting nodes of a zone are equally old (E2). One with its taint stays in the set and is refused (E1).
func (c *Controller) enqueue(i int32, row *informer.Row, lacksTaint bool, ready model.Status) {
	r := &c.records[i]
	q := &c.zones[r.zone].queue
	old := q.find(i)
	if old != nil && !lacksTaint {
		return
	}
	if old != nil && old.waiting {
		old.processAt = c.now
		return
	}
	d := model.Decision{
		Kind: model.QueueForTaint, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleQueuedEveryPass,
		Checks: []model.Check{{What: model.ComparedCondition, Of: model.ConditionReady, Left: model.Text(ready.String()), Op: model.Differs, Right: model.Text("True"), Holds: true}},
		Inputs: []model.Input{nodeInput(row)},
	}
	if ready == model.StatusUnknown {
		d.Causes = causes(known(r.marked, row.ConditionsBy))
	}
	r.queued = c.emit(d)
	q.add(i, c.now, r.queued)
}

// swap replaces one NoExecute taint by the other at once: no queue, no token (6.2).
func (c *Controller) swap(i int32, row *informer.Row, h *Hidden, add, remove string) {
	r := &c.records[i]
	off := &r.off(c.pass).unreachable
	if remove == model.TaintNotReady {
		off = &r.off(c.pass).notReady
	}
	if *off {
		remove = ""
	}
	writes, ok := c.swapWrites(row.Name, add, remove, h)
	if len(writes) == 0 {
		return
	}
	*off = *off || ok
	// The pass may remove what swap adds later (master disruption).
	if add == model.TaintNotReady {
		r.off(c.pass).notReady = false
	} else {
		r.off(c.pass).unreachable = false
	}
	why, cause := model.WhyFellSilent, known(r.marked, row.ConditionsBy)
	if add == model.TaintNotReady {
		why, cause = model.WhyHeardNotReady, 0
	}
	r.tainted = c.emit(model.Decision{
		Kind: model.SwapNoExecute, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleSwapNeedsNoToken, Why: model.Because(why),
		Inputs: []model.Input{nodeInput(row)}, Causes: causes(cause, known(r.tainted, row.TaintsBy)), Writes: writes,
	})
}

// swapWrites are the two writes of a swap, without the second if remove is empty. ok is false if one failed.
func (c *Controller) swapWrites(node, add, remove string, h *Hidden) (writes []model.Write, ok bool) {
	w := model.Write{Kind: model.WriteTaint, Node: node, At: c.now, Taint: model.Taint{Key: add, Effect: model.NoExecute, Added: c.now}}
	if h.refuses(&w) {
		return nil, false
	}
	writes = append(writes, w)
	if remove == "" {
		return writes, true
	}
	w = untaint(node, remove, model.NoExecute, c.now)
	if h.refuses(&w) {
		return writes, false
	}
	return append(writes, w), true
}

func untaint(node, key string, effect model.Effect, at model.Instant) model.Write {
	return model.Write{Kind: model.WriteUntaint, Node: node, At: at, Taint: model.Taint{Key: key, Effect: effect}}
}

// reachable removes both NoExecute taints that the snapshot shows, then the node from its zone's queue and set. A
// failed removal skips the rest.
// Source: kubernetes: markNodeAsReachable.
func (c *Controller) reachable(i int32, row *informer.Row, h *Hidden, rule model.Rule, why model.ReasonCode, cause model.DecisionID) {
	r := &c.records[i]
	has := noExecuteTaints(r.node)
	zone := model.Some(r.node.Zone)
	var writes []model.Write
	failed := false
	for _, t := range [...]struct {
		key string
		has bool
		off *bool
	}{{model.TaintUnreachable, has.unreachable, &r.off(c.pass).unreachable}, {model.TaintNotReady, has.notReady, &r.off(c.pass).notReady}} {
		if !t.has || *t.off || failed {
			continue
		}
		w := untaint(row.Name, t.key, model.NoExecute, c.now)
		if failed = h.refuses(&w); !failed {
			writes = append(writes, w)
			*t.off = true
		}
	}
	if len(writes) > 0 {
		c.emit(model.Decision{
			Kind: model.UntaintNoExecute, Node: row.Name, Zone: zone, Rule: rule, Why: model.Because(why),
			Inputs: []model.Input{nodeInput(row)}, Causes: causes(cause, known(r.tainted, row.TaintsBy)), Writes: writes,
		})
	}
	if failed {
		return
	}
	if len(writes) > 0 {
		r.tainted = 0
	}
	if queued, waited := c.zones[r.zone].queue.remove(i); waited {
		c.emit(model.Decision{
			Kind: model.DequeueFromTaint, Outcome: model.Cancelled, Node: row.Name, Zone: zone, Rule: rule, Why: model.Because(why),
			Inputs: []model.Input{nodeInput(row)}, Causes: causes(cause, queued),
		})
	}
}
