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

// Driver is the models on their way through the Changes.
type Driver struct {
	plan   *Plan
	Cache  *informer.Cache
	Nodes  *nodelifecycle.Controller
	Taints *tainteviction.Controller
	Pods   *podgc.Controller

	// Position is that of the next Change, at the Effective instant of the last.
	Position int
	At       model.Instant
	// next is the index of the first write that was not folded yet, and nextAt its key.
	next, nextAt int
	// due: nothing is before it.
	due model.Instant

	pass     int // index of the next pass
	lastTick model.Instant
	// judging: the pass under way has yet to judge the zones, as of zonesAt and within zonesIn: once so many writes
	// were folded as zones says, or at zonesAt where it is late, for it writes for long before.
	judging bool
	late    bool
	zones   int
	zonesAt model.Instant
	zonesIn model.Interval
	started bool
	// tokens: before it nobody knows whether a token is there, for the last one may have been
	// taken before the models began.
	tokens model.Instant

	// turns are what is assumed of the processes, turned how many of them are past, and stopped
	// which processes do nothing now.
	// Undecided is what these models have not decided; nil for nothing.
	Undecided *Undecided
	// Unjudged, where it is not 0, is the pass that does not come to judge the zones, counted from 1, nor a tick after
	// it to give a token of which no taint was seen: it is not over by the instant that is asked for.
	Unjudged int
	// NotCome, where it is not 0, is the pass that has not come by then, counted from 1, nor any after it.
	NotCome int

	turns   []processes.Turn
	turned  int
	stopped processes.Set
	// wentOn is when they last went on after they had stood still: nothing that was due before comes
	// before that.
	wentOn model.Interval
	// stale is the cache as it was when they stood still last, until they have caught up; nil for none. It
	// is not changed any more.
	stale *informer.Cache

	// Cycle is the next one of pod garbage collection.
	Cycle model.Instant

	// step is the index of the next step, and stepAt when it comes.
	step   int
	stepAt model.Instant

	open openEffects

	// Shares are what passes counted in zones, each when it changed.
	Shares  []Share
	counted map[model.ZoneKey]Share

	// Seeking: only the state is asked for, and what follows is left out.
	Seeking bool
	// Beyond: passes go on after the last that was fitted.
	Beyond       bool
	Keep         *Checkpoints
	Decisions    []model.Decision
	expectations *expectations
	armed        map[model.Key]countdown
	written      map[string]model.Interval               // node → when its version was
	said         map[string]model.Interval               // node → when its kubelet last said that it is Ready, or not, and it was otherwise
	became       map[model.ZoneKey]model.Interval        // zone → when kubelets said so since the last pass
	told         map[model.ZoneKey]model.DisruptionState // of zones, as it was told last
	doubtedNow   nodelifecycle.Doubts                    // as of doubtedAt
	doubtedAt    model.Instant
	unsure       map[model.ZoneKey]int    // the last pass at the end of which a zone was not known
	unsureMaster int                      // the same of master disruption
	evaluated    map[string]model.Instant // when taint eviction was told of a node last

	leaseRows history.LeaseRows // rows of the cache
}

// Drive goes on up to an instant.
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

// reach runs what comes before a Change that takes effect at an instant; false if it comes too
// late. What an initial list shows is not news.
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

// passWrite says which write comes next.
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

// steps folds what nobody has seen, but must have been by an instant.
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

// outdated says that a newer version of a node is there already.
func (d *Driver) outdated(ch *model.Change) bool {
	row := d.Cache.Find(ch.Key.Name)
	return ch.Kind == model.KindNode && row != nil && ch.Version != 0 && row.Version > ch.Version
}

// pod is a pod as it stands; nil if there is none.
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

// advance runs what is due before t.
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

// before runs what must have happened before a Change, because the Change shows its effect.
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
				break // a pass before this one took it off, with a swap perhaps
			}
			if d.nextMakes(w) {
				d.runPass()
			}
			d.judgeLate(w)
		case model.AddNoSchedule, model.RemoveNoSchedule:
			if d.stopped&processes.NodeLifecycle != 0 {
				d.runPass() // its workers begin with it
			}
		case model.TaintNoExecute:
			if d.queuedBy(w) {
				d.runPass()
			}
			d.tickFor(w)
		case model.EvictPod:
			if t, ok := d.Taints.TimerOf(w.Pod); ok && t.FireAt <= w.Time.Latest {
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

// nextMakes says that the next pass may make a write. What was seen last, of which only the earliest is known, may be of
// the pass after the last that was fitted.
func (d *Driver) nextMakes(w *evidence.Seen) bool {
	made := w.Made()
	if n := len(d.plan.Passes); n == 0 || d.pass > n || d.pass == n && (made.Bounded() || d.plan.Held.Known()) {
		return false
	}
	p := d.plan.passAt(d.pass)
	return p.Earliest <= made.Latest && made.Earliest <= p.Latest.Add(evidence.LagBound)
}

// begins says that a write shows a process at work that began after nothing did: its first pass, or its workers, make it.
func (d *Driver) begins(w *evidence.Seen) bool {
	switch w.Kind {
	case model.MarkUnknown, model.UntaintNoExecute, model.AddNoSchedule, model.RemoveNoSchedule:
		return d.nextMakes(w) && d.plan.passAt(d.pass).First
	}
	return false
}

// reborn is a controller that starts anew, just before its first pass: timers and queues are
// forgotten, the countdowns of nodes that are tainted begin again, and every zone has a token.
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
		// The first pass of the model is not the first of the controller: what it would do to
		// nodes that are new to it has been done long ago. And what stood there when the input
		// begins need not have stood there in a pass before.
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
