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
		-7 * time.Second: "silent for 7s since its lease was renewed",
		-time.Hour:       "its lease was renewed at 11:00:00Z by its own clock, which is behind, or was late on its way",
		time.Minute:      "its lease was renewed at 12:01:00Z by a clock that is ahead",
	} {
		b := beat{what: beatLease, at: now.Add(says)}
		if got := b.silence(now, probe); !strings.HasPrefix(got, want) {
			t.Errorf("renewed %v: %q, want %q", says, got, want)
		}
	}
}
