package phases

import (
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Trace is a pass of the running process, by its writes.
type Trace struct {
	model.Interval
	// Slow is the largest additional delay of the next pass, by the writes of this one.
	Slow time.Duration
}

// apart is how many passes after a trace a later one comes: at least and at most.
func (c *Schedule) apart(t *Trace, after model.Interval) [2]int {
	least := max(1, -floorDiv(t.Latest.Add(t.Slow).Sub(after.Earliest), c.Period+c.Longest))
	return [2]int{least, max(least, floorDiv(after.Latest.Sub(t.Earliest), c.Period+shortest))}
}

// passesSince is how many passes before the next one a write was first seen: at least and at most, trace by trace.
func (c *Schedule) passesSince(written, next model.Interval) [2]int {
	n, first, i := [2]int{}, next, len(c.Traces)-1
	for ; i >= 0 && c.Traces[i].Earliest > written.Latest; i-- {
		more := c.apart(&c.Traces[i], first)
		n, first = [2]int{n[0] + more[0], n[1] + more[1]}, c.Traces[i].Interval
	}
	bounds := c.count(written, first, c.slow(written, i))
	straight := c.count(written, next, c.slow(written, len(c.Traces)-1))
	bounds = [2]int{max(n[0]+bounds[0], straight[0]), min(n[1]+bounds[1], straight[1])}
	if i >= 0 && c.Traces[i].Latest < written.Earliest {
		bounds[1] = min(bounds[1], n[1]+c.apart(&c.Traces[i], first)[1]-1)
	}
	return [2]int{bounds[0], max(bounds[1], bounds[0])}
}

// SeenBy is how many passes had seen a write, in a Phase and its neighbours: at least and at most.
func (c *Schedule) SeenBy(p *Phase, written model.Interval) [2]int {
	return c.passesSince(written, p.next)
}

// passesMade is how many passes this process made before the next one: at least and at most.
func (c *Schedule) passesMade(next model.Interval) [2]int {
	n, first := [2]int{}, next
	for i := len(c.Traces) - 1; i >= 0; i-- {
		more := c.apart(&c.Traces[i], first)
		n, first = [2]int{n[0] + more[0], n[1] + more[1]}, c.Traces[i].Interval
		if i == 0 && first == c.Begun {
			return n
		}
	}
	return c.passesSince(c.Begun, next)
}

// count is how many passes before one a write was first seen, if those between took slow longer.
func (c *Schedule) count(written, pass model.Interval, slow time.Duration) [2]int {
	since := pass.Earliest.Sub(written.Latest)
	if since > 0 {
		since = max(0, since-slow)
	}
	least := floorDiv(since, c.Period+c.Longest)
	return [2]int{least, max(least, floorDiv(pass.Latest.Sub(written.Earliest)-1, c.Period+shortest))}
}

// slow is the possible additional duration of the passes between a write and the trace after the one at a position.
func (c *Schedule) slow(written model.Interval, at int) (slow time.Duration) {
	for ; at >= 0; at-- {
		slow += c.Traces[at].Slow
		if c.Traces[at].Latest < written.Earliest {
			break
		}
	}
	return slow
}

// longer is the additional distance of the last n passes before the next: the most in a quick Phase, else the least.
func (c *Schedule) longer(p *Phase, n int) (longer time.Duration) {
	next := model.Exactly(p.Clock.Pass)
	for i := len(c.Traces) - 1; i >= 0; i-- {
		t := &c.Traces[i]
		apart := c.apart(t, next)[0]
		if n -= apart; n < 0 {
			break
		}
		if p.Clock.Drift <= shortest {
			longer += max(0, min(t.Slow, next.Latest.Sub(t.Earliest)-time.Duration(apart)*(c.Period+shortest)))
		} else {
			longer += max(0, next.Earliest.Sub(t.Latest)-time.Duration(apart)*(c.Period+c.Longest))
		}
		next = t.Interval
	}
	return longer
}

// gives is where in a part the pass that may have counted a node last gives way to the one before it.
func (c *Schedule) gives(h evidence.Signs, part model.Interval) model.Instant {
	w := h.Lease
	if !w.Known() {
		w = h.Status
	}
	if c.Begun.Earliest > w.Latest {
		w = c.Begun
	}
	n := c.passesSince(w, part)[1]
	early, late := Phase{next: part}, Phase{next: part}
	early.Clock.Pass, early.Clock.Drift, late.Clock.Pass, late.Clock.Drift = part.Earliest, shortest, part.Latest, c.Longest
	return w.Middle().Add(time.Duration(n)*(c.Period+(shortest+c.Longest)/2) + (c.longer(&early, n)+c.longer(&late, n))/2)
}
