package open

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
	"kardia/sources/recording"
)

// recorded writes what was opened as a recording and opens that.
func recorded(t testing.TB, o *Opened, options recording.Options) *Opened {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.mcap")
	meta, _ := o.About("test")
	w, err := recording.CreateFile(path, meta, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Copy(o.History); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), []string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(again.Close)
	return again
}

// judgement is what verify says, as JSON.
func judgement(t *testing.T, o *Opened) string {
	t.Helper()
	v, _ := model.ParseVersion(o.ServerVersion)
	result, err := infer.Run(o.History, infer.Options{Params: model.Defaults(v)})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(verify.Evaluate(&hypotheses.Found{Base: result, Result: result}))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestARecordingIsWhatItWasMadeOf: each real incident, from its watch files, its audit log, and
// both, comes back from a recording with every field of every Change, and is judged the same.
func TestARecordingIsWhatItWasMadeOf(t *testing.T) {
	for _, name := range []string{"node-loss", "zone-outage", "all-dark", "notready", "partial", "restart"} {
		for form, want := range map[string]func(string) bool{"all": everything, "watch": watchFiles, "audit": auditLog} {
			for _, packed := range []bool{true, false} {
				if !packed && form != "all" {
					continue
				}
				t.Run(name+"/"+form, func(t *testing.T) {
					o := incident(t, name, want)
					r := recorded(t, o, recording.Options{Packed: packed})
					sameHistory(t, r.History, o.History)
					soughtAndPlayed(t, r.History)
					if r.ServerVersion != o.ServerVersion || r.Partial != o.Partial {
						t.Error(r.ServerVersion, r.Partial)
					}
					if packed {
						if got, want := judgement(t, r), judgement(t, o); got != want {
							t.Errorf("judged\n%s\nwant\n%s", got, want)
						}
					}
				})
			}
		}
	}
}

// soughtAndPlayed checks that a recording gives the same condensed as in Changes. A Cursor that jumps about in it must
// show the same as one that plays the Changes from the start.
func soughtAndPlayed(t *testing.T, h history.History) {
	t.Helper()
	if err := historytest.Promises(h); err != nil {
		t.Fatal(err)
	}
	r, instants := rand.New(rand.NewPCG(5, 8)), make([]model.Instant, 12)
	v := h.Coverage()
	for k := range instants {
		instants[k] = v.Earliest.Add(time.Duration(r.Int64N(int64(v.Width()) + 1)))
	}
	sought, cursor := map[model.Instant]string{}, history.NewCursor(h)
	for _, at := range instants {
		if err := cursor.Seek(at); err != nil {
			t.Fatal(err)
		}
		sought[at] = portrait(cursor.State())
	}
	slices.Sort(instants)
	cursor = history.NewCursor(historytest.Plain{History: h})
	for _, at := range instants {
		if err := cursor.Seek(at); err != nil {
			t.Fatal(err)
		}
		if played := portrait(cursor.State()); played != sought[at] {
			t.Fatalf("at %s sought\n%s\nplayed\n%s", at, sought[at], played)
		}
	}
}

func sameHistory(t *testing.T, got, want history.History) {
	t.Helper()
	a, b := changesOf(t, got), changesOf(t, want)
	if len(a) != len(b) {
		t.Fatalf("%d changes, want %d", len(a), len(b))
	}
	for i := range a {
		if !reflect.DeepEqual(a[i], b[i]) {
			t.Fatalf("change %d:\n%+v\n%+v", i, a[i], b[i])
		}
	}
	if got.Coverage() != want.Coverage() {
		t.Errorf("covers %v, want %v", got.Coverage(), want.Coverage())
	}
	if len(got.Gaps()) != len(want.Gaps()) || (len(got.Gaps()) > 0 && !reflect.DeepEqual(got.Gaps(), want.Gaps())) {
		t.Errorf("gaps %v, want %v", got.Gaps(), want.Gaps())
	}
	if !reflect.DeepEqual(got.Sources(), want.Sources()) {
		t.Errorf("sources\n%+v\nwant\n%+v", got.Sources(), want.Sources())
	}
}

// segments splits a History into recordings, as a ring does.
func segments(t *testing.T, o *Opened, n int) (paths []string) {
	t.Helper()
	changes := changesOf(t, o.History)
	dir := t.TempDir()
	meta, _ := o.About("test")
	for s := range n {
		meta.Segment = s
		path := filepath.Join(dir, string(rune('a'+s))+".mcap")
		w, err := recording.CreateFile(path, meta, recording.Options{Packed: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := s * len(changes) / n; i < (s+1)*len(changes)/n; i++ {
			w.Cover(changes[i].Effective())
			if err := w.Add(&changes[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestSegmentsFollowOneAnother(t *testing.T) {
	o := incident(t, "node-loss", auditLog)
	paths := segments(t, o, 3)
	joined, err := Open(t.Context(), []string{paths[2], paths[0], paths[1]}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer joined.Close()
	got, want := changesOf(t, joined.History), changesOf(t, o.History)
	if len(got) != len(want) || joined.Partial {
		t.Fatalf("%d changes, want %d; %v", len(got), len(want), joined.Partial)
	}
	for i := range got {
		got[i].Origin.Source, got[i].Also.Source = want[i].Origin.Source, want[i].Also.Source
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("change %d:\n%+v\n%+v", i, got[i], want[i])
		}
	}
	cursor := history.NewCursor(joined.History)
	for _, i := range []int{len(want) - 1, 0, len(want) / 2, len(want)/3 - 1, 2 * len(want) / 3} {
		if err := cursor.Seek(want[i].Effective()); err != nil {
			t.Fatal(err)
		}
		if cursor.State().Now != want[i].Effective() {
			t.Errorf("at %s the state is of %s", want[i].Effective(), cursor.State().Now)
		}
	}
}

// TestOneRecordingTwice: recordings that overlap are merged, and one of them twice is the one.
func TestOneRecordingTwice(t *testing.T) {
	o := incident(t, "node-loss", everything)
	whole, err := os.ReadFile(segments(t, o, 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	twice, err := openFiles(t.Context(), []input.File{inputtest.File("a.mcap", whole), inputtest.File("b.mcap", whole)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer twice.Close()
	_, once := o.History.Span()
	if _, n := twice.History.Span(); n != once || twice.Partial {
		t.Error(n, once, twice.Partial)
	}
}
