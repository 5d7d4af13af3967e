package command

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// TestLiveIsJudged: why, decisions and verify take the live cluster where no PATH is given. A node
// that was declared long ago is explained by what its object tells; the next step is said of it.
func TestLiveIsJudged(t *testing.T) {
	now := model.At(time.Now())
	change := func(kind model.Kind, name string) model.Change {
		return model.Change{Kind: kind, Op: model.OpBaseline, Key: model.Key{Name: name}, Arrival: now, Time: model.Interval{Earliest: now.Add(-time.Hour), Latest: now}}
	}
	kube := &fakeKube{batch: stream.Batch{Contact: stream.Contact{Last: now}}}
	for _, name := range []string{"n-1", "n-2"} {
		n, l := change(model.KindNode, name), change(model.KindNodeLease, name)
		n.Node = &model.Node{Created: now.Add(-time.Hour), Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: now.Add(-time.Hour), Heartbeat: now.Add(-2 * time.Second)}}}
		l.Key.Namespace, l.Lease = "kube-node-lease", model.Lease{Renewed: now.Add(-2 * time.Second)}
		kube.batch.Changes = append(kube.batch.Changes, n, l)
	}
	pod := change(model.KindPod, "web-1")
	pod.Key.Namespace = "shop"
	pod.Pod = &model.Pod{Key: pod.Key, Node: "n-1", Phase: model.PhaseRunning, Ready: model.StatusTrue}
	kube.batch.Changes = append(kube.batch.Changes, pod)
	for _, k := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		kube.batch.Status = append(kube.batch.Status, stream.Status{Kind: k, State: stream.Live, Last: now})
	}
	for line, want := range map[string]struct{ out, err string }{
		"why --node n-1":  {"NOT YET", "a single look at the cluster"},
		"decisions":       {"TIME", "a single look at the cluster"},
		"verify --for 1s": {"0 of 0 writes explained", ""},
		"get evictions":   {"", "No evictions pending."},
		"get impact":      {"WORKLOAD", "a single look at the cluster"},
		"verdict":         {"no fault found", "a single look at the cluster"},
	} {
		got := kardia(t, kube, line)
		if got.code != OK && got.code != Partial || !strings.Contains(got.out, want.out) || !strings.Contains(got.err, want.err) {
			t.Errorf("%s: exit %d\n%s\n%s", line, got.code, got.out, got.err)
		}
	}
	if got := kardia(t, nil, "decisions"); got.code != Failed || !strings.Contains(got.err, "connection refused") {
		t.Errorf("a cluster that does not answer: exit %d, %s", got.code, got.err)
	}
}

// TestWhatArrivesMeanwhileCounts: who watches the cluster for a while goes by what arrived in that time, not by the
// first list alone.
func TestWhatArrivesMeanwhileCounts(t *testing.T) {
	now := model.At(time.Now())
	kube := &fakeKube{batch: stream.Batch{Contact: stream.Contact{Last: now}}, later: stream.Batch{Contact: stream.Contact{Last: now}}}
	for _, name := range []string{"n-1", "n-2"} {
		n := model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, At: now, Arrival: now, Time: model.Interval{Earliest: now.Add(-time.Hour), Latest: now}}
		n.Node = &model.Node{Created: now.Add(-time.Hour), Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: now.Add(-time.Hour), Heartbeat: now.Add(-time.Minute)}}}
		l := n
		l.Kind, l.Node, l.Key.Namespace, l.Lease = model.KindNodeLease, nil, model.NodeLeaseNamespace, model.Lease{Renewed: now.Add(-25 * time.Second)}
		kube.batch.Changes = append(kube.batch.Changes, n, l)
		l.Op, l.At, l.Arrival, l.Lease.Renewed = model.OpModify, now.Add(300*time.Millisecond), now.Add(300*time.Millisecond), now.Add(290*time.Millisecond)
		l.Time = model.Exactly(l.At)
		kube.later.Changes = append(kube.later.Changes, l)
	}
	for _, k := range []model.Kind{model.KindNode, model.KindNodeLease} {
		kube.batch.Status = append(kube.batch.Status, stream.Status{Kind: k, State: stream.Live, Last: now})
	}
	kube.later.Status = kube.batch.Status
	if got := kardia(t, kube, "verdict"); got.code != Partial || !strings.Contains(got.out, "2 of 2 nodes are silent") || !strings.Contains(got.out, "clock)") {
		t.Errorf("at one look: exit %d\n%s%s", got.code, got.out, got.err)
	}
	if got := kardia(t, kube, "verdict --for 1s"); !strings.Contains(got.out, "no fault found") {
		t.Errorf("watched: exit %d\n%s%s", got.code, got.out, got.err)
	}
}

