package model

import (
	"reflect"
	"testing"
)

// A recording that begins with the Baseline of a state begins with that state.
func TestBaselineFoldsToTheState(t *testing.T) {
	at := func(s int) Instant { return Instant(1_700_000_000e9 + s*1e9) }
	c := NewCluster()
	pod := &Pod{Key: Key{"default", "p"}, Node: "a", Phase: PhaseRunning}
	event := &Event{Regarding: Reference{Kind: "Node", Key: Key{Name: "a"}}, Reason: "NodeReady", Last: at(2)}
	for _, ch := range []Change{
		{Kind: KindNode, Op: OpBaseline, Key: Key{Name: "a"}, Version: 3, Time: Exactly(at(1)), Node: &Node{Conditions: []Condition{{Type: "Ready", Status: StatusTrue, Heartbeat: at(1)}}}},
		{Kind: KindNodeLease, Op: OpBaseline, Key: Key{"kube-node-lease", "a"}, Version: 4, Time: Exactly(at(1)), Lease: Lease{Renewed: at(1), Holder: "a"}},
		{Kind: KindNodeLease, Op: OpBaseline, Key: Key{"kube-node-lease", "b"}, Version: 5, Time: Exactly(at(1)), Lease: Lease{Renewed: at(1)}},
		{Kind: KindNodeLease, Op: OpModify, Key: Key{"kube-node-lease", "a"}, Version: 6, Time: Exactly(at(9)), Arrival: at(10), Lease: Lease{Renewed: at(9), Holder: "a"}},
		{Kind: KindPod, Op: OpAdd, Key: pod.Key, Version: 7, Arrival: at(11), Pod: pod},
		{Kind: KindEvent, Op: OpAdd, Key: Key{"default", "a.1"}, Version: 8, Arrival: at(12), Event: event},
		{Kind: KindLeaderLease, Op: OpModify, Key: Key{"kube-system", "kube-scheduler"}, Version: 9, Arrival: at(12), Lease: Lease{Renewed: at(12)}},
		{Kind: KindNode, Op: OpAdd, Key: Key{Name: "gone"}, Version: 10, Arrival: at(13), Node: &Node{}},
		{Kind: KindNode, Op: OpDelete, Key: Key{Name: "gone"}, Version: 11, Arrival: at(14)},
	} {
		c.Fold(&ch)
	}
	again := NewCluster()
	for ch := range c.Baseline(at(20), nil) {
		if ch.Effective() != at(20) {
			t.Errorf("%v %v takes effect at %v", ch.Kind, ch.Key, ch.Effective())
		}
		own := *ch
		again.Fold(&own)
	}
	for _, name := range []string{"a", "b"} {
		want, got := c.Node(name), again.Node(name)
		want.Lease.Renewals, got.Lease.Renewals = 0, 0
		if got.Node != want.Node || got.Version != want.Version || got.Written != want.Written || got.Posted != want.Posted || got.Lease != want.Lease ||
			!reflect.DeepEqual(got.Pods(), want.Pods()) || !reflect.DeepEqual(got.Events(), want.Events()) {
			t.Errorf("%s: %+v, and was %+v", name, got, want)
		}
	}
	if again.NodeCount() != c.NodeCount() || again.PodCount() != 1 || len(again.Leaders()) != 1 || again.Leaders()[0].Heard != at(12) {
		t.Errorf("%d nodes, %d pods, %+v", again.NodeCount(), again.PodCount(), again.Leaders())
	}
}
