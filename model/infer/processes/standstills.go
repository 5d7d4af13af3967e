package processes

import (
	"time"

	"kardia/model"
)

// GoingOn is how long before the end of the first write that is seen of it a process goes on at most: where stamps date
// that write it may have been made a second and a tenth before.
const GoingOn = 1150 * time.Millisecond

// WentOn is within which the controllers went on that had standstill still.
func WentOn(standstill model.Interval) model.Interval {
	return model.Interval{Earliest: max(standstill.Earliest, standstill.Latest.Add(-GoingOn)), Latest: standstill.Latest}
}

// IdleSince is when a write was last seen of controllers before they were seen to stand still: since then
// they may have. FarPast where none was.
func (c *Course) IdleSince(standstill model.Interval) model.Instant {
	last := model.FarPast
	for i := range c.Evidence.Writes {
		if w := &c.Evidence.Writes[i]; !w.Across && w.Time.Latest < standstill.Earliest {
			last = max(last, w.Time.Latest)
		}
	}
	return last
}

// StandstillBefore is the last standstill that had ended by an instant, and less than a grace period before it.
func (c *Course) StandstillBefore(t model.Instant) (standstill model.Interval, ok bool) {
	for _, v := range c.Standstills {
		if t >= WentOn(v).Earliest && t <= v.Latest.Add(c.Grace) {
			standstill, ok = v, true
		}
	}
	return standstill, ok
}
