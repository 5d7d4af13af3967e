package session

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// memorable is how long before the coverage the reachable time starts: as long as a cluster keeps Events. Earlier times
// in objects are listed but not reachable: a node may be Unknown for months.
const memorable = time.Hour

// remembered is from when on the time before the coverage is reconstructed, if known.
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

// unwatched is the reconstructed time, as a gap.
func unwatched(sn *screen.Snapshot) (history.Gap, bool) {
	if reach := sn.Reach(); reach.Earliest < sn.Coverage.Earliest {
		return history.Gap{Interval: model.Interval{Earliest: reach.Earliest, Latest: sn.Coverage.Earliest - 1}, Source: -1,
			Why: words.Of("session.reconstructed").String()}, true
	}
	return history.Gap{}, false
}
