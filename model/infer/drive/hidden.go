package drive

import (
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// reopen forgets the open effects of a kind after a gap: they may have come in it, and the models decide again.
func (d *Driver) reopen(kind model.Kind, at model.Instant) {
	for e := range d.open.decisions {
		if e.Kind() == kind {
			d.open.close(e)
		}
	}
	if e := d.plan.Evidence; kind == model.KindNode && e.KnownStart && at == e.Begins {
		d.Nodes.Adopt(at, d.Cache)
	}
}

// unseenBeat reports for which nodes a pass may have counted an unseen renewal. One later in the same gap shows it.
// After a gap without an end or a list, and until a grace period later, it may be any node not seen to be declared.
func (d *Driver) unseenBeat(p passes.Pass, marked map[string]bool) func(node string, renewed model.Instant) bool {
	gaps := &d.plan.Evidence.Gaps
	gap, ok := gaps.At(model.KindNodeLease, p.At)
	if !ok {
		gap, ok = gaps.StillHeard(p.At, d.flags().NodeMonitorGracePeriod.Value)
	}
	if !ok {
		return nil
	}
	open := gap.Latest >= d.plan.Coverage.Latest || gap.Unlisted || gap.BeforeStart
	return func(node string, renewed model.Instant) bool {
		_, declared := marked[node]
		if p.At > gap.End() {
			return renewed <= gap.Earliest && !declared
		}
		last, heard := d.plan.Evidence.HeardIn(&gap, node)
		return open && !declared || heard && renewed < last
	}
}

// marked are the nodes that a pass is seen to declare Unknown, with the result of unheard.
func (d *Driver) marked(p passes.Pass) map[string]bool {
	var nodes map[string]bool
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= p.Latest.Add(evidence.LagBound); i++ {
		if w := &d.plan.Evidence.Writes[i]; w.Kind == model.MarkUnknown && w.Made().Earliest <= p.Latest.Add(evidence.LagBound) {
			if nodes == nil {
				nodes = map[string]bool{}
			}
			nodes[w.Node] = d.unheard(w.Node, p.At)
		}
	}
	return nodes
}

// unheard reports whether the start of a node's silence is not known. It has no known lease, or its object was created
// again under a name from before the input.
// Source: kubernetes: pkg/controller/nodelifecycle, which never forgets the health of a name.
func (d *Driver) unheard(node string, at model.Instant) bool {
	e := d.plan.Evidence
	if e.Unleased[node] || at < e.LeasedFrom[node] {
		return true
	}
	n := d.Cache.Node(node)
	return n != nil && n.Ready() == nil && !e.KnownStart && !e.Known[node]
}

// hidden are the choices of a pass that were not observed: unseen renewals, and silence from before the observation.
func (d *Driver) hidden(p passes.Pass) nodelifecycle.Hidden {
	silent := d.marked(p)
	h := nodelifecycle.Hidden{MayBeat: d.mayBeat(p, silent), Declared: d.declared}
	if d.started {
		h.Silent = silent
	}
	d.behindIn(p, &h)
	return h
}

// declared reports whether a node's declaration is expected already. Otherwise each pass would decide it again.
func (d *Driver) declared(node string) bool {
	_, is := d.open.find(evidence.Effect{What: model.WriteConditions, Node: node})
	return is
}

// mayBeat reports which nodes a pass does not declare Unknown, though they seem silent.
func (d *Driver) mayBeat(p passes.Pass, marked map[string]bool) func(node string, renewed model.Instant) bool {
	hidden, late, early, e := d.unseenBeat(p, marked), d.lateCount(p), d.earlyCount(p), d.plan.Evidence
	_, stalled := e.StallAt(p.At) // a pass that declares a node waits then, and reaches no other
	if d.Undecided == nil && !stalled && hidden == nil && late == nil && early == nil && len(e.Unleased) == 0 && len(e.LeasedFrom) == 0 {
		return nil
	}
	return func(node string, renewed model.Instant) bool {
		_, declared := marked[node]
		return d.Undecided != nil && d.Undecided.Nodes[node] || stalled && !declared || late != nil && late(node, renewed) ||
			early != nil && !declared && early(renewed) ||
			hidden != nil && hidden(node, renewed) || !declared && (e.Unleased[node] || p.At < e.LeasedFrom[node])
	}
}

// earlyCount reports which renewals the models count too early: in passes from before the input, they find the state at
// its start. No real pass counts a later renewal. nil for none.
func (d *Driver) earlyCount(p passes.Pass) func(renewed model.Instant) bool {
	f := d.flags()
	grace := f.NodeMonitorGracePeriod.Value
	if d.plan.Evidence.KnownStart || p.At > d.plan.Coverage.Earliest.Add(grace+2*f.NodeMonitorPeriod.Value) {
		return nil
	}
	return func(renewed model.Instant) bool {
		return renewed.Known() && renewed <= d.plan.Coverage.Earliest && p.At <= renewed.Add(grace)
	}
}

// withheld reports whether a zone gives no token.
func (d *Driver) withheld(zone model.ZoneKey) bool {
	return d.Undecided != nil && d.Undecided.Zones[zone] || d.Unjudged > 0 && d.pass >= d.Unjudged
}

// Doubts are the nodes whose state is not known: only their leases were seen, or nothing since a gap that may change
// it.
func (d *Driver) Doubts(at model.Instant) nodelifecycle.Doubts {
	e := d.plan.Evidence
	out := nodelifecycle.Doubts{Unplaced: len(e.Unseen)}
	if !e.Gaps.AnyUnlisted(model.KindNode) {
		return out
	}
	for row := range d.Cache.Nodes() {
		ready, notReady := d.doubted(row, at)
		if !ready && !notReady {
			continue
		}
		if out.Zones == nil {
			out.Zones = map[model.ZoneKey]nodelifecycle.Doubt{}
		}
		doubt := out.Zones[row.Node.Zone]
		if ready {
			doubt.Ready++
		} else {
			doubt.NotReady++
		}
		out.Zones[row.Node.Zone] = doubt
	}
	return out
}

// doubted reports what a gap must have changed: a Ready node is silent for too long, or one not Ready has renewed.
func (d *Driver) doubted(row *informer.Row, at model.Instant) (ready, notReady bool) {
	gap, ok := d.plan.Evidence.Outlived(model.KindNode, model.Key{Name: row.Name}, at)
	if !ok {
		return false, false
	}
	heard := row.Lease.Exists && row.Lease.Renewed > gap.Earliest
	if was := row.Node.Ready(); was == nil || was.Status != model.StatusTrue {
		return false, heard
	}
	settled := gap.Latest.Add(d.flags().NodeMonitorGracePeriod.Value + d.flags().NodeMonitorPeriod.Value + evidence.LagBound)
	return !heard && at > settled && !d.plan.Evidence.Unleased[row.Name], false
}

func (d *Driver) doubts() nodelifecycle.Doubts {
	if at := d.plan.passAt(max(0, d.pass-1)).At; d.doubtedAt != at {
		d.doubtedNow, d.doubtedAt = d.Doubts(at), at
	}
	return d.doubtedNow
}

// unsureZones notes the zones, and master disruption, that are in doubt at the end of a pass.
func (d *Driver) unsureZones() {
	doubts := d.doubts()
	if d.Seeking || len(doubts.Zones) == 0 {
		return
	}
	if !d.Nodes.MasterIsKnown(doubts) {
		d.unsureMaster = d.pass
	}
	for _, z := range d.Nodes.Zones(d.zonesAt, d.Cache) {
		if !d.Nodes.ZoneIsKnown(z.Zone, doubts) {
			d.unsure[z.Zone] = d.pass
		}
	}
}
