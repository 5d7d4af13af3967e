package why

import (
	"time"

	"kardia/model"
)

// sameCountdown is how near two ends of a pod's countdown are those of one.
const sameCountdown = 2 * time.Second

// Restarted says that a pod's countdown had begun, and neither a deletion had come of it nor was it cancelled, when the
// controllers began anew last, at an instant or before, and began again with them: when that was, and when it would have
// ended. due is when it ends now; decisions are in order.
// Source: kubernetes: pkg/controller/tainteviction, whose countdowns are in memory only.
func Restarted(decisions []model.Decision, pod model.Key, at, due model.Instant) (anew, was model.Instant, ok bool) {
	for i := len(decisions) - 1; i >= 0; i-- {
		switch d := &decisions[i]; {
		case d.Time > at:
		case d.Kind == model.ControllerStart && !anew.Known() && d.Basis != model.Reconstructed:
			anew = d.Time
		case d.Pod != pod || !anew.Known() || d.Time >= anew: // what the new process begins, it begins with its start
		case d.Kind == model.EvictPod, d.Kind == model.CancelEviction:
			return 0, 0, false
		case d.Kind == model.ScheduleEviction:
			if ends := CountdownEnds(d); ends.Known() && due.Sub(ends) >= sameCountdown {
				return anew, ends, true
			}
		}
	}
	return 0, 0, false
}

// Restart is that the controllers began anew, and what they had in memory began again with them.
type Restart struct {
	// Decision is when, and by which sign.
	*model.Decision
	// Countdowns is how many of the countdowns that run now began again with them, and Least to Most by how much later
	// those end; 0 where none did, or where nobody watched when they ran before.
	Countdowns  int
	Least, Most time.Duration
	// Ran is how many countdowns ran when they began anew, of those that had begun within the hour before, and of pods that
	// were not deleted since: at least Countdowns. Some may run no more, for the new process took their nodes' taints off,
	// and gives them anew one by one.
	Ran int
}

// ranFor is how far back Restart.Ran looks for when a countdown began.
const ranFor = time.Hour

// LastRestart is when the controllers began anew last, after since and by an instant; nil where they did not, as far as is
// known. due is when the countdowns that run end, by pod; decisions are in order.
func LastRestart(decisions []model.Decision, since, at model.Instant, due map[model.Key]model.Instant) *Restart {
	var last *Restart
	// Of these pods it is known how their last countdown before ended, or that they were deleted since; of so many it runs now.
	found, again := map[model.Key]bool{}, 0
	for i := len(decisions) - 1; i >= 0 && (last != nil && (again < len(due) || last.Time.Sub(decisions[i].Time) <= ranFor) || decisions[i].Time > since); i-- {
		switch d := &decisions[i]; {
		case d.Time > at:
		case d.Kind == model.ControllerStart && last == nil:
			last = &Restart{Decision: d}
		case last == nil && d.Kind == model.EvictPod:
			found[d.Pod] = true
		case last == nil || d.Time >= last.Time || found[d.Pod]: // what the new process begins, it begins with its start
		case d.Kind == model.EvictPod, d.Kind == model.CancelEviction:
			found[d.Pod] = true
		case d.Kind == model.ScheduleEviction:
			ends, is := CountdownEnds(d), due[d.Pod]
			switch {
			case !ends.Known():
			case !is.Known():
				found[d.Pod] = true
				if last.Time.Sub(d.Time) <= ranFor {
					last.Ran++
				}
			case is.Sub(ends) >= sameCountdown:
				found[d.Pod] = true
				again++
				last.restarts(is.Sub(ends))
			}
		}
	}
	return last
}

// restarts takes in a countdown that runs again, and ends so much later.
func (r *Restart) restarts(later time.Duration) {
	r.Ran++
	if r.Countdowns++; r.Countdowns == 1 || later < r.Least {
		r.Least = later
	}
	r.Most = max(r.Most, later)
}
