package processes

import (
	"slices"
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

// EndedIn says that the process that stood still did not go on, for another began by when something was written again: what
// it knew is lost, and it begins with empty hands and caches that are not behind.
func (c *Course) EndedIn(standstill model.Interval) bool {
	began := func(at model.Interval) bool {
		return at.Earliest <= standstill.Latest && standstill.Earliest <= at.Latest
	}
	return slices.ContainsFunc(c.Evidence.Restarts, began) ||
		slices.ContainsFunc(c.Restarts, func(a Restart) bool { return a.Who == ControllerManager && began(a.At) })
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
		if !c.EndedIn(v) && t >= WentOn(v).Earliest && t <= v.Latest.Add(c.Grace) {
			standstill, ok = v, true
		}
	}
	return standstill, ok
}
