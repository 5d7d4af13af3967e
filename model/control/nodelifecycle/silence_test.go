package nodelifecycle

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
)

// How long a kubelet is silent is told by what its lease says where its clock is right; by a clock that is off it is not.
func TestHowLongItIsSilent(t *testing.T) {
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	probe := now.Add(-3 * time.Second)
	for says, want := range map[time.Duration]string{
		-7 * time.Second: "its lease was renewed 7s before; the count started in the pass that saw it",
		-time.Hour:       "its lease was renewed at 11:00:00Z by its own clock, which is behind, or was late on its way",
		time.Minute:      "its lease was renewed at 12:01:00Z by a clock that is ahead",
	} {
		r := record{probe: probe, beat: beat{what: beatLease, at: now.Add(says)}}
		if got := r.silence(now); !strings.HasPrefix(got, want) {
			t.Errorf("renewed %v: %q, want %q", says, got, want)
		}
	}
}

// After a status the lease counts anew (N10): it is not from the pass that saw the lease that the controller counts. Nor is a
// clock off where the status is posted, and the lease is not renewed for minutes; one that is off is so for both.
func TestALeaseThatCountsAnew(t *testing.T) {
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		renewed, posted time.Duration
		want            string
	}{
		{-33 * time.Second, -28 * time.Second, "its lease was renewed 33s before, and its status written 28s before; after a status the lease counts again, in the pass after the one that saw it"},
		{-388 * time.Second, -28 * time.Second, "its lease was renewed 6m28s before, and its status written 28s before; after a status the lease counts again, in the pass after the one that saw it"},
		{-325 * time.Second, -322 * time.Second, "its lease was renewed at 11:54:35Z by its own clock, which is behind, or was late on its way; counted from the pass that saw it"},
	} {
		r := record{probe: now.Add(-20 * time.Second), beat: beat{what: beatLease, at: now.Add(c.renewed)}, saved: savedReady{heartbeat: now.Add(c.posted)}}
		if got := r.silence(now); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
