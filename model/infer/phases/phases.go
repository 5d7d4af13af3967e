// Package phases finds when monitor passes may come, by the facts known at one time. From them follow the passes that
// may have counted a node's last sign of life, and when the node is declared Unknown. For example, it is declared 50 to
// 55 s after its last renewal, with passes every 5 s and a grace period of 50 s.
package phases

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/podgc"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

const (
	// shortest is the least duration of a pass: the next one starts a period and this later.
	shortest = 100 * time.Microsecond
	// waits is the longest delay of a pass before it judges the zones, in which a tick may come.
	waits = 150 * time.Millisecond
	// maxParts is into how many parts the time of the next pass is divided; partRows limits parts times nodes.
	maxParts, partRows = 8, 15_000
	// maxSplits is at how many times within a part undecided nodes are divided; splitRows limits splits times nodes.
	maxSplits, splitRows = 3, 5_000
	minPart              = 25 * time.Millisecond
)

// Phase is one possible timing of the passes. The effects of the real timing lie between those of two Phases.
type Phase struct {
	Clock loop.Clock
	// next bounds the next pass in this Phase and its neighbours. If that leaves open which pass counted a node, it is
	// the earlier one if it would be with the next pass at split.
	next  model.Interval
	split model.Instant
	// Began is when the last pass began, if it is unfinished: it has decisions to write and the zones to judge. Longer
	// is the additional time for its decisions. Unknown if the last pass is over.
	Began  model.Instant
	Longer time.Duration
	// Writes says that the last pass must have declared nodes Unknown, and did not: it is late, or still writes.
	Writes bool
}

// Rest is the unfinished part of the last pass; Began is zero if it is over.
type Rest struct {
	Began model.Interval
	// Written is how many objects it has written, and Writes how many it certainly has yet to write.
	Written, Writes int
}

// Spread is the width of the next pass of a Phase.
func (p *Phase) Spread() time.Duration { return p.next.Latest.Sub(p.next.Earliest) }

// Schedule is what is known of the passes at a time.
type Schedule struct {
	At              model.Instant
	Period, Longest time.Duration
	Grace, Startup  time.Duration
	// Heard has the last signs of life of nodes; nil if unknown at this time.
	Heard map[string]evidence.Signs
	Parts []model.Interval
	// Traces are the earlier passes that left a trace, by time.
	Traces []Trace
	// Begun is when a pass last had to count all nodes again: the first pass of this process, or the one that ended
	// master disruption. BegunBy is the latest time of that pass. FarPast if neither is known.
	Begun   model.Interval
	BegunBy model.Instant
	// WentOn is when paused controllers continued, if within a grace period. Signs after Idle may count from it.
	WentOn model.Interval
	Idle   model.Instant
	Rest   Rest
}

// Divide sets the Parts for so many nodes. Without next it changes nothing.
func (c *Schedule) Divide(next []model.Interval, nodes int) {
	if len(next) > 0 {
		c.Parts = c.likely(next, min(maxParts, max(2, partRows/max(1, nodes))))
	}
}

// Phases are those that agree with what is known, of so many nodes. collect is the next pod garbage collection; unless
// cycles left traces, it may come at any time in its period.
func (c *Schedule) Phases(collect model.Instant, cycles bool, nodes int) (list []Phase) {
	for _, part := range c.Parts {
		quick := Phase{Clock: loop.Clock{Pass: part.Earliest, Period: c.Period, Drift: shortest, Tick: c.At, Collect: collect}, next: part}
		first := quick
		first.Clock.Takes, first.Clock.EachWrite = waits, passes.PerWrite
		last := first
		last.Clock.Pass, last.Clock.Drift = part.Latest, c.Longest
		if !cycles {
			quick.Clock.Collect, last.Clock.Collect = c.At, c.At.Add(podgc.Period)
		}
		if writes := c.Due(part, true); writes && !c.Rest.Began.Known() {
			quick.Clock.Pass, first.Clock.Pass, last.Clock.Pass = c.At, c.At, c.At
			quick.Writes, first.Writes, last.Writes = true, true, true
		}
		quick.split, first.split, last.split = model.FarFuture, model.FarFuture, model.FarFuture
		list = append(append(list, quick, first, last), c.unheard(quick)...)
		open, some := c.open(part)
		if !some {
			continue
		}
		first.split, last.split = model.FarPast, model.FarPast
		list = append(list, first, last)
		splits := min(maxSplits, splitRows/max(1, nodes))
		for i := 1; i <= min(len(open)-1, splits); i++ {
			between := quick
			between.split = open[(i*len(open)-1)/min(len(open), splits+1)]
			if between.Clock.Pass != c.At {
				between.Clock.Pass = min(max(between.split, part.Earliest), part.Latest)
			}
			slow := between
			slow.Clock.Takes, slow.Clock.EachWrite = waits, passes.PerWrite
			list = append(list, between, slow)
		}
	}
	if c.Rest.Began.Known() {
		for i := range list {
			list[i].goOn(&c.Rest)
		}
	}
	return list
}

// goOn makes the last pass unfinished.
func (p *Phase) goOn(rest *Rest) {
	p.Began = p.Clock.Pass.Add(-p.Clock.Period - p.Clock.Drift)
	if p.Clock.Takes > 0 {
		p.Longer = passes.Writing(rest.Writes, rest.Written)
	}
}

