package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// Overdue is what the controllers must have done by the end of a Causal run, and have not, while
// nothing else that they do was seen either: the process is stalled, dead or without a leader,
// its cache is behind, or the flags are others than assumed. Nobody can tell which from outside.
// The models wait with it, for what they would decide next rests on writes that were never made.
type Overdue struct {
	// Since is by when the first of it must have been seen; unknown where nothing is overdue.
	Since model.Instant
	// Held is the instant at which the models stand: just before they decided the first of it.
	Held model.Instant
	// Decisions are those that have not come, in the order decided.
	Decisions []model.Decision
}

// Known says that something is overdue.
func (o *Overdue) Known() bool { return o.Since.Known() }

// For says how long something has been overdue at an instant; 0 where nothing is.
func (o *Overdue) For(at model.Instant) time.Duration {
	if !o.Known() {
		return 0
	}
	return max(0, at.Sub(o.Since))
}

// Omission is a code for what the controller does not do.
type Omission string

const (
	DoesNotAct Omission = "acts"
	// TaintsNone: all that is overdue are NoExecute taints, so no more is known. With a rate of 0 no node ever gets one.
	TaintsNone Omission = "taints"
)

// Omits is what the controller does not do.
func (o *Overdue) Omits() Omission {
	if o.OnlyTaints() {
		return TaintsNone
	}
	return DoesNotAct
}

// OnlyTaints says that all that is overdue are NoExecute taints.
func (o *Overdue) OnlyTaints() bool {
	return o.Known() && len(o.Decisions) > 0 && !slices.ContainsFunc(o.Decisions, func(d model.Decision) bool { return d.Kind != model.TaintNoExecute })
}

// overdue finds what is overdue at the end of coverage; of finished recordings nothing is, for
// there a later write tells more. It runs once the models have come to the end.
func (r *run) overdueIn(d *drive.Driver) (o Overdue) {
	if r.o.Mode != Causal {
		return o
	}
	if o = r.overdueFromTheStart(d); o.Known() {
		return o
	}
	end, acted, effects := r.coverage.Latest, r.lastWrite(), map[evidence.Effect]bool{}
	for i := range d.Expectations() {
		e := &d.Expectations()[i]
		x, may, of := &d.Decisions[e.Decision], d.May(e), d.Expected(e)
		switch {
		case e.Met || e.Traceless || may.Earliest <= acted || max(may.Latest, r.anewBy(d, x)).Add(d.Patience(of)) >= end:
			continue
		case may.Earliest < r.coverage.Earliest || r.evidence.Gaps.Hides(of.Kind(), model.Interval{Earliest: may.Earliest, Latest: end}):
			continue
		case !d.Awaits(of, x.ID) || !wanted(of, d.Cache):
			continue
		}
		if !o.Known() {
			o.Since, o.Held = may.Latest, x.Time-1
		}
		o.Since, o.Held = min(o.Since, may.Latest), min(o.Held, x.Time-1)
		effects[of] = true
		if n := len(o.Decisions); n == 0 || o.Decisions[n-1].ID != x.ID {
			o.Decisions = append(o.Decisions, *x)
		}
	}
	r.overdueSince(d, effects, &o)
	return o
}

