package session

import (
	"slices"
	"testing"
	"time"
)

// TestNewsWaitForDearFrames: news are shown at most ten times a second, and the dearer a frame, the more rarely; a slow one does
// not hide them for more than a second.
func TestNewsWaitForDearFrames(t *testing.T) {
	s := Replay(outage(), Options{Now: newClock().now, Judging: InBackground})
	var waited []time.Duration
	s.background.after = func(d time.Duration) <-chan time.Time {
		waited = append(waited, d)
		return immediately(d)
	}
	for _, drawing := range []time.Duration{0, 4 * time.Millisecond, 60 * time.Millisecond, 2 * time.Second} {
		s.background.tell()
		s.Wait(drawing)
	}
	if want := []time.Duration{100 * time.Millisecond, 100 * time.Millisecond, 600 * time.Millisecond, time.Second}; !slices.Equal(waited, want) {
		t.Errorf("waited %v, not %v", waited, want)
	}
}
