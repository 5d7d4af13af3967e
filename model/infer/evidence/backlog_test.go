package evidence

import (
	"testing"
	"time"

	"kardia/model"
)

// What node-lifecycle writes one by one, for its client lets no more through at once, is written by the end of all that it
// had to write; what it writes now and then is written at once.
func TestBacklogs(t *testing.T) {
	noon := model.At(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))
	at := func(seconds float64) model.Instant { return noon.Add(time.Duration(seconds * float64(time.Second))) }
	var writes []Seen
	add := func(kind model.DecisionKind, n int, from, every float64) {
		for i := range n {
			writes = append(writes, Seen{Write: &Write{Kind: kind, Time: model.Exactly(at(from + float64(i)*every))}})
		}
	}
	add(model.MarkUnknown, 20, 0, 0.05)   // 0 s to 0.95 s: few, and with it
	add(model.AddNoSchedule, 20, 1, 0.05) // to 1.95 s
	add(model.MarkUnknown, 30, 10, 0.05)  // as many as may go at once
	add(model.EvictPod, 100, 20, 0.05)    // somebody else's
	add(model.AddNoSchedule, 40, 30, 0.9) // to 65.1 s
	e := Evidence{Backlogs: backlogs(writes)}
	for _, c := range []struct{ from, to, by float64 }{{0.1, 0.2, 1.95}, {1.9, 1.95, 1.95}, {2, 2.1, -1}, {10.1, 10.2, -1}, {20, 21, -1}, {29.1, 29.5, 65.1}, {40, 41, 65.1}, {66, 67, -1}} {
		got, want := e.WrittenBy(model.Interval{Earliest: at(c.from), Latest: at(c.to)}), at(c.by)
		if c.by < 0 {
			want = 0
		}
		if got != want {
			t.Errorf("decided from %v to %v s: written by %v, want %v", c.from, c.to, got, want)
		}
	}
}
