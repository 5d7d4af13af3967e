package recording

import (
	"bytes"
	"cmp"
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// readAll is all Changes of a History; those of a recording are the same when they are read condensed.
func readAll(t interface{ Fatal(...any) }, h history.History) []model.Change {
	if f, ok := h.(*File); ok {
		promises(t, f)
	}
	return readPages(t, h)
}

// promises asks a recording for what every History promises.
func promises(t interface{ Fatal(...any) }, f *File) {
	if err := historytest.Promises(f.Fork()); err != nil {
		t.Fatal(err)
	}
}

// readPages is all Changes of a History, page by page.
func readPages(t interface{ Fatal(...any) }, h history.History) []model.Change {
	var all []model.Change
	first, end := h.Span()
	for at := first; at < end; {
		page := h.PageAt(at)
		changes, err := historytest.ReadChanges(h, page)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) != page.End-page.Start {
			t.Fatal("a page of another size")
		}
		all = append(all, changes...)
		at = page.End
	}
	return all
}

// TestEveryFieldComesBack: whatever Changes hold, a recording gives them back, with the instants
// at which they take effect.
func TestEveryFieldComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var file bytes.Buffer
		packed := rapid.Bool().Draw(t, "packed")
		w, err := Create(&file, Meta{Tool: "test", Sources: []history.Source{{Path: "a", Format: "audit"}}}, Options{Packed: packed})
		if err != nil {
			t.Fatal(err)
		}
		var want []model.Change
		last := model.FarPast
		for i := range rapid.IntRange(0, 80).Draw(t, "n") {
			ch := heartbeat(t, i)
			switch kind := rapid.IntRange(0, 3).Draw(t, "other"); {
			case kind == 0:
				ch = anyChange(t)
			case kind == 1 && len(want) > 0:
				ch = nextVersion(t, want[len(want)-1-rapid.IntRange(0, min(5, len(want)-1)).Draw(t, "of")])
			}
			if err := w.Add(&ch); err != nil {
				t.Fatal(err)
			}
			if ch.Effective() < last {
				ch.At = cmp.Or(last, 1)
			}
			last = ch.Effective()
			want = append(want, ch)
			if rapid.IntRange(0, 9).Draw(t, "flush") == 0 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		torn := bytes.Clone(file.Bytes())
		flushed := w.index.end()
		w.Cover(noon)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := Bytes(file.Bytes(), "test")
		if err != nil {
			t.Fatal(err)
		}
		if !f.Closed() || len(f.Problems()) > 0 {
			t.Fatal(f.Closed(), f.Problems())
		}
		compare(t, readAll(t, f), want)
		f, err = Bytes(torn, "torn")
		if err != nil {
			t.Fatal(err)
		}
		if packed {
			flushed = f.index.end()
		}
		compare(t, readAll(t, f), want[:flushed])
	})
}

func compare(t interface{ Fatalf(string, ...any) }, got, want []model.Change) {
	if len(got) != len(want) {
		t.Fatalf("%d changes, want %d", len(got), len(want))
	}
	for i := range got {
		if !same(got[i], want[i]) {
			t.Fatalf("change %d:\n%+v\n%+v", i, got[i], want[i])
		}
	}
}