// TestOneLookGoesByNoSlowClock: who looks once has heard nobody. A node whose lease the API server wrote just now beats,
// whatever its own clock says, and its clock is told; one of which nothing but its renewTime tells is not called late;
// one whose lease the API server last write when it says so is. Nobody leads where the lease says so, with that caveat.
func TestOneLookGoesByNoSlowClock(t *testing.T) {
	now := model.At(time.Now())
	kube := &fakeKube{batch: stream.Batch{Contact: stream.Contact{Last: now}}}
	add := func(name string, renewed, written time.Duration) {
		n := model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, At: now, Arrival: now, Time: model.Interval{Earliest: now.Add(-time.Hour), Latest: now}}
		n.Node = &model.Node{Created: now.Add(-time.Hour), Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: now.Add(-time.Hour), Heartbeat: now.Add(-time.Minute)}}}
		l := n
		l.Kind, l.Node, l.Key.Namespace = model.KindNodeLease, nil, model.NodeLeaseNamespace
		l.Lease = model.Lease{Created: now.Add(-time.Hour), Renewed: now.Add(-renewed)}
		l.Time.Earliest = now.Add(-written)
		kube.batch.Changes = append(kube.batch.Changes, n, l)
	}
	add("slow", 40*time.Second, 2*time.Second)
	add("nobody-knows", 40*time.Second, time.Hour)
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		add(name, 2*time.Second, 3*time.Second)
	}
	for _, k := range []model.Kind{model.KindNode, model.KindNodeLease} {
		kube.batch.Status = append(kube.batch.Status, stream.Status{Kind: k, State: stream.Live, Last: now})
	}
	got := kardia(t, kube, "check")
	if got.code != Partial || !strings.Contains(got.out, "OK  8 nodes: 1 late only by their own clocks") || !strings.Contains(got.out, "slow: its clock is 3") || !strings.Contains(got.out, "behind") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	if got := kardia(t, kube, "verdict"); got.code != Partial || !strings.Contains(got.out, "nobody-knows") || !strings.Contains(got.out, "or clock") || strings.Contains(got.out, "slow") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	add("silent", 40*time.Second, 40*time.Second)
	leader := kube.batch.Changes[1]
	leader.Kind, leader.Key = model.KindLeaderLease, model.Key{Namespace: model.SystemNamespace, Name: model.ControllerManager}
	leader.Lease.Holder, leader.Lease.Renewed = "cp-1_a", now.Add(-2*time.Minute)
	leader.Time.Earliest = now.Add(-2 * time.Minute)
	kube.batch.Changes = append(kube.batch.Changes, leader)
	if got := kardia(t, kube, "check --fail-on late"); got.code != Partial || !strings.Contains(got.out, "FAILED  9 nodes: 1 late, 1 late only") || !strings.Contains(got.out, "has no leader by this one look") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}

// TestAClusterThatDoesNotAnswerIsWaitedFor: who sits before the screen sees it tried again; the start
// screen is for those who have none.
func TestAClusterThatDoesNotAnswerIsWaitedFor(t *testing.T) {
	r := &run{World: World{Kube: &fakeKube{}, Terminal: true}}
	if r.single(&showFlags{}) || !r.hasCluster() {
		t.Error("the start screen")
	}
	r.Kube = noKube{}
	if r.hasCluster() {
		t.Error("nothing tells which cluster is meant")
	}
}

// noKube has no cluster.
type noKube struct{ *fakeKube }

func (noKube) Watch(io.Writer, string, ...model.Kind) (stream.Stream, error) {
	return nil, errors.New("no kubeconfig")
}
