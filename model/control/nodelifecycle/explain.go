package nodelifecycle

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// ZoneView is what the controller keeps of one zone.
type ZoneView struct {
	Zone  model.ZoneKey
	State model.DisruptionState
	// Rate is tokens a second; 0: no node is tainted.
	Rate float32
	// Ready and NotReady are the counts of the last pass; Members includes nodes that are excluded from disruption.
	Ready, NotReady, Members int
	// Waiting are the names in the queue. They are equally old: the time of a token is known, not its node (E2).
	Waiting []string
	// NextToken is when a token is available; FarFuture for never.
	NextToken model.Instant
	// StateBy and RateBy are the decisions that set state and rate; 0 for none.
	StateBy, RateBy model.DecisionID
}

// Share is the part of the counted nodes that is not Ready; unknown if none counts.
func (z *ZoneView) Share() model.Maybe[float32] {
	if z.Ready+z.NotReady == 0 {
		return model.Maybe[float32]{}
	}
	return model.Some(float32(z.NotReady) / float32(z.Ready+z.NotReady))
}

// Zones are the zones with a state or a node, sorted.
func (c *Controller) Zones(at model.Instant, view *informer.Cache) []ZoneView {
	var list []ZoneView
	for i := range c.zones {
		z := &c.zones[i]
		if z.state == model.ZoneNone && z.members == 0 && z.queue.waiting == 0 {
			continue
		}
		v := ZoneView{Zone: z.zone, State: z.state, Rate: z.queue.limiter.rate(), Ready: int(z.ready), NotReady: int(z.notReady),
			Members: int(z.members), NextToken: z.queue.limiter.next(at), StateBy: z.stateID, RateBy: z.rateID}
		for _, e := range z.queue.entries {
			if e.waiting {
				v.Waiting = append(v.Waiting, view.Row(e.row).Name)
			}
		}
		slices.Sort(v.Waiting)
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b ZoneView) int { return a.Zone.Compare(b.Zone) })
	return list
}

// Counts are numbers of nodes of a zone.
type Counts struct{ Ready, NotReady int }

// Recount is what a pass would count in each zone now: the last pass's counts, updated with nodes that changed since.
func (c *Controller) Recount(view *informer.Cache) map[model.ZoneKey]Counts {
	zones := map[model.ZoneKey]Counts{}
	for i := range int32(view.Rows()) {
		row := view.Row(i)
		if row.Node == nil || c.excluded(row) {
			continue
		}
		ready := row.Node.Ready() != nil && row.Node.Ready().Status == model.StatusTrue
		if int(i) < len(c.records) && c.records[i].node == row.Node {
			if c.records[i].countedIn == noZone {
				continue
			}
			ready = c.records[i].countedReady // the pass's own write may not be in the cache yet
		}
		n := zones[row.Node.Zone]
		if ready {
			n.Ready++
		} else {
			n.NotReady++
		}
		zones[row.Node.Zone] = n
	}
	return zones
}

// Zone is the last pass's counts in a zone and the rate of its queue; zeros for an unknown zone.
func (c *Controller) Zone(zone model.ZoneKey) (ready, notReady int, rate float32) {
	i, ok := c.byZone[zone]
	if !ok {
		return 0, 0, 0
	}
	z := &c.zones[i]
	return int(z.ready), int(z.notReady), z.queue.limiter.rate()
}

// RateFor is the rate of a zone in a state, by the last pass's counts; 0 for an unknown zone.
func (c *Controller) RateFor(zone model.ZoneKey, state model.DisruptionState) (rate float32) {
	if i, ok := c.byZone[zone]; ok {
		rate, _ = c.rateOf(&c.zones[i], state)
	}
	return rate
}

// EachZone visits the last pass's counts of each zone.
func (c *Controller) EachZone(visit func(zone model.ZoneKey, ready, notReady int)) {
	for i := range c.zones {
		visit(c.zones[i].zone, int(c.zones[i].ready), int(c.zones[i].notReady))
	}
}

// NextToken is the earliest time, not before at, at which a tick finds a token in a zone. It is FarFuture if there is
// none at the present rate, or the zone is unknown.
func (c *Controller) NextToken(zone model.ZoneKey, at model.Instant) model.Instant {
	i, ok := c.byZone[zone]
	if !ok {
		return model.FarFuture
	}
	return c.zones[i].queue.limiter.next(at)
}

// HasToken reports whether a tick finds a token in a zone; false for an unknown zone.
func (c *Controller) HasToken(zone model.ZoneKey, at model.Instant) bool {
	i, ok := c.byZone[zone]
	if !ok {
		return false
	}
	_, ok = c.zones[i].queue.limiter.after(at)
	return ok
}

