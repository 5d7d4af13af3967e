package stream

import (
	"time"

	"kardia/model"
)

// LeastLeap is how far the wall clock must be ahead of a Line for it to follow.
const LeastLeap = 250 * time.Millisecond

// Line is the clock of arrivals. It follows the monotonic clock and never goes back. If the wall clock leaps ahead the
// Line follows, because monotonic time pauses while a machine sleeps.
type Line struct{ zero model.Instant } // of the monotonic clock

// NewLine starts at the wall clock.
func NewLine(wall model.Instant, since time.Duration) Line { return Line{wall.Add(-since)} }

// Steady is the time at a monotonic time, if nothing leaps.
func (l *Line) Steady(since time.Duration) model.Instant { return l.zero.Add(since) }

// Follow is the time at these clocks, and by how much the Line leapt.
func (l *Line) Follow(wall model.Instant, since time.Duration) (at model.Instant, leapt time.Duration) {
	if ahead := wall.Sub(l.Steady(since)); ahead > LeastLeap {
		l.zero = l.zero.Add(ahead)
		return wall, ahead
	}
	return l.Steady(since), 0
}
