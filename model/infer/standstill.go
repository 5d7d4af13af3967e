package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// goOn is controllers that had stood still: they remember all, have the changes before them that came
// meanwhile, and do at once what was due.
func (d *driver) goOn(at model.Instant, within model.Interval) {
	d.wentOn = within
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.taints.NodeChanged(at, row.Name, d.cache), within)
		}
	}
	d.beginListening(at, within)
}

// lateCount says which nodes' last heartbeats a pass may have counted only when the controllers went on:
// nobody knows since when they had stood still. They are not declared before a grace period later, but
// those that are seen to be. nil where there are none.
func (d *driver) lateCount(p passes.Pass) func(node string, renewed model.Instant) bool {
	stood, ok := d.r.course().StandstillBefore(p.At)
	if !ok {
		return nil
	}
	since, marked := d.r.course().IdleSince(stood), map[string]bool{}
	for i := d.next; i < len(d.r.evidence.Writes) && d.r.evidence.Writes[i].Soonest <= p.Latest.Add(evidence.LagBound); i++ {
		if w := &d.r.evidence.Writes[i]; w.Kind == model.MarkUnknown && w.Time.Earliest <= p.Latest.Add(evidence.LagBound) {
			marked[w.Node] = true
		}
	}
	return func(node string, renewed model.Instant) bool {
		return renewed >= since.Add(-d.r.o.Params.NodeMonitorPeriod.Value) && renewed <= stood.Latest && !marked[node]
	}
}

// catchesUp is how long after it went on a controller may read what its watches had brought before it stood
// still: what came meanwhile waits in its connections.
const catchesUp = 3 * time.Second

// stands keeps the cache as it is when the controllers stand still.
func (d *driver) stands() { d.stale = d.cache.Clone() }

// behindIn lets a pass of controllers that have just gone on read those nodes as they were before that
// are seen to be declared, or tainted, by it and give no reason any more: which they are is a race. How
// long the controllers had stood still nobody knows, so that their silence is not counted.
func (d *driver) behindIn(p passes.Pass, h *nodelifecycle.Hidden) {
	if d.stale == nil || !p.GoesOn {
		d.caughtUp(p.At)
		return
	}
	stale := map[string]bool{}
	until := d.wentOn.Latest.Add(catchesUp)
	for i := d.next; i < len(d.r.evidence.Writes) && d.r.evidence.Writes[i].Soonest <= until; i++ {
		w := &d.r.evidence.Writes[i]
		if w.Time.Earliest > until || !d.outrun(w) {
			continue
		}
		if stale[w.Node] = true; w.Kind != model.MarkUnknown {
			continue
		}
		if h.Silent == nil {
			h.Silent = map[string]bool{}
		}
		h.Silent[w.Node] = true
	}
	if len(stale) > 0 {
		h.Stale = func(node string) *informer.Row {
			if !stale[node] {
				return nil
			}
			return d.stale.Find(node)
		}
	}
}

// behindAt is behindIn for the tick that wrote a taint.
func (d *driver) behindAt(w *evidence.Seen, h *nodelifecycle.Hidden) {
	if !d.catchingUp(w.Time.Earliest) || !d.outrun(w) {
		return
	}
	h.Stale = func(node string) *informer.Row {
		if node != w.Node {
			return nil
		}
		return d.stale.Find(node)
	}
}

// outrun says that a node gives no reason any more for what was written, and that the controllers may not
// have known when they stood still.
func (d *driver) outrun(w *evidence.Seen) bool {
	was, is := d.stale.Find(w.Node), d.cache.Find(w.Node)
	if was == nil || is == nil || was.Node == nil || is.Node == nil || was.Node == is.Node && was.Lease == is.Lease {
		return false
	}
	ready := is.Node.Ready()
	switch w.Kind {
	case model.MarkUnknown:
		return ready == nil || ready.Status != model.StatusUnknown
	case model.TaintNoExecute:
		return ready != nil && ready.Status == model.StatusTrue
	}
	return false
}

// catchingUp says that at an instant the controllers may not know yet what came while they stood still.
func (d *driver) catchingUp(at model.Instant) bool {
	return d.stale != nil && d.wentOn.Known() && at <= d.wentOn.Latest.Add(catchesUp)
}

// caughtUp lets go of what the controllers knew before they stood still, once they know all.
func (d *driver) caughtUp(at model.Instant) {
	if d.wentOn.Known() && !d.catchingUp(at) {
		d.stale = nil
	}
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
			return w.Time.Earliest <= v.Latest.Add(catchesUp) && v.Earliest <= w.Time.Latest
		})
		if w.Kind != model.MarkUnknown || w.Decision != 0 || w.Across || known || !w.Beat.Known() || w.Time.Latest.Sub(w.Beat) >= evidence.RenewsWithin {
			continue
		}
		if first == nil || w.Time.Earliest.Sub(first.Time.Latest) > catchesUp {
			first = w
			continue
		}
		p := &r.run.o.Params
		stood = model.Interval{Earliest: first.Time.Latest.Add(-p.NodeMonitorGracePeriod.Value - 2*p.NodeMonitorPeriod.Value), Latest: first.Time.Latest}
		stood.Earliest, ok = max(stood.Earliest, r.run.coverage.Earliest), true
	}
	return stood, ok
}
