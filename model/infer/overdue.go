package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// Omission is what the controller does not do.
type Omission string

const (
	DoesNotAct Omission = "acts"
	// WritesRefused: it tries to, and the API server refuses the writes.
	WritesRefused Omission = "refused"
	// TaintsNone: only NoExecute taints are overdue, so no more is known. With a rate of 0 no node ever gets one.
	TaintsNone Omission = "taints"
)

// Omits is the Omission, by the overdue decisions.
func (o *Overdue) Omits() Omission {
	switch {
	case o.Refused:
		return WritesRefused
	case o.OnlyTaints():
		return TaintsNone
	}
	return DoesNotAct
}

// OnlyTaints reports whether only NoExecute taints are overdue.
func (o *Overdue) OnlyTaints() bool {
	return o.Known() && len(o.Decisions) > 0 && !slices.ContainsFunc(o.Decisions, func(d model.Decision) bool { return d.Kind != model.TaintNoExecute })
}

// overdueIn finds the overdue decisions at the end of coverage, once the models have reached it. A finished recording
// has none, as a later write shows more.
func (r *run) overdueIn(d *drive.Driver) (o Overdue) {
	if r.o.Mode != Causal {
		return o
	}
	if o = r.overdueFromTheStart(d); o.Known() {
		return o
	}
	end, acted, effects := r.coverage.Latest, r.lastWrite(), map[evidence.Effect]bool{}
	for e := range model.Each(d.Expectations()) {
		x, may, of := &d.Decisions[e.Decision], d.May(e), d.Expected(e)
		switch {
		case e.Met || e.Traceless || may.Earliest <= acted || max(may.Latest, r.anewBy(d, x)).Add(d.Patience(of)) >= end:
			continue
		case may.Earliest < r.coverage.Earliest || r.evidence.Gaps.Hides(of.Kind(), model.Interval{Earliest: may.Earliest, Latest: end}):
			continue
		case !d.Awaits(of, x.ID) || !wanted(of, d.Cache):
			continue
		}
		o.lacks(may.Latest, x.Time-1)
		effects[of] = true
		if n := len(o.Decisions); n == 0 || o.Decisions[n-1].ID != x.ID {
			o.Decisions = append(o.Decisions, *x)
		}
		_, refused := r.evidence.Refused[of.Node]
		o.Refused = o.Refused || refused
	}
	r.overdueSince(d, effects, &o)
	return o
}

// overdueFromTheStart finds the decisions overdue at the first lists: nodes that are Ready in spite of their last
// heartbeats, if the controllers have written nothing since.
func (r *run) overdueFromTheStart(d *drive.Driver) (o Overdue) {
	if !r.evidence.KnownStart || len(r.passes) == 0 {
		return o
	}
	wrote := r.evidence.LastWrite(func(*evidence.Seen) bool { return true }) // a list shows writes as well
	watched := r.coverage.Latest
	if gap, ok := r.evidence.Gaps.At(model.KindNode, watched); ok && !gap.BeforeStart {
		watched = gap.Earliest
	}
	c := r.scheduleAt(r.coverage.Latest)
	writes := c.Writing()
	for _, row := range d.Cache.All() {
		h := c.Heard[row.Name]
		if row.Node == nil || row.Node.Zone == drive.Nowhere || !h.Judged || !h.Lease.Known() || row.Node.Created.Add(c.Startup) > r.coverage.Earliest {
			continue
		}
		due := c.Allows(h, h.New, writes)
		due.Latest = due.Latest.Add(evidence.LagBound)
		if !r.evidence.TellsRestarts {
			due.Latest = max(due.Latest, r.coverage.Earliest.Add(c.GraceOf(h.New)+2*(c.Period+c.Longest)))
		}
		// An API server that was away may delay it: the next pass after that writes.
		shows := max(due.Latest, r.evidence.TakesWrites.Add(c.Period+c.Longest+evidence.LagBound)).Add(drive.Arrival)
		if shows >= watched || wrote >= due.Earliest {
			continue
		}
		// Nodes that fall silent later, and are due after all writes, do not change earlier decisions.
		o.lacks(due.Latest, max(r.coverage.Earliest, due.Earliest-1))
		o.Decisions = append(o.Decisions, undeclared(row.Name, row.Node, due, model.WhyUndeclared))
	}
	return o
}

