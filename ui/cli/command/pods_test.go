package command

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// twoNodes are a node that is well and one that is not.
func twoNodes() *fakeKube {
	at := model.At(time.Now())
	of := func(name string, ready model.Status) model.Change {
		return model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Arrival: at, Time: model.Interval{Earliest: model.FarPast, Latest: at},
			Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: ready, Heartbeat: at, Transition: at}}}}
	}
	return &fakeKube{pods: 20_000, podsOn: map[string]int{"well": 11, "lost": 12}, batch: stream.Batch{
		Changes: []model.Change{of("well", model.StatusTrue), of("lost", model.StatusUnknown)},
		Status:  []stream.Status{{Kind: model.KindNode, State: stream.Live}, {Kind: model.KindNodeLease, State: stream.Live}}}}
}

// In a large cluster the pods of the nodes that need attention are counted, unless all are wanted, or none;
// those of the others are not known then, and no list of all pods is asked for.
func TestPodsAreCountedWhereItMatters(t *testing.T) {
	for flags, want := range map[string]struct {
		lists      bool
		well, lost int // −1 where not known
	}{
		"":           {false, -1, 12},
		"--pods=bad": {false, -1, 12},
		"--pods=off": {false, -1, -1},
		"--pods=all": {true, -1, -1}, // nobody delivers them here
	} {
		kube := twoNodes()
		got := kardia(t, kube, "get nodes -o json "+flags)
		if lists := slices.Contains(kube.watched, model.KindPod); lists != want.lists || slices.Contains(kube.watched, model.KindEvent) {
			t.Errorf("%q watches %v", flags, kube.watched)
		}
		for _, n := range readNodes(t, got.out).Nodes {
			is, should := -1, want.well
			if n.Name == "lost" {
				should = want.lost
			}
			if n.Pods != nil {
				is = *n.Pods
			}
			if is != should {
				t.Errorf("%q: %s has %d pods, want %d", flags, n.Name, is, should)
			}
		}
	}
	small := twoNodes()
	small.pods = 40
	if kardia(t, small, "get nodes"); !slices.Contains(small.watched, model.KindPod) {
		t.Errorf("a small cluster: %v", small.watched)
	}
	if got := kardia(t, twoNodes(), "get nodes --pods=some"); got.code != Misused || !strings.Contains(got.err, "auto") {
		t.Errorf("%d: %s", got.code, got.err)
	}
}

// TestPodsThatMayNotBeRead: whose pods go cannot be said where pods may not be read, and that is the reason told; a live
// cluster that answers with none has none.
func TestPodsThatMayNotBeRead(t *testing.T) {
	now := model.At(time.Now())
	kube := &fakeKube{batch: stream.Batch{Contact: stream.Contact{Last: now}}}
	n := model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: "n-1"}, At: now, Arrival: now, Time: model.Interval{Earliest: now.Add(-time.Hour), Latest: now}}
	n.Node = &model.Node{Created: now.Add(-time.Hour)}
	kube.batch.Changes = append(kube.batch.Changes, n)
	for _, of := range []struct {
		pods stream.Status
		want string
	}{{stream.Status{Kind: model.KindPod, State: stream.Forbidden, Why: "no right to list pods"}, "pods were not listed: forbidden: no right to list pods"},
		{stream.Status{Kind: model.KindPod, State: stream.Live, Last: now}, ""}} {
		kube.batch.Status = []stream.Status{{Kind: model.KindNode, State: stream.Live, Last: now}, of.pods}
		for _, line := range []string{"get evictions", "get impact", "get pods", "why --pod shop/cart", "decisions --pod shop/cart"} {
			got := kardia(t, kube, line)
			if !strings.Contains(got.err, of.want) || of.want != "" && got.code != Partial || of.want == "" && strings.Contains(got.err, "pods were not listed") {
				t.Errorf("%s: exit %d\n%s%s", line, got.code, got.out, got.err)
			}
		}
		known := of.pods.State == stream.Live
		got := kardia(t, kube, "check --fail-on eviction-within=5m -o json")
		if known != strings.Contains(got.out, `"most": 0`) || !known && !strings.Contains(got.out, of.want) {
			t.Errorf("check: exit %d\n%s%s", got.code, got.out, got.err)
		}
	}
}