// MasterDisruption reports whether the controller is in it; by is the last decision that entered or left it.
func (c *Controller) MasterDisruption() (in bool, by model.DecisionID) { return c.master, c.masterID }

// NodeView is what the controller remembers of one node.
type NodeView struct {
	// Probe is when this controller last saw a sign of life, Beat which one. Expires is the end of the grace period.
	Probe, Expires model.Instant
	Grace          time.Duration
	Beat           model.Input
	Waiting        bool
	// Marked, Queued and Tainted are the last decisions of these kinds; 0 for none.
	Marked, Queued, Tainted model.DecisionID
}

// Node is what the controller remembers of a node; ok is false if nothing.
func (c *Controller) Node(name string, view *informer.Cache) (v NodeView, ok bool) {
	i, found := view.Lookup(name)
	if !found || int(i) >= len(c.records) || !c.records[i].has || view.Row(i).Node == nil {
		return NodeView{}, false
	}
	r := &c.records[i]
	grace := c.grace(view.Row(i).Node.Ready() != nil)
	v = NodeView{Probe: r.probe, Expires: r.probe.Add(grace), Grace: grace, Beat: r.beat.input(name),
		Marked: r.marked, Queued: r.queued, Tainted: r.tainted}
	if r.zone != noZone {
		e := c.zones[r.zone].queue.find(i)
		v.Waiting = e != nil && e.waiting
	}
	return v, true
}

// WhyNot is what prevents the node's next steps at a time: Declined decisions with the checks that do not hold. Each
// has the window in which it may come if nothing changes.
//
// graceEnds is the end of the node's grace period if it is known only as a window; zero: by this controller's own
// count.
func (c *Controller) WhyNot(at model.Instant, name string, view *informer.Cache, graceEnds model.Interval) []model.Decision {
	v, ok := c.Node(name, view)
	if !ok {
		return nil
	}
	saved := c.out
	c.now, c.out = at, nil
	i, _ := view.Lookup(name)
	row, r := view.Row(i), &c.records[i]
	ready := row.Node.Ready()
	status := model.StatusAbsent
	if ready != nil {
		status = ready.Status
	}
	if status != model.StatusUnknown {
		c.declineUnknown(row, r, &v, graceEnds)
	}
	has := noExecuteTaints(row.Node)
	switch {
	case status == model.StatusAbsent || status == model.StatusTrue:
		c.decline(model.Decision{Kind: model.QueueForTaint, Node: name, Zone: model.Some(row.Node.Zone), Rule: model.RuleSwapNeedsNoToken,
			Why: model.Because(model.WhyOnlyUnready), Inputs: []model.Input{nodeInput(row)},
			Checks: []model.Check{{What: model.ComparedCondition, Of: model.ConditionReady, Left: model.Text(status.String()), Op: model.Differs, Right: model.Text("True"), Holds: false}}}, model.Interval{})
	case !has.notReady && !has.unreachable && v.Waiting:
		c.declineTaint(row, &v)
	}
	out := c.out
	c.out = saved
	return out
}

// declineUnknown: the node has not been silent for long enough.
func (c *Controller) declineUnknown(row *informer.Row, r *record, v *NodeView, graceEnds model.Interval) {
	d := model.Decision{Kind: model.MarkUnknown, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleSilentPastGrace}
	period := c.params.NodeMonitorPeriod.Value
	if fresh, ok := r.uncounted(row); ok {
		d.Why = model.Because(model.WhyUncounted)
		d.Inputs = []model.Input{fresh.input(row.Name), nodeInput(row)}
		var due model.Interval
		d.Checks, due = uncounted(c.now, v.Grace, period)
		c.decline(d, due)
		return
	}
	silent := c.now.Sub(v.Probe)
	check := silence(silent, v.Grace)
	if graceEnds.Known() && graceEnds.Width() > 0 {
		check = silence(max(0, c.now.Sub(graceEnds.Latest.Add(-v.Grace))), v.Grace)
		check.What = model.ComparedSilenceAtLeast
	} else {
		graceEnds = model.Exactly(v.Expires)
	}
	d.Why = graceEndsIn(graceEnds, c.now).Then(r.silence(c.now))
	d.Checks, d.Inputs = []model.Check{check}, []model.Input{v.Beat, nodeInput(row)}
	due := max(c.now, v.Expires+1)
	c.decline(d, model.Interval{Earliest: due, Latest: due.Add(period)})
}

