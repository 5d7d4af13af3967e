package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A report's timeline needs no hand (T5 of what people were asked to do): nothing in it is left to be filled in, it is in
// order of time, and it holds all that was written, as the recordings' own count has it.
func TestTheTimelineOfAReportIsWhole(t *testing.T) {
	got := kardia(t, nil, "report demo:zone-outage")
	_, text, ok := strings.Cut(got.out, "\n## Timeline\n")
	text, _, _ = strings.Cut(text, "\n## ")
	if got.code != OK || !ok || strings.Contains(text, "(to fill in)") {
		t.Fatalf("exit %d\n%s", got.code, text)
	}
	var times []string
	count := map[string]int{}
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if len(cells) < 6 || !strings.HasPrefix(line, "| 2") {
			continue
		}
		times = append(times, cells[0])
		subjects, last := strings.Count(cells[4], ", ")+1, 0
		if _, rest, ok := strings.Cut(cells[4], " and "); ok { // "a, b and c", or "a, b and 3 more"
			if n, _ := fmt.Sscanf(rest, "%d more", &last); n == 0 {
				last = 1
			}
		}
		count[cells[5]] += subjects + last
	}
	if !slices.IsSorted(times) {
		t.Errorf("out of order: %q", times)
	}
	for what, want := range map[string]int{"declared Unknown": 10, "taint unreachable:NoSchedule": 10, "taint unreachable:NoExecute": 10, "taint eviction": 20,
		"untaint unreachable:NoExecute": 10, "untaint unreachable:NoSchedule": 10, "renews again": 10} {
		if count[what] != want {
			t.Errorf("%s: %d, want %d", what, count[what], want)
		}
	}
}
