package open

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
)

// TestACountdownEndsWithinItsWindow: if the start of a countdown was not seen exactly, why a pod is not deleted yet has
// a window for the deletion, and not one instant; the deletion that came is within.
func TestACountdownEndsWithinItsWindow(t *testing.T) {
	h := incident(t, "zone-outage", watchFiles).History
	res, _ := shadowed(t, h, flags)
	s, err := res.At(h.Coverage().Earliest.Add(150 * time.Second))
	if err != nil {
		t.Fatal(err)
	}
	ahead, wide := 0, 0
	for i := range res.Decisions {
		d := &res.Decisions[i]
		if _, pending := s.Taints.Pending(d.Pod); d.Kind != model.EvictPod || d.Observed == nil || !pending {
			continue
		}
		ahead++
		held, _ := why.Pod(s, d.Pod)
		w := held[0].Decision.Window
		if !(model.Interval{Earliest: w.Earliest, Latest: w.Latest.Add(time.Second)}).Overlaps(d.Observed.Time) {
			t.Errorf("%s is to be deleted within %s, and was at %s", d.Pod, w, d.Observed.Time)
		}
		if w.Width() > 0 {
			wide++
		}
	}
	if ahead == 0 || wide == 0 {
		t.Errorf("%d countdowns, %d of them within a window: this compares nothing", ahead, wide)
	}
}