// uncounted is the check that keeps a node from being declared Unknown if no pass has counted its last heartbeat. due
// is when it is declared without another heartbeat: the next pass counts that one.
func uncounted(at model.Instant, grace, period time.Duration) (checks []model.Check, due model.Interval) {
	return []model.Check{silence(0, grace)}, model.Interval{Earliest: at.Add(grace + 1), Latest: at.Add(grace + 2*period + 1)}
}

func graceEndsIn(w model.Interval, now model.Instant) model.Reason {
	switch {
	case w.Latest < now:
		return model.Reason{Code: model.WhyGraceOver, For: now.Sub(w.Latest), Most: now.Sub(w.Earliest)}
	case w.Earliest < now:
		return model.Reason{Code: model.WhyGraceEnding, Most: w.Latest.Sub(now)}
	}
	return model.Reason{Code: model.WhyGraceRuns, For: w.Earliest.Sub(now), Most: w.Latest.Sub(now)}
}

// uncounted is a sign of life that the cache shows and no pass has counted.
func (r *record) uncounted(row *informer.Row) (beat, bool) {
	ready := row.Node.Ready()
	switch {
	case ready != nil && (r.saved.status == model.StatusAbsent || r.saved.heartbeat != ready.Heartbeat):
		return beat{what: beatStatus, at: ready.Heartbeat, version: row.Version, position: row.Position}, true
	case r.lease.olderThan(&row.Lease):
		return beat{what: beatLease, at: row.Lease.Renewed, version: row.Lease.Version, position: row.Lease.Position}, true
	}
	return beat{}, false
}

// declineTaint: the node waits in a queue. Which one gets the next token is a race: the window spans the tokens of all.
func (c *Controller) declineTaint(row *informer.Row, v *NodeView) {
	z := &c.zones[c.zoneOf(row.Node.Zone)]
	rate := z.queue.limiter.rate()
	next := z.queue.limiter.next(c.now)
	d := model.Decision{Kind: model.TaintNoExecute, Node: row.Name, Zone: model.Some(z.zone), Rule: model.RuleOneToken,
		Checks: []model.Check{{What: model.ComparedZoneRate, Left: model.Number(rate), Op: model.Greater, Right: model.Number(0), Holds: rate > 0}},
		Causes: causes(v.Queued, z.rateID)}
	if next == model.FarFuture {
		d.Why, d.State = model.Because(model.WhyZoneAtZero), model.Shift[model.DisruptionState]{From: z.state, To: z.state}
		if c.master {
			d.Why = model.Because(model.WhyMaster)
		}
		c.decline(d, model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture})
		return
	}
	d.Why = model.Because(model.WhyOneToken)
	d.Checks = append(d.Checks,
		model.Check{What: model.ComparedNextToken, Left: model.InstantOperand(next), Op: model.AtMost, Right: model.InstantOperand(c.now), Holds: next <= c.now},
		model.Check{What: model.ComparedWaiting, Left: model.Count(z.queue.waiting), Op: model.Equals, Right: model.Count(1), Holds: z.queue.waiting == 1})
	interval := time.Duration(float64(time.Second)/float64(max(rate, 1e-9))) + TickPeriod
	last := next.Add(TickPeriod)
	for range z.queue.waiting - 1 {
		last = last.Add(interval)
	}
	c.decline(d, model.Interval{Earliest: next, Latest: last})
}

// decline emits a decision not taken, with the window in which it may come.
func (c *Controller) decline(d model.Decision, window model.Interval) {
	d.Time, d.Window = c.now, window
	d.Controller, d.Outcome = model.NodeLifecycle, model.Declined
	d.ID = d.Identify()
	c.out = append(c.out, d)
}

// WhyZone is how a zone's state and rate follow from the last pass's counts. The comparisons are in the order made,
// each with both sides, so that a reader sees what would change them.
func (c *Controller) WhyZone(zone model.ZoneKey) (checks []model.Check, state model.DisruptionState, rate float32, ok bool) {
	i, found := c.byZone[zone]
	if !found || c.zones[i].state == model.ZoneNone {
		return nil, model.ZoneNone, 0, false
	}
	z := &c.zones[i]
	state, checks = c.disruptionState(z)
	if c.master {
		dark := 0
		for k := range c.zones {
			if c.zones[k].counted() > 0 {
				dark++
			}
		}
		checks = append(checks, model.Check{What: model.ComparedReadyZones, Left: model.Count(0), Op: model.Greater, Right: model.Count(0), Holds: false},
			model.Check{What: model.ComparedCountedZones, Left: model.Count(dark), Op: model.Greater, Right: model.Count(0), Holds: true})
		return checks, z.state, z.queue.limiter.rate(), true
	}
	_, sizes := c.rateOf(z, state)
	return append(checks, sizes...), z.state, z.queue.limiter.rate(), true
}
