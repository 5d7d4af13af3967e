package processes

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// GoingOn is how long a process may have run before the end of its first write after a pause. By its timestamp, a write
// may have been made 1.1 s earlier.
const GoingOn = 1150 * time.Millisecond

// WentOn is when the controllers continued after a pause.
func WentOn(standstill model.Interval) model.Interval {
	return model.Interval{Earliest: max(standstill.Earliest, standstill.Latest.Add(-GoingOn)), Latest: standstill.Latest}
}

// EndedIn reports whether another process began in the pause, without memory and with up-to-date caches.
func (c *Course) EndedIn(standstill model.Interval) bool {
	began := func(at model.Interval) bool {
		return at.Earliest <= standstill.Latest && standstill.Earliest <= at.Latest
	}
	return slices.ContainsFunc(c.Evidence.Restarts, began) ||
		slices.ContainsFunc(c.Assumed, func(a Assumption) bool { return a.Kind == Restarted && a.Who == ControllerManager && began(a.At) })
}

// IdleSince is the last observed write before a pause, which may have begun then. FarPast without one.
func (c *Course) IdleSince(standstill model.Interval) model.Instant {
	return c.Evidence.LastWrite(func(w *evidence.Seen) bool { return !w.Across && w.Time.Latest < standstill.Earliest })
}

// StandstillBefore is the last pause that ended less than a grace period before t.
func (c *Course) StandstillBefore(t model.Instant) (standstill model.Interval, ok bool) {
	for _, v := range c.Standstills {
		if !c.EndedIn(v) && t >= WentOn(v).Earliest && t <= v.Latest.Add(c.Grace) {
			standstill, ok = v, true
		}
	}
	return standstill, ok
}