// overdueFromTheStart is what was overdue already when who watches came: the lists show nodes Ready that
// must have been declared Unknown by their own last heartbeats, and nothing that the controllers have
// written since.
func (r *run) overdueFromTheStart(d *drive.Driver) (o Overdue) {
	if !r.evidence.KnownStart || len(r.passes) == 0 {
		return o
	}
	wrote := model.FarPast // a list tells of writes as well
	for i := range r.evidence.Writes {
		wrote = max(wrote, r.evidence.Writes[i].Time.Latest)
	}
	watched := r.coverage.Latest
	if gap, ok := r.evidence.Gaps.At(model.KindNode, watched); ok && !gap.BeforeStart {
		watched = gap.Earliest
	}
	c := r.scheduleAt(r.coverage.Latest)
	writes := c.Writing()
	for i := range int32(d.Cache.Rows()) {
		row := d.Cache.Row(i)
		h := c.Heard[row.Name]
		if row.Node == nil || r.hides(row.Name) || !h.Judged || !h.Lease.Known() || row.Node.Created.Add(c.Startup) > r.coverage.Earliest {
			continue
		}
		due := c.Allows(h, h.New, writes)
		due.Latest = due.Latest.Add(evidence.LagBound)
		if !r.evidence.TellsRestarts {
			due.Latest = max(due.Latest, r.coverage.Earliest.Add(c.GraceOf(h.New)+2*(c.Period+c.Longest)))
		}
		// An API server that was away may have delayed it: the next pass after that writes.
		shows := max(due.Latest, r.evidence.TakesWrites.Add(c.Period+c.Longest+evidence.LagBound)).Add(drive.Arrival)
		if shows >= watched || wrote >= due.Earliest {
			continue
		}
		x := undeclared(row.Name, row.Node, due, model.WhyUndeclared)
		if !o.Known() {
			o.Since, o.Held = due.Latest, model.FarFuture
		}
		// Who falls silent later, and is due after all that was written, takes nothing from what was decided before.
		o.Since, o.Held = min(o.Since, due.Latest), min(o.Held, max(r.coverage.Earliest, due.Earliest-1))
		o.Decisions = append(o.Decisions, x)
	}
	return o
}

// undeclared is that a node must have been declared Unknown within a window, and was not.
func undeclared(name string, node *model.Node, window model.Interval, why model.ReasonCode) model.Decision {
	x := model.Decision{Time: window.Earliest, Window: window, Controller: model.NodeLifecycle, Kind: model.MarkUnknown, Node: name, Zone: model.Some(node.Zone),
		Rule: model.RuleSilentPastGrace, Basis: model.Inferred, Why: model.Because(why),
		Writes: []model.Write{{Kind: model.WriteConditions, Node: name, At: window.Earliest}}, LeavesTrace: true}
	x.ID = x.Identify()
	return x
}

// anewBy is by when a decision must have been made even if the process began just before the watch did, or at the end of the
// last gap, and nothing shows that: it counts silence, and countdowns, from then. An API server that is away for ten seconds
// ends the leader.
func (r *run) anewBy(d *drive.Driver, x *model.Decision) model.Instant {
	p, from := &r.o.Params, model.FarPast
	if r.evidence.KnownStart {
		from = r.coverage.Earliest
	}
	for _, b := range history.BlindIn(r.input.History, model.KindNode) {
		if b.Latest < r.coverage.Latest {
			from = max(from, b.Latest)
		}
	}
	if r.evidence.TellsRestarts || from == model.FarPast {
		return model.FarPast
	}
	switch x.Kind {
	case model.MarkUnknown:
		return from.Add(p.NodeMonitorGracePeriod.Value + 2*p.NodeMonitorPeriod.Value)
	case model.EvictPod:
		for i := range d.Decisions {
			if began := &d.Decisions[i]; slices.Contains(x.Causes, began.ID) {
				return from.Add(began.Length().Value + 2*p.NodeMonitorPeriod.Value)
			}
		}
	}
	return model.FarPast
}

// overdueSince goes back to before who watches came: what was due then, and is still to be done, was
// overdue already. By when a node must have been declared Unknown its own last heartbeat says.
func (r *run) overdueSince(d *drive.Driver, effects map[evidence.Effect]bool, o *Overdue) {
	if !r.evidence.KnownStart || len(effects) == 0 {
		return
	}
	c := r.scheduleAt(r.coverage.Latest)
	writes := c.Writing()
	for i := range o.Decisions {
		x := &o.Decisions[i]
		if n, h := d.Cache.Node(x.Node), c.Heard[x.Node]; x.Kind == model.MarkUnknown && n != nil && h.Lease.Known() {
			o.Since = min(o.Since, c.Allows(h, n.Ready() == nil, writes).Latest.Add(evidence.LagBound))
		}
	}
	for i := range d.Expectations() {
		e := &d.Expectations()[i]
		if may := d.May(e); !e.Met && may.Earliest < r.coverage.Earliest && effects[d.Expected(e)] {
			o.Since, o.Held = min(o.Since, may.Latest), min(o.Held, d.Decisions[e.Decision].Time-1)
		}
	}
}

