package drive

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

func (d *Driver) nextTurn() model.Instant {
	if d.turned < len(d.turns) {
		return d.turns[d.turned].At
	}
	return model.FarFuture
}

func (d *Driver) turn() {
	t := &d.turns[d.turned]
	d.turned++
	if t.Stops {
		d.stopped |= t.Who
		switch {
		case t.GoesOn:
			d.stale = d.Cache.Clone()
		case t.Dies:
			d.open = newOpenEffects(0)
		}
		return
	}
	d.stopped &^= t.Who
	if t.GoesOn {
		d.goOn(t.At, t.Within)
		return
	}
	d.beginEviction(t.At, t.Within)
}

// beginEviction restarts taint eviction: it starts without memory.
func (d *Driver) beginEviction(at model.Instant, within model.Interval) {
	d.Taints = tainteviction.New(d.plan.FlagsAt(at))
	d.evaluateAll(at, within)
}

// evaluateAll gives every node to taint eviction.
func (d *Driver) evaluateAll(at model.Instant, within model.Interval) {
	for row := range d.Cache.Nodes() {
		d.record(d.Taints.NodeChanged(at, row.Name, d.Cache), within)
	}
}

// behind is the assumption of a stale cache for the tick at a time; nil for none.
func (d *Driver) behind(at model.Instant) func(node string) bool {
	var burns func(string) bool
	for _, a := range d.plan.Course.Assumed {
		if a.Kind == processes.Burnt && a.At.Contains(at) {
			burns = func(node string) bool { return node == a.Node }
		}
	}
	return burns
}

// beginListening gives every node to the workers of a restarted node-lifecycle controller.
func (d *Driver) beginListening(at model.Instant, within model.Interval) {
	for row := range d.Cache.Nodes() {
		d.record(d.Nodes.NodeEvent(at, row.Name, d.Cache, nodelifecycle.Hidden{}), within)
	}
}

func (d *Driver) nodeEvent(at model.Instant, node string, within model.Interval) {
	if d.stopped&processes.NodeLifecycle == 0 {
		d.record(d.Nodes.NodeEvent(at, node, d.Cache, nodelifecycle.Hidden{}), within)
	}
}

// goOn continues paused controllers: they remember all, get the changes of the pause, and catch up at once.
func (d *Driver) goOn(at model.Instant, within model.Interval) {
	d.wentOn = within
	d.evaluateAll(at, within)
	d.beginListening(at, within)
}

// goOnFor continues paused controllers if a write shows it, and they may have continued by then.
func (d *Driver) goOnFor(w *evidence.Seen) {
	if d.turned < len(d.turns) {
		if t := &d.turns[d.turned]; t.GoesOn && !t.Stops && t.Within.Overlaps(w.Time) {
			d.turn()
		}
	}
}

// lateCount reports which nodes' last heartbeats a pass may have counted only after a pause, whose start is not known.
// They are not declared before a grace period after it, unless seen to be. nil for none.
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

// CatchesUp is how long after a pause a controller may still read old caches: later changes wait in its connections.
const CatchesUp = 3 * time.Second

// behindIn lets a pass just after a pause read the old versions of nodes that it declares or taints without present
// reason. Which these are is a race. Their silence is not counted: the start of the pause is not known.
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

// behindAt is behindIn for the tick of a taint.
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

// ownWrite updates the stale cache with the controllers' own declarations.
func (d *Driver) ownWrite(ch *model.Change, key int) {
	if d.catchingUp(ch.Time.Earliest) && ch.Node != nil && slices.ContainsFunc(d.writesAt(key), func(w evidence.Seen) bool { return w.Kind == model.MarkUnknown }) {
		d.stale.Fold(ch, d.Position+1, nil, 0)
	}
}

// outrun reports whether a node no longer gives a reason for a write, though it did at the start of the pause.
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

// catchingUp reports whether the controllers may not have the changes of their pause yet.
func (d *Driver) catchingUp(at model.Instant) bool {
	return d.stale != nil && d.wentOn.Known() && at <= d.wentOn.Latest.Add(CatchesUp)
}

// caughtUp drops the stale cache once the controllers have caught up.
func (d *Driver) caughtUp(at model.Instant) {
	if d.wentOn.Known() && !d.catchingUp(at) {
		d.stale = nil
	}
}
