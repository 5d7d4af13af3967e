package recording

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"kardia/model"
	"kardia/model/past"
)

// A file of each version of the format is kept. It is never rewritten once a Kardia that writes it has been released:
// whatever is made of the format later, it must be read as on its first day.
var writeGolden = flag.Bool("golden", false, "write the golden file of the newest format")

func goldenPath(name string) string { return filepath.Join("testdata", name) }

// TestTheFormatIsReadForEver: as variety wrote it, with messages of several versions of an object.
func TestTheFormatIsReadForEver(t *testing.T) {
	data, changes := varietyWith(t, Options{keyframe: 24}, lives)
	if *writeGolden {
		if err := os.WriteFile(goldenPath("format-3.mcap"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	checkGolden(t, "format-3.mcap", changes)
}

// lives are objects of every kind with several versions within a page: changed fields, fields that have become empty,
// and versions that differ in nothing but their number.
func lives(add func(after int64, ch model.Change)) {
	uid := model.ParseUID("5f0e0000-0000-4000-8000-000000000005", nil)
	key := model.Key{Namespace: "default", Name: "q"}
	pod := model.Pod{Key: key, UID: uid, Phase: model.PhasePending, Created: noon + 42e9, GraceSeconds: 30, Owner: &model.Owner{Kind: "ReplicaSet", Name: "web"},
		Tolerations: &model.Tolerations{{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}}}
	write := func(after int64, op model.Op, change func(p *model.Pod)) {
		change(&pod)
		version := pod
		add(after, model.Change{Kind: model.KindPod, Op: op, Key: key, UID: uid, Pod: &version})
	}
	node := model.Node{Created: noon, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusFalse}}, Taints: []model.Taint{{Key: "node.kubernetes.io/not-ready", Effect: model.NoSchedule}}}
	leader := model.Lease{Renewed: noon, Holder: "m_1", Seconds: 15, Transitions: 4}
	event := model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "b"}}, Reason: "NodeNotReady", Count: 1, First: noon, Last: noon}

	write(42_100, model.OpAdd, func(*model.Pod) {})
	write(42_116, model.OpModify, func(p *model.Pod) { p.Node = "a" })
	add(42_116, model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "b"}, Node: &node})
	write(42_116, model.OpModify, func(p *model.Pod) { p.Ready, p.ReadySince = model.StatusFalse, noon+42e9 })
	add(42_200, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Name: "l"}, Lease: leader})
	untainted := node
	untainted.Taints = nil
	add(42_300, model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: "b"}, Node: &untainted})
	add(42_300, model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: "e"}, Event: &event})
	write(42_300, model.OpModify, func(p *model.Pod) { p.Phase = model.PhaseRunning }) // after a later message's: one of its own
	write(42_400, model.OpModify, func(p *model.Pod) { p.Tolerations, p.Owner, p.ReadySince = &model.Tolerations{}, nil, 0 })
	again := event
	again.Count, again.Last = 2, noon+42e9
	add(42_500, model.Change{Kind: model.KindEvent, Op: model.OpModify, Key: model.Key{Name: "e"}, Event: &again, Time: model.Interval{Earliest: model.FarPast, Latest: noon + 42_500e6}})
	add(42_600, model.Change{Kind: model.KindEvent, Op: model.OpModify, Key: model.Key{Name: "e"}, Event: &again, Time: model.Interval{Earliest: model.FarPast, Latest: noon + 42_600e6}})
	leader.Holder, leader.Renewed, leader.Transitions = "", noon+42_600e6, 5
	add(42_700, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Name: "l"}, Lease: leader, Note: "let go"})
	add(42_800, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Name: "l"}, Lease: leader, Quality: model.ByServer, Origin: model.Origin{Line: 8}})
	write(42_900, model.OpDelete, func(*model.Pod) {})
	add(42_901, model.Change{Kind: model.KindPod, Op: model.OpAttempt, Code: 404, Key: key, UID: uid})
}

// checkGolden reads a golden file, which variety wrote, and possibly more.
func checkGolden(t *testing.T, name string, changes []model.Change) {
	f, err := Open(goldenPath(name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	compare(t, readAll(t, f), changes)
	m := f.Meta()
	if m.Tool != "kardia v1.0.0" || m.Name != "golden" || m.ServerVersion != "v1.36.3" || m.Clock != "recorder" || m.Redaction != "slim" || m.Removed["label"] != 3 ||
		m.Segment != 2 || m.Continues != "before.mcap" || m.Params.NodeEvictionRate != (model.Param[float32]{Value: 0.5, From: model.FromFile}) {
		t.Errorf("%+v", m)
	}
	if s := f.Sources(); len(s) != 2 || s[0].Path != "nodes" || s[0].Changes != len(changes)-4 || s[1].Kinds[model.KindNodeLease] != 4 || len(s[0].Problems) != 1 {
		t.Errorf("%+v", s)
	}
	if f.Coverage() != (model.Interval{Earliest: noon, Latest: noon + 43e9}) || len(f.Gaps()) != 1 || f.Gaps()[0].Source != 1 || len(f.Marks()) != 1 || f.Marks()[0] != (past.Bookmark{At: noon + 41e9, Note: "here it began"}) ||
		f.Keyframes() < 2 || !f.Closed() {
		t.Error(f.Coverage(), f.Gaps(), f.Marks(), f.Keyframes(), f.Closed())
	}
	for n := range changes {
		state, at, err := f.State(n)
		if err != nil {
			t.Fatal(err)
		}
		want := model.NewCluster()
		for i := range changes[:at] {
			want.Fold(&changes[i])
		}
		if got, want := portrait(state), portrait(want); got != want {
			t.Errorf("the keyframe at %d:\n%s\nwant\n%s", at, got, want)
		}
	}
}
