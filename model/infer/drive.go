package infer

import (
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

// expectation is an effect that a Decision must have, and may be seen.
type expectation struct {
	// decision is the index of the Decision, and write that of the Write among its Writes.
	decision, write int32
	// next is the index of the next expectation of the same effect, once they are matched; −1 if
	// there is none.
	next int32
	// traceless: the input could not show it. met: it did.
	traceless, met bool
}

// expectations are what the decisions of a drive lead to expect.
type expectations struct {
	list []expectation
	// windows are those of the decisions, before what was seen narrows them.
	windows []model.Interval
	// nextWindows is where the next pass may make a decision instead, because the cause may have come
	// too late for this one: none for most.
	nextWindows map[int32]model.Interval
}

// driver is the models on their way through the Changes.
type driver struct {
	r      *run
	cache  *informer.Cache
	nodes  *nodelifecycle.Controller
	taints *tainteviction.Controller
	pods   *podgc.Controller

	// position is that of the next Change, at the Effective instant of the last.
	position int
	at       model.Instant
	// next is the index of the first write that was not folded yet, and nextAt its key.
	next, nextAt int
	// due: nothing is before it.
	due model.Instant

	pass     int // index of the next pass
	lastTick model.Instant
	// zones: the pass under way has yet to judge the zones, once so many writes were folded.
	zones   int
	zonesAt model.Instant
	zonesIn model.Interval
	judging bool
	started bool
	// tokens: before it nobody knows whether a token is there, for the last one may have been
	// taken before the models began.
	tokens model.Instant

	// turns are what is assumed of the processes, turned how many of them are past, and stopped
	// which processes do nothing now.
	// unmade is what these models have not decided; nil for nothing.
	unmade *unmade

	turns   []processes.Turn
	turned  int
	stopped processes.Set
	// wentOn is when they last went on after they had stood still: nothing that was due before comes
	// before that.
	wentOn model.Interval
	// stale is the cache as it was when they stood still last, until they have caught up; nil for none. It
	// is not changed any more.
	stale *informer.Cache

	// cycle is the next one of pod garbage collection.
	cycle model.Instant

	// step is the index of the next step, and stepAt when it comes.
	step   int
	stepAt model.Instant

	open openEffects

	// seeking: only the state is asked for, and what follows is left out.
	seeking bool
	// beyond: passes go on after the last that was fitted.
	beyond       bool
	keep         *checkpoints
	decisions    []model.Decision
	expectations *expectations
	armed        map[model.Key]countdown
	written      map[string]model.Interval             // node → when its version was
	told         map[model.Place]model.DisruptionState // of zones, as it was told last

	leaseRows history.LeaseRows // rows of the cache
}

// start is the models before the first Change.
func (r *run) start() *driver {
	d := &driver{r: r, cache: informer.New(), nodes: nodelifecycle.New(r.o.Params), taints: tainteviction.New(r.o.Params), pods: podgc.New(r.o.Params),
		position: r.input.First, at: model.FarPast, due: model.FarPast,
		open: newOpenEffects(0), expectations: &expectations{nextWindows: map[int32]model.Interval{}}, armed: map[model.Key]countdown{}, written: map[string]model.Interval{}, told: map[model.Place]model.DisruptionState{}}
	d.turns = r.course().Turns()
	d.passWrite(0)
	d.passStep(0)
	d.cycle = model.FarFuture
	if r.judgeable() == "" {
		d.cycle = r.cycleAfter(r.coverage.Earliest.Add(-podgc.Period))
	}
	for s, pod := range r.evidence.Seeds.All {
		if s != nil {
			d.cache.SetNode(s.Name, s.Node, s.Version, 0, 0)
		} else {
			d.cache.SetPod(nil, pod)
		}
	}
	for i := range r.evidence.Seeds.Nodes {
		s := &r.evidence.Seeds.Nodes[i]
		d.beginCountdowns(s.Name, s.Node)
	}
	for _, name := range r.evidence.Unseen {
		d.cache.SetNode(name, placeholder(r.coverage.Earliest), 0, 0, 0)
	}
	return d
}

// drive goes on up to an instant.
func (d *driver) drive(until model.Instant) error {
	err := d.r.input.Pages(d.position, func(page *history.Condensed, from, to int) (more bool, err error) {
		d.keep.offer(d, page)
		page.Each(from, to, func(slot int, renewal *model.Renewal) bool {
			position, at := page.Start+slot, renewal.Effective()
			if more = d.reach(position, at, until, true); more {
				d.renew(position, page, renewal)
				d.position, d.at = position+1, at
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
			case !d.r.evidence.Moved[position]:
				d.fold(position, position, ch)
				d.due = model.FarPast
			}
			d.position, d.at = position+1, at
			return true
		})
		return more, nil
	})
	if err != nil {
		return err
	}
	d.steps(min(until, model.FarFuture-1))
	end := d.r.coverage.Latest
	if d.seeking && until > end {
		d.beyond = true
		end = end.Add(beyond)
	}
	d.advance(min(until, end))
	return nil
}

// reach runs what comes before a Change that takes effect at an instant; false if it comes too
// late. What an initial list shows is not news.
func (d *driver) reach(position int, at, until model.Instant, news bool) bool {
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
func (d *driver) passWrite(next int) {
	d.next, d.nextAt = next, -1
	if next < len(d.r.evidence.Writes) {
		d.nextAt = d.r.evidence.Writes[next].Key
	}
}

func (d *driver) passStep(next int) {
	d.step, d.stepAt = next, model.FarFuture
	if next < len(d.r.evidence.Steps) {
		d.stepAt = d.r.evidence.Steps[next].At
	}
}

// steps folds what nobody has seen, but must have been by an instant.
func (d *driver) steps(by model.Instant) {
	for d.stepAt <= by {
		x := &d.r.evidence.Steps[d.step]
		d.passStep(d.step + 1)
		if d.r.evidence.Moved[x.Position] && x.Position < d.position && d.outdated(&x.Change) {
			d.before(x.Key())
			continue
		}
		d.advance(x.At)
		if x.Change.Op == model.OpGap {
			d.reopen(x.Change.Kind, x.At)
			continue
		}
		d.before(x.Key())
		position := d.position
		d.fold(x.Position, x.Key(), &x.Change)
		d.position, d.at, d.due = position, max(d.at, x.At), model.FarPast
	}
}

// outdated says that a newer version of a node is there already.
func (d *driver) outdated(ch *model.Change) bool {
	row := d.cache.Find(ch.Key.Name)
	return ch.Kind == model.KindNode && row != nil && ch.Version != 0 && row.Version > ch.Version
}

// pod is a pod as it stands; nil if there is none.
func (d *driver) pod(key model.Key) *model.Pod {
	node, ok := d.r.evidence.Bindings.NodeBefore(key, d.position)
	if !ok {
		return nil
	}
	if row := d.cache.Find(node); row != nil {
		return row.Pod(key)
	}
	return nil
}

// advance runs what is due before t.
func (d *driver) advance(t model.Instant) {
	if d.r.overdue.Known() {
		t = min(t, d.r.overdue.Held)
	}
	for {
		next, timer, turn := d.nextPass(), d.taints.NextTimer(), d.nextTurn()
		if timer = max(timer, d.wentOn.Earliest); d.stopped&processes.TaintEviction != 0 {
			timer = model.FarFuture
		}
		tick := model.FarFuture
		if d.started && d.stopped&processes.NodeLifecycle == 0 && d.nodes.Waiting() {
			tick = max(d.lastTick.Add(nodelifecycle.TickPeriod), d.r.passAt(max(0, d.pass-1)).At, d.wentOn.Earliest)
		}
		if d.due = min(next, timer, tick, d.cycle, turn); d.due >= t {
			return
		}
		switch d.due {
		case turn:
			d.turn()
		case next:
			d.runPass()
		case d.cycle:
			d.collect(d.cycle)
		case timer:
			d.fire(timer)
		default:
			d.idleTick(tick)
		}
	}
}

func (d *driver) nextPass() model.Instant {
	if d.pass < len(d.r.passes) || d.beyond {
		return d.r.passAt(d.pass).At
	}
	return model.FarFuture
}

// before runs what must have happened before a Change, because the Change shows its effect.
func (d *driver) before(key int) {
	d.due = model.FarPast
	pass, over := d.pass, d.judging && d.next >= d.zones
	for ; d.nextAt == key; d.passWrite(d.next + 1) {
		w := &d.r.evidence.Writes[d.next]
		if w.Aside || d.stopped&processes.Of(w.Kind) != 0 {
			continue
		}
		switch w.Kind {
		case model.MarkUnknown, model.UntaintNoExecute:
			if _, decided := d.open.find(w.Effect); decided && w.Kind == model.UntaintNoExecute {
				break // a pass before this one took it off, with a swap perhaps
			}
			if d.pass < len(d.r.passes) {
				if p := d.r.passes[d.pass]; p.Earliest <= w.Time.Latest && w.Time.Earliest <= p.Latest.Add(evidence.LagBound) {
					d.runPass()
				}
			}
		case model.TaintNoExecute:
			d.tickFor(w)
		case model.EvictPod:
			if t, ok := d.taints.TimerOf(w.Pod); ok && t.FireAt <= w.Time.Latest {
				d.fire(t.FireAt)
			} else if sooner := d.armed[w.Pod].ends(); ok && sooner.Contains(w.Time.Latest) {
				d.record(d.taints.FireOne(w.Time.Latest, w.Pod, d.cache), model.Interval{Earliest: max(sooner.Earliest, w.Time.Earliest.Add(-evidence.LagBound)), Latest: w.Time.Latest})
			}
		case model.CollectPod:
			if _, decided := d.open.find(w.Effect); !decided && d.cycle <= w.Time.Latest.Add(podgc.Period) {
				d.collect(min(d.cycle, w.Time.Latest))
			}
		}
	}
	if over && d.judging && d.pass == pass {
		d.judgeZones()
	}
}

// reborn is a controller that starts anew, just before its first pass: timers and queues are
// forgotten, the countdowns of nodes that are tainted begin again, and every zone has a token.
func (d *driver) reborn(p passes.Pass) {
	d.nodes, d.started, d.tokens = nodelifecycle.New(d.r.o.Params), true, p.At
	d.stopped &^= processes.NodeLifecycle
	within := model.Interval{Earliest: p.Earliest.Add(-time.Second), Latest: p.Latest}
	if !p.Alone {
		d.pods, d.stopped = podgc.New(d.r.o.Params), 0
		d.beginEviction(p.At, within)
	}
	d.beginListening(p.At, within)
}

func (d *driver) runPass() {
	if d.judging {
		d.judgeZones()
	}
	p := d.r.passAt(d.pass)
	d.pass++
	if p.First {
		d.reborn(p)
	}
	h := d.hidden(p)
	out := d.nodes.JudgeNodes(p.At, d.cache, h)
	if !d.started || !d.r.evidence.KnownStart && p.Latest < d.r.coverage.Earliest {
		// The first pass of the model is not the first of the controller: what it would do to
		// nodes that are new to it has been done long ago. And what stood there when the input
		// begins need not have stood there in a pass before.
		d.started, d.tokens = true, max(p.At, d.r.coverage.Earliest).Add(d.tokenEvery())
		d.nodes.JudgeZones(p.At, d.cache, h)
		d.nodes.Adopt(d.cache)
		d.tellZones(p.At)
		return
	}
	d.record(out, p.Interval)
	d.judging, d.zonesAt, d.zonesIn, d.zones = true, p.At, p.Interval, 0
	if slices.ContainsFunc(out, func(x model.Decision) bool { return x.Kind == model.MarkUnknown }) {
		d.zones = d.zonesAfter(p)
	}
	if d.zones == 0 {
		d.judgeZones()
	}
}

func (d *driver) fire(at model.Instant) {
	window := model.Exactly(at)
	if on := d.wentOn; on.Known() && at <= on.Latest {
		at, window = max(at, on.Earliest), on
	}
	d.record(d.taints.Fire(at, d.cache), window)
}
