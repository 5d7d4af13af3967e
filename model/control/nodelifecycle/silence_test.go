package nodelifecycle

import (
	"testing"
	"time"

	"kardia/model"
)

// How long a kubelet is silent is told by what its lease says where its clock is right; by a clock that is off it is not.
func TestHowLongItIsSilent(t *testing.T) {
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	probe := now.Add(-3 * time.Second)
	for says, want := range map[time.Duration]model.Reason{
		-7 * time.Second: {Code: model.WhyLeaseSent, Heard: 7 * time.Second},
		-time.Hour:       {Code: model.WhyLeaseBehind, At: now.Add(-time.Hour)},
		time.Minute:      {Code: model.WhyLeaseAhead, At: now.Add(time.Minute)},
	} {
		r := record{probe: probe, beat: beat{what: beatLease, at: now.Add(says)}}
		if got := r.silence(now); got != want {
			t.Errorf("renewed %v: %v, want %v", says, got, want)
		}
	}
}

// After a status the lease counts anew (N10): it is not from the pass that saw the lease that the controller counts. Nor is a
// clock off where the status is posted, and the lease is not renewed for minutes; one that is off is so for both.
func TestALeaseThatCountsAnew(t *testing.T) {
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		renewed, posted time.Duration
		want            model.Reason
	}{
		{-33 * time.Second, -28 * time.Second, model.Reason{Code: model.WhyLeaseThenStatus, Heard: 33 * time.Second, Posted: 28 * time.Second}},
		{-388 * time.Second, -28 * time.Second, model.Reason{Code: model.WhyLeaseThenStatus, Heard: 388 * time.Second, Posted: 28 * time.Second}},
		{-325 * time.Second, -322 * time.Second, model.Reason{Code: model.WhyLeaseBehind, At: now.Add(-325 * time.Second)}},
	} {
		r := record{probe: now.Add(-20 * time.Second), beat: beat{what: beatLease, at: now.Add(c.renewed)}, saved: savedReady{heartbeat: now.Add(c.posted)}}
		if got := r.silence(now); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