// unheard are Phases with a pass just before and after the startup grace period of a node without any sign of life. The
// period starts at the node's creation (N12).
func (c *Schedule) unheard(like Phase) (list []Phase) {
	part := like.next
	var made []model.Instant
	for _, h := range c.Heard {
		if h.Judged && h.Made.Known() && h.Made.Add(c.Startup) >= part.Earliest {
			made = append(made, h.Made)
		}
	}
	slices.Sort(made)
	for _, made := range slices.Compact(made)[:min(len(made), maxSplits)] {
		for _, at := range [...]model.Instant{made.Add(c.Startup), made.Add(c.Startup) + 1} {
			n := time.Duration(floorDiv(at.Sub(part.Earliest), c.Period+shortest))
			if at > part.Latest.Add(n*(c.Period+c.Longest)) {
				continue
			}
			p := like
			if p.Clock.Pass = at; n > 0 {
				p.Clock.Drift = min(max((at.Sub(part.Latest)+n-1)/n-c.Period, shortest), c.Longest)
				p.Clock.Pass = at.Add(-n * (c.Period + p.Clock.Drift))
			}
			list = append(list, p)
		}
	}
	return list
}

// open finds where in a part one pass gives way to another as the one that counted a late node, in order. some includes
// silent nodes that are not late: forecasts assume that they renew.
func (c *Schedule) open(part model.Interval) (list []model.Instant, some bool) {
	early, late := Phase{next: part, split: model.FarFuture}, Phase{next: part, split: model.FarPast}
	for _, h := range c.Heard {
		if !h.Judged || !h.Lease.Known() && !h.Status.Known() || !c.silent(h) || c.between(h, &early) == c.between(h, &late) && !c.late(h) {
			continue
		}
		if some = true; c.At.Sub(max(h.Lease.Latest, h.Status.Latest)) >= model.LateAfter {
			list = append(list, c.gives(h, part))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), some
}

// likely divides the time of the next pass so that in most parts one pass alone counted each silent node. It omits
// parts in which a node should have been declared Unknown, and was not.
func (c *Schedule) likely(next []model.Interval, most int) (parts []model.Interval) {
	var width time.Duration
	for _, v := range next {
		width += v.Width()
	}
	cuts := c.cuts(next)
	for _, v := range next {
		n := max(1, int(time.Duration(most)*v.Width()/max(1, width)))
		parts = append(parts, divided(v, cuts, n)...)
	}
	if likely := slices.DeleteFunc(slices.Clone(parts), c.contradicts); len(likely) > 0 {
		return likely
	}
	return parts // the controller does not act, or not by these flags
}

// cuts are the times of the next pass at which the pass that counted a node's last sign of life changes.
func (c *Schedule) cuts(next []model.Interval) (cuts []model.Instant) {
	for _, h := range c.Heard {
		if !h.Judged || !c.silent(h) && !h.Fresh {
			continue
		}
		for _, w := range [...]model.Interval{h.Lease, h.Status} {
			if !w.Known() || c.At.Sub(w.Latest) > c.Grace+3*c.Period {
				continue
			}
			for _, v := range next {
				n := v.Earliest.Sub(w.Earliest) / (c.Period + shortest)
				for _, n := range [...]time.Duration{n, n + 1} {
					cuts = append(cuts, w.Earliest.Add(n*(c.Period+shortest)), w.Latest.Add(n*(c.Period+c.Longest)))
				}
			}
		}
	}
	slices.Sort(cuts)
	return cuts
}

// contradicts reports whether the next pass in a part contradicts a node that was not declared Unknown some time ago.
func (c *Schedule) contradicts(part model.Interval) bool {
	// The last pass may still be writing.
	return part.Latest.Add(-c.Period) <= c.At.Add(-evidence.LagBound) && c.Due(part, true)
}

// Due reports whether the pass before the next one, in a part, may, or must, have declared a node that is not Unknown.
func (c *Schedule) Due(part model.Interval, must bool) bool {
	p := Phase{next: part, split: model.FarFuture}
	if must {
		p.split = model.FarPast
	}
	p.Clock.Pass, p.Clock.Period, p.Clock.Drift = part.Latest, c.Period, c.Longest
	last := part.Latest.Add(-c.Period)
	for _, h := range c.Heard {
		if !h.Judged {
			continue
		}
		if at, ok := c.declares(&p, h, h.New); ok && at <= last {
			return true
		}
	}
	return false
}

// divided cuts an interval into about most parts, if possible at the cuts.
func divided(v model.Interval, cuts []model.Instant, most int) (parts []model.Interval) {
	each := max(minPart, v.Width()/time.Duration(most))
	from := v.Earliest
	for from.Add(each+each/2) < v.Latest {
		ideal := from.Add(each)
		i, _ := slices.BinarySearch(cuts, ideal)
		at := ideal
		for _, k := range [...]int{i - 1, i} {
			if k >= 0 && k < len(cuts) && cuts[k] > from.Add(minPart) && cuts[k] < v.Latest.Add(-minPart) && (at == ideal || cuts[k].Sub(ideal).Abs() < at.Sub(ideal).Abs()) && cuts[k].Sub(ideal).Abs() < each/2 {
				at = cuts[k]
			}
		}
		parts = append(parts, model.Interval{Earliest: from, Latest: at})
		from = at
	}
	return append(parts, model.Interval{Earliest: from, Latest: v.Latest})
}
