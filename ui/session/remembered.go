package session

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/screen"
)

// memorable is how long before the coverage the reachable time begins: as long as a cluster keeps Events. Earlier times
// that objects show are listed, and cannot be gone to: a node may be Unknown for months.
const memorable = time.Hour

// remembered is since when something is reconstructed of the time before the coverage; unknown if nothing is, or is not
// known yet.
func (s *Session) remembered() model.Instant {
	began := s.Coverage().Earliest
	if !began.Bounded() {
		return 0
	}
	for _, d := range s.runner.shown.Decisions() {
		switch {
		case d.Time >= began:
			return 0
		case d.Basis == model.Reconstructed && d.Time >= began.Add(-memorable):
			return d.Time
		}
	}
	return 0
}

// Reach is the time that can be gone to: the Coverage, and the reconstructed time before.
func (s *Session) Reach() model.Interval { return screen.Reach(s.Coverage(), s.remembered()) }

// unwatched is the time that is remembered only, as the gap it is.
func unwatched(sn *screen.Snapshot) (history.Gap, bool) {
	if reach := sn.Reach(); reach.Earliest < sn.Coverage.Earliest {
		return history.Gap{Interval: model.Interval{Earliest: reach.Earliest, Latest: sn.Coverage.Earliest - 1}, Source: -1,
			Why: "not watched: reconstructed from timestamps and Events"}, true
	}
	return history.Gap{}, false
}
