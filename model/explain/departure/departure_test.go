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
		pod        *model.Pod
		word, says string
		want       Kind
	}{
		{pod(kubelet, "Evicted resource memory", ""), "low on memory", "its kubelet evicted it, for the node was low on memory", Pressure},
		{pod("", "Evicted resource ephemeral-storage", ""), "low on disk", "its kubelet evicted it, for the node was low on ephemeral-storage", Pressure}, // before 1.26 no condition tells
		{pod(kubelet, "Evicted", ""), "node pressure", Pressure.Says(), Pressure},
		{pod(kubelet, "Evicted limit", ""), "its own limit", Limit.Says(), Limit},
		{pod("", "Evicted condition DiskPressure/MemoryPressure", ""), "refused", "its kubelet did not let it run: the node had DiskPressure and MemoryPressure", Refused},
		{pod(kubelet, "Terminated", "2000001000"), "node shutdown", Shutdown.Says() + ", with the critical pods, last (priority 2000001000)", Shutdown},
		{pod(kubelet, "Terminated", "1000"), "node shutdown", Shutdown.Says() + ", before the critical pods (priority 1000; which ranges of it its kubelet keeps apart is not known)", Shutdown},
		{pod(kubelet, "Terminated", ""), "node shutdown", Shutdown.Says(), Shutdown},
		{pod(kubelet, "Preempting", ""), "critical pod", Critical.Says(), Critical},
		{pod("", "NodeShutdown", ""), "refused", "its kubelet did not let it run: NodeShutdown", Refused},
		{pod("", "OutOfcpu", ""), "refused", "its kubelet did not let it run: OutOfcpu", Refused},
		{pod("", "DeadlineExceeded", ""), "failed", "it failed: DeadlineExceeded", Failed},
		{pod(kubelet, "", ""), "its kubelet", Kubelet.Says(), Kubelet},
		{pod("DeletionByTaintManager", "Terminated", ""), "taint eviction", Taint.Says(), Taint},
		{pod("EvictionByEvictionAPI", "Evicted resource memory", ""), "API eviction", Eviction.Says(), Eviction},
	} {
		if k, word, says := Of(c.pod), Word(c.pod), Says(c.pod); k != c.want || word != c.word || says != c.says {
			t.Errorf("%s %s: %s, %q, %q; want %s, %q, %q", c.pod.DisruptionReason, c.pod.Details, k, word, says, c.want, c.word, c.says)
		}
	}
}
