package day

import (
	"math"
	"math/rand/v2"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
)

const (
	// firstVersion is where the numbering of a cluster that is no longer young stands.
	firstVersion = 800_000_000
	// spacing is the least distance of two arrivals: about what one etcd can commit.
	spacing = 33 * time.Microsecond
	// warmUp is how long the control plane has run when coverage begins.
	warmUp = 30 * time.Second
)

// world is a Day on its way.
type world struct {
	day    Day
	rand   *rand.Rand
	loop   *loop.Loop
	agenda agenda

	nodes   []node
	byName  map[string]int32
	leaders []leader
	pods    pods

	// version is the newest that the Loop gave.
	version uint64
	// unwatched counts the writes that no Change tells of, and next is the next of them.
	unwatched uint64
	next      model.Instant

	yield   func(*model.Change) bool
	told    model.Change
	silent  bool // nothing is told yet
	done    bool // nobody listens any more
	arrival model.Instant
}

func newWorld(d Day, yield func(*model.Change) bool) *world {
	w := &world{day: d, rand: rand.New(rand.NewPCG(d.Seed, 0x6b6172646961)), yield: yield, silent: true,
		byName: map[string]int32{}, next: d.Start, arrival: d.Start}
	params := model.Defaults(d.Version)
	began := d.Start.Add(-warmUp)
	clock := loop.StartingAt(began, params.NodeMonitorPeriod.Value, 2*time.Millisecond+time.Duration(d.Nodes)*10*time.Microsecond)
	clock.Pass = began.Add(w.spread(clock.Period))
	w.loop = loop.New(params, clock)
	w.loop.Watch = w.watch
	w.loop.At(began, func(*loop.Loop) {
		w.addNodes()
		w.addPods()
	})
	w.addLeaders()
	w.push(churn, 0, w.untilChurn())
	return w
}

// run lets the day pass.
func (w *world) run() {
	w.loop.Run(w.day.Start)
	w.silent = false
	w.baseline()
	end := w.day.End()
	for !w.done {
		e := w.agenda[0]
		if e.at > end {
			w.loop.Run(end)
			return
		}
		w.loop.Run(e.at)
		w.agenda.pop()
		switch e.what {
		case beat:
			w.beat(e.who)
		case lead:
			w.lead(e.who)
		case churn:
			w.churn()
		case create:
			w.create(e.who)
		case advance:
			w.advance(e)
		}
	}
}

// push puts a task on the agenda, some time from now.
func (w *world) push(what what, who int32, in time.Duration) {
	w.agenda.push(task{max(w.loop.Now(), w.day.Start).Add(in), what, who})
}

// watch is what the control plane and everybody else writes.
func (w *world) watch(ch *model.Change) {
	w.version = ch.Version
	if ch.Kind == model.KindPod {
		w.noticePod(ch)
	}
	w.tell(ch, ch.Time.Latest)
}

// tell hands on a Change that was written at an instant: it gives it its version, its
// arrival and its stamps. The versions of ch count from 1.
func (w *world) tell(ch *model.Change, written model.Instant) {
	if w.silent || w.done {
		return
	}
	for w.day.Unwatched > 0 && w.next <= written {
		w.unwatched++
		w.next = w.next.Add(time.Duration(w.rand.ExpFloat64() / w.day.Unwatched * float64(time.Second)))
	}
	w.arrival = max(w.arrival.Add(spacing), written.Add(500*time.Microsecond+w.spread(time.Millisecond)))
	w.told = *ch
	w.told.Version += firstVersion + w.unwatched
	w.told.Arrival, w.told.Quality = w.arrival, model.ByArrival
	w.told.Time = model.Interval{Earliest: written.Truncate(time.Second), Latest: w.arrival}
	if ch.Kind == model.KindNodeLease {
		w.completeLease(&w.told)
	}
	w.done = !w.yield(&w.told)
}

// spread is a random time from 0 to d.
func (w *world) spread(d time.Duration) time.Duration { return time.Duration(w.rand.Int64N(int64(d))) }

// latency is what a request takes: log-normal, 6.5 ms in the middle, 3.9 ms standard deviation.
func (w *world) latency() time.Duration {
	return time.Duration(6.5e6 * math.Exp(w.rand.NormFloat64()*0.5))
}

// cutOff says whether a node's requests get through.
func (w *world) cutOff(n *node, at model.Instant) bool {
	o := &w.day.Outage
	return o.For > 0 && n.zone == o.Zone && at >= w.day.Start.Add(o.After) && at < w.outageEnds()
}

func (w *world) outageEnds() model.Instant {
	return w.day.Start.Add(w.day.Outage.After + w.day.Outage.For)
}
