// Package watcher is a watch of a simulated cluster: each write arrives as a Change, in order, a moment later. For
// example: a write of 10:00:00.000 arrives about a millisecond later.
package watcher

import (
	"math"
	"math/rand/v2"
	"time"

	"kardia/model"
)

// spacing is the least distance of two arrivals: about the rate of one etcd.
const spacing = 33 * time.Microsecond

// Watcher hands on the writes of a cluster.
type Watcher struct {
	Rand *rand.Rand
	// FirstVersion is the first resourceVersion.
	FirstVersion uint64
	// Complete adds to a lease what the models do not use.
	Complete func(*model.Change)
	// Yield takes a Change, which is valid until the next; false ends it.
	Yield func(*model.Change) bool

	// Silent: nothing is handed on yet. Done: no receiver is left.
	Silent, Done bool

	arrival model.Instant
	told    model.Change
}

// New starts to watch at a time.
func New(seed uint64, from model.Instant, firstVersion uint64, complete func(*model.Change), yield func(*model.Change) bool) Watcher {
	return Watcher{Rand: rand.New(rand.NewPCG(seed, 0x6b6172646961)), FirstVersion: firstVersion, Complete: complete, Yield: yield, Silent: true, arrival: from}
}

// Tell hands on a Change with its version, arrival and timestamps. ch's version leaves out unnumbered writes.
func (w *Watcher) Tell(ch *model.Change, written model.Instant, unnumbered uint64) {
	if w.Silent || w.Done {
		return
	}
	w.arrival = max(w.arrival.Add(spacing), written.Add(500*time.Microsecond+w.Spread(time.Millisecond)))
	w.handOn(ch, unnumbered, model.Interval{Earliest: written.Truncate(time.Second), Latest: w.arrival})
}

// List hands on the state of an object at a time; it was written at another. It makes ch a part of a list.
func (w *Watcher) List(ch *model.Change, at, written model.Instant) {
	if ch.Op = model.OpBaseline; !w.Done {
		w.handOn(ch, 0, model.Interval{Earliest: min(written, at), Latest: at})
	}
}

func (w *Watcher) handOn(ch *model.Change, unnumbered uint64, when model.Interval) {
	w.told = *ch
	w.told.Version += w.FirstVersion + unnumbered
	w.told.Arrival, w.told.Quality, w.told.Time = when.Latest, model.ByArrival, when
	if w.told.Kind == model.KindNodeLease {
		w.Complete(&w.told)
	}
	w.Done = !w.Yield(&w.told)
}

// Spread is a random time from 0 to d.
func (w *Watcher) Spread(d time.Duration) time.Duration {
	return time.Duration(w.Rand.Int64N(int64(d)))
}

// Latency is the time of a request: log-normal, median 6.5 ms, standard deviation 3.9 ms.
func (w *Watcher) Latency() time.Duration {
	return time.Duration(6.5e6 * math.Exp(w.Rand.NormFloat64()*0.5))
}
