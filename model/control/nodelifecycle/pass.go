package nodelifecycle

import (
	"kardia/model"
	"kardia/model/control/informer"
)

// Pass runs the health monitor once over the cache, and returns its decisions in order. All of it happens at one time,
// and the cache stays as it is: the driver applies the Writes afterwards.
//
// Its cost is that of the rows that changed since the last pass, those that are due, and the nodes that are not Ready.
// Source: kubernetes: monitorNodeHealth.
func (c *Controller) Pass(at model.Instant, view *informer.Cache, h Hidden) []model.Decision {
	nodes := c.JudgeNodes(at, view, h)
	zones := c.JudgeZones(at, view, h)
	switch {
	case len(nodes) == 0:
		return zones
	case len(zones) == 0:
		return nodes
	}
	return append(nodes, zones...)
}

// JudgeNodes is the first part of a pass: it takes the snapshot and evaluates the nodes. Between the parts, ticks may
// run, as they do in reality while a pass waits for its writes (Z15).
func (c *Controller) JudgeNodes(at model.Instant, view *informer.Cache, h Hidden) []model.Decision {
	c.begin(at, view)
	c.pass++
	if !c.started {
		c.started = true
		c.startID = c.emit(model.Decision{Kind: model.ControllerStart, Rule: model.RuleNewToProcess,
			Why: model.Because(model.WhyFirstPass)})
	}
	added, deleted := c.sync(view)
	for i := range c.zones {
		if c.zones[i].members > 0 {
			c.createZone(int32(i))
		}
	}
	for _, i := range added {
		c.register(i, view.Row(i), &h)
	}
	for _, i := range deleted {
		r := &c.records[i]
		r.known = false
		c.emit(model.Decision{Kind: model.ForgetNode, Node: view.Row(i).Name, Rule: model.RuleNodeGone,
			Why:    model.Because(model.WhyNodeIsGone),
			Writes: []model.Write{{Kind: model.WriteEvent, Node: view.Row(i).Name, At: at, Reason: "RemovingNode"}}})
	}
	for name := range h.Silent {
		if i, ok := view.Lookup(name); ok && c.records[i].node != nil {
			c.wake(i)
			c.due[i] = model.FarPast
		}
	}
	c.evaluateDue(view, &h)
	return c.finish()
}

// JudgeRest continues a pass whose JudgeNodes left out silent nodes. The snapshot stays as it is.
func (c *Controller) JudgeRest(at model.Instant, view *informer.Cache, h Hidden) []model.Decision {
	c.begin(at, view)
	c.evaluateDue(view, &h)
	return c.finish()
}

// JudgeNode evaluates one node for which the pass's JudgeNodes came too early. Workers take the nodes one after the
// other: with hundreds of writes, the last nodes are judged long after the first. The snapshot stays.
// Source: kubernetes: pkg/controller/nodelifecycle, monitorNodeHealth (updateNodeFunc), tryUpdateNodeHealth (nc.now).
func (c *Controller) JudgeNode(at model.Instant, name string, view *informer.Cache, h Hidden) []model.Decision {
	c.begin(at, view)
	if i, ok := view.Lookup(name); ok && c.records[i].node != nil {
		if row := h.row(view.Row(i)); row.Node != nil {
			c.due[i] = c.evaluate(i, row, &h)
		}
	}
	return c.finish()
}

// JudgeZones is the end of a pass: it judges the zones by the nodes just evaluated. It removes the taints that the
// snapshot shows, whatever the cache shows by then.
func (c *Controller) JudgeZones(at model.Instant, view *informer.Cache, h Hidden) []model.Decision {
	c.begin(at, view)
	c.handleDisruption(view, &h)
	return c.finish()
}

// sync reads the changed rows: their zones, and nodes that were added or deleted.
func (c *Controller) sync(view *informer.Cache) (added, deleted []int32) {
	changed, all, next := view.Changed(c.seenChange)
	c.seenChange = next
	one := func(i int32) {
		r, row := &c.records[i], view.Row(i)
		if row.Node == r.node && r.calm && row.Node != nil {
			c.due[i] = model.FarPast // only its lease can have changed
			return
		}
		if r.seen == c.pass {
			return
		}
		r.seen = c.pass
		if row.Node == nil {
			c.due[i] = model.FarFuture
			c.wake(i)
			c.uncount(r)
			c.move(r, noZone)
			r.node = nil
			if r.known {
				deleted = append(deleted, i)
				r.retry = false
			}
			return
		}
		c.due[i] = model.FarPast
		if r.node != row.Node {
			c.wake(i)
			r.node = row.Node
		}
		if r.zone == noZone || c.zones[r.zone].zone != row.Node.Zone {
			c.move(r, c.zoneOf(row.Node.Zone))
		}
		if !r.known {
			added = append(added, i)
		}
	}
	if all {
		for i := range int32(view.Rows()) {
			one(i)
		}
		return
	}
	for _, i := range changed {
		one(i)
	}
	return
}

// move puts a node into the zone of its labels. Its place in the old zone's queue stays, for the old zone's tokens.
func (c *Controller) move(r *record, zone int32) {
	if r.zone != noZone {
		c.zones[r.zone].members--
	}
	if r.zone = zone; zone != noZone {
		c.zones[zone].members++
	}
}

