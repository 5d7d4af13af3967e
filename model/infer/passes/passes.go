// Package passes finds when the passes of the health monitor ran, by the writes that only passes make, and by their
// period.
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

// Pass is one run of the health monitor: the interval in which it began, and the time at which the model runs it.
type Pass struct {
	model.Interval
	At       model.Instant
	Observed bool
	// First: it is the first of a new process.
	First bool
	// GoesOn: it is the first after a pause.
	GoesOn bool
	// Alone: node-lifecycle restarted with it, and taint eviction did not.
	Alone bool
	// Writes is the number of writes shortly after it.
	Writes int
	// Wrote is when it made its last write; unknown without one.
	Wrote model.Interval
}

// Slow is how much longer than others a pass took for its writes, at most.
func (p *Pass) Slow() time.Duration {
	slow := Writing(p.Writes, 0)
	if p.Wrote.Known() && p.Wrote.Earliest.Sub(p.Latest) > slow {
		return p.Wrote.Latest.Sub(p.Earliest)
	}
	return slow
}

// next is when the next pass begins: a period after the end of this one, which is not before its last request.
func (p *Pass) next(r Rhythm) model.Interval {
	v := model.Interval{Earliest: p.Earliest, Latest: p.Latest.Add(p.Slow())}
	if p.Wrote.Known() {
		v.Earliest = max(v.Earliest, p.Wrote.Earliest.Add(-evidence.Reaction))
	}
	return model.Interval{Earliest: v.Earliest.Add(r.Period), Latest: v.Latest.Add(r.Period + r.Longest())}
}

// Writing is how long a pass writes more objects after written ones.
func Writing(more, written int) time.Duration {
	late := max(0, written+more-burst) - max(0, written-burst)
	return time.Duration(more)*PerWrite + time.Duration(late)*spaced
}

// Begins reports whether the earlier passes do not bound this one.
func (p *Pass) Begins() bool { return p.First || p.GoesOn }

// List are passes in order of time.
type List []Pass

// Index is the first pass not before t.
func (l List) Index(t model.Instant) int {
	i, _ := slices.BinarySearchFunc(l, t, func(p Pass, t model.Instant) int { return cmp.Compare(p.At, t) })
	return i
}

// Of is the index of the pass that can have made a write; -1 for none.
func (l List) Of(v model.Interval) int {
	i := sort.Search(len(l), func(i int) bool { return v.Earliest <= l[i].Latest.Add(evidence.LagBound) })
	if i < len(l) && l[i].Earliest <= v.Latest {
		return i
	}
	return -1
}

// At is pass i. After the last fitted one, passes come at the usual distance, in growing windows.
func (l List) At(i int, r Rhythm) Pass {
	n := len(l)
	if i < n {
		return l[i]
	}
	if n == 0 { // time cannot be judged
		return Pass{Interval: model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}, At: model.FarFuture}
	}
	more := time.Duration(i - n)
	p := Pass{Interval: l[n-1].next(r)}
	p.At = min(max(l[n-1].At.Add(r.Usual()), p.Earliest), p.Latest).Add(more * r.Usual())
	p.Earliest = p.Earliest.Add(more * r.Period)
	p.Latest = max(p.At, p.Latest.Add(more*(r.Period+r.Longest())))
	return p
}

// TickAbout is when a tick of the models may have been: after the pass that it followed, anywhere in its bounds.
func (l List) TickAbout(at model.Instant) model.Interval {
	w := model.Interval{Earliest: at.Add(-nodelifecycle.TickPeriod), Latest: at.Add(nodelifecycle.TickPeriod)}
	if i := l.Index(at+1) - 1; i >= 0 && i < len(l) && at.Sub(l[i].At) <= nodelifecycle.TickPeriod {
		p := &l[i]
		w = model.Interval{Earliest: min(w.Earliest, p.Earliest), Latest: max(w.Latest, p.Latest.Add(nodelifecycle.TickPeriod))}
	}
	return w
}

// Rhythm is the distance of passes.
type Rhythm struct {
	Period time.Duration
	Nodes  int
}

// By is the Rhythm of the process that runs at a time.
type By func(model.Instant) Rhythm

// Longest is how long a pass without writes takes at most.
func (r Rhythm) Longest() time.Duration { return evidence.PassIdle + time.Duration(r.Nodes)*perNode }

// Usual is the distance of passes with little to do.
func (r Rhythm) Usual() time.Duration { return r.Period + Usual }
