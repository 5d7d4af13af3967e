package command

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTheReportOfALogAlone says what the log tells, and that the rest is not known: no heartbeat is in a log.
func TestTheReportOfALogAlone(t *testing.T) {
	got := kardia(t, nil, "report ../../../sources/read/klog/testdata/zone-outage.log.zst")
	for _, want := range []string{"10 nodes fell silent", "declared them Unknown at 23:53:23Z", "20 pods were deleted by the controllers", "On which nodes they ran the input does not tell.",
		"The controllers took the taints of 10 nodes off again, the last at 23:57:09Z; when they were heard again is not known.", "zone → FullDisruption"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	for _, never := range []string{"not heard again", "no declaration", "0 pods marked", "zone none"} {
		if strings.Contains(got.out, never) {
			t.Errorf("it says %q", never)
		}
	}
	if got.code != Partial {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

// TestDiff: an incident with itself differs in nothing; with another, the counts are those that decisions prints.
func TestDiff(t *testing.T) {
	var d struct {
		AlignedOn, Matched string
		Kinds              []struct {
			Kind string
			A, B struct{ Count int }
		}
		Decisions []struct{ Later *float64 }
	}
	read := func(line string) {
		t.Helper()
		d.Kinds, d.Decisions = nil, nil
		got := kardia(t, nil, line)
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != OK {
			t.Fatal(got.code, err, got.err)
		}
	}
	read("diff demo:node-loss demo:node-loss -o json")
	if d.AlignedOn != "heartbeat" || d.Matched != "name" || len(d.Decisions) == 0 {
		t.Errorf("%+v", d)
	}
	for _, r := range d.Decisions {
		if r.Later == nil || *r.Later != 0 {
			t.Errorf("%+v", r)
		}
	}
	read("diff demo:zone-outage demo:node-loss -o json")
	if k := d.Kinds[0]; d.Matched != "order" || k.Kind != "MarkUnknown" || k.A.Count != 10 || k.B.Count != 1 {
		t.Errorf("%+v", d.Kinds)
	}
}
