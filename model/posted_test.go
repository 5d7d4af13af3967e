package model

import "testing"

// TestKubectlIsNoKubelet: a status that kubectl patches is no sign of life, also of a node without a lease.
func TestKubectlIsNoKubelet(t *testing.T) {
	status := func(version uint64, at Instant, w Writer, by *Requester) *Change {
		n := &Node{Conditions: []Condition{{Type: ConditionReady, Status: StatusTrue, Reason: "KubeletReady", Heartbeat: at}}}
		return &Change{Kind: KindNode, Op: OpModify, Key: Key{Name: "a"}, Version: version, Time: Interval{at, at}, Arrival: at, Writer: w, Requester: by, Node: n}
	}
	for agent, want := range map[string]Instant{"kubectl/v1.33.1 (linux/amd64)": 10e9, "my-kubelet/v1": 20e9} {
		c := NewCluster()
		c.Fold(status(1, 10e9, WriterKubelet, nil))
		c.Fold(status(2, 20e9, WriterPerson, &Requester{User: "ops", Agent: agent}))
		if got := c.Row("a").Posted; got != want {
			t.Errorf("%s: posted at %v, want %v", agent, got, want)
		}
	}
}
