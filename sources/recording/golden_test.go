package recording

import (
	"path/filepath"
	"testing"

	"kardia/model"
)

// goldenFile is a file of the first version of the format, as variety wrote it. It is never
// written anew: whatever is made of the format later, this file must be read as on its first day.
const goldenFile = "format-1.mcap"

func TestTheFirstFormatIsReadForEver(t *testing.T) {
	path := filepath.Join("testdata", goldenFile)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	_, changes := variety(t, Options{keyframe: 24})
	compare(t, readAll(t, f), changes)
	m := f.Meta()
	if m.Tool != "kardia v1.0.0" || m.Name != "golden" || m.ServerVersion != "v1.36.3" || m.Clock != "recorder" || m.Redaction != "slim" || m.Removed["label"] != 3 ||
		m.Segment != 2 || m.Continues != "before.mcap" || m.Params.NodeEvictionRate != (model.Param[float32]{Value: 0.5, From: model.FromFile}) {
		t.Errorf("%+v", m)
	}
	if s := f.Sources(); len(s) != 2 || s[0].Path != "nodes" || s[0].Changes != 14 || s[1].Kinds[model.KindNodeLease] != 4 || len(s[0].Problems) != 1 {
		t.Errorf("%+v", s)
	}
	if f.Coverage() != (model.Interval{Earliest: noon, Latest: noon + 43e9}) || len(f.Gaps()) != 1 || f.Gaps()[0].Source != 1 || len(f.Marks()) != 1 || f.Marks()[0] != (Mark{noon + 41e9, "here it began"}) ||
		f.Keyframes() != 2 || !f.Closed() {
		t.Error(f.Coverage(), f.Gaps(), f.Marks(), f.Keyframes(), f.Closed())
	}
	for n := range changes {
		state, at, err := f.Keyframe(n)
		if err != nil {
			t.Fatal(err)
		}
		if state == nil {
			continue
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
