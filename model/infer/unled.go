package infer

import (
	"kardia/model"
	"kardia/model/history"
)

// unledAt is since when nobody leads the controllers at an instant, by their lease, as who watches it knows: twice the
// time that it is held has passed since it was renewed last, and once that time was watched. Unknown where somebody leads,
// or may: where no such lease was seen (a controller manager may run without one), and where somebody has written since.
func (r *run) unledAt(t model.Instant) (since model.Instant) {
	l := &r.evidence.Leader
	if !r.o.Watched || !l.Renewed.Bounded() {
		return 0
	}
	since = l.Renewed
	if !l.Released {
		since = l.Renewed.Add(l.Lasts)
		if t.Sub(l.Renewed) <= 2*l.Lasts || t.Sub(r.leadersWatchedSince(t)) <= l.Lasts {
			return 0
		}
	}
	if since >= t || r.lastWrite() > since {
		return 0
	}
	return since
}

// leadersWatchedSince is since when leases of leaders are watched without a gap, up to an instant.
func (r *run) leadersWatchedSince(t model.Instant) model.Instant {
	since := r.coverage.Earliest
	for _, b := range history.BlindIn(r.input.History, model.KindLeaderLease) {
		if b.Earliest < t {
			since = max(since, min(b.Latest, t))
		}
	}
	return since
}
