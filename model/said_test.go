package model

import (
	"testing"
	"time"
)

// What a person writes into a status is no sign of life of the node's kubelet, and is told as that person's word; what the
// kubelet posts after it has renewed its lease last is.
func TestWhoSaysThatANodeIsNotReady(t *testing.T) {
	at := func(s float64) Instant { return Instant(1_700_000_000e9).Add(time.Duration(s * float64(time.Second))) }
	c := NewCluster()
	version := uint64(0)
	wrote := func(op Op, w Writer, seconds float64, status Status, heartbeat float64) {
		version++
		c.Fold(&Change{Kind: KindNode, Op: op, Writer: w, Key: Key{Name: "a"}, Version: version, Time: Exactly(at(seconds)),
			Node: &Node{Conditions: []Condition{{Type: ConditionReady, Status: status, Heartbeat: at(heartbeat), Transition: at(heartbeat)}}}})
	}
	is := func(by Writer, posted, silent float64) {
		t.Helper()
		r := c.Node("a")
		if r.ReadyBy != by || r.Posted != at(posted) {
			t.Errorf("written by %s, posted %v: want %s, %v", r.ReadyBy, r.Posted.Sub(at(0)), by, posted)
		}
		if age := r.Ages(at(40)); age.Age.Value != at(40).Sub(at(silent)) || age.Posted != (silent == posted) {
			t.Errorf("silent for %v, by its status: %v; want since %vs", age.Age.Value, age.Posted, silent)
		}
	}
	wrote(OpBaseline, WriterKubelet, 0, StatusTrue, 0)
	c.Fold(&Change{Kind: KindNodeLease, Key: Key{NodeLeaseNamespace, "a"}, Version: 100, Time: Exactly(at(10)), Lease: Lease{Renewed: at(10.2)}})
	wrote(OpModify, WriterPerson, 16, StatusFalse, 16)
	is(WriterPerson, 0, 10.2)
	wrote(OpModify, WriterUnknown, 18, StatusFalse, 16) // the controller's taint
	is(WriterPerson, 0, 10.2)
	wrote(OpModify, WriterKubelet, 20, StatusFalse, 20)
	is(WriterKubelet, 20, 20)
}
