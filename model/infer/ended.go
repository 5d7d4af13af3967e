package infer

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
)

// Whoever registers nodes anew is another process; when the one before it ended, nothing tells. It had by when something
// fell due that never came, if nobody was seen to act from then until the next one began.

// beforeDue is how long before the first thing was due that did not come a process is taken to have ended.
const beforeDue = time.Millisecond

// tryEnded finds when processes ended that are told to have been followed by others, and goes by it where less is left open then.
func (r *run) tryEnded() (changed bool, err error) {
	if r.assumed != nil || r.quick || r.o.Tried.noMore(r.found.findings()) || len(r.evidence.Restarts) == 0 || len(r.found.Unobserved) == 0 || !r.judgeable() {
		return false, nil
	}
	ended := r.endedIn()
	if len(ended) == 0 {
		return false, nil
	}
	least := r.found.findings()
	other, err := r.again(func(c *run) { c.ended, c.fixed, c.quick = append(c.ended, ended...), true, true })
	if err != nil || other.found.findings() >= least {
		return false, err
	}
	r.ended = append(r.ended, ended...)
	return true, nil
}

// endedIn are the times from when something was due that did not come, though nobody was seen to act since, until another process began.
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

// actedBefore is when the controllers were last known to act before an instant, as what they wrote tells, and their own logs.
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

// standstills are those that were seen, and the times from when a process had ended until the next began, in order.
func (r *run) standstills() []model.Interval {
	if len(r.ended) == 0 {
		return r.o.Standstills
	}
	list := append(slices.Clone(r.o.Standstills), r.ended...)
	slices.SortFunc(list, func(a, b model.Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
	return list
}
