package infer

import (
	"cmp"
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
	missing, course := r.found.Missing(), r.course()
	idle := slices.Concat(course.Leaderless(), course.Standstills)
	for _, began := range r.evidence.Restarts {
		acted := r.actedBefore(began.Earliest)
		v := model.Interval{Earliest: model.FarFuture, Latest: began.Latest}
		for i := range r.found.Decisions {
			if d := &r.found.Decisions[i]; missing[d.ID] && d.Window.Earliest > acted && d.Window.Latest < began.Earliest {
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
	for i := range r.evidence.Writes {
		if w := &r.evidence.Writes[i]; !w.Across && !w.Aside && w.Time.Latest < t {
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
	if len(r.ended) == 0 {
		return r.o.Standstills
	}
	list := append(slices.Clone(r.o.Standstills), r.ended...)
	slices.SortFunc(list, func(a, b model.Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
	return list
}
