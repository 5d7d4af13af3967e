package impact

import (
	"testing"
	"time"

	"kardia/model"
)

// TestMarked: a pod counts whose last word is the controller's, on a node that is Ready again. One that its own kubelet made
// not Ready since, or before, one that is Terminating, one of a node that is still lost, and one that nobody is seen to have
// marked, do not.
func TestMarked(t *testing.T) {
	lost, back := now.Add(-5*time.Minute), now.Add(-time.Minute)
	c := model.NewCluster()
	apply := func(ch model.Change) {
		ch.Op, ch.Time = model.OpAdd, model.Exactly(now)
		c.Fold(&ch)
	}
	node := func(name string, is model.Status) {
		apply(model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: is, Transition: back}}}})
	}
	node("back", model.StatusTrue)
	node("lost", model.StatusUnknown)
	var writes []model.Write
	pod := func(name, node string, ready model.Status, since, deletion model.Instant) {
		key := model.Key{Namespace: "shop", Name: name}
		apply(model.Change{Kind: model.KindPod, Key: key, Pod: &model.Pod{Key: key, Node: node, Ready: ready, ReadySince: since, Deletion: deletion}})
		if name != "unmarked" {
			writes = append(writes, model.Write{Kind: model.WritePodNotReady, Pod: key, Node: node})
		}
	}
	pod("a", "back", model.StatusFalse, lost, 0)
	pod("b", "back", model.StatusFalse, lost.Add(2*time.Second), 0) // in the same pass, after the one that was observed
	pod("ready", "back", model.StatusTrue, back, 0)
	pod("fell", "back", model.StatusFalse, back, 0)
	pod("unmarked", "back", model.StatusFalse, lost.Add(-time.Hour), 0)
	pod("terminating", "back", model.StatusFalse, lost, now)
	pod("away", "lost", model.StatusFalse, lost, 0)
	list := []model.Decision{
		{Kind: model.MarkPodsNotReady, Node: "back", Time: lost, Writes: writes, Observed: &model.Observation{Time: model.Interval{Earliest: lost, Latest: lost.Add(time.Second)}}},
		{Kind: model.MarkPodsNotReady, Node: "lost", Time: lost, Writes: writes},
	}
	got := Marked(c, list, now)
	if len(got) != 2 || got[0].Name != "a" || got[1].Name != "b" {
		t.Fatalf("%+v", got)
	}
	if n := len(Marked(c, list, lost.Add(-time.Second))); n != 0 {
		t.Errorf("%d before they were", n)
	}
	if n := len(Marked(c, nil, now)); n != 0 {
		t.Errorf("%d that nobody is known to have marked", n)
	}
	all := Of(c, nil)
	CountMarked(all, got)
	for _, w := range FoldBare(all) {
		if w.Kind == "Pod" && len(w.Bare) > 0 && w.Marked != 2 {
			t.Errorf("%s: %d", w.Title(), w.Marked)
		}
	}
}