// undeclared is a declaration that was due within a window, and is missing.
func undeclared(name string, node *model.Node, window model.Interval, why model.ReasonCode) model.Decision {
	x := model.Decision{Time: window.Earliest, Window: window, Controller: model.NodeLifecycle, Kind: model.MarkUnknown, Node: name, Zone: model.Some(node.Zone),
		Rule: model.RuleSilentPastGrace, Basis: model.Inferred, Why: model.Because(why),
		Writes: []model.Write{{Kind: model.WriteConditions, Node: name, At: window.Earliest}}, LeavesTrace: true}
	x.ID = x.Identify()
	return x
}

// anewBy is the latest time of a decision if the process started, unrecorded, just before the watch or at the end of
// the last gap. It counts silence and countdowns from then. An outage of ten seconds ends the leader.
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
		for began := range model.Each(d.Decisions) {
			if slices.Contains(x.Causes, began.ID) {
				return from.Add(began.Length().Value + 2*p.NodeMonitorPeriod.Value)
			}
		}
	}
	return model.FarPast
}

// overdueSince moves Since before the first lists, for effects due then, by a node's own last heartbeat.
func (r *run) overdueSince(d *drive.Driver, effects map[evidence.Effect]bool, o *Overdue) {
	if !r.evidence.KnownStart || len(effects) == 0 {
		return
	}
	c := r.scheduleAt(r.coverage.Latest)
	writes := c.Writing()
	for x := range model.Each(o.Decisions) {
		if n, h := d.Cache.Node(x.Node), c.Heard[x.Node]; x.Kind == model.MarkUnknown && n != nil && h.Lease.Known() {
			o.Since = min(o.Since, c.Allows(h, n.Ready() == nil, writes).Latest.Add(evidence.LagBound))
		}
	}
	for e := range model.Each(d.Expectations()) {
		if may := d.May(e); !e.Met && may.Earliest < r.coverage.Earliest && effects[d.Expected(e)] {
			o.lacks(may.Latest, d.Decisions[e.Decision].Time-1)
		}
	}
}

// lastWrite is the last observed write of the controllers; FarPast without one.
func (r *run) lastWrite() model.Instant {
	return r.evidence.LastWrite(func(w *evidence.Seen) bool { return !w.Across })
}

// wanted reports whether an effect is still to come: not for a node that came back, or for a deleted pod.
func wanted(e evidence.Effect, cache *informer.Cache) bool {
	row := cache.Find(e.Node)
	if row == nil || row.Node == nil {
		return false
	}
	n := row.Node
	has := n.Taint(e.Taint, e.On) != nil
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

// anyReady reports whether a node is Ready. Without one, all zones are in FullDisruption: none is tainted NoExecute.
// Source: kubernetes: pkg/controller/nodelifecycle, handleDisruption.
func anyReady(cache *informer.Cache) bool {
	for row := range cache.Nodes() {
		if row.Node.IsReady() {
			return true
		}
	}
	return false
}

// UntoldStandstill is the last unrecorded pause that Options.Standstills does not have. Several nodes with young
// renewals were declared together, as by a controller that continues with old memory after a grace period or longer. ok
// is false without one.
func (r *Result) UntoldStandstill() (stood model.Interval, ok bool) {
	var first *evidence.Seen
	of := r.models()
	for w := range model.Each(of.evidence.Writes) {
		known := slices.ContainsFunc(of.o.Standstills, func(v model.Interval) bool {
			return w.Time.Earliest <= v.Latest.Add(drive.CatchesUp) && v.Earliest <= w.Time.Latest
		})
		if w.Kind != model.MarkUnknown || w.Decision != 0 || w.Across || known || !w.Beat.Known() || w.Time.Latest.Sub(w.Beat) >= evidence.RenewsWithin {
			continue
		}
		if first == nil || w.Time.Earliest.Sub(first.Time.Latest) > drive.CatchesUp {
			first = w
			continue
		}
		p := &of.o.Params
		stood = model.Interval{Earliest: first.Time.Latest.Add(-p.NodeMonitorGracePeriod.Value - 2*p.NodeMonitorPeriod.Value), Latest: first.Time.Latest}
		stood.Earliest, ok = max(stood.Earliest, of.coverage.Earliest), true
	}
	return stood, ok
}
