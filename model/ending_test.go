package model

import "testing"

// The words are those of kubelets of 1.36, of older ones, and of such as refuse a pod.
func TestWhyAKubeletEndedAPod(t *testing.T) {
	for _, c := range []struct{ reason, message, want string }{
		{"Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50412Ki. Container web was using 200Mi, request is 0, has larger consumption of memory. ", "Evicted resource memory"},
		{"Evicted", "The node was low on resource: ephemeral-storage. ", "Evicted resource ephemeral-storage"},
		{"Evicted", "The node was low on resource: pids. ", "Evicted resource pids"},
		{"Evicted", "The node was low on resource: nodefsInodes.", "Evicted resource nodefsInodes"},
		{"Evicted", "Pod was rejected: The node had condition: [DiskPressure]. ", "Evicted condition DiskPressure"},
		{"Evicted", "The node had condition: [DiskPressure MemoryPressure]. ", "Evicted condition DiskPressure/MemoryPressure"},
		{"Evicted", `Usage of EmptyDir volume "cache" exceeds the limit "1Gi". `, "Evicted limit"},
		{"Evicted", `Container app exceeded its local ephemeral storage limit "1Gi". `, "Evicted limit"},
		{"Terminated", "Pod was terminated in response to imminent node shutdown.", "Terminated"},
		{"NodeShutdown", "Pod was rejected: Pod was rejected as the node is shutting down.", "NodeShutdown"},
		{"Preempting", "Preempted in order to admit critical pod", "Preempting"},
		{"OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000", "OutOfcpu"},
		{"", "some text", ""},
		{"not one word", "", ""},
		{"\x1b[2J", "", ""},
		{"Evicted", "The node was low on resource: \x1b[2J", "Evicted"},
	} {
		e, ok := EndingOf(c.reason, c.message)
		if got := e.String(); got != c.want || ok != (c.want != "") {
			t.Errorf("%q %q: %q, %v; want %q", c.reason, c.message, got, ok, c.want)
		}
		if !ok {
			continue
		}
		if again, ok := ParseEnding(e.String()); again != e || !ok {
			t.Errorf("%q is read as %+v", e, again)
		}
		if again, _ := EndingOf(e.Reason, e.Message()); again != e {
			t.Errorf("%+v says %q, which is read as %+v", e, e.Message(), again)
		}
	}
}
