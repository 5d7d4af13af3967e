package problem

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
)

// TestAWellNodeNeedsNoMemory holds a fleet's frame to its cost: every node is asked at each.
func TestAWellNodeNeedsNoMemory(t *testing.T) {
	row := &model.NodeRow{Name: "a", Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue}}}}
	around := &Around{}
	if n := testing.AllocsPerRun(100, func() { Of(row, model.Ages{}, around, false) }); n != 0 {
		t.Errorf("%v allocations to find out that a node is well", n)
	}
}

// TestMostPodsOfAReadyNodeAreNotReady: what several pods that fail share is their node. One workload that fails, pods that
// just began, that are being deleted or have ended, and nodes that are not Ready are something else.
func TestMostPodsOfAReadyNodeAreNotReady(t *testing.T) {
	pod := func(name string, ready model.Status, since time.Duration) *model.Pod {
		return &model.Pod{Key: model.Key{Namespace: "a", Name: name}, Node: "n", Created: now.Add(-time.Hour), Phase: model.PhaseRunning, Ready: ready, ReadySince: now.Add(-since)}
	}
	fails := func(n int, since time.Duration) (list []*model.Pod) {
		for i := range n {
			list = append(list, pod("bad"+string(rune('a'+i)), model.StatusFalse, since))
		}
		return list
	}
	deleted := fails(3, time.Hour)
	for _, p := range deleted {
		p.Deletion = now
	}
	well := []*model.Pod{pod("w1", model.StatusTrue, time.Hour), pod("w2", model.StatusTrue, time.Hour), pod("w3", model.StatusTrue, time.Hour), pod("w4", model.StatusTrue, time.Hour)}
	for name, c := range map[string]struct {
		pods  []*model.Pod
		ready model.Status
		want  string
	}{
		"most":       {append(fails(4, 5*time.Minute), well[:3]...), model.StatusTrue, "pods not ready 4 of 7"},
		"few":        {append(fails(2, 5*time.Minute), well[0]), model.StatusTrue, ""},
		"less":       {append(fails(3, 5*time.Minute), well...), model.StatusTrue, ""},
		"just":       {fails(4, time.Minute), model.StatusTrue, ""},
		"deleted":    {deleted, model.StatusTrue, ""},
		"not itself": {fails(4, time.Hour), model.StatusUnknown, ""},
	} {
		cluster := model.NewCluster()
		cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "n"}, Time: model.Exactly(now),
			Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: c.ready, Transition: now.Add(-time.Hour)}}}})
		for _, p := range c.pods {
			cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: p.Key, Time: model.Exactly(now), Pod: p})
		}
		around := AroundOf(cluster, model.Watched(now))
		said := ""
		for _, p := range Of(cluster.Row("n"), model.Ages{}, &around, false) {
			said += fmt.Sprintf("%s %d of %d", p.Kind, p.N, p.All)
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}
