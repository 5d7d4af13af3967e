// Package watcher is a watch of a simulated cluster: its writes reach the watch as Changes, in order, each a moment
// after it was written.
package watcher

import (
	"math"
	"math/rand/v2"
	"time"

	"kardia/model"
)

// spacing is the least distance of two arrivals: about the rate at which one etcd can commit.
const spacing = 33 * time.Microsecond

// Watcher hands on the writes that it receives.
type Watcher struct {
	// Rand decides everything that is random.
	Rand *rand.Rand
	// FirstVersion is where the numbering starts in a cluster that is no longer young.
	FirstVersion uint64
	// Complete fills in what the control plane does not look at of a lease.
	Complete func(*model.Change)
	// Yield takes a Change, which is valid until the next; false ends it.
	Yield func(*model.Change) bool

	// Silent reports that nothing is handed on yet, and Done that no receiver listens any more.
	Silent, Done bool

	arrival model.Instant
	told    model.Change
}

// New is one that begins to watch at an instant, and has seen nothing yet.
func New(seed uint64, from model.Instant, firstVersion uint64, complete func(*model.Change), yield func(*model.Change) bool) Watcher {
	return Watcher{Rand: rand.New(rand.NewPCG(seed, 0x6b6172646961)), FirstVersion: firstVersion, Complete: complete, Yield: yield, Silent: true, arrival: from}
}

// Tell hands on a Change that was written at an instant: it gives it its version, its arrival and its timestamps. The
// versions of ch count from 1; unnumbered is how many writes came before it that they do not count.
func (w *Watcher) Tell(ch *model.Change, written model.Instant, unnumbered uint64) {
	if w.Silent || w.Done {
		return
	}
	w.arrival = max(w.arrival.Add(spacing), written.Add(500*time.Microsecond+w.Spread(time.Millisecond)))
	w.told = *ch
	w.told.Version += w.FirstVersion + unnumbered
	w.told.Arrival, w.told.Quality = w.arrival, model.ByArrival
	w.told.Time = model.Interval{Earliest: written.Truncate(time.Second), Latest: w.arrival}
	w.handOn()
}

// List hands on the state of an object at an instant; the object was written at another.
func (w *Watcher) List(ch *model.Change, at, written model.Instant) {
	if w.Done {
		return
	}
	w.told = *ch
	w.told.Op, w.told.Version = model.OpBaseline, ch.Version+w.FirstVersion
	w.told.Arrival, w.told.Quality, w.told.Time = at, model.ByArrival, model.Interval{Earliest: min(written, at), Latest: at}
	w.handOn()
}

func (w *Watcher) handOn() {
	if w.told.Kind == model.KindNodeLease {
		w.Complete(&w.told)
	}
	w.Done = !w.Yield(&w.told)
}

// Spread is a random time from 0 to d.
func (w *Watcher) Spread(d time.Duration) time.Duration {
	return time.Duration(w.Rand.Int64N(int64(d)))
}

// Latency is what a request takes: log-normal, 6.5 ms in the middle, 3.9 ms standard deviation.
func (w *Watcher) Latency() time.Duration {
	return time.Duration(6.5e6 * math.Exp(w.Rand.NormFloat64()*0.5))
}
