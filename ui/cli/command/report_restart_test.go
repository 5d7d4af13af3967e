package command

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// restarted are watch files of an incident in which the controller manager began anew while countdowns ran: no time of
// arrival, no leader leases.
const restarted = "../../../sources/open/testdata/incidents/restart/nodes.watch.jsonl.zst ../../../sources/open/testdata/incidents/restart/leases.watch.jsonl.zst " +
	"../../../sources/open/testdata/incidents/restart/pods.watch.jsonl.zst ../../../sources/open/testdata/incidents/restart/events.watch.jsonl.zst"

// TestReportOfARestart: the summary says that the controller manager began anew; the countdowns that ended with it are
// told with what they had to go, and not those that the new process began and took back in the same instant; no row of the
// timeline names a pod twice.
func TestReportOfARestart(t *testing.T) {
	t.Parallel()
	got := kardia(t, nil, "report -o json "+restarted)
	var r struct {
		Summary []string
		Margin  struct {
			Cancelled, Forgotten      int
			LeastLeftSeconds          *float64
			ForgottenLeastLeftSeconds float64
		}
		Timeline []struct {
			Time     time.Time
			What     string
			Subjects []string
		}
	}
	ok(t, json.Unmarshal([]byte(got.out), &r))
	if m := r.Margin; m.Cancelled != 0 || m.Forgotten != 4 || m.LeastLeftSeconds != nil || m.ForgottenLeastLeftSeconds < 49 || m.ForgottenLeastLeftSeconds > 51 {
		t.Errorf("%+v", r.Margin)
	}
	if text := strings.Join(r.Summary, " "); !strings.Contains(text, "the controller manager restarted at 05:07:51Z, and 4 countdowns ended with the process that had started them") {
		t.Error(text)
	}
	for i, row := range r.Timeline {
		seen := map[string]bool{}
		for _, s := range row.Subjects {
			if seen[s] {
				t.Errorf("%s twice in %+v", s, row)
			}
			seen[s] = true
		}
		if i > 0 && row.What == "controller restarts" && r.Timeline[i-1].Time.Equal(row.Time) {
			t.Errorf("%+v comes before it", r.Timeline[i-1])
		}
	}
}

// TestWhyOfARestart: why a pod's countdown runs leads over the process that began anew, and took the taint off, and is
// nowhere broken.
func TestWhyOfARestart(t *testing.T) {
	t.Parallel()
	got := kardia(t, nil, "why --pod default/app-b-000-0 --at 2026-11-21T05:08:12Z "+restarted)
	at := 0
	for _, step := range []string{"default/app-b-000-0  countdown starts", "b-000  taint ", "b-000  queued", "b-000  untaint ", "controller restarts", "b-000  taint ", "b-000  declared Unknown"} {
		next := strings.Index(got.out[at:], step)
		if next < 0 {
			t.Fatalf("no %s in turn:\n%s", step, got.out)
		}
		at += next + len(step)
	}
	if strings.Contains(got.out, "the chain breaks") {
		t.Error(got.out)
	}
}

// TestReportFromWatches: of times that are known within windows the chapters of a report say the same.
func TestReportFromWatches(t *testing.T) {
	t.Parallel()
	got := kardia(t, nil, "report -o json "+restarted)
	var r struct {
		Times []struct {
			Name                               string
			Count                              int
			MinSeconds, P50Seconds, P95Seconds *float64
		}
		Zones []struct {
			Time    time.Time
			Zone    string
			Waiting int
		}
		Timeline []struct {
			Time time.Time
			What string
		}
	}
	ok(t, json.Unmarshal([]byte(got.out), &r))
	if detect, off := r.Times[0], r.Times[1]; *detect.MinSeconds != *off.MinSeconds || detect.P50Seconds != nil || detect.P95Seconds != nil {
		t.Errorf("%+v", r.Times[:2])
	}
	tainted := map[string]bool{}
	for _, row := range r.Timeline {
		if row.What == "taint unreachable:NoExecute" {
			tainted[row.Time.Format(time.TimeOnly)] = true
		}
	}
	for _, z := range r.Zones {
		if strings.HasSuffix(z.Zone, "zone-b") && z.Waiting == 0 && z.Time.After(r.Timeline[0].Time) && !tainted[z.Time.Format(time.TimeOnly)] {
			t.Errorf("nobody waits from %s on, when nobody is tainted", z.Time)
		}
	}
}
