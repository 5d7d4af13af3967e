package open

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

// recordingOf writes what was opened as a recording, and tells where it lies.
func recordingOf(t *testing.T, o *Opened, part model.Interval) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "incident.mcap")
	meta, _ := o.About("test")
	w, err := recording.CreateFile(path, meta, recording.Options{})
	if err == nil {
		if part == model.Always {
			err = w.Copy(o.History)
		} else {
			err = w.CopyChanges(o.History, part, false)
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

// unpacked writes the files of an incident, as they are embedded, into a directory.
func unpacked(t *testing.T, name, which string) (paths []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../demo", name, which))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	return files
}

func opening(t testing.TB, paths ...string) *Opened {
	t.Helper()
	o, err := Open(context.Background(), paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

// TestARecordingMergesWithOtherEvidence: a recording of watch files says with the audit log what the watch files
// say with it, and the other way round; and with what it was made of, what it says alone.
func TestARecordingMergesWithOtherEvidence(t *testing.T) {
	watches, audit := unpacked(t, "zone-outage", "*.watch.jsonl.zst"), unpacked(t, "zone-outage", "audit.log.zst")
	all := append(append([]string{}, watches...), audit...)
	want := summary(t, opening(t, all...))
	for what, c := range map[string]struct{ recorded, beside []string }{
		"watch files recorded": {watches, audit},
		"audit log recorded":   {audit, watches},
		"all recorded":         {all, audit},
		"and what it is of":    {all, all},
	} {
		path := recordingOf(t, opening(t, c.recorded...), model.Always)
		o := opening(t, append([]string{path}, c.beside...)...)
		if o.Partial {
			t.Errorf("%s: partial: %+v", what, o.History.Sources())
		}
		if got := summary(t, o); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
		}
	}
}

// said is what a test compares of an incident.
type told struct {
	changes, declared, deleted int
	judgement                  string
}

func summary(t *testing.T, o *Opened) (s told) {
	t.Helper()
	_, s.changes = o.History.Span()
	_ = history.Walk(o.History, model.FarPast, model.FarFuture, func(_ int, ch *model.Change) bool {
		if ch.Op == model.OpModify && ch.Node != nil && ch.Node.Ready() != nil && ch.Node.Ready().Status == model.StatusUnknown && ch.Writer == model.WriterNodeLifecycle {
			s.declared++
		}
		if ch.Kind == model.KindPod && ch.Op == model.OpDelete {
			s.deleted++
		}
		return true
	})
	found := judgement(t, o)
	s.judgement = found[strings.Index(found, `"Observed"`):strings.Index(found, `"ByKind"`)]
	return s
}

// TestARecordingWithALog: what a log says stands beside a recording, which is opened as it is.
func TestARecordingWithALog(t *testing.T) {
	path := recordingOf(t, opening(t, "demo:node-loss"), model.Always)
	log := filepath.Join(t.TempDir(), "kcm.log")
	if err := os.WriteFile(log, controllerLog(t, "node-loss"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := opening(t, path, log)
	if len(o.Recordings) != 1 || o.Partial {
		t.Errorf("%d recordings, partial %v", len(o.Recordings), o.Partial)
	}
	if got := testimonyOf(t, o); got != [3]int{10, 0, 0} {
		t.Errorf("%v", got)
	}
	for _, s := range o.History.Statements() {
		if src := o.History.Sources()[s.Origin.Source]; src.Format != "klog" {
			t.Fatalf("%+v is of %s", s, src.Path)
		}
	}
}

// TestClocksAreCompared: of a recording by a clock that is 7 s ahead of the API server's, whose log is named with
// it, that is said, and no arrival is changed.
func TestClocksAreCompared(t *testing.T) {
	files := unpacked(t, "node-loss", "*.watch.jsonl.zst")
	o := opening(t, append(files, unpacked(t, "node-loss", "audit.log.zst")...)...)
	path := filepath.Join(t.TempDir(), "live.mcap")
	w, err := recording.CreateFile(path, recording.Meta{Sources: []history.Source{{Path: "live", Format: "live"}}}, recording.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = history.Walk(o.History, model.FarPast, model.FarFuture, func(_ int, ch *model.Change) bool {
		if ch.Quality != model.ByServer || ch.Version == 0 {
			return true
		}
		live := *ch
		live.Arrival, live.Quality, live.Writer, live.Code = ch.Time.Latest.Add(7*1e9+2e6), model.ByArrival, model.WriterUnknown, 0
		live.At, live.Time, live.Origin, live.Also = live.Arrival, model.Interval{Earliest: model.FarPast, Latest: live.Arrival}, model.Origin{}, model.Origin{}
		err = w.Add(&live)
		return err == nil
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	both := opening(t, append(unpacked(t, "node-loss", "audit.log.zst"), path)...)
	said := ""
	for _, s := range both.History.Sources() {
		for _, p := range s.Problems {
			said += p.What + "\n"
		}
	}
	if !strings.Contains(said, "its clock was 6.0") || !strings.Contains(said, "ahead of the API server's") {
		t.Errorf("said: %q", said)
	}
}
