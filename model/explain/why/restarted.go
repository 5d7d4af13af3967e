package why

import (
	"time"

	"kardia/model"
)

// Restarted says that a pod's countdown was running when the controllers began anew last, at an instant or before, and
// began again with them: when that was, and when it would have ended. due is when it ends now; decisions are in order.
// Source: kubernetes: pkg/controller/tainteviction, whose countdowns are in memory only.
func Restarted(decisions []model.Decision, pod model.Key, at, due model.Instant) (anew, was model.Instant, ok bool) {
	const least = 2 * time.Second // a countdown that ends so near to it is the same one
	for i := len(decisions) - 1; i >= 0; i-- {
		switch d := &decisions[i]; {
		case d.Time > at:
		case d.Kind == model.ControllerStart && !anew.Known() && d.Basis != model.Reconstructed:
			anew = d.Time
		case d.Kind == model.ScheduleEviction && d.Pod == pod && anew.Known():
			if ends := CountdownEnds(d); ends.Known() && ends > anew && due.Sub(ends) >= least {
				return anew, ends, true
			}
		}
	}
	return 0, 0, false
}
