package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// reopen forgets which effects of a kind are expected: nobody knows whether they came in the
// gap that has just ended, and the models decide anew what is still to be done.
func (d *driver) reopen(kind model.Kind, at model.Instant) {
	for e := range d.open.decisions {
		if e.Kind() == kind {
			d.open.close(e)
		}
	}
	if e := d.r.evidence; kind == model.KindNode && e.KnownStart && at == e.Begins {
		d.nodes.Adopt(d.cache)
	}
}

// unseenBeat says that a node may have been heard by a pass, though no renewal shows it: one
// that came later in the same gap does. Where a gap has no end yet any node may, and so where nobody
// made a list when it ended, until a node that was heard in it last would be declared; but not those
// that are seen to be marked then.
func (d *driver) unseenBeat(p passes.Pass, marked map[string]bool) func(node string, renewed model.Instant) bool {
	gaps := &d.r.evidence.Gaps
	gap, ok := gaps.At(model.KindNodeLease, p.At)
	if !ok {
		gap, ok = gaps.StillHeard(p.At, d.r.o.Params.NodeMonitorGracePeriod.Value)
	}
	if !ok {
		return nil
	}
	open := gap.Latest >= d.r.coverage.Latest || gap.Unlisted || gap.BeforeStart
	return func(node string, renewed model.Instant) bool {
		_, declared := marked[node]
		if p.At > gap.End() {
			return renewed <= gap.Earliest && !declared
		}
		last, heard := d.r.evidence.HeardIn(&gap, node)
		return open && !declared || heard && renewed < last
	}
}

// marked are the nodes that are seen to be declared Unknown by a pass.
func (d *driver) marked(p passes.Pass) map[string]bool {
	var nodes map[string]bool
	for i := d.next; i < len(d.r.evidence.Writes) && d.r.evidence.Writes[i].Soonest <= p.Latest.Add(evidence.LagBound); i++ {
		if w := &d.r.evidence.Writes[i]; w.Kind == model.MarkUnknown && w.Time.Earliest <= p.Latest.Add(evidence.LagBound) {
			if nodes == nil {
				nodes = map[string]bool{}
			}
			nodes[w.Node] = d.r.evidence.Unleased[w.Node]
		}
	}
	return nodes
}

// hidden is what decides in a pass, and nobody saw: who may have been heard, and who was silent before
// anything was seen of it.
func (d *driver) hidden(p passes.Pass) nodelifecycle.Hidden {
	silent := d.marked(p)
	h := nodelifecycle.Hidden{MayBeat: d.mayBeat(p, silent)}
	if d.started {
		h.Silent = silent
	}
	d.behindIn(p, &h)
	return h
}

// settles is how long after a gap what is not known of it may still show: silent nodes are declared,
// and countdowns that began in it end.
func (r *run) settles() time.Duration {
	return r.o.Params.NodeMonitorGracePeriod.Value + r.evidence.Period + admitted
}

// admitted is the longest that pods get without asking for it: the toleration that admission adds.
const admitted = 5 * time.Minute

// unsettled is a gap, after which nobody listed what there was, in which that may have happened on which
// rests what the controllers do at an instant: their queues, the state of their zones, their countdowns.
func (r *run) unsettled(v model.Interval) (in model.Interval, ok bool) {
	for _, gap := range slices.Concat(r.evidence.Gaps[model.KindNode], r.evidence.Gaps[model.KindNodeLease], r.evidence.Gaps[model.KindPod]) {
		if gap.Unlisted && gap.Earliest <= v.Latest && v.Earliest <= gap.End().Add(r.settles()) {
			return gap.Interval, true
		}
	}
	return in, false
}

// guessed says that a decision would be a guess: it lies in a gap after which nobody listed what
// there was, or rests on what was known before it.
func (r *run) guessed(x *model.Decision) bool {
	if x.Observed != nil {
		return false
	}
	if x.Node != "" {
		if _, ok := r.evidence.Outlived(model.KindNode, model.Key{Name: x.Node}, x.Window.Earliest); ok {
			return true
		}
	}
	settled := r.o.Params.NodeMonitorGracePeriod.Value + r.evidence.Period // by then all that are silent are declared
	return slices.ContainsFunc(slices.Concat(r.evidence.Gaps[model.KindNode], r.evidence.Gaps[model.KindNodeLease]), func(v evidence.Gap) bool {
		return v.Unlisted && v.Earliest < x.Window.Latest && x.Window.Earliest < v.End().Add(settled) && (x.Node == "" || x.Window.Earliest < v.End())
	})
}

// heardSince says that nodes were heard after an instant.
func (r *run) heardSince(t model.Instant) bool {
	for _, h := range r.evidence.Heard {
		if h.Lease.Earliest > t {
			return true
		}
	}
	return false
}

// behindAt is until when the controllers' caches may be behind at an instant: our own watch was cut off
// before it, and whether theirs was as well is not seen; or they had stood still. Unknown where nothing
// says so.
func (r *run) behindAt(t model.Instant) (until model.Instant) {
	after := func(ended model.Instant) {
		if end := ended.Add(evidence.CatchesUp); ended <= t && t < end {
			until = max(until, end)
		}
	}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		for _, gap := range r.evidence.Gaps[kind] {
			if gap.Noted && !gap.BeforeStart {
				after(gap.Latest)
			}
		}
	}
	for _, v := range r.o.Standstills {
		after(v.Latest)
	}
	if r.evidence.AllLate && r.heardSince(r.evidence.Begins) {
		after(r.evidence.Begins) // who came then found nobody heard, and they beat
	}
	return until
}