// register adds a node that is new to this process (M1).
func (c *Controller) register(i int32, row *informer.Row, h *Hidden) {
	r := &c.records[i]
	r.known = true
	r.marked, r.queued, r.tainted = 0, 0, 0
	id := c.emit(model.Decision{Kind: model.RegisterNode, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleNewToProcess,
		Inputs: []model.Input{nodeInput(row)}, Causes: causes(c.startCause()),
		Writes: []model.Write{{Kind: model.WriteEvent, Node: row.Name, At: c.now, Reason: model.ReasonRegisteredNode}}})
	c.reachable(i, row, h, model.RuleNewToProcess, model.WhyNodeIsNew, id)
}

// startCause is the controller's start during its first pass, which makes every node new.
func (c *Controller) startCause() model.DecisionID {
	if c.pass == 1 {
		return c.startID
	}
	return 0
}

func (c *Controller) evaluateDue(view *informer.Cache, h *Hidden) {
	for i, due := range c.due {
		if due >= c.now && !c.breakerOpen(view) {
			continue
		}
		row := h.row(view.Row(int32(i)))
		if row.Node == nil {
			continue
		}
		if c.breakerOpen(view) {
			c.skip(&c.records[i])
			c.due[i] = model.FarPast
			continue
		}
		c.Evaluated++
		c.due[i] = c.evaluate(int32(i), row, h)
	}
	for i := range c.zones {
		c.zones[i].queue.pass(c.now)
	}
}

// breakerOpen reports whether the lease cache is known to be behind, so that no node is judged.
func (c *Controller) breakerOpen(view *informer.Cache) bool {
	return c.required > 0 && view.LeaseVersion() < c.required
}

// skip leaves a node out of this pass: it does not count in its zone either.
func (c *Controller) skip(r *record) {
	c.uncount(r)
	r.calm = false
}

func (c *Controller) evaluate(i int32, row *informer.Row, h *Hidden) model.Instant {
	r := &c.records[i]
	if r.calm && r.node == row.Node {
		// The same Node object as last time, Ready and untainted: only the lease can matter.
		l := &row.Lease
		if r.lease.olderThan(l) {
			c.renewed(r, l)
			if l.KeepsRenewing {
				return model.FarFuture
			}
			return c.now.Add(c.params.NodeMonitorGracePeriod.Value)
		}
		if due := r.probe.Add(c.params.NodeMonitorGracePeriod.Value); due >= c.now {
			return due
		}
	}
	if r.idle && r.node == row.Node && c.stillIdle(i, row) {
		return model.FarFuture
	}
	c.wake(i)
	v := c.health(i, row, h)
	if v.skipped {
		c.skip(r)
		return model.FarPast
	}
	if !c.excluded(row) {
		c.count(r, v.current == model.StatusTrue)
	} else {
		c.uncount(r)
	}
	// A node with an empty lease slot counts the lease it has in the next pass (N10).
	slotOpen := row.Lease.Exists && !r.lease.has
	if v.current == model.StatusAbsent {
		r.retry = false
		if slotOpen {
			return model.FarPast
		}
		return r.probe.Add(c.params.NodeStartupGracePeriod.Value)
	}
	decisive := v.current
	if c.does.taintsByObserved {
		decisive = v.observed
	}
	c.taintBaseEviction(i, row, h, decisive)
	switch {
	case v.repeated: // and its pods were marked with it
		r.retry = false
	case v.current != model.StatusTrue && v.observed == model.StatusTrue, // M3
		r.retry && v.observed != model.StatusTrue:
		r.retry = !c.markPodsNotReady(row.Name, row.Node.Zone, row.Pods(), h, causes(r.marked))
	default:
		r.retry = false
	}
	if v.current != model.StatusTrue || r.retry || slotOpen || noExecuteTaints(row.Node) != (pair{}) {
		ready := row.Node.Ready()
		r.idle = ready != nil && ready.Status == model.StatusUnknown && !r.retry && !slotOpen && !c.does.liveLease
		if r.idle = r.idle && c.stillIdle(i, row); r.idle {
			return model.FarFuture
		}
		return model.FarPast
	}
	r.calm = true
	if row.Lease.KeepsRenewing {
		return model.FarFuture
	}
	return r.probe.Add(c.params.NodeMonitorGracePeriod.Value)
}

// stillIdle handles a node that was Unknown in its last evaluation and whose object has not changed. It is in the
// queue, which gives it a new place in every pass (E2), or it keeps its taint. A renewed lease changes only the probe
// time (N19). False: the node needs a full evaluation.
func (c *Controller) stillIdle(i int32, row *informer.Row) bool {
	r := &c.records[i]
	e := c.zones[r.zone].queue.find(i)
	has := noExecuteTaints(row.Node)
	if e == nil || has.notReady || (!e.waiting && !has.unreachable) {
		return false
	}
	if l := &row.Lease; r.lease.olderThan(l) {
		c.renewed(r, l)
	}
	e.steady = e.waiting && !has.unreachable
	return true
}

// wake makes the next evaluation a full one.
func (c *Controller) wake(i int32) {
	r := &c.records[i]
	if r.idle {
		if e := c.zones[r.zone].queue.find(i); e != nil {
			e.steady = false
		}
	}
	r.calm, r.idle = false, false
}

// count adds a node to its zone's counts, uncount removes it.
func (c *Controller) count(r *record, ready bool) {
	if r.countedIn == r.zone && r.countedReady == ready {
		return
	}
	c.uncount(r)
	z := &c.zones[r.zone]
	if ready {
		z.ready++
	} else {
		z.notReady++
	}
	r.countedIn, r.countedReady = r.zone, ready
}

func (c *Controller) uncount(r *record) {
	if r.countedIn == noZone {
		return
	}
	z := &c.zones[r.countedIn]
	if r.countedReady {
		z.ready--
	} else {
		z.notReady--
	}
	r.countedIn = noZone
}
