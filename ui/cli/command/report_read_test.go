package command

import (
	"fmt"
	"path/filepath"
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
	if !strings.Contains(text, "how far the clock was off, network and server included: 1 by 2.0 s or more.") {
		t.Error(text)
	}
	r, _ = reportPlayed(t, "at 1m skew a-2 by=+5m\nat 1m skew a-3 by=+6m\nat 1m skew a-4 by=+5s\n")
	if got := r.Summary[len(r.Summary)-1]; got != "The clocks of 2 nodes (a-3 and a-2) were off by 10.0 s or more at the end, that of a-3 the furthest: it was 6m0s ahead." {
		t.Error(got)
	}
}

// TestPutOffIsNotSpared: nodes that do not come back lose their pods under a longer grace, too, if only after the
// recording ends: that is told beside how many fewer were deleted by then.
func TestPutOffIsNotSpared(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 2m30s kill a-2\n")
	n := r.Impact.Deleted
	for _, want := range []string{fmt.Sprintf("| 50s (as it was) | 1 | %d | 0 | – | – |", n), fmt.Sprintf("| 5m0s | 1 | 0, %d fewer | %d | none | none |", n, n), "is put off, and not spared"} {
		if n == 0 || !strings.Contains(text, want) {
			t.Errorf("no %q in it:\n%s", want, text)
		}
	}
}

// TestNoSilenceIsLessThanItsCount: what the controller counted from a node's last heartbeat it was silent for, and more;
// the window of its declaration, or a clock a second ahead, leaves no less, in no row, in the summary or in the table of times.
func TestNoSilenceIsLessThanItsCount(t *testing.T) {
	t.Parallel()
	for _, faults := range []string{"at 2m kill a-2\n", "at 1m skew a-2 by=+1500ms\nat 2m kill a-2\n"} {
		r, text := reportPlayed(t, faults)
		if len(r.Silences) != 1 || r.Silences[0].SilentSeconds < 50 {
			t.Errorf("%s%+v", faults, r.Silences)
		}
		for _, want := range []string{"Unknown at 12:02:42Z, 50.", " 50.04 s | 50.", "declared Unknown − last heartbeat | 1 | 50."} {
			if !strings.Contains(text, want) {
				t.Errorf("%sno %q in it:\n%.8000s", faults, want, text)
			}
		}
	}
}

// TestGracesWhereNobodyLed: what a grace period would have declared it would have, had somebody led the controllers: where
// nobody did that is said, and the node that was silent for minutes and not declared is named beside the longest pause.
func TestGracesWhereNobodyLed(t *testing.T) {
	t.Parallel()
	file := put(t, filepath.Join(t.TempDir(), "mine.scenario"), mine("at 1m controllers-off\nat 2m kill a-1\n"))
	_, text := reportOn(t, file)
	table := kardia(t, nil, "margin "+file).out
	const still = "1 node was silent at the end, and not declared Unknown: a-1, for 6m"
	const unled = "if the controllers had always had a leader: they had none from 12:01:"
	if !strings.Contains(text, still) || !strings.Contains(text, unled) || !strings.Contains(text, "| still silent |") {
		t.Error(text)
	}
	if !strings.Contains(table, still) || !strings.Contains(table, unled) || !strings.Contains(table, "longest that ended undeclared") {
		t.Error(table)
	}
	file = put(t, filepath.Join(t.TempDir(), "back.scenario"), mine("at 1m controllers-off\nat 2m kill a-1\nat 4m controllers-on\n"))
	if table := kardia(t, nil, "margin "+file).out; !strings.Contains(table, "they had none from 12:0") || !strings.Contains(table, " to 12:0") || strings.Contains(table, "not declared Unknown:") {
		t.Error(table)
	}
	if table := kardia(t, nil, "margin demo:node-loss").out; strings.Contains(table, "if somebody had led") {
		t.Error(table)
	}
}

// TestChecksThatReadTheSameAreOneRow: what must be so before nodes are declared out of service stands once, with the nodes
// of which it is so, and from how long to how long.
func TestChecksThatReadTheSameAreOneRow(t *testing.T) {
	t.Parallel()
	_, text := reportPlayed(t, "at 2m kill a-1\nat 2m10s kill a-3\n")
	for _, want := range []string{"| a-1 and a-3 | the Node is not Ready, for 5m03s to 5m08s | yes | – |", "| a-1 and a-3 | its kubelet is silent: last seen 5m", "| a-1 and a-3 | control plane supports the taint: "} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not in it once:\n%s", want, text)
		}
	}
}
