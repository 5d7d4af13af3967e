// Package phases tells when the passes of the health monitor may come, by all that is known of them at an
// instant: when the next one comes, which passes may have counted a node's last sign of life, and so when
// the node is declared Unknown.
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
	// shortest is what a pass takes at least: each begins a period and this after the one before.
	shortest = 100 * time.Microsecond
	// waits is how long a pass may take before it judges the zones, for a tick to come between.
	waits = 150 * time.Millisecond
	// maxParts is into how many parts the instants are divided at which the next pass may come,
	// and partRows bounds that for large clusters: so many parts times nodes.
	maxParts, partRows = 8, 15_000
	// maxSplits is at how many instants within a part the nodes are divided of which it leaves open
	// when they were counted, and splitRows bounds that likewise.
	maxSplits, splitRows = 3, 5_000
	// minPart is the least width of a part.
	minPart = 25 * time.Millisecond
)

// Phase is one way in which the passes may have come, and will, that agrees with all that was
// known by the State's instant. Whatever comes, comes between what some two Phases make of it.
type Phase struct {
	Clock loop.Clock
	// next is within which bounds the next pass comes in this Phase and its neighbours. A node of
	// which that leaves open when it was counted counts as seen by the earlier pass if it would be
	// were the next pass at split.
	next  model.Interval
	split model.Instant
	// Began is when the last pass began, which is not over: it has yet to write some of what it decided, and
	// to judge the zones. Longer is how much longer that takes for what it has decided already. Unknown where
	// the last pass is over.
	Began  model.Instant
	Longer time.Duration
	// Writes says that nodes must have been declared Unknown by the last pass that are not: it still writes, or
	// nobody knows when it will.
	Writes bool
}

// Rest is what may be left of the last pass: it may not be over.
type Rest struct {
	// Began is within when it began; the zero value where it is over.
	Began model.Interval
	// Written is how many objects it has written, and Writes how many it surely has yet to write.
	Written, Writes int
}

// Spread is how far apart in time the instants are of the next pass for which a Phase stands.
func (p *Phase) Spread() time.Duration { return p.next.Latest.Sub(p.next.Earliest) }

// Schedule is what is known of the passes at an instant.
type Schedule struct {
	At              model.Instant
	Period, Longest time.Duration
	Grace, Startup  time.Duration
	// Heard is when nodes were heard last; nil where that is not known of this instant.
	Heard map[string]evidence.Signs
	// Parts are when the next pass may come.
	Parts []model.Interval
	// Traces are the passes before it that left one, in order.
	Traces []Trace
	// Begun is when the last thing was that made a pass count all nodes anew, and BegunBy by when that
	// pass came: the first pass of this process, or the one that ended master disruption. FarPast where
	// nothing is known of either.
	Begun   model.Interval
	BegunBy model.Instant
	// WentOn is when the controllers went on that had stood still, not more than a grace period before;
	// zero if they had not. What they were shown after Idle they may have counted only then.
	WentOn model.Interval
	Idle   model.Instant
	// Rest is what is left of the last pass, of Phases in which it is not over.
	Rest Rest
}

// Divide says when the next pass may come, of so many nodes: see likely. At no time leaves no parts.
func (c *Schedule) Divide(next []model.Interval, nodes int) {
	if len(next) > 0 {
		c.Parts = c.likely(next, min(maxParts, max(2, partRows/max(1, nodes))))
	}
}

// Phases are those that agree with what is known, of so many nodes. collect is the next cycle of pod garbage
// collection; unless cycles left traces, it may come at any time in its period.
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

// goOn lets the last pass not be over.
func (p *Phase) goOn(rest *Rest) {
	p.Began = p.Clock.Pass.Add(-p.Clock.Period - p.Clock.Drift)
	if p.Clock.Takes > 0 {
		p.Longer = passes.Writing(rest.Writes, rest.Written)
	}
}

// unheard are the Phases of a part in which a pass comes just before the startup grace period of a node
// is over that never gave a sign of life, and just after it: that is counted from no pass, but from the
// node's creation (N12).
func (c *Schedule) unheard(like Phase) (list []Phase) {
	part := like.next
	var made []model.Instant
	for _, h := range c.Heard {
		if h.Judged && h.Made.Known() && h.Made.Add(c.Startup) > part.Earliest {
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

// open are, for the late nodes that may have been counted by one pass or by another, within a part, where in it the one gives
// way to the other; in order. some says that there are silent nodes of which that is open, late or not: those that are not
// late need no order, for whoever forecasts takes them to beat.
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

// likely divides when the next pass may come, where a sign of life of a silent node may have been
// counted by one pass or by another: so that in most parts every node was counted by one alone.
// Parts are left out in which a node must have been declared Unknown, and was not.
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

// cuts are the instants of the next pass before which a node's last sign of life was counted by
// one pass surely, and after which by the one before.
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
				n := time.Duration(v.Earliest.Sub(w.Earliest) / (c.Period + shortest))
				for _, n := range [...]time.Duration{n, n + 1} {
					cuts = append(cuts, w.Earliest.Add(n*(c.Period+shortest)), w.Latest.Add(n*(c.Period+c.Longest)))
				}
			}
		}
	}
	slices.Sort(cuts)
	return cuts
}

// contradicts says that a node would have been declared Unknown some time ago, were the next pass
// in a part, and it was not.
func (c *Schedule) contradicts(part model.Interval) bool {
	// The last pass may still be writing.
	return part.Latest.Add(-c.Period) <= c.At.Add(-evidence.LagBound) && c.Due(part, true)
}

// Due says that the pass before the next one may have declared a node Unknown that is not, were the
// next in a part; or that it must have.
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

// divided cuts an interval into about so many parts, where it can at the cuts.
func divided(v model.Interval, cuts []model.Instant, most int) (parts []model.Interval) {
	each := max(minPart, v.Width()/time.Duration(most))
	from := v.Earliest
	for from.Add(each+each/2) < v.Latest {
		ideal := from.Add(each)
		i, _ := slices.BinarySearch(cuts, ideal)
		at := ideal
		for _, k := range [...]int{i - 1, i} {
			if k >= 0 && k < len(cuts) && cuts[k] > from.Add(minPart) && cuts[k] < v.Latest.Add(-minPart) && (at == ideal || abs(cuts[k].Sub(ideal)) < abs(at.Sub(ideal))) && abs(cuts[k].Sub(ideal)) < each/2 {
				at = cuts[k]
			}
		}
		parts = append(parts, model.Interval{Earliest: from, Latest: at})
		from = at
	}
	return append(parts, model.Interval{Earliest: from, Latest: v.Latest})
}

func abs(d time.Duration) time.Duration { return max(d, -d) }
