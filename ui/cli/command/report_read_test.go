package command

import (
	"strings"
	"testing"
)

// What readers of a report stumbled over.

// TestAClockThatIsOffIsInTheSummary: a node whose clock is minutes off is told of in the summary, and how many are off
// is counted where the clocks are listed.
func TestAClockThatIsOffIsInTheSummary(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 1m skew a-2 by=+5m\n")
	if got := r.Summary[len(r.Summary)-1]; got != "The clock of a-2 was 5m0s ahead at the end." {
		t.Error(got)
	}
	if !strings.Contains(text, "how far the clock was off, way and server included: of 1 of these by 2.0 s or more.") {
		t.Error(text)
	}
	r, _ = reportPlayed(t, "at 1m skew a-2 by=+5m\nat 1m skew a-3 by=+6m\nat 1m skew a-4 by=+5s\n")
	if got := r.Summary[len(r.Summary)-1]; got != "The clocks of 2 nodes (a-3 and a-2) were off by 10.0 s or more at the end, that of a-3 the furthest: it was 6m0s ahead." {
		t.Error(got)
	}
}
