package departure

import (
	"testing"

	"kardia/model"
)

// Kinds that look alike are never mixed up.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		reason  string
		deleted bool
		phase   model.Phase
		want    Kind
	}{
		{"", false, model.PhaseRunning, Stays},
		{"", false, model.PhaseSucceeded, Ended},
		{"", false, model.PhaseFailed, Failed},
		{"", true, model.PhaseRunning, Deleted},
		{"DeletionByTaintManager", true, model.PhaseRunning, Taint},
		{"EvictionByEvictionAPI", true, model.PhaseRunning, Eviction},
		{"DeletionByPodGC", false, model.PhaseFailed, Collected},
		{"TerminationByKubelet", false, model.PhaseFailed, Kubelet},
		{"PreemptionByScheduler", true, model.PhaseRunning, Preemption},
		{"DeletionByDeviceTaintManager", true, model.PhaseRunning, DeviceTaint},
		{"SomethingElse", true, model.PhaseRunning, Disrupted},
	} {
		p := &model.Pod{Phase: c.phase, DisruptionReason: c.reason}
		if c.reason != "" {
			p.Disrupted = 1
		}
		if c.deleted {
			p.Deletion = 2
		}
		if got := Of(p); got != c.want || got.String() == "" || got.Says() == "" {
			t.Errorf("%+v is %s, want %s", c, got, c.want)
		}
	}
}
