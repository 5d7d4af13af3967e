package command

import (
	"strings"
	"testing"
)

// A log without leases foresees nothing of pods, and its workloads are not counted as if something did.
func TestImpactWithoutAForecastIsNotKnown(t *testing.T) {
	got := kardia(t, nil, "get impact testdata/hostile/no-leases-audit.log")
	if got.code != Partial || got.out != "" || !strings.Contains(got.err, "what happens to workloads is not known: the input holds no node leases") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}
