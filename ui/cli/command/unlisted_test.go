package command

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/recording"
)

// TestPodsThatAreListedLater: of an instant at which the first list of the pods had not come to its end nothing is foretold of
// pods, as none is shown, for what had come is a part of them.
func TestPodsThatAreListedLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.mcap")
	w, err := recording.CreateFile(path, recording.Meta{Clock: "recorder"}, recording.Options{})
	if err != nil {
		t.Fatal(err)
	}
	noon := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	add := func(op model.Op, second int, ch model.Change) {
		ch.Op, ch.Arrival = op, noon.Add(time.Duration(second)*time.Second)
		ch.Time = model.Exactly(ch.Arrival)
		if err := w.Add(&ch); err != nil {
			t.Fatal(err)
		}
		w.Cover(ch.Arrival)
	}
	gone := noon.Add(-100 * time.Second)
	node := func(name string, status model.Status, taints ...model.Taint) model.Change {
		return model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Node: &model.Node{Created: noon.Add(-time.Hour), Taints: taints,
			Conditions: []model.Condition{{Type: model.ConditionReady, Status: status, Transition: gone, Heartbeat: gone}}}}
	}
	lease := func(name string, at model.Instant) model.Change {
		return model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Lease: model.Lease{Renewed: at}}
	}
	pod := func(name, node string) model.Change {
		return model.Change{Kind: model.KindPod, Key: model.Key{Namespace: "shop", Name: name}, Pod: &model.Pod{Key: model.Key{Namespace: "shop", Name: name}, Node: node, Created: noon.Add(-time.Hour),
			Tolerations: &model.Tolerations{{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}}}}
	}
	add(model.OpBaseline, 0, node("beats", model.StatusTrue))
	add(model.OpBaseline, 0, node("gone", model.StatusUnknown, model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: gone}))
	add(model.OpBaseline, 1, lease("beats", noon))
	add(model.OpBaseline, 1, lease("gone", gone.Add(-50*time.Second)))
	add(model.OpBaseline, 6, pod("first", "gone"))
	add(model.OpModify, 10, lease("beats", noon.Add(10*time.Second)))
	add(model.OpBaseline, 11, pod("well", "beats"))
	add(model.OpBaseline, 12, pod("last", "gone"))
	for second := 20; second < 60; second += 10 {
		add(model.OpModify, second, lease("beats", noon.Add(time.Duration(second)*time.Second)))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const unlisted = "pods were not listed before 2026-11-20T12:00:12Z"
	for _, command := range []string{"get pods", "get evictions", "get impact"} {
		if got := kardia(t, nil, command+" "+path+" --at 12:00:08"); got.code != Partial || !strings.Contains(got.err, unlisted) {
			t.Errorf("%s: exit %d\n%s%s", command, got.code, got.out, got.err)
		}
		if got := kardia(t, nil, command+" "+path+" --at 12:00:30"); got.code != OK || strings.Contains(got.err, unlisted) {
			t.Errorf("%s, once they are listed: exit %d\n%s%s", command, got.code, got.out, got.err)
		}
	}
	for pod, known := range map[string]bool{"shop/first": true, "shop/well": false, "shop/none": false} {
		got := kardia(t, nil, "why --pod "+pod+" "+path+" --at 12:00:08")
		if known && got.code != OK || !known && (got.code != Partial || !strings.Contains(got.err, unlisted) || strings.Contains(got.err, "There are")) {
			t.Errorf("why --pod %s: exit %d\n%s%s", pod, got.code, got.out, got.err)
		}
	}
	if got := kardia(t, nil, "why --pod shop/none "+path+" --at 12:00:30"); got.code != Misused || !strings.Contains(got.err, `there is no pod "shop/none"`) {
		t.Errorf("a pod that is not there, once they are listed: exit %d\n%s%s", got.code, got.out, got.err)
	}
	const check = "check --fail-on eviction-within=10m,pods-not-ready "
	if got := kardia(t, nil, check+path+" --at 12:00:08"); got.code != Partial || !strings.Contains(got.out, unlisted) || strings.Contains(got.err, "nobody watched") || strings.Contains(got.out, "deleted") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	if got := kardia(t, nil, check+path+" --at 12:00:30"); got.code != Found || !strings.Contains(got.out, "2 pods deleted within 10m") {
		t.Errorf("once they are listed: exit %d\n%s%s", got.code, got.out, got.err)
	}
}
