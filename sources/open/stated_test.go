package open

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/sources/recording"
)

// marked writes what was opened as a recording that states flags and has notes at an instant.
func marked(t *testing.T, o *Opened, name string, at model.Instant, flags map[string]string, notes ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	meta, _ := o.About("test")
	meta.Params = &model.Params{}
	for flag, value := range flags {
		if err := model.FlagNamed(flag).Set(meta.Params, value, model.FromFlag); err != nil {
			t.Fatal(err)
		}
	}
	w, err := recording.CreateFile(path, meta, recording.Options{})
	if err == nil {
		err = w.Copy(o.History)
	}
	for i, note := range notes {
		if err == nil {
			err = w.AddMark(past.Bookmark{At: at.Add(time.Duration(i) * time.Second), Note: note})
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMergedRecordingsKeepMarksAndFlags: a merged recording has those of both. A flag that they state differently is
// reported, and neither value is taken.
func TestMergedRecordingsKeepMarksAndFlags(t *testing.T) {
	nodes := unpacked(t, "node-loss", "nodes.watch.jsonl.zst")
	o := opening(t, nodes...)
	at := o.History.Coverage().Earliest.Add(time.Minute)
	a := marked(t, o, "a.mcap", at, map[string]string{"node-monitor-grace-period": "50s", "node-eviction-rate": "0.1", "large-cluster-size-threshold": "50"}, "paged", "looking")
	b := marked(t, o, "b.mcap", at, map[string]string{"node-monitor-grace-period": "50s", "node-eviction-rate": "0.5"}, "alert", "looking", "back")
	merged := opening(t, a, b)
	var marks []string
	for _, m := range merged.Marks() {
		marks = append(marks, m.At.Sub(at).String()+" "+m.Note)
	}
	if got := strings.Join(marks, ", "); got != "0s paged / alert, 1s looking, 2s back" {
		t.Errorf("marks %s", got)
	}
	is := merged.Stated()
	if is == nil || is.NodeMonitorGracePeriod.Value != 50*time.Second || is.LargeClusterSizeThreshold.From != model.FromFile || is.NodeEvictionRate.From != model.FromDefault {
		t.Errorf("flags %+v", is)
	}
	said := ""
	for _, s := range merged.History.Sources() {
		for _, p := range s.Problems {
			said += p.What + "\n"
		}
	}
	if !strings.Contains(said, "it states --node-eviction-rate=0.5, and ") || !strings.Contains(said, "states 0.1: which held when is not known, and neither is used") || strings.Contains(said, "grace") {
		t.Errorf("said %q", said)
	}
	if beside := opening(t, append(nodes, a)...); len(beside.Marks()) != 2 || beside.Stated() == nil {
		t.Errorf("beside the files that it was made of: %v, %+v", beside.Marks(), beside.Stated())
	}
}
