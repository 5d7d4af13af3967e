package bookmarks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/past"
)

func TestMarksComeBack(t *testing.T) {
	f, ok := Beside([]string{filepath.Join(t.TempDir(), "incident") + "/", "other"})
	if !ok || !strings.HasSuffix(f.Path, "incident.marks.jsonl") {
		t.Fatalf("marks go to %s", f)
	}
	if m, err := f.Load(past.Bookmarks{}); err != nil || len(m.List()) != 0 {
		t.Fatalf("without a file: %v, %v", m, err)
	}
	a, b := past.Bookmark{At: 1_700_000_000_000_000_001, Note: "zone \"b\"\n\x1b[31m", Number: 1}, past.Bookmark{At: 1_700_000_100_000_000_000}
	for _, err := range []error{f.Keep(a, false), f.Keep(b, false), f.Keep(b, true)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if m, err := f.Load(past.Bookmarks{}); err != nil || len(m.List()) != 1 || m.List()[0] != a {
		t.Errorf("came back as %+v, %v", m.List(), err)
	}
	if info, _ := os.Stat(f.Path); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the notes: %s", info.Mode())
	}
}

func TestADamagedFileIsUsedAsFarAsItGoes(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "x.marks.jsonl")}
	text := "{\"at\":\"2026-11-20T23:53:23Z\",\"note\":\"good\"}\nnonsense\n\n{\"at\":\"yesterday\"}\n{\"at\":\"2026-11-20T23:54:00Z\"}\n{\"at\":\"2026-11-2"
	if err := os.WriteFile(f.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := f.Load(past.Bookmarks{})
	if len(m.List()) != 2 || err == nil || !strings.Contains(err.Error(), ":2 is not a mark") || !strings.Contains(err.Error(), "and 2 more lines") {
		t.Errorf("%d marks, %v", len(m.List()), err)
	}
	after := past.Bookmark{At: 1_700_000_000_000_000_000, Note: "after the crash", Number: 3}
	if err := f.Keep(after, false); err != nil {
		t.Fatal(err)
	}
	if m, _ = f.Load(past.Bookmarks{}); len(m.List()) != 3 || m.List()[0] != after {
		t.Errorf("a line that was cut short swallows the next: %+v", m.List())
	}
	for _, paths := range [][]string{nil, {"demo:zone-outage"}, {"-"}} {
		if _, ok := Beside(paths); ok {
			t.Errorf("marks of %q would be kept", paths)
		}
	}
	none := File{filepath.Join(t.TempDir(), "no", "such", "place")}
	if err := none.Keep(past.Bookmark{At: model.Instant(1e18)}, false); err == nil || !strings.Contains(err.Error(), "the mark is set") {
		t.Errorf("%v", err)
	}
}

// TestMarksGoAlong: marks set beside a recording are beside a recording made of it, and removed marks of those inside
// it do not come back.
func TestMarksGoAlong(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a.mcap"), filepath.Join(dir, "b.mcap")
	inside := []past.Bookmark{{At: 1e18, Note: "stays", Number: 1}, {At: 2e18, Note: "goes", Number: 2}}
	f, _ := Beside([]string{from})
	set := past.Bookmark{At: 3e18 / 2, Note: "set", Number: 3}
	for _, err := range []error{f.Keep(set, false), f.Keep(inside[1], true), f.Keep(past.Bookmark{At: 4e18}, false)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	n, err := Carry([]string{from}, inside, model.Interval{Earliest: model.FarPast, Latest: 3e18}, to)
	if err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	again, _ := Beside([]string{to})
	var all past.Bookmarks
	for _, m := range inside {
		if err := all.Set(m); err != nil {
			t.Fatal(err)
		}
	}
	all, err = again.Load(all)
	if got := all.List(); err != nil || len(got) != 2 || got[0] != inside[0] || got[1] != set {
		t.Errorf("%v, %v", got, err)
	}
}
