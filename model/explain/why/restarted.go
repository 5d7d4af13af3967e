package why

import (
	"time"

	"kardia/model"
)

// sameCountdown is the difference below which two ends of a countdown are one.
const sameCountdown = 2 * time.Second

// Restarted finds a countdown of a pod that the last restart of the controllers by a time started again. start is that
// restart, was the first countdown's end, due the present one's. ok is false if the first was cancelled or deleted the
// pod. decisions are in order.
// Source: kubernetes: pkg/controller/tainteviction, whose countdowns are in memory only.
func Restarted(decisions []model.Decision, pod model.Key, at, due model.Instant) (start, was model.Instant, ok bool) {
	for i := len(decisions) - 1; i >= 0; i-- {
		switch d := &decisions[i]; {
		case d.Time > at:
		case d.Kind == model.ControllerStart && !start.Known() && d.Basis != model.Reconstructed:
			start = d.Time
		case d.Pod != pod || !start.Known() || d.Time >= start: // decisions at the start are the new process's own
		case d.Kind == model.EvictPod, d.Kind == model.CancelEviction:
			return 0, 0, false
		case d.Kind == model.ScheduleEviction:
			if ends := CountdownEnds(d); ends.Known() && due.Sub(ends) >= sameCountdown {
				return start, ends, true
			}
		}
	}
	return 0, 0, false
}

// Restart is a restart of the controllers, which restarts everything they keep in memory.
type Restart struct {
	*model.Decision
	// Countdowns is how many current countdowns restarted, to end between Least and Most later; 0 also if unwatched.
	Countdowns  int
	Least, Most time.Duration
	// Ran is how many countdowns ran at the restart: those begun within the hour before, of pods not deleted since.
	// Some may have ended, since the new process removes taints and adds them again one by one.
	Ran int
}

// ranFor is how long before a restart a countdown counted in Restart.Ran may have begun.
const ranFor = time.Hour

// LastRestart is the last restart between since and at; nil if unknown. due is when countdowns end, by pod.
func LastRestart(decisions []model.Decision, since, at model.Instant, due map[model.Key]model.Instant) *Restart {
	var last *Restart
	// found are pods whose earlier countdown or later deletion is known; again counts current countdowns among them.
	found, again := map[model.Key]bool{}, 0
	for i := len(decisions) - 1; i >= 0 && (last != nil && (again < len(due) || last.Time.Sub(decisions[i].Time) <= ranFor) || decisions[i].Time > since); i-- {
		switch d := &decisions[i]; {
		case d.Time > at:
		case d.Kind == model.ControllerStart && last == nil:
			last = &Restart{Decision: d}
		case last == nil && d.Kind == model.EvictPod:
			found[d.Pod] = true
		case last == nil || d.Time >= last.Time || found[d.Pod]: // decisions at the start are the new process's own
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

// restarts counts a countdown that restarted and ends that much later.
func (r *Restart) restarts(later time.Duration) {
	r.Ran++
	if r.Countdowns++; r.Countdowns == 1 || later < r.Least {
		r.Least = later
	}
	r.Most = max(r.Most, later)
}
