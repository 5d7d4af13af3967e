package subjects_test

import (
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/subjects"
)

// TestThreadOfALease: a lease leads to the thread of its node, in any dictionary, also if leases are added later.
func TestThreadOfALease(t *testing.T) {
	leases := func(names ...string) (list []model.LeaseObject) {
		for _, name := range names {
			list = append(list, model.LeaseObject{Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}})
		}
		return list
	}
	nodes := subjects.Nodes[string]{New: func(name string) string { return "thread of " + name }}
	for _, page := range []history.Condensed{
		{Leases: leases("a", "b")}, {Leases: leases("a", "b", "c")}, {Leases: leases("c", "a"), Dictionary: 1}, {Leases: leases("b"), Dictionary: 2},
	} {
		for i := range page.Leases {
			name := page.Leases[i].Key.Name
			if got := nodes.OfLease(&page, int32(i)); *got != "thread of "+name || got != nodes.Of(name) || got != nodes.Find(name) {
				t.Errorf("%s in dictionary %d has the %s", name, page.Dictionary, *got)
			}
		}
	}
	if n := nodes.Len(); n != 3 || nodes.Find("d") != nil {
		t.Errorf("%d threads", n)
	}
	for name, thread := range nodes.All() {
		if *thread != "thread of "+name {
			t.Errorf("%s has the %s", name, *thread)
		}
	}
}

// TestZeroNodes: without New a thread starts as the zero value.
func TestZeroNodes(t *testing.T) {
	var nodes subjects.Nodes[int]
	*nodes.Of("a")++
	*nodes.Of("a")++
	if n := *nodes.Find("a"); n != 2 {
		t.Errorf("counted %d", n)
	}
}
