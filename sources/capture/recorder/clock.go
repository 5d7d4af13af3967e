package recorder

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
)

const (
	// minor is how far clocks may drift apart without a message, sayEvery the least time between messages.
	minor    = 50 * time.Millisecond
	sayEvery = 30 * time.Second
)

// Look is what a machine's clocks show at one moment.
type Look struct {
	Wall model.Instant
	// Since is the time by the monotonic clock since a start; it pauses while the machine sleeps. Slept is how long
	// that was; unknown if the system does not report it.
	Since time.Duration
	Slept model.Maybe[time.Duration]
}

// looker reads the real clocks, one after the other, and again if the machine slept in between.
func looker() func() Look {
	began, slept := time.Now(), sleepSince()
	return func() Look {
		for {
			before, t := slept(), time.Now()
			if after := slept(); after == before {
				return Look{Wall: model.At(t), Since: t.Sub(began), Slept: after}
			}
		}
	}
}

// Clocks watches the clocks of a stream's receiver: it compares the wall clock with the others, on the line of the
// arrivals.
type Clocks struct {
	look  func() Look
	begun bool
	line  stream.Line
	last  Look
	// reported is the last reading, made at reportedAt.
	reported   history.ClockReading
	reportedAt Look
}

// NewClocks watches the clocks that look reads; nil means this machine's.
func NewClocks(look func() Look) *Clocks {
	if look == nil {
		look = looker()
	}
	return &Clocks{look: look}
}

// Sample reads the clocks. say: the reading is worth keeping. blind is a time in which the receiver cannot have
// received anything, unknown for none.
func (c *Clocks) Sample(f stream.Stream) (r history.ClockReading, say bool, blind model.Interval) {
	return c.sample(c.look(), stream.ServerClock(f))
}

// sample takes the clocks, and the API server's offset if known; results as for Sample.
func (c *Clocks) sample(now Look, server model.Maybe[history.Offset]) (r history.ClockReading, say bool, blind model.Interval) {
	if !c.begun {
		c.begun = true
		c.line, c.last, c.reportedAt = stream.NewLine(now.Wall, now.Since), now, now
		c.reported = history.ClockReading{At: now.Wall, Wall: now.Wall, Since: now.Since, Server: server}
		return c.reported, true, blind
	}
	before, expected := c.line.Steady(c.last.Since), c.line.Steady(now.Since)
	at, leapt := c.line.Follow(now.Wall, now.Since)
	r = history.ClockReading{At: at, Wall: now.Wall, Since: now.Since, Server: server}
	if leapt > 0 {
		blind = model.Interval{Earliest: expected, Latest: at}
	}
	r.Set, r.Slept = now.against(c.reportedAt)
	if set, slept := now.against(c.last); step(set) || step(slept.Value) {
		r.During = model.Interval{Earliest: before, Latest: r.At}
		if step(slept.Value) && !blind.Known() {
			blind = r.During // the wall clock did not show it, but the machine was asleep
		}
	} else if step(r.Set) || step(r.Slept.Value) {
		r.During = model.Interval{Earliest: c.reported.At, Latest: r.At}
	}
	c.last = now
	say = r.Stepped() || now.Since-c.reportedAt.Since >= sayEvery && (r.Set.Abs() >= minor || better(c.reported.Server, server))
	if say {
		c.reported, c.reportedAt = r, now
	}
	return r, say, blind
}

// standing is a reading without what happened before it.
func standing(r history.ClockReading) history.ClockReading {
	r.Set, r.Slept, r.During = 0, model.Maybe[time.Duration]{}, model.Interval{}
	return r
}

// against is by how much the wall clock was set since an earlier look, and how long the machine slept.
func (l Look) against(before Look) (set time.Duration, slept model.Maybe[time.Duration]) {
	set = l.Wall.Sub(before.Wall) - (l.Since - before.Since)
	if l.Slept.Known && before.Slept.Known {
		slept = model.Some(max(l.Slept.Value-before.Slept.Value, 0))
		set -= slept.Value
	}
	return set, slept
}

// step reports whether a step or a sleep is long enough to count.
func step(d time.Duration) bool { return d.Abs() > stream.LeastLeap }

// better reports whether bounds are worth a message: narrower by a quarter than the last, or contradicting them.
func better(said, now model.Maybe[history.Offset]) bool {
	if !now.Known || !said.Known {
		return now.Known
	}
	a, b := said.Value, now.Value
	return b.Most < a.Least || b.Least > a.Most || b.Most-b.Least < (a.Most-a.Least)/4*3
}
