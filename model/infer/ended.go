package infer

import (
	"slices"
	"time"

	"kardia/model"
)

// A new process registers nodes, but the end of its predecessor is not recorded. It had ended before the first missing
// effect, if the controllers did not act from then until the new one started.

// beforeDue is how long before the first missing effect a process is assumed to have ended.
const beforeDue = time.Millisecond

// tryEnded proposes the ends of processes before recorded starts.
func (r *run) tryEnded() (changed bool) {
	if !r.mayAssume() || r.o.Tried.noMore(r.found.Findings()) || len(r.evidence.Restarts) == 0 || len(r.found.Unobserved) == 0 {
		return false
	}
	ended := r.endedIn()
	if len(ended) == 0 {
		return false
	}
	return r.adopt(1, func(c *run) { c.ended = append(c.ended, ended...) }, (*run).quickly)
}

// endedIn are the times from the first missing effect to a recorded start, without an act of the controllers.
func (r *run) endedIn() (list []model.Interval) {
	course := r.course()
	idle := slices.Concat(course.Leaderless(), course.Standstills)
	for _, began := range r.evidence.Restarts {
		acted := r.actedBefore(began.Earliest)
		v := model.Interval{Earliest: model.FarFuture, Latest: began.Latest}
		for d := range r.found.Lacking() {
			if d.Window.Earliest > acted && d.Window.Latest < began.Earliest {
				v.Earliest = min(v.Earliest, d.Window.Earliest.Add(-beforeDue))
			}
		}
		if v.Earliest < began.Earliest && !slices.ContainsFunc(idle, began.Overlaps) {
			list = append(list, v)
		}
	}
	return list
}

// actedBefore is the last known act of the controllers before a time, by their writes and logs.
func (r *run) actedBefore(t model.Instant) model.Instant {
	last := model.FarPast
	for w := range model.Each(r.evidence.Writes) {
		if !w.Across && !w.Aside && w.Time.Latest < t {
			last = max(last, w.Time.Earliest)
		}
	}
	for _, told := range r.evidence.Told {
		if told.Latest < t {
			last = max(last, told.Earliest)
		}
	}
	return last
}

// standstills are the observed pauses, and the times between processes, in order.
func (r *run) standstills() []model.Interval {
	list := slices.Concat(r.o.Standstills, r.ended)
	slices.SortFunc(list, model.Interval.Compare)
	return list
}