// lastWrite is when the controllers wrote last, as far as that was seen; FarPast if never.
func (r *run) lastWrite() model.Instant {
	last := model.FarPast
	for i := range r.evidence.Writes {
		if w := &r.evidence.Writes[i]; !w.Across {
			last = max(last, w.Time.Latest)
		}
	}
	return last
}

// wanted says that an effect is still to come, by the objects as they stand: a node that came
// back meanwhile, or a pod that somebody else deleted, leaves nothing to be done.
func wanted(e evidence.Effect, cache *informer.Cache) bool {
	row := cache.Find(e.Node)
	if row == nil || row.Node == nil {
		return false
	}
	n := row.Node
	has := evidence.TaintOf(n, &model.Taint{Key: e.Taint, Effect: e.On}) != nil
	ready := n.Ready()
	switch e.What {
	case model.WriteConditions:
		return ready == nil || ready.Status != model.StatusUnknown
	case model.WriteTaint:
		return !has && n.AsksFor(e.Taint) && (e.On != model.NoExecute || anyReady(cache))
	case model.WriteUntaint:
		return has && !n.AsksFor(e.Taint)
	case model.WritePodNotReady:
		p := row.Pod(e.Pod)
		return p != nil && p.Ready == model.StatusTrue && !p.Deletion.Known() && ready != nil && ready.Status != model.StatusTrue
	case model.WriteDelete:
		p := row.Pod(e.Pod)
		return p != nil && !p.Deletion.Known() && n.HasNoExecute()
	}
	return false
}

// anyReady says that some node is Ready: where none is, every zone is dark, and no node is tainted NoExecute.
// Source: kubernetes: pkg/controller/nodelifecycle, handleDisruption.
func anyReady(cache *informer.Cache) bool {
	for i := range int32(cache.Rows()) {
		if n := cache.Row(i).Node; n != nil && n.IsReady() {
			return true
		}
	}
	return false
}

// UntoldStandstill is one that nothing else tells of, and that Options.Standstills does not list yet: several nodes
// were declared Unknown together that had just been heard, as by a controller that goes on with what it
// knew before. It had stood still for a grace period then, or longer. The last of several; ok is false
// where there is none.
func (r *Result) UntoldStandstill() (stood model.Interval, ok bool) {
	if r.run == nil {
		return stood, false
	}
	var first *evidence.Seen
	for i := range r.run.evidence.Writes {
		w := &r.run.evidence.Writes[i]
		known := slices.ContainsFunc(r.run.o.Standstills, func(v model.Interval) bool {
			return w.Time.Earliest <= v.Latest.Add(drive.CatchesUp) && v.Earliest <= w.Time.Latest
		})
		if w.Kind != model.MarkUnknown || w.Decision != 0 || w.Across || known || !w.Beat.Known() || w.Time.Latest.Sub(w.Beat) >= evidence.RenewsWithin {
			continue
		}
		if first == nil || w.Time.Earliest.Sub(first.Time.Latest) > drive.CatchesUp {
			first = w
			continue
		}
		p := &r.run.o.Params
		stood = model.Interval{Earliest: first.Time.Latest.Add(-p.NodeMonitorGracePeriod.Value - 2*p.NodeMonitorPeriod.Value), Latest: first.Time.Latest}
		stood.Earliest, ok = max(stood.Earliest, r.run.coverage.Earliest), true
	}
	return stood, ok
}
