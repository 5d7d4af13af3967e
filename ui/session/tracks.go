package session

import (
	"time"

	"kardia/model"
	"kardia/model/timeline"
)

// tracks keeps the last Track that was built, wider than it was asked for, so that
// playing and following do not read the History for every frame.
type tracks struct {
	node  string
	built *timeline.Track
	// from and to are the coverage when it was built.
	covered model.Interval
}

// slack is how much of the newest past a kept Track of a growing History may lack.
const slack = time.Second

// Track is a node's past over a window.
func (s *Session) Track(node string, window model.Interval) *timeline.Track {
	if s.history == nil || !window.Bounded() {
		return &timeline.Track{Window: window}
	}
	c := s.Coverage()
	k := &s.tracks
	if k.built == nil || k.node != node || !k.serves(window, c) {
		wide := model.Interval{Earliest: window.Earliest.Add(-window.Width() / 2), Latest: window.Latest.Add(window.Width() / 2)}
		t, err := timeline.BuildTrack(s.seat.reader.as(), node, wide)
		if err != nil {
			if s.err == nil {
				s.err = err
			}
			return &timeline.Track{Window: window}
		}
		*k = tracks{node: node, built: t, covered: c}
	}
	return k.built.Clip(window)
}

// serves says whether the Track kept holds all that is asked for: the window lies in
// what was built, and nothing that matters has arrived since.
func (k *tracks) serves(window, coverage model.Interval) bool {
	built := k.built.Window
	if window.Earliest < built.Earliest || window.Latest > built.Latest {
		return false
	}
	return min(window.Latest, coverage.Latest) <= k.covered.Latest.Add(slack)
}
