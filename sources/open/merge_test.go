package open

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/capture/recorder"
	"kardia/sources/recording"
)

// recordingOf writes the opened input as a recording, and returns its path.
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

// playing is what a scenario plays.
func playing(t testing.TB, script string) *Opened {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made-up.scenario")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return opening(t, path)
}

// TestARecordingMergesWithOtherEvidence: a recording of watch files gives the same result with the audit log as the
// watch files do, and the other way round. With its own input it gives the same as alone.
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

// pieces are parts of an incident, each a recording that begins with the state at its beginning.
func pieces(t *testing.T, o *Opened, parts ...[2]time.Duration) (paths []string) {
	t.Helper()
	begins := o.History.Coverage().Earliest
	for i, part := range parts {
		path := filepath.Join(t.TempDir(), fmt.Sprint(i, ".mcap"))
		meta, marks := o.About("test")
		if err := recorder.Save(o.History, meta, marks, model.Interval{Earliest: begins.Add(part[0]), Latest: begins.Add(part[1])}, path); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// TestRecordingsWithABreakMergeWithOtherEvidence: two recordings with a break between them give the same with the audit
// log of the whole as one recording does. With an Event that shows nothing of the break, the state behind it is the
// beginning of the second recording. Objects that went in between are gone, and the break is a gap.
func TestRecordingsWithABreakMergeWithOtherEvidence(t *testing.T) {
	watches, audit := opening(t, unpacked(t, "zone-outage", "*.watch.jsonl.zst")...), unpacked(t, "zone-outage", "audit.log.zst")
	before, after := [2]time.Duration{0, 110 * time.Second}, [2]time.Duration{170 * time.Second, 400 * time.Second}
	broken := pieces(t, watches, before, after)
	want := summary(t, opening(t, append(unpacked(t, "zone-outage", "*.watch.jsonl.zst"), audit...)...))
	got := summary(t, opening(t, append(audit, broken...)...))
	if got.declared != want.declared || got.deleted != want.deleted || got.judgement != want.judgement || want.declared == 0 || want.deleted != 20 {
		t.Errorf("with the audit log: %+v, want %+v", got, want)
	}

	event := filepath.Join(t.TempDir(), "events.json")
	if err := os.WriteFile(event, []byte(`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"default","uid":"e"},"involvedObject":{"kind":"Node","name":"a-001"},`+
		`"reason":"Starting","firstTimestamp":"2026-11-20T23:52:40Z","lastTimestamp":"2026-11-20T23:52:40Z","count":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	chained, merged := opening(t, broken...), opening(t, append(broken, event)...)
	if len(merged.Recordings) > 0 || merged.Partial {
		t.Fatalf("not merged: %+v", merged.History.Sources())
	}
	gap := model.Interval{}
	for _, g := range merged.History.Gaps() {
		gap = g.Interval
	}
	if gap.Width() < 55*time.Second || gap.Width() > 61*time.Second {
		t.Errorf("gaps: %+v", merged.History.Gaps())
	}
	for _, after := range []time.Duration{50, 109, 171, 172, 230, 300} {
		at := watches.History.Coverage().Earliest.Add(after * time.Second)
		var states [2]string
		for i, o := range []*Opened{chained, merged} {
			cursor := history.NewCursor(o.History)
			if err := cursor.Seek(at); err != nil {
				t.Fatal(err)
			}
			var pods, nodes []string
			for _, p := range cursor.State().Pods() {
				pods = append(pods, fmt.Sprint(p.Key, p.Ready, p.Deletion))
			}
			for r := range cursor.State().Nodes {
				nodes = append(nodes, fmt.Sprint(r.Name, r.Health(), r.Lease.Renewed))
			}
			slices.Sort(pods)
			slices.Sort(nodes)
			states[i] = fmt.Sprint(len(pods), "pods", pods, nodes)
		}
		if states[0] != states[1] {
			t.Errorf("after %d s\n%s\nmerged, and as a chain\n%s", after, states[1], states[0])
		}
	}
}

// TestRecordingsThatFollowOneAnotherMergeWithACapture: the recordings of one sitting, each of which goes on where the one
// before ended, say with a capture, and with the audit log too, what the watch files say with it.
func TestRecordingsThatFollowOneAnotherMergeWithACapture(t *testing.T) {
	dump := filepath.Join(t.TempDir(), "dump.json")
	var all []map[string]any
	for _, kind := range []string{"nodes", "pods", "events"} {
		all = append(all, objects(t, "zone-outage", kind)...)
	}
	if err := os.WriteFile(dump, asJSON(listOf("List", all)), 0o600); err != nil {
		t.Fatal(err)
	}
	files := unpacked(t, "zone-outage", "*.watch.jsonl.zst")
	watches := opening(t, files...)
	ends := watches.History.Coverage().Latest.Sub(watches.History.Coverage().Earliest) + time.Second
	chained := pieces(t, watches, [2]time.Duration{0, 110 * time.Second}, [2]time.Duration{110 * time.Second, 200 * time.Second}, [2]time.Duration{200 * time.Second, ends})
	for what, beside := range map[string][]string{"a capture": {dump}, "a capture and the audit log": append(unpacked(t, "zone-outage", "audit.log.zst"), dump)} {
		want, o := summary(t, opening(t, append(slices.Clone(files), beside...)...)), opening(t, append(slices.Clone(chained), beside...)...)
		got := summary(t, o)
		if again := got.changes - want.changes; again < 0 || again > 28 { // Events of the state that it begins with have no version
			t.Errorf("beside %s: %d changes more", what, again)
		}
		got.changes = want.changes
		if got != want || o.Partial || want.deleted != 20 {
			t.Errorf("beside %s, partial %v:\n got %+v\nwant %+v", what, o.Partial, got, want)
		}
	}
}

// TestPiecesOfALogSayItOnce: recordings of parts of an incident with its log, beside the log itself, and beside the audit
// log, say each thing once.
func TestPiecesOfALogSayItOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), "kcm.log")
	if err := os.WriteFile(log, controllerLog(t, "zone-outage"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := opening(t, append(unpacked(t, "zone-outage", "*.watch.jsonl.zst"), log)...)
	broken := pieces(t, whole, [2]time.Duration{0, 110 * time.Second}, [2]time.Duration{111 * time.Second, 400 * time.Second})
	for _, beside := range [][]string{nil, {log}, unpacked(t, "zone-outage", "audit.log.zst")} {
		o := opening(t, append(slices.Clone(broken), beside...)...)
		if got, want := len(o.History.Statements()), len(whole.History.Statements()); got != want {
			t.Errorf("beside %v: %d statements, want %d", beside, got, want)
		}
		if _, r := heard(t, o); len(r.Contradicted) > 0 || r.Statements != 62 {
			t.Errorf("beside %v: %d statements about decisions, %+v", beside, r.Statements, r.Contradicted)
		}
	}
}

// told is the part of an incident that a test compares.
type told struct {
	changes, declared, deleted int
	judgement                  string
}

func summary(t *testing.T, o *Opened) (s told) {
	t.Helper()
	_, s.changes = o.History.Span()
	_ = historytest.Walk(o.History, model.FarPast, model.FarFuture, func(_ int, ch *model.Change) bool {
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

// TestARecordingWithALog: the Statements of a log are beside a recording, which is opened as it is.
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

// TestClocksAreCompared: if a recording's clock is 7 s ahead of the API server's, whose log is named with it, that is
// reported, and no arrival is changed.
func TestClocksAreCompared(t *testing.T) {
	files := unpacked(t, "node-loss", "*.watch.jsonl.zst")
	o := opening(t, append(files, unpacked(t, "node-loss", "audit.log.zst")...)...)
	path := filepath.Join(t.TempDir(), "live.mcap")
	w, err := recording.CreateFile(path, recording.Meta{Sources: []history.Source{{Path: "live", Format: "live"}}}, recording.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = historytest.Walk(o.History, model.FarPast, model.FarFuture, func(_ int, ch *model.Change) bool {
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
