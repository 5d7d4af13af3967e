package drive

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
func (d *Driver) goOn(at model.Instant, within model.Interval) {
	d.wentOn = within
	for i := range int32(d.Cache.Rows()) {
		if row := d.Cache.Row(i); row.Node != nil {
			d.record(d.Taints.NodeChanged(at, row.Name, d.Cache), within)
		}
	}
	d.beginListening(at, within)
}

// goOnFor lets controllers that stand still go on, if they may have by the time of a write that shows it: its place in
// the order of all Changes is the earliest that its time allows.
func (d *Driver) goOnFor(w *evidence.Seen) {
	if d.turned < len(d.turns) {
		if t := &d.turns[d.turned]; t.GoesOn && !t.Stops && t.Within.Overlaps(w.Time) {
			d.turn()
		}
	}
}

// lateCount says which nodes' last heartbeats a pass may have counted only when the controllers went on:
// nobody knows since when they had stood still. They are not declared before a grace period later, but
// those that are seen to be. nil where there are none.
func (d *Driver) lateCount(p passes.Pass) func(node string, renewed model.Instant) bool {
	stood, ok := d.plan.Course.StandstillBefore(p.At)
	if !ok {
		return nil
	}
	since, marked := d.plan.Course.IdleSince(stood), map[string]bool{}
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= p.Latest.Add(evidence.LagBound); i++ {
		if w := &d.plan.Evidence.Writes[i]; w.Kind == model.MarkUnknown && w.Time.Earliest <= p.Latest.Add(evidence.LagBound) {
			marked[w.Node] = true
		}
	}
	return func(node string, renewed model.Instant) bool {
		return renewed >= since.Add(-d.flags().NodeMonitorPeriod.Value) && renewed <= stood.Latest && !marked[node]
	}
}

// CatchesUp is how long after it went on a controller may read what its watches had brought before it stood
// still: what came meanwhile waits in its connections.
const CatchesUp = 3 * time.Second

// stands keeps the cache as it is when the controllers stand still.
func (d *Driver) stands() { d.stale = d.Cache.Clone() }

// behindIn lets a pass of controllers that have just gone on read those nodes as they were before that
// are seen to be declared, or tainted, by it and give no reason any more: which they are is a race. How
// long the controllers had stood still nobody knows, so that their silence is not counted.
func (d *Driver) behindIn(p passes.Pass, h *nodelifecycle.Hidden) {
	if d.stale == nil || !p.GoesOn {
		d.caughtUp(p.At)
		return
	}
	stale := map[string]bool{}
	until := d.wentOn.Latest.Add(CatchesUp)
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= until; i++ {
		w := &d.plan.Evidence.Writes[i]
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
func (d *Driver) behindAt(w *evidence.Seen, h *nodelifecycle.Hidden) {
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

// ownWrite tells controllers that catch up what they have declared themselves: what they are behind with is what came
// before that.
func (d *Driver) ownWrite(ch *model.Change, key int) {
	if d.catchingUp(ch.Time.Earliest) && ch.Node != nil && slices.ContainsFunc(d.writesAt(key), func(w evidence.Seen) bool { return w.Kind == model.MarkUnknown }) {
		d.stale.Fold(ch, d.Position+1, nil, 0)
	}
}

// outrun says that a node gives no reason any more for what was written, and that the controllers may not
// have known when they stood still.
func (d *Driver) outrun(w *evidence.Seen) bool {
	was, is := d.stale.Find(w.Node), d.Cache.Find(w.Node)
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
func (d *Driver) catchingUp(at model.Instant) bool {
	return d.stale != nil && d.wentOn.Known() && at <= d.wentOn.Latest.Add(CatchesUp)
}

// caughtUp lets go of what the controllers knew before they stood still, once they know all.
func (d *Driver) caughtUp(at model.Instant) {
	if d.wentOn.Known() && !d.catchingUp(at) {
		d.stale = nil
	}
}
