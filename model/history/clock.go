package history

import (
	"fmt"
	"time"

	"kardia/model"
)

// ClockReading is one reading of the recorder's clocks: at the start, and at each step. Arrivals are on a time line of
// their own, which never goes back. It follows the wall clock forwards, and is counted on if that is set back.
type ClockReading struct {
	// At is the time on the arrivals' line.
	At model.Instant
	// Wall is the wall clock. Since is the recording's length by the monotonic clock, which stops while asleep.
	Wall  model.Instant
	Since time.Duration
	// Set is by how much the wall clock was set since the last reading (negative: back), Slept how long the machine
	// slept. If Slept is unknown, Set has both.
	Set   time.Duration
	Slept model.Maybe[time.Duration]
	// During bounds when that happened, on the arrivals' line; unknown without a step.
	During model.Interval
	// Server is how far the API server's clock was ahead of At, if an answer showed it.
	Server model.Maybe[Offset]
}

// Offset bounds how far one clock is ahead of another; negative is behind.
type Offset struct{ Least, Most time.Duration }

// Stepped reports whether the reading is of a step or a sleep.
func (c *ClockReading) Stepped() bool { return c.During.Known() }

// ClockPrecision is the error of comparing clocks: they are read one after the other.
const ClockPrecision = 20 * time.Millisecond

// Whole rounds the bounds outwards to a unit.
func (o Offset) Whole(unit time.Duration) Offset {
	w := Offset{o.Least.Truncate(unit), o.Most.Truncate(unit)}
	if w.Least > o.Least {
		w.Least -= unit
	}
	if w.Most < o.Most {
		w.Most += unit
	}
	return w
}

func (o Offset) String() string {
	o = o.Whole(time.Millisecond)
	least, most := o.Least, o.Most
	switch {
	case least >= 0:
		return fmt.Sprintf("%v to %v ahead", least, most)
	case most <= 0:
		return fmt.Sprintf("%v to %v behind", -most, -least)
	}
	return fmt.Sprintf("%v behind to %v ahead", -least, most)
}
