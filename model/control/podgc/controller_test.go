package podgc

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

func pod(name, node string, phase model.Phase, created, deletion model.Instant) *model.Pod {
	return &model.Pod{Key: model.Key{Namespace: "default", Name: name}, Node: node, Phase: phase, Created: created, Deletion: deletion}
}

// collected runs a cycle and says which pods it takes, and how.
func collected(c *Controller, at model.Instant, view *informer.Cache) string {
	var list []string
	for _, d := range c.Cycle(at, view) {
		text := d.Pod.Name
		for _, w := range d.Writes {
			if w.Kind == model.WriteDisruption {
				text += "+" + w.Reason
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func controller(minor int) *Controller {
	return New(model.Defaults(model.Version{Major: 1, Minor: minor}))
}

// Beyond the threshold the oldest of the pods that ran to their end go, by name where they
// are equally old.
func TestTerminated(t *testing.T) {
	view := informer.New()
	view.SetNode("n", &model.Node{}, 1, 0, 0)
	for i := range 5 {
		view.SetPod(nil, pod(fmt.Sprintf("p%d", i), "n", model.PhaseSucceeded, noon.Add(-time.Duration(i/2)*time.Hour), 0))
	}
	view.SetPod(nil, pod("runs", "n", model.PhaseRunning, noon.Add(-99*time.Hour), 0))
	c := controller(36)
	if got := collected(c, noon, view); got != "" {
		t.Errorf("below the threshold %q go", got)
	}
	c.Threshold = 2
	if got, want := collected(c, noon, view), "p4 p2 p3"; got != want {
		t.Errorf("collected %q, want %q", got, want)
	}
	c.Threshold = 0
	if got := collected(c, noon, view); got != "" {
		t.Errorf("a threshold of 0 keeps all, and %q go", got)
	}
}

// A pod that is bound to no node and Terminating goes at once; one that is not Terminating
// stays.
func TestUnscheduled(t *testing.T) {
	view := informer.New()
	view.SetPod(nil, pod("leaving", "", model.PhasePending, noon, noon))
	view.SetPod(nil, pod("waiting", "", model.PhasePending, noon, 0))
	if got, want := collected(controller(36), noon, view), "leaving"; got != want {
		t.Errorf("collected %q, want %q", got, want)
	}
}

// Orphans go with a condition, those that have ended without; before 1.26 none has one.
func TestOrphans(t *testing.T) {
	for minor, want := range map[int]string{36: "ended runs+DeletionByPodGC", 25: "ended runs"} {
		view := informer.New()
		view.SetPod(nil, pod("runs", "gone", model.PhaseRunning, noon, 0))
		view.SetPod(nil, pod("ended", "gone", model.PhaseFailed, noon, 0))
		c := controller(minor)
		for _, after := range []time.Duration{0, 20 * time.Second, 40*time.Second - 1} {
			if got := collected(c, noon.Add(after), view); got != "" {
				t.Errorf("%v into the quarantine %q go", after, got)
			}
		}
		if got := collected(c.Clone(), noon.Add(40*time.Second), view); got != want {
			t.Errorf("1.%d: collected %q, want %q", minor, got, want)
		}
		view.SetNode("gone", &model.Node{}, 1, 0, 0)
		if got := collected(c, noon.Add(40*time.Second), view); got != "" {
			t.Errorf("the node is back, and %q go", got)
		}
	}
}

// The cycle that collects sets a quarantine anew, since it still sees the pods: one that is
// bound to the missing name later does not get the whole of the next.
func TestLateOrphan(t *testing.T) {
	view, c := informer.New(), controller(36)
	view.SetPod(nil, pod("first", "gone", model.PhaseRunning, noon, 0))
	collected(c, noon, view)
	if got := collected(c, noon.Add(40*time.Second), view); got != "first+DeletionByPodGC" {
		t.Fatalf("collected %q", got)
	}
	view.DeletePod(pod("first", "gone", model.PhaseRunning, noon, 0))
	view.SetPod(nil, pod("late", "gone", model.PhaseRunning, noon, 0))
	for after, want := range map[time.Duration]string{79 * time.Second: "", 80 * time.Second: "late+DeletionByPodGC"} {
		if got := collected(c.Clone(), noon.Add(after), view); got != want {
			t.Errorf("after %v %q go, want %q", after, got, want)
		}
	}
}

// Out of service is the taint's key, whatever its effect, on a node that is not Ready; one
// without a Ready condition is not. Before 1.26 it means nothing.
func TestOutOfService(t *testing.T) {
	ready := func(s model.Status) []model.Condition { return []model.Condition{{Type: "Ready", Status: s}} }
	taint := []model.Taint{{Key: model.TaintOutOfService, Effect: model.PreferNoSchedule}}
	for _, c := range []struct {
		what  string
		minor int
		node  model.Node
		want  string
	}{
		{"Unknown", 36, model.Node{Conditions: ready(model.StatusUnknown), Taints: taint}, "leaving"},
		{"NotReady", 36, model.Node{Conditions: ready(model.StatusFalse), Taints: taint}, "leaving"},
		{"never posted", 36, model.Node{Taints: taint}, "leaving"},
		{"Ready", 36, model.Node{Conditions: ready(model.StatusTrue), Taints: taint}, ""},
		{"no taint", 36, model.Node{Conditions: ready(model.StatusUnknown)}, ""},
		{"1.25", 25, model.Node{Conditions: ready(model.StatusUnknown), Taints: taint}, ""},
	} {
		view := informer.New()
		view.SetNode("n", &c.node, 1, 0, 0)
		view.SetPod(nil, pod("leaving", "n", model.PhaseRunning, noon, noon))
		view.SetPod(nil, pod("stays", "n", model.PhaseRunning, noon, 0))
		if got := collected(controller(c.minor), noon, view); got != c.want {
			t.Errorf("%s: collected %q, want %q", c.what, got, c.want)
		}
	}
}

// Of two nodes without an object one was seen to go: the other may be there, and keeps its pods.
func TestANodeThatWasNotSeenIsNotGone(t *testing.T) {
	view := informer.New()
	view.SetPod(nil, pod("orphan", "gone", model.PhaseRunning, noon, 0))
	view.SetPod(nil, pod("stays", "unseen", model.PhaseRunning, noon, 0))
	c := controller(36)
	c.Gone = func(node string, _ model.Instant) bool { return node == "gone" }
	got := ""
	for at := noon; at <= noon.Add(Quarantine+2*Period); at = at.Add(Period) {
		got += collected(c, at, view)
	}
	if want := "orphan+" + model.DisruptedByPodGC; !strings.HasPrefix(got, want) || strings.Contains(got, "stays") {
		t.Errorf("collected %q, want %q", got, want)
	}
	if unseen := view.Find("unseen"); !c.Unseen(unseen, noon) || c.Unseen(view.Find("gone"), noon) {
		t.Error("it is not told which of them was seen")
	}
}
