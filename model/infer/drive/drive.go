package drive

import (
	"math"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// Driver is the models at a position in the Changes.
type Driver struct {
	plan   *Plan
	Cache  *informer.Cache
	Nodes  *nodelifecycle.Controller
	Taints *tainteviction.Controller
	Pods   *podgc.Controller

	// Position is that of the next Change, At the Effective time of the last.
	Position int
	At       model.Instant
	// next is the index of the first write not folded, nextAt its key.
	next, nextAt int
	// due: nothing comes before it.
	due model.Instant

	pass     int // index of the next pass
	lastTick model.Instant
	// judging: the current pass has yet to judge the zones, at zonesAt, within zonesIn. It does so after folding so
	// many writes as zones says, or if late at zonesAt, because it writes for long.
	judging bool
	late    bool
	zones   int
	zonesAt model.Instant
	zonesIn model.Interval
	started bool
	// tokens is until when a token may be missing: the last one may have been taken before the models began.
	tokens model.Instant

	// Undecided is what these models are not to decide; nil for nothing.
	Undecided *Undecided
	// Unjudged, if not 0, is the number (from 1) of the pass that does not judge the zones. Only observed taints
	// follow.
	Unjudged int
	// NotCome, if not 0, is the number (from 1) of the first pass that has not come by then.
	NotCome int

	// turns are the assumed starts and stops of processes, turned the number of past ones, stopped the stopped
	// processes.
	turns   []processes.Turn
	turned  int
	stopped processes.Set
	// wentOn is when the processes last continued after a pause: all that was due before comes then.
	wentOn model.Interval
	// stale is the cache at the start of the last pause, until the controllers have caught up. It does not change.
	stale *informer.Cache

	// Cycle is the next cycle of pod garbage collection.
	Cycle model.Instant

	step   int
	stepAt model.Instant

	open openEffects

	// Shares are the passes' counts of zones that differ from the last.
	Shares  []Share
	counted map[model.ZoneKey]Share

	// Seeking: only the state is needed, without decisions and expectations.
	Seeking bool
	// Beyond: passes continue after the last fitted one.
	Beyond       bool
	Keep         *Checkpoints
	Decisions    []model.Decision
	expectations []Expectation
	dues         []due // of the Decisions
	armed        map[model.Key]countdown
	written      map[string]model.Interval               // node → time of its version
	said         map[string]model.Interval               // node → last time at which its kubelet changed Ready
	became       map[model.ZoneKey]model.Interval        // zone → when kubelets did so since the last pass
	told         map[model.ZoneKey]model.DisruptionState // the last reported state of a zone
	doubtedNow   nodelifecycle.Doubts                    // at doubtedAt
	doubtedAt    model.Instant
	unsure       map[model.ZoneKey]int    // the last pass after which a zone was not known
	unsureMaster int                      // the same of master disruption
	evaluated    map[string]model.Instant // time of a node's last taint evaluation

	leaseRows history.LeaseRows // rows of the cache
}

// Drive continues up to a time.
func (d *Driver) Drive(until model.Instant) error {
	err := d.plan.Input.Pages(d.Position, func(page *history.Condensed, from, to int) (more bool, err error) {
		d.Keep.offer(d, page)
		page.Each(from, to, func(slot int, renewal *model.Renewal) bool {
			position, at := page.Start+slot, renewal.Effective()
			if more = d.reach(position, at, until, true); more {
				d.renew(position, page, renewal)
				d.Position, d.At = position+1, at
			}
			return more
		}, func(slot int, ch *model.Change) bool {
			position, at := page.Start+slot, ch.Effective()
			if more = d.reach(position, at, until, ch.Op != model.OpBaseline); !more {
				return false
			}
			switch {
			case ch.Kind == model.KindNodeLease:
				d.foldLease(position, ch)
			case !d.plan.Evidence.Moved[position]:
				d.fold(position, position, ch)
				d.due = model.FarPast
			}
			d.Position, d.At = position+1, at
			return true
		})
		return more, nil
	})
	if err != nil {
		return err
	}
	d.steps(min(until, model.FarFuture-1))
	end := d.plan.Coverage.Latest
	if d.Seeking && until > end {
		d.Beyond = true
		end = end.Add(beyond)
	}
	d.advance(min(until, end))
	return nil
}

// reach runs all that comes before a Change; false if the Change is too late. An initial list is not news.
func (d *Driver) reach(position int, at, until model.Instant, news bool) bool {
	if at > until {
		return false
	}
	if d.stepAt <= at {
		d.steps(at)
	}
	if at > d.due && news {
		d.advance(at)
	}
	if position == d.nextAt || d.judging {
		d.before(position)
	}
	return true
}

func (d *Driver) passWrite(next int) {
	d.next, d.nextAt = next, -1
	if next < len(d.plan.Evidence.Writes) {
		d.nextAt = d.plan.Evidence.Writes[next].Key
	}
}

func (d *Driver) passStep(next int) {
	d.step, d.stepAt = next, model.FarFuture
	if next < len(d.plan.Evidence.Steps) {
		d.stepAt = d.plan.Evidence.Steps[next].At
	}
}

// steps folds the inferred versions up to a time.
func (d *Driver) steps(by model.Instant) {
	for d.step < len(d.plan.Evidence.Steps) && d.stepAt <= by {
		x := &d.plan.Evidence.Steps[d.step]
		d.passStep(d.step + 1)
		if d.plan.Evidence.Moved[x.Position] && x.Position < d.Position && d.outdated(&x.Change) {
			d.before(x.Key())
			continue
		}
		d.advance(x.At)
		if x.Change.Op == model.OpGap {
			d.reopen(x.Change.Kind, x.At)
			continue
		}
		d.before(x.Key())
		position := d.Position
		d.fold(x.Position, x.Key(), &x.Change)
		d.Position, d.At, d.due = position, max(d.At, x.At), model.FarPast
	}
}

// outdated reports whether the cache has a newer version of a node.
func (d *Driver) outdated(ch *model.Change) bool {
	row := d.Cache.Find(ch.Key.Name)
	return ch.Kind == model.KindNode && row != nil && ch.Version != 0 && row.Version > ch.Version
}

func (d *Driver) pod(key model.Key) *model.Pod {
	node, ok := d.plan.Evidence.Bindings.NodeBefore(key, d.Position)
	if !ok {
		return nil
	}
	if row := d.Cache.Find(node); row != nil {
		return row.Pod(key)
	}
	return nil
}

func (d *Driver) advance(t model.Instant) {
	if d.plan.Held.Known() {
		t = min(t, d.plan.Held)
	}
	for {
		next, timer, turn := d.nextPass(), d.Taints.NextTimer(), d.nextTurn()
		if timer = max(timer, d.wentOn.Earliest); d.stopped&processes.TaintEviction != 0 {
			timer = model.FarFuture
		}
		tick := model.FarFuture
		if d.started && d.stopped&processes.NodeLifecycle == 0 && d.Nodes.Waiting() {
			tick = max(d.lastTick.Add(nodelifecycle.TickPeriod), d.plan.passAt(max(0, d.pass-1)).At, d.wentOn.Earliest)
		}
		zones := model.FarFuture
		if d.judging && d.late {
			zones = d.zonesAt
		}
		if d.due = min(zones, next, timer, tick, d.Cycle, turn); d.due >= t {
			return
		}
		switch d.due {
		case zones:
			d.judgeZones()
		case turn:
			d.turn()
		case next:
			d.runPass()
		case d.Cycle:
			d.collect(d.Cycle)
		case timer:
			d.fire(timer)
		default:
			d.idleTick(tick)
		}
	}
}

func (d *Driver) nextPass() model.Instant {
	if d.NotCome > 0 && d.pass >= d.NotCome-1 {
		return model.FarFuture
	}
	if d.pass < len(d.plan.Passes) || d.Beyond {
		return d.plan.passAt(d.pass).At
	}
	return model.FarFuture
}

// before runs what a Change shows the effect of, before the Change.
func (d *Driver) before(key int) {
	d.due = model.FarPast
	pass, over := d.pass, d.judging && !d.late && d.next >= d.zones
	for ; d.nextAt == key; d.passWrite(d.next + 1) {
		w := &d.plan.Evidence.Writes[d.next]
		if !w.Aside && d.stopped&processes.Of(w.Kind) != 0 {
			d.goOnFor(w)
		}
		if w.Aside || d.stopped&processes.Of(w.Kind) != 0 && !d.begins(w) {
			continue
		}
		switch w.Kind {
		case model.MarkUnknown, model.UntaintNoExecute:
			if _, decided := d.open.find(w.Effect); decided && w.Kind == model.UntaintNoExecute {
				break // an earlier pass removed it, possibly with a swap
			}
			if d.nextMakes(w) {
				d.runPass()
			}
			d.judgeLate(w)
		case model.AddNoSchedule, model.RemoveNoSchedule:
			if d.stopped&processes.NodeLifecycle != 0 {
				d.runPass() // its workers start with it
			}
		case model.TaintNoExecute:
			if d.queuedBy(w) {
				d.runPass()
			}
			d.tickFor(w)
		case model.EvictPod:
			if t, ok := d.Taints.Pending(w.Pod); ok && t.FireAt <= w.Time.Latest {
				d.fire(t.FireAt)
			} else if sooner := d.armed[w.Pod].ends(); ok && sooner.Contains(w.Time.Latest) {
				d.record(d.Taints.FireOne(w.Time.Latest, w.Pod, d.Cache), model.Interval{Earliest: max(sooner.Earliest, w.Time.Earliest.Add(-evidence.LagBound)), Latest: w.Time.Latest})
			}
		case model.CollectPod:
			if _, decided := d.open.find(w.Effect); !decided && d.Cycle <= w.Time.Latest.Add(podgc.Period) {
				d.collect(min(d.Cycle, w.Time.Latest))
			}
		}
	}
	if over && d.judging && d.pass == pass {
		d.judgeZones()
	}
}

// nextMakes reports whether the next pass may make a write. The last write may belong to a pass after the fitted ones.
func (d *Driver) nextMakes(w *evidence.Seen) bool {
	made := w.Made()
	if n := len(d.plan.Passes); n == 0 || d.pass > n || d.pass == n && (made.Bounded() || d.plan.Held.Known()) {
		return false
	}
	p := d.plan.passAt(d.pass)
	return p.Earliest <= made.Latest && made.Earliest <= p.Latest.Add(evidence.LagBound)
}

// begins reports whether a write shows the first pass, or the workers, of a new process after none ran.
func (d *Driver) begins(w *evidence.Seen) bool {
	switch w.Kind {
	case model.MarkUnknown, model.UntaintNoExecute, model.AddNoSchedule, model.RemoveNoSchedule:
		return d.nextMakes(w) && d.plan.passAt(d.pass).First
	}
	return false
}

// reborn is a new controller just before its first pass: without timers and queues, and with a token in every zone.
func (d *Driver) reborn(p passes.Pass) {
	d.Nodes, d.started, d.tokens = nodelifecycle.New(d.plan.FlagsAt(p.At)), true, p.At
	d.stopped &^= processes.NodeLifecycle
	within := model.Interval{Earliest: p.Earliest.Add(-time.Second), Latest: p.Latest}
	if !p.Alone {
		d.Pods, d.stopped = d.plan.collector(), 0
		d.beginEviction(p.At, within)
	}
	d.beginListening(p.At, within)
}

func (d *Driver) runPass() {
	if d.judging {
		d.judgeZones()
	}
	p := d.plan.passAt(d.pass)
	d.pass++
	if p.First {
		d.reborn(p)
	}
	h := d.hidden(p)
	out := d.Nodes.JudgeNodes(p.At, d.Cache, h)
	if !d.started || !d.plan.Evidence.KnownStart && p.Latest < d.plan.Coverage.Earliest {
		// The controller had earlier passes: it knew these nodes, and the state of now need not be that of before.
		d.started, d.tokens = true, max(p.At, d.plan.Coverage.Earliest).Add(d.tokenEvery())
		d.Nodes.JudgeZones(p.At, d.Cache, h)
		d.Nodes.Adopt(p.At, d.Cache)
		d.tellZones(p.At)
		return
	}
	d.recordOfPass(out, p.Interval)
	d.judging, d.late, d.zonesAt, d.zonesIn, d.zones = true, false, p.At, p.Interval, 0
	if slices.ContainsFunc(out, func(x model.Decision) bool { return x.LeavesTrace }) {
		d.delayZones(p, slices.ContainsFunc(out, func(x model.Decision) bool { return x.Kind == model.MarkUnknown }))
	}
	if d.pass == d.Unjudged {
		d.zones, d.late = math.MaxInt, false
	}
	if d.zones == 0 && !d.late {
		d.judgeZones()
	}
}

func (d *Driver) fire(at model.Instant) {
	window := model.Exactly(at)
	if on := d.wentOn; on.Known() && at <= on.Latest {
		at, window = max(at, on.Earliest), on
	}
	d.record(d.Taints.Fire(at, d.Cache), window)
}
