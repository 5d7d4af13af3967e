package topics_test

import (
	"testing"

	"kardia/model"
	"kardia/model/explain/departure"
	"kardia/model/explain/impact"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// What a kubelet ended is told apart: what the node was low on, what the pod may use, a shutdown and its phases.
func TestDeparture(t *testing.T) {
	pod := func(disrupted, ended, priority string) *model.Pod {
		p := &model.Pod{Phase: model.PhaseFailed, DisruptionReason: disrupted}
		if disrupted != "" {
			p.Disrupted = 1
		}
		p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailEnded, Value: ended}, {Name: model.DetailPriority, Value: priority}}, nil))
		return p
	}
	of := func(k departure.Kind) string { return words.Of("departure.kind." + k.String()).String() }
	const kubelet = "TerminationByKubelet"
	for _, c := range []struct {
		pod        *model.Pod
		word, says string
	}{
		{pod(kubelet, "Evicted resource memory", ""), "low on memory", "its kubelet evicted it: the node was low on memory"},
		{pod("", "Evicted resource ephemeral-storage", ""), "low on disk", "its kubelet evicted it: the node was low on ephemeral-storage"},
		{pod(kubelet, "Evicted", ""), "node pressure", of(departure.Pressure)},
		{pod(kubelet, "Evicted limit", ""), "its own limit", of(departure.Limit)},
		{pod("", "Evicted condition DiskPressure/MemoryPressure", ""), "refused", "its kubelet did not let it run: the node had DiskPressure and MemoryPressure"},
		{pod(kubelet, "Terminated", "2000001000"), "node shutdown", of(departure.Shutdown) + ", with the critical pods, last (priority 2000001000)"},
		{pod(kubelet, "Terminated", "1000"), "node shutdown", of(departure.Shutdown) + ", before the critical pods (priority 1000; its kubelet's priority ranges are not known)"},
		{pod(kubelet, "Terminated", ""), "node shutdown", of(departure.Shutdown)},
		{pod(kubelet, "Preempting", ""), "critical pod", of(departure.Critical)},
		{pod("", "NodeShutdown", ""), "refused", "its kubelet did not let it run: NodeShutdown"},
		{pod("", "OutOfcpu", ""), "refused", "its kubelet did not let it run: OutOfcpu"},
		{pod("", "DeadlineExceeded", ""), "failed", "it failed: DeadlineExceeded"},
		{pod(kubelet, "", ""), "its kubelet", of(departure.Kubelet)},
		{pod("DeletionByTaintManager", "Terminated", ""), "taint eviction", of(departure.Taint)},
		{pod("EvictionByEvictionAPI", "Evicted resource memory", ""), "API eviction", of(departure.Eviction)},
	} {
		if word, says := topics.DepartureWord(c.pod), topics.Departure(c.pod).String(); word != c.word || says != c.says {
			t.Errorf("%s %s: %q, %q; want %q, %q", c.pod.DisruptionReason, c.pod.Details, word, says, c.word, c.says)
		}
	}
}

func TestRoom(t *testing.T) {
	amount := func(cpu, memory model.Quantity, pods int) impact.Amount {
		return impact.Amount{Requests: model.Requests{CPU: cpu * 1000, Memory: memory << 30 * 1000}, Pods: pods}
	}
	for want, r := range map[string]impact.Room{
		"no pod needs a node, now or in the forecast": {Nodes: 3},
		"1 pod to be placed, waiting now, 2 CPU, 1Gi; 2 nodes to take them, at most 8 CPU, 16Gi and 20 places left: each finds a place, by requests alone (selectors, affinity and volumes are not considered)": {
			Waiting: 1, Need: amount(2, 1, 1), Nodes: 2, Free: amount(8, 16, 20)},
		"3 pods to be placed (1 once deleted, 2 possibly), 9 CPU, 1Gi; 1 node to take them, at most 8 CPU, 16Gi and 1 place left: too little, 1 CPU and 2 places short": {
			Going: 1, MayGo: 2, Need: amount(9, 1, 3), Nodes: 1, Free: amount(8, 16, 1)},
		"2 pods to be placed, possibly; 1 node to take them: not known if it is enough: the size of 1 of the nodes was not shown": {
			MayGo: 2, Need: amount(1, 1, 2), Unshown: 1, Nodes: 1, Unsized: 1},
	} {
		if got := topics.Room(&r).String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestBudget(t *testing.T) {
	b := impact.Budget{Healthy: 1, Desired: 2, Expected: -1, Allowed: -1, Selector: "app=db"}
	if got, want := topics.Budget(&b).String(), "1 of ? healthy, 2 wanted, ? may be evicted, of app=db"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
