package command

import (
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
