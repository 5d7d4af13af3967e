package day

import (
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/sources/scenario/watcher"
)

const (
	// firstVersion is the first resourceVersion of a cluster that is no longer young.
	firstVersion = 800_000_000
	// warmUp is how long the control plane runs before coverage starts.
	warmUp = 30 * time.Second
)

type world struct {
	watcher.Watcher
	day    Day
	loop   *loop.Loop
	agenda agenda

	nodes   []node
	byName  map[string]int32
	leaders []leader
	pods    pods

	// version is the Loop's newest.
	version uint64
	// unwatched counts the writes without a Change, next is when the next one is.
	unwatched uint64
	next      model.Instant
}

func newWorld(d Day, yield func(*model.Change) bool) *world {
	w := &world{day: d, byName: map[string]int32{}, next: d.Start}
	w.Watcher = watcher.New(d.Seed, d.Start, firstVersion, w.completeLease, yield)
	params := model.Defaults(d.Version)
	began := d.Start.Add(-warmUp)
	clock := loop.StartingAt(began, params.NodeMonitorPeriod.Value, 2*time.Millisecond+time.Duration(d.Nodes)*10*time.Microsecond)
	clock.Pass = began.Add(w.Spread(clock.Period))
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

func (w *world) run() {
	w.loop.Run(w.day.Start)
	w.Silent = false
	w.baseline()
	end := w.day.End()
	for !w.Done {
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

func (w *world) push(what what, who int32, in time.Duration) {
	w.agenda.push(task{max(w.loop.Now(), w.day.Start).Add(in), what, who})
}

func (w *world) watch(ch *model.Change) {
	w.version = ch.Version
	if ch.Kind == model.KindPod {
		w.noticePod(ch)
	}
	w.tell(ch, ch.Time.Latest)
}

// tell hands on a Change. Its version counts from 1.
func (w *world) tell(ch *model.Change, written model.Instant) {
	if w.Silent || w.Done {
		return
	}
	for w.day.Unwatched > 0 && w.next <= written {
		w.unwatched++
		w.next = w.next.Add(time.Duration(w.Rand.ExpFloat64() / w.day.Unwatched * float64(time.Second)))
	}
	w.Tell(ch, written, w.unwatched)
}

func (w *world) cutOff(n *node, at model.Instant) bool {
	o := &w.day.Outage
	return o.For > 0 && n.zone == o.Zone && at >= w.day.Start.Add(o.After) && at < w.outageEnds()
}

func (w *world) outageEnds() model.Instant {
	return w.day.Start.Add(w.day.Outage.After + w.day.Outage.For)
}
