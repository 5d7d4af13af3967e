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
		if got := Of(p); got != c.want || got.String() == "" {
			t.Errorf("%+v is %s, want %s", c, got, c.want)
		}
	}
}

// What a kubelet ended is told apart: what the node was low on, what the pod may use, a shutdown and its phases, room for
// a critical pod, and what it did not let run. Who was at it before the kubelet stays the one who was.
func TestWhyItsKubeletEndedIt(t *testing.T) {
	pod := func(disrupted, ended, priority string) *model.Pod {
		p := &model.Pod{Phase: model.PhaseFailed, DisruptionReason: disrupted}
		if disrupted != "" {
			p.Disrupted = 1
		}
		p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailEnded, Value: ended}, {Name: model.DetailPriority, Value: priority},
			{Name: model.DetailUnlabelled, Value: "true"}}, nil))
		return p
	}
	const kubelet = "TerminationByKubelet"
	for _, c := range []struct {
		pod  *model.Pod
		want Kind
	}{
		{pod(kubelet, "Evicted resource memory", ""), Pressure},
		{pod("", "Evicted resource ephemeral-storage", ""), Pressure},
		{pod(kubelet, "Evicted", ""), Pressure},
		{pod(kubelet, "Evicted limit", ""), Limit},
		{pod("", "Evicted condition DiskPressure/MemoryPressure", ""), Refused},
		{pod(kubelet, "Terminated", "2000001000"), Shutdown},
		{pod(kubelet, "Terminated", "1000"), Shutdown},
		{pod(kubelet, "Terminated", ""), Shutdown},
		{pod(kubelet, "Preempting", ""), Critical},
		{pod("", "NodeShutdown", ""), Refused},
		{pod("", "OutOfcpu", ""), Refused},
		{pod("", "DeadlineExceeded", ""), Failed},
		{pod(kubelet, "", ""), Kubelet},
		{pod("DeletionByTaintManager", "Terminated", ""), Taint},
		{pod("EvictionByEvictionAPI", "Evicted resource memory", ""), Eviction},
	} {
		if k := Of(c.pod); k != c.want {
			t.Errorf("%s %s: %s, want %s", c.pod.DisruptionReason, c.pod.Details, k, c.want)
		}
	}
}
