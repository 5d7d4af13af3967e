// Package passes tells when the passes of the health monitor ran: fitted to what only a pass writes, and
// to how far apart passes are.
package passes

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
)

// Pass is one run of the health monitor: the interval within which it began, and the point
// in it at which the model runs.
type Pass struct {
	model.Interval
	At       model.Instant
	Observed bool
	// First: it is the first of a new process.
	First bool
	// GoesOn: it is the first of one that stood still.
	GoesOn bool
	// Alone: with it node-lifecycle began anew, and taint eviction went on.
	Alone bool
	// Writes are those seen shortly after it.
	Writes int
	// Wrote is within when the last was made of those that are its own; unknown where none was seen.
	Wrote model.Interval
}

// Slow is how much longer than others a pass took at most, for what it wrote.
func (p *Pass) Slow() time.Duration {
	slow := Writing(p.Writes, 0)
	if p.Wrote.Known() && p.Wrote.Earliest.Sub(p.Latest) > slow {
		return p.Wrote.Latest.Sub(p.Earliest)
	}
	return slow
}

// next is within when the pass after it begins: a period after this one has ended. That it has not before its last
// write was asked for is known as well as the clocks agree of those who tell of either.
func (p *Pass) next(r Rhythm) model.Interval {
	v := model.Interval{Earliest: p.Earliest, Latest: p.Latest.Add(p.Slow())}
	if p.Wrote.Known() {
		v.Earliest = max(v.Earliest, p.Wrote.Earliest.Add(-evidence.Reaction))
	}
	return model.Interval{Earliest: v.Earliest.Add(r.Period), Latest: v.Latest.Add(r.Period + r.Longest())}
}

// Writing is how long it takes a pass to write so many objects more when it has written some.
func Writing(more, written int) time.Duration {
	late := max(0, written+more-burst) - max(0, written-burst)
	return time.Duration(more)*PerWrite + time.Duration(late)*spaced
}

// Begins says that the passes before it tell nothing of when it came.
func (p *Pass) Begins() bool { return p.First || p.GoesOn }

// List are passes in order of time.
type List []Pass

// Index is the first pass not before an instant.
func (l List) Index(t model.Instant) int {
	i, _ := slices.BinarySearchFunc(l, t, func(p Pass, t model.Instant) int { return cmp.Compare(p.At, t) })
	return i
}

// Of is the index of the pass that made a write; -1 if none can have.
func (l List) Of(v model.Interval) int {
	i := sort.Search(len(l), func(i int) bool { return v.Earliest <= l[i].Latest.Add(evidence.LagBound) })
	if i < len(l) && l[i].Earliest <= v.Latest {
		return i
	}
	return -1
}

// At is a pass, also one after the last that was fitted: it comes at the usual distance,
// within a window that grows.
func (l List) At(i int, r Rhythm) Pass {
	n := len(l)
	if i < n {
		return l[i]
	}
	if n == 0 { // the time cannot be judged
		return Pass{Interval: model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}, At: model.FarFuture}
	}
	more := time.Duration(i - n)
	p := Pass{Interval: l[n-1].next(r)}
	p.At = min(max(l[n-1].At.Add(r.Usual()), p.Earliest), p.Latest).Add(more * r.Usual())
	p.Earliest = p.Earliest.Add(more * r.Period)
	p.Latest = max(p.At, p.Latest.Add(more*(r.Period+r.Longest())))
	return p
}

// TickAbout is when a tick may have been that the models ran at an instant: after the pass that it
// followed, wherever that lies in its bounds.
func (l List) TickAbout(at model.Instant) model.Interval {
	w := model.Interval{Earliest: at.Add(-nodelifecycle.TickPeriod), Latest: at.Add(nodelifecycle.TickPeriod)}
	if i := l.Index(at+1) - 1; i >= 0 && i < len(l) && at.Sub(l[i].At) <= nodelifecycle.TickPeriod {
		p := &l[i]
		w = model.Interval{Earliest: min(w.Earliest, p.Earliest), Latest: max(w.Latest, p.Latest.Add(nodelifecycle.TickPeriod))}
	}
	return w
}

// Rhythm is how far apart passes are.
type Rhythm struct {
	Period time.Duration
	// Nodes is how many nodes a pass goes through.
	Nodes int
}

// By is the Rhythm of the process that runs at an instant.
type By func(model.Instant) Rhythm

// Longest is what a pass takes at most that writes nothing.
func (r Rhythm) Longest() time.Duration { return evidence.PassIdle + time.Duration(r.Nodes)*perNode }

// Usual is how far apart passes without much to do are.
func (r Rhythm) Usual() time.Duration { return r.Period + Usual }
