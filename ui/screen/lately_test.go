package screen_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// What was decided lately is told the newest first, what says the same at one time once, and nothing of
// what only goes along with it, nor of what came later.
func TestLately(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	p := screentest.Painters()["dark"]
	told := func(h int, about func(*model.Decision) bool) []string {
		var lines []string
		for _, r := range s.Lately(about, p, 100, h) {
			lines = append(lines, r.Text)
		}
		return strings.Split(strings.TrimSuffix(screentest.Plain(lines), "\n"), "\n")
	}
	all := told(40, nil)
	if !strings.Contains(all[0], "23:55:13.8Z") || !strings.Contains(all[0], "taint eviction  and 1 more") {
		t.Errorf("the newest is not first: %q", all[0])
	}
	if last := all[len(all)-1]; !strings.Contains(last, "declared Unknown  and 9 more") {
		t.Errorf("ten nodes declared at once are not one row: %q", last)
	}
	for _, line := range all {
		if strings.Contains(line, "queued") || strings.Contains(line, "countdown") || strings.Contains(line, "23:55:23") {
			t.Errorf("minor, or later: %q", line)
		}
	}
	if few := told(3, nil); len(few) != 3 || few[2] != all[2] {
		t.Errorf("three rows are %q", few)
	}
	for _, line := range told(40, func(d *model.Decision) bool { return d.Node == "b-009" }) {
		if !strings.Contains(line, "b-009") {
			t.Errorf("about b-009: %q", line)
		}
	}
	if rows := (&screen.Snapshot{At: s.At}).Lately(nil, p, 100, 5); len(rows) > 0 {
		t.Errorf("without models: %v", rows)
	}
}
