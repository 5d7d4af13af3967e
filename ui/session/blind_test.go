package session

import (
	"testing"

	"kardia/model"
	"kardia/model/history"
)

// In a gap nothing was received, but for the Change that ended it: a session at that instant shows it.
func TestWhatEndsAGapWasReceived(t *testing.T) {
	gaps := []history.Gap{{Interval: model.Interval{Earliest: sec(10), Latest: sec(20)}}}
	for at, want := range map[float64]bool{9: false, 10: true, 19.9: true, 20: false, 21: false} {
		if blind(notEnded(gaps, sec(at)), sec(at)) != want {
			t.Errorf("at %v: blind %v", at, !want)
		}
	}
}
