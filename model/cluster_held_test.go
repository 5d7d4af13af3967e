package model_test

import (
	"fmt"
	"testing"

	"kardia/model"
)

// A state that is held stays as it was, also where the other is folded into in place, and finds
// every pod, also those that are bound to no node.
func TestHeld(t *testing.T) {
	c := model.NewCluster()
	pod := func(i int, op model.Op, node string) *model.Change {
		key := model.Key{Namespace: "a", Name: fmt.Sprint("pod-", i)}
		return &model.Change{Kind: model.KindPod, Op: op, Key: key, Pod: &model.Pod{Key: key, Node: node}}
	}
	event := func(reason string) *model.Change {
		return &model.Change{Kind: model.KindEvent, Op: model.OpAdd, Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "n0"}}, Reason: reason}}
	}
	renew := func(node string, at model.Instant) *model.Change {
		return &model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: node}, Lease: model.Lease{Renewed: at}}
	}
	for i := range 6 {
		c.Fold(pod(i, model.OpAdd, fmt.Sprint("n", i%2)))
	}
	c.Fold(pod(20, model.OpAdd, ""))
	c.Fold(pod(21, model.OpAdd, ""))
	c.Fold(pod(22, model.OpAdd, ""))
	c.Fold(event("Ready"))
	c.Fold(renew("n0", 1))
	said := func(c *model.Cluster) (text string) {
		for row := range c.Rows {
			text += fmt.Sprint(row.Name, " ", row.Lease.Renewed, " ", len(row.Events()), ":")
			for _, p := range row.Pods() {
				text += " " + p.Key.String()
			}
			text += "\n"
		}
		waiting := 0
		for p := range c.EachPod {
			if p.Node == "" {
				waiting++
			}
		}
		return text + fmt.Sprint(waiting, " wait for a node")
	}
	held := c.Held()
	before := said(held)
	c.Fold(pod(2, model.OpDelete, "n0"))
	c.Fold(pod(9, model.OpAdd, "n0"))
	c.Fold(pod(20, model.OpModify, "n1"))
	c.Fold(pod(21, model.OpDelete, ""))
	c.Fold(event("NotReady"))
	c.Fold(renew("n0", 2))
	c.Fold(renew("n7", 2))
	if said(held) != before || held.Node("n7") != nil || said(c) == before {
		t.Errorf("held:\n%swas:\n%sgoes on:\n%s", said(held), before, said(c))
	}
	for _, state := range []*model.Cluster{held, c} {
		for _, node := range []string{"n1", "n0", "n7", ""} { // the pod's own, and others
			key := model.Key{Namespace: "a", Name: "pod-1"}
			if p := state.PodOn(node, key); (p != nil && p.Key == key) != (node == "n1") {
				t.Errorf("%v on %q: %v", key, node, p)
			}
		}
	}
	if p := held.Pod(model.Key{Namespace: "a", Name: "pod-20"}); p == nil || p.Node != "" || len(held.Unbound()) != 3 || len(c.Unbound()) != 1 {
		t.Error("pods that are bound to no node are not those of the instant that is held")
	}
	if held.Pod(model.Key{Namespace: "a", Name: "pod-2"}) == nil || held.Pod(model.Key{Namespace: "a", Name: "pod-9"}) != nil {
		t.Error("pods are not those of the instant that is held")
	}
}
