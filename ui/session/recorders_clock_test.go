package session

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/timeline"
)

// clocked is a recording whose clock was set back, and that begins anew in its middle.
type clocked struct{ *timeline.Memory }

func (clocked) Clocks() []timeline.ClockReading {
	return []timeline.ClockReading{{At: sec(20), Wall: sec(18), Set: -2 * time.Second, During: model.Interval{Earliest: sec(19), Latest: sec(20)}}}
}

func (clocked) Anew(position int) bool { return position == 2 }

// TestTheRecordersClockIsAnAnomaly: whoever goes from anomaly to anomaly comes to where the
// recorder's clock was set.
func TestTheRecordersClockIsAnAnomaly(t *testing.T) {
	h := clocked{timeline.NewMemory([]model.Change{lease(1, "a"), lease(2, "b"), lease(30, "c")}, model.Interval{Earliest: sec(0), Latest: sec(60)}, nil, []timeline.Source{{}})}
	s := Replay(h, Options{Start: sec(5), Judging: Never})
	found, ok := s.NextAnomaly()
	if !ok || found.At != sec(19) || found.Node != "" || s.at != sec(19) {
		t.Errorf("%+v, at %s", found, s.at)
	}
	// However it is read, the recording stays what it is.
	s = Replay(h, Options{Start: sec(5), Judging: Beside})
	seamed, ok := s.history.(timeline.Seamed)
	if !ok || !seamed.Anew(2) || seamed.Anew(1) || len(timeline.ClocksOf(s.history)) != 1 {
		t.Error("the clock and the seam are lost where several read")
	}
}
