package recording_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/recorder"
	"kardia/sources/open"
	"kardia/sources/recording"
)

// written is what write writes, in memory.
func written(t *testing.T, o recording.Options, write func(*recording.Writer) error) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := recording.Create(&file, recording.Meta{}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func opened(t *testing.T, data []byte) *recording.File {
	t.Helper()
	f, err := recording.Bytes(data, "r.mcap")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRepairedIsTrueAfterTheNextKeyframe: of a real incident with a flipped bit in its middle,
// repaired, the state is the undamaged one's before the damage and after the next keyframe, and
// what lies between is a gap; also in a copy of the copy, and in a part that begins between.
func TestRepairedIsTrueAfterTheNextKeyframe(t *testing.T) {
	o, err := open.Open(t.Context(), []string{"demo:zone-outage"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	small := recording.Options{}.WithPages(64, 700)
	data := written(t, small, func(w *recording.Writer) error { return w.Copy(o.History) })
	whole := opened(t, data)
	_, end := whole.Span()
	page := whole.PageAt(end / 2)
	at, length := recording.ChunkOf(whole, page.Start)
	data = bytes.Clone(data)
	data[at+length/2] ^= 4
	damaged := opened(t, data)
	var read history.Condensed
	if err := damaged.Read(page, &read); err != nil || !read.Lost {
		t.Fatal("nothing is damaged")
	}
	keyframes := recording.KeyframesOf(damaged)
	next := keyframes[slices.IndexFunc(keyframes, func(p int) bool { return p >= page.End })]
	if next >= end {
		t.Fatal("there is no keyframe behind the damage")
	}
	back := whole.PageAt(next).First // the state is true from here on, at the latest
	repaired := written(t, small, func(w *recording.Writer) error { return w.Copy(damaged) })
	again := written(t, small, func(w *recording.Writer) error { return w.Copy(opened(t, repaired)) })
	compare := func(what string, data []byte, problems int) {
		f := opened(t, data)
		if len(f.Problems()) != problems || len(f.Gaps()) == 0 {
			t.Errorf("%s: %v, gaps %v", what, f.Problems(), f.Gaps())
		}
		var instants []model.Instant
		first, end := whole.Span()
		for p := first; p < end; p = whole.PageAt(p).End {
			instants = append(instants, whole.PageAt(p).First, whole.PageAt(p).Last)
		}
		backwards := slices.Clone(instants)
		slices.Reverse(backwards)
		stale := 0
		for _, order := range [][]model.Instant{instants, backwards} {
			a, b := history.NewCursor(f), history.NewCursor(whole)
			for _, at := range order {
				if err := a.Seek(at); err != nil {
					t.Fatal(err)
				}
				if err := b.Seek(at); err != nil {
					t.Fatal(err)
				}
				got, want := recording.Portrait(a.State()), recording.Portrait(b.State())
				switch {
				case at < page.First || at >= back:
					if got != want {
						t.Fatalf("%s at %s:\n%s\nwant\n%s", what, at, got, want)
					}
				case got != want:
					stale++
				}
			}
		}
		if stale == 0 {
			t.Errorf("%s: nothing was lost", what)
		}
	}
	compare("damaged", data, 1)
	compare("repaired", repaired, 0)
	compare("repaired twice", again, 0)
	// A part that begins without a valid state counts again from there, and is as true.
	path := filepath.Join(t.TempDir(), "part.mcap")
	from := page.Last + 1
	if err := recorder.Save(damaged, recording.Meta{}, nil, model.Interval{Earliest: from, Latest: whole.Coverage().Latest}, path); err != nil {
		t.Fatal(err)
	}
	part, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	a, b := history.NewCursor(part), history.NewCursor(whole)
	for p := next; p < end; p = whole.PageAt(p).End {
		at := whole.PageAt(p).Last
		if err := a.Seek(at); err != nil {
			t.Fatal(err)
		}
		if err := b.Seek(at); err != nil {
			t.Fatal(err)
		}
		if got, want := facts(a.State()), facts(b.State()); got != want {
			t.Fatalf("the part at %s:\n%s\nwant\n%s", at, got, want)
		}
	}
}

// facts is a portrait without its last line, which counts.
func facts(c *model.Cluster) string {
	text := recording.Portrait(c)
	return text[:strings.LastIndexByte(text, '\n')]
}
