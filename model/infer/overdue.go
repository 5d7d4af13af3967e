package infer

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
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

// arrival is how long after its write a change may reach whoever watches.
const arrival = time.Second

// patience is how much longer than a write takes the models wait for it before they call it
// overdue: by then a pass, a token or a retry that nobody saw would have come as well.
func (d *driver) patience(e effect) time.Duration {
	period := d.r.o.Params.NodeMonitorPeriod.Value
	switch e.what {
	case model.WriteConditions:
		return arrival
	case model.WriteTaint:
		if e.on == model.NoExecute {
			return arrival + period + min(d.tokenEvery(), time.Minute) // a race may have burnt the token
		}
	case model.WriteDelete:
		return arrival + lagBound
	}
	return arrival + 2*period
}

// overdue finds what is overdue at the end of coverage; of finished recordings nothing is, for
// there a later write tells more. It runs once the models have come to the end.
func (r *run) overdueIn(d *driver) (o Overdue) {
	if r.o.Mode != Causal || d.open.empty() {
		return o
	}
	end, acted, effects := r.coverage.Latest, r.lastWrite(), map[effect]bool{}
	for i := range d.expectations.list {
		e := &d.expectations.list[i]
		x, may, of := &d.decisions[e.decision], d.may(e), d.expected(e)
		switch {
		case e.met || e.traceless || may.Earliest <= acted || may.Latest.Add(d.patience(of)) >= end:
			continue
		case may.Earliest < r.coverage.Earliest || r.blind.hides(kindOf(of), model.Interval{Earliest: may.Earliest, Latest: end}):
			continue
		case !d.open.is(of, x.ID) || !wanted(of, d.cache):
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

// overdueSince goes back to before who watches came: what was due then, and is still to be done, was
// overdue already. By when a node must have been declared Unknown its own last heartbeat says.
func (r *run) overdueSince(d *driver, effects map[effect]bool, o *Overdue) {
	if !r.based || len(effects) == 0 {
		return
	}
	c := r.scheduleAt(r.coverage.Latest)
	for i := range o.Decisions {
		x := &o.Decisions[i]
		if n, h := d.cache.Node(x.Node), c.heard[x.Node]; x.Kind == model.MarkUnknown && n != nil && h.lease.Known() {
			o.Since = min(o.Since, c.allows(h, n.Ready() == nil, c.writing()).Latest.Add(lagBound))
		}
	}
	for i := range d.expectations.list {
		e := &d.expectations.list[i]
		if may := d.may(e); !e.met && may.Earliest < r.coverage.Earliest && effects[d.expected(e)] {
			o.Since, o.Held = min(o.Since, may.Latest), min(o.Held, d.decisions[e.decision].Time-1)
		}
	}
}

// lastWrite is when the controllers wrote last, as far as that was seen; FarPast if never.
func (r *run) lastWrite() model.Instant {
	last := model.FarPast
	for i := range r.out {
		if w := &r.out[i]; !w.across {
			last = max(last, w.Time.Latest)
		}
	}
	return last
}

// wanted says that an effect is still to come, by the objects as they stand: a node that came
// back meanwhile, or a pod that somebody else deleted, leaves nothing to be done.
func wanted(e effect, cache *informer.Cache) bool {
	row := cache.Find(e.node)
	if row == nil || row.Node == nil {
		return false
	}
	n := row.Node
	has := taintOf(n, &model.Taint{Key: e.taint, Effect: e.on}) != nil
	ready := n.Ready()
	switch e.what {
	case model.WriteConditions:
		return ready == nil || ready.Status != model.StatusUnknown
	case model.WriteTaint:
		return !has && n.AsksFor(e.taint)
	case model.WriteUntaint:
		return has && !n.AsksFor(e.taint)
	case model.WritePodNotReady:
		p := row.Pod(e.pod)
		return p != nil && p.Ready == model.StatusTrue && !p.Deletion.Known() && ready != nil && ready.Status != model.StatusTrue
	case model.WriteDelete:
		p := row.Pod(e.pod)
		return p != nil && !p.Deletion.Known() && n.HasNoExecute()
	}
	return false
}
