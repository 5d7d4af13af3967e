package phases

import (
	"math"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// silent reports whether a node was silent for two passes: it matters which of them counted it last.
func (c *Schedule) silent(h evidence.Signs) bool {
	return c.At.Sub(max(h.Lease.Latest, h.Status.Latest)) >= 2*c.Period
}

// Counted is when a pass counted a node's last sign of life, in a Phase; ok is false if that is not known.
func (c *Schedule) Counted(p *Phase, h evidence.Signs) (at model.Instant, ok bool) {
	if !h.Lease.Known() && !h.Status.Known() {
		return h.Made, h.Made.Known()
	}
	n := c.between(h, p)
	at = p.Clock.Pass.Add(-time.Duration(n)*(p.Clock.Period+p.Clock.Drift) - c.longer(p, n))
	if p.split == model.FarPast && c.late(h) {
		at = max(at, c.WentOn.Latest)
	}
	return at, true
}

// late reports whether a node's last sign of life may have been counted only when the controllers continued.
func (c *Schedule) late(h evidence.Signs) bool {
	last := max(h.Lease.Latest, h.Status.Latest)
	return c.WentOn.Known() && last >= c.Idle.Add(-c.Period) && max(h.Lease.Earliest, h.Status.Earliest) <= c.WentOn.Latest
}

// between is how many passes before the next one a node's last sign of life was counted. It is the most in an early
// Phase, the least in a late one. The pass after one with a new status and no renewal counts the lease again (N10). The
// first pass of a process counts every node (M1).
func (c *Schedule) between(h evidence.Signs, p *Phase) int {
	lease, status := h.Lease, h.Status
	leases, statuses := c.passesSince(lease, p.next), c.passesSince(status, p.next)
	late := p.split == model.FarPast || p.split != model.FarFuture && c.gives(h, p.next) > p.split
	switch {
	case !status.Known():
		return bound(late, c.ofProcess(leases, p))
	case !lease.Known():
		return bound(late, c.ofProcess(statuses, p))
	}
	twice := c.twice(h)
	counts := [2]int{math.MaxInt, math.MinInt}
	may := func(n int) { counts = [2]int{min(counts[0], n), max(counts[1], n)} }
	if leases[0] <= statuses[1] { // the renewal came with the status, or after it
		may(leases[0])
		may(min(leases[1], statuses[1]))
	}
	if statuses[0] < leases[1] { // it came before
		for _, n := range [...]int{statuses[0], min(statuses[1], leases[1]-1)} {
			if may(n - 1); twice {
				may(n)
			}
		}
	}
	return bound(late, c.ofProcess(counts, p))
}

// twice reports whether consecutive passes may have seen the last two statuses: then the second one counts the lease.
func (c *Schedule) twice(h evidence.Signs) bool {
	return h.Before.Known() && h.Status.Earliest.Sub(h.Before.Latest) < 2*(c.Period+c.Longest)
}

// ofProcess limits passes to those of this process.
func (c *Schedule) ofProcess(counts [2]int, p *Phase) [2]int {
	if !c.Begun.Earliest.Bounded() {
		return counts
	}
	made := c.passesMade(p.next)
	return [2]int{min(counts[0], made[0]), min(counts[1], made[1])}
}

func bound(late bool, bounds [2]int) int {
	if late {
		return bounds[0]
	}
	return bounds[1]
}

func floorDiv(a, b time.Duration) int {
	n := a / b
	if a < 0 && a%b != 0 {
		n--
	}
	return int(n)
}

// declares is when a pass declares a silent node Unknown in a Phase, maybe in the past. new: without a Ready condition.
func (c *Schedule) declares(p *Phase, h evidence.Signs, new bool) (at model.Instant, ok bool) {
	probe, ok := c.Counted(p, h)
	if !ok {
		return 0, false
	}
	step := p.Clock.Period + p.Clock.Drift
	return p.Clock.Pass.Add(time.Duration(floorDiv(probe.Add(c.GraceOf(new)).Sub(p.Clock.Pass), step)+1) * step), true
}

// GraceOf is the grace period of a node; new: without a Ready condition.
func (c *Schedule) GraceOf(new bool) time.Duration {
	if new {
		return c.Startup
	}
	return c.Grace
}

// Allows bounds the declaration of a node by its own signs of life; writes is the delay of later passes that write. Earlier
// ones delay it by what their traces show.
func (c *Schedule) Allows(h evidence.Signs, new bool, writes time.Duration) model.Interval {
	grace := c.GraceOf(new)
	first, last := max(h.Lease.Earliest, h.Status.Earliest), h.Lease.Latest
	if h.Status.Latest > h.Lease.Earliest {
		last = max(last, h.Status.Latest).Add(c.Period + c.Longest)
	}
	n := grace/max(1, c.Period) + 2
	return model.Interval{Earliest: first.Add(grace), Latest: max(last, c.BegunBy).Add(grace + c.Period + n*c.Longest + writes + c.slow(h.Lease, len(c.Traces)-1))}
}

// Writing is the delay of later passes by the expected writes of those before them.
func (c *Schedule) Writing() (delay time.Duration) {
	for _, h := range c.Heard {
		if h.Judged && c.silent(h) {
			delay += 3 * passes.PerWrite
		}
	}
	return delay
}

// Declared bounds the declaration of a silent node over some Phases, if known. new: without a Ready condition.
func (c *Schedule) Declared(phases []Phase, h evidence.Signs, new bool) (w model.Interval, ok bool) {
	for i := range phases {
		// A split divides silent nodes by the pass that counted them. One that renewed just now may be on either side.
		for _, split := range [...]model.Instant{phases[i].split, model.FarPast, model.FarFuture} {
			p := phases[i]
			if c.silent(h) {
				split = p.split
			}
			p.split = split
			at, ok := c.declares(&p, h, new)
			if !ok {
				return model.Interval{}, false
			}
			if p.Began.Known() && at < p.Clock.Pass {
				at = c.At // the unfinished pass will write it
			} else {
				at = max(at, p.Clock.Pass)
			}
			w = w.Spanning(model.Exactly(at))
		}
	}
	// If a pass may come just after the end of a grace period that is known, it may come just before: then the next declares.
	if due := h.Made.Add(c.GraceOf(new)); !h.Lease.Known() && !h.Status.Known() && w.Contains(due+1) {
		w.Latest = max(w.Latest, due.Add(c.Period+c.Longest))
	}
	return w, w.Known()
}

// CountedWithin bounds the count of a last sign of life over some Phases, if known.
func (c *Schedule) CountedWithin(phases []Phase, h evidence.Signs) (w model.Interval, ok bool) {
	for i := range phases {
		at, ok := c.Counted(&phases[i], h)
		if !ok {
			return model.Interval{}, false
		}
		w = w.Spanning(model.Exactly(at))
	}
	return w, w.Known()
}

// Unseen reports whether no pass has seen a node's last status yet, in a Phase.
func (c *Schedule) Unseen(p *Phase, h evidence.Signs) bool {
	return h.Status.Known() && bound(p.split == model.FarPast, c.passesSince(h.Status, p.next)) <= 0
}

// Narrowed is w, when a node is declared Unknown, narrowed to Allows, or moved there if w is earlier.
func (c *Schedule) Narrowed(w model.Interval, h evidence.Signs, new bool, writes time.Duration) model.Interval {
	if !h.Lease.Known() {
		return w
	}
	own := c.Allows(h, new, writes)
	if both, ok := w.Intersect(own); ok {
		return both
	}
	if w.Latest < own.Earliest { // then by the pass after it
		n := (own.Earliest.Sub(w.Latest) + c.Period - 1) / max(1, c.Period)
		return model.Interval{Earliest: own.Earliest, Latest: max(own.Earliest, w.Latest.Add(n*(c.Period+c.Longest)))}
	}
	return w
}
