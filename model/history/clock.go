package history

import (
	"fmt"
	"time"

	"kardia/model"
)

// ClockReading is a look at the clocks of whoever recorded: at the beginning, and whenever there
// was something to say of them.
//
// Arrivals are on a line of their own, which never goes back: it follows the wall clock where
// that leaps ahead, and is counted on where it is set back.
type ClockReading struct {
	// At is the instant on the line of the arrivals.
	At model.Instant
	// Wall is what the wall clock showed, and Since how long the recording was under way by the
	// monotonic clock, which nobody sets and which stands still while the machine sleeps.
	Wall  model.Instant
	Since time.Duration
	// Set is by how much the wall clock was set since the reading before, back if negative, and
	// Slept how long the machine slept. Where Slept is not known, Set is the two together.
	Set   time.Duration
	Slept model.Maybe[time.Duration]
	// During bounds when that happened, on the line of the arrivals: between two looks. It is
	// unknown in a reading that tells of no step.
	During model.Interval
	// Server is how far the API server's clock was ahead of At; unknown where no answer told.
	Server model.Maybe[Offset]
}

// Offset bounds how far one clock is ahead of another; negative is behind.
type Offset struct{ Least, Most time.Duration }

// Stepped says that the reading tells of a step or a sleep, rather than only how the clocks
// stand.
func (c *ClockReading) Stepped() bool { return c.During.Known() }

// ClockPrecision is how well a sleep is told from a step, and the arrivals from the wall clock: the clocks are read one
// after the other.
const ClockPrecision = 20 * time.Millisecond

// Whole is the bounds at whole units, outwards.
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

// String is how far the one clock is ahead of the other, or behind.
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
