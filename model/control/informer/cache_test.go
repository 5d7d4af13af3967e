package informer

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// Whoever asks what changed hears of every change since, however seldom it asks.
func TestChangedMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		names := []string{"a", "b", "c", "d"}
		var marks [2]uint64
		var pending [2]map[int32]bool
		for i := range pending {
			pending[i] = map[int32]bool{}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			for range rapid.SampledFrom([]int{1, 3, 900}).Draw(t, "burst") {
				row := c.Number(names[rapid.IntRange(0, 3).Draw(t, "name")])
				c.SetLeaseOf(row, noon, 1, 0)
				for i := range pending {
					pending[i][row] = true
				}
			}
			who := rapid.IntRange(0, 1).Draw(t, "who")
			rows, all, next := c.Changed(marks[who])
			marks[who] = next
			if !all {
				for row := range pending[who] {
					if !slices.Contains(rows, row) {
						t.Fatalf("reader %d did not hear of row %d", who, row)
					}
				}
			}
			clear(pending[who])
		}
	})
}

// Who reads in time is told what changed, and is not sent through every row.
func TestChangedNamesRows(t *testing.T) {
	c := New()
	c.SetLease("a", noon, 1, 0)
	_, all, mark := c.Changed(0)
	if !all {
		t.Error("the first reading is of everything")
	}
	if rows, all, _ := c.Changed(mark); all || len(rows) != 0 {
		t.Errorf("nothing changed, and %v, %v", rows, all)
	}
	for range 10000 {
		c.SetLease("b", noon, 2, 0)
		rows, all, next := c.Changed(mark)
		if all || len(rows) != 1 || c.Row(rows[0]).Name != "b" {
			t.Fatalf("b changed, and %v, %v", rows, all)
		}
		mark = next
	}
}

// A clone and its origin go their own ways: names, objects, leases, pods.
func TestCloneIsIndependent(t *testing.T) {
	c := New()
	pod := func(name, node string) *model.Pod { return &model.Pod{Key: model.Key{Name: name}, Node: node} }
	c.SetNode("a", &model.Node{}, 1, 0, 0)
	c.SetPod(nil, pod("p", "a"))
	c.SetPod(nil, pod("q", "a"))
	d := c.Clone()
	c.DeletePod(pod("p", "a"))
	c.DeleteNode("a")
	c.SetLease("only-c", noon, 9, 0)
	d.SetPod(nil, pod("r", "a"))
	d.SetNode("only-d", &model.Node{}, 2, 0, 0)
	names := func(c *Cache) (list []string) {
		for _, p := range c.Find("a").Pods() {
			list = append(list, p.Name)
		}
		slices.Sort(list)
		return list
	}
	if got := names(c); !slices.Equal(got, []string{"q"}) {
		t.Errorf("origin has pods %v", got)
	}
	if got := names(d); !slices.Equal(got, []string{"p", "q", "r"}) {
		t.Errorf("clone has pods %v", got)
	}
	if c.Find("only-d") != nil || d.Find("only-c") != nil {
		t.Error("names leak between a clone and its origin")
	}
	if c.NodeCount() != 0 || d.NodeCount() != 2 || c.LeaseVersion() != 9 || d.LeaseVersion() != 0 {
		t.Error("counts leak between a clone and its origin")
	}
}

// The decision that gave a node its conditions, and the one that gave it its NoExecute
// taints, are remembered until another changes them.
func TestOrigins(t *testing.T) {
	c := New()
	ready := []model.Condition{{Type: "Ready", Status: model.StatusTrue}}
	unknown := []model.Condition{{Type: "Ready", Status: model.StatusUnknown}}
	taint := []model.Taint{{Key: "k", Effect: model.NoSchedule}, {Key: "u", Effect: model.NoExecute, Added: noon}}
	again := []model.Taint{{Key: "u", Effect: model.NoExecute, Added: noon.Add(time.Second)}}
	for _, step := range []struct {
		node               model.Node
		by                 model.DecisionID
		conditions, taints model.DecisionID
	}{
		{model.Node{Conditions: ready}, 0, 0, 0},
		{model.Node{Conditions: unknown}, 7, 7, 0},
		{model.Node{Conditions: unknown, Taints: taint[:1]}, 8, 7, 0},
		{model.Node{Conditions: unknown, Taints: taint}, 9, 7, 9},
		{model.Node{Conditions: unknown, Taints: taint[1:]}, 10, 7, 9},
		{model.Node{Conditions: unknown, Taints: again}, 11, 7, 11},
		{model.Node{Conditions: ready, Taints: again}, 0, 0, 11},
		{model.Node{Conditions: ready}, 12, 0, 12},
	} {
		c.SetNode("a", &step.node, 1, 0, step.by)
		if row := c.Find("a"); row.ConditionsBy != step.conditions || row.TaintsBy != step.taints {
			t.Errorf("after %d: conditions by %d, taints by %d; want %d, %d", step.by, row.ConditionsBy, row.TaintsBy, step.conditions, step.taints)
		}
	}
}

func BenchmarkSetLease(b *testing.B) {
	c := New()
	for i := range 5000 {
		c.Number(string(rune('a'+i%26)) + string(rune(i)))
	}
	b.ReportAllocs()
	i := int32(0)
	for b.Loop() {
		c.SetLeaseOf(i, noon, uint64(i), 0)
		if i++; i == 5000 {
			i = 0
		}
	}
}
