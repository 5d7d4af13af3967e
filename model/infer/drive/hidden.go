package drive

import (
	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// reopen forgets which effects of a kind are expected: nobody knows whether they came in the
// gap that has just ended, and the models decide anew what is still to be done.
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

// unseenBeat says that a node may have been heard by a pass, though no renewal shows it: one
// that came later in the same gap does. Where a gap has no end yet any node may, and so where nobody
// made a list when it ended, until a node that was heard in it last would be declared; but not those
// that are seen to be marked then.
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

// marked are the nodes that are seen to be declared Unknown by a pass.
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

// unheard says that nobody can tell since when a node is silent: no lease is known of it then, or its object was made
// anew where one of that name may have been there before the input begins. The controller remembers that.
// Source: kubernetes: pkg/controller/nodelifecycle, which never forgets the health of a name.
func (d *Driver) unheard(node string, at model.Instant) bool {
	e := d.plan.Evidence
	if e.Unleased[node] || at < e.LeasedFrom[node] {
		return true
	}
	n := d.Cache.Node(node)
	return n != nil && n.Ready() == nil && !e.KnownStart && !e.Known[node]
}

// hidden is what decides in a pass, and nobody saw: who may have been heard, and who was silent before
// anything was seen of it.
func (d *Driver) hidden(p passes.Pass) nodelifecycle.Hidden {
	silent := d.marked(p)
	h := nodelifecycle.Hidden{MayBeat: d.mayBeat(p, silent), Declared: d.declared}
	if d.started {
		h.Silent = silent
	}
	d.behindIn(p, &h)
	return h
}

// declared says that it is expected already that a node becomes Unknown. Where thousands are late, and the controllers do
// not come to declaring them, each pass would decide of all of them anew.
func (d *Driver) declared(node string) bool {
	_, is := d.open.find(evidence.Effect{What: model.WriteConditions, Node: node})
	return is
}

// mayBeat says that a node is not declared Unknown by a pass, though it seems to be silent.
func (d *Driver) mayBeat(p passes.Pass, marked map[string]bool) func(node string, renewed model.Instant) bool {
	hidden, late, early, e := d.unseenBeat(p, marked), d.lateCount(p), d.earlyCount(p), d.plan.Evidence
	_, stalled := e.StallAt(p.At) // a pass that declares a node then waits with that, and comes to no other
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

// earlyCount says which heartbeats the models have counted too early: what stands there when the input begins they find in
// passes before that, and no pass counted a renewal before it was made. nil where there is none.
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

// withheld says that a zone gives no token.
func (d *Driver) withheld(zone model.ZoneKey) bool {
	return d.Undecided != nil && d.Undecided.Zones[zone] || d.Unjudged > 0 && d.pass >= d.Unjudged
}
