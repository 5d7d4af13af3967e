package open

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"kardia/model/history/historytest"
	"kardia/sources/read/entries/entriestest"
	"kardia/sources/read/identity"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
	"kardia/sources/recording"
)

// FuzzMerge: whatever pieces of evidence are opened together, of one incident or of none, a History comes of them that
// keeps what it promises and can be recorded, or a reason why not.
func FuzzMerge(f *testing.F) {
	few := func(name string, from, n int) string {
		lines := linesOf(textOf(f, "all-dark", name))
		return strings.Join(lines[from:min(from+n, len(lines))], "\n")
	}
	log := controllerLogOf(f, "all-dark")
	said := string(log.plain(log.lines[:12]))
	audit, watch := few("audit.log", 100, 4), few("nodes.watch.jsonl", 8, 8)
	recorded := recordedPiece(f, audit)
	for _, seed := range [][3]string{
		{audit, watch, said}, {watch, few("pods.watch.jsonl", 20, 5), few("leases.watch.jsonl", 9, 5)},
		{audit, few("events.watch.jsonl", 2, 5), string(entriestest.Structured[0].Of(log.lines[:3]))},
		{recorded, watch, said}, {recorded, recordedPiece(f, few("nodes.watch.jsonl", 8, 8)), audit}, {recorded, recorded, ""},
		{`{"apiVersion":"v1","kind":"List","items":[` + strings.Join(strings.Split(few("nodes.watch.jsonl", 0, 1), "\n"), ",") + "]}", watch, ""},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]), []byte(seed[2]))
	}
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		if len(a)+len(b)+len(c) > 1<<18 {
			t.Skip("small pieces find more")
		}
		var files []input.File
		for i, data := range [][]byte{a, b, c} {
			if len(data) > 0 {
				files = append(files, inputtest.File(string(rune('a'+i)), data))
			}
		}
		o, err := openFiles(context.Background(), files, Options{Year: 2026})
		if mixed := (*identity.Mixed)(nil); errors.Is(err, ErrUnreadable) || errors.Is(err, ErrCapturedAt) || errors.As(err, &mixed) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		if err := historytest.Promises(o.History); err != nil {
			t.Fatal(err)
		}
		for _, s := range o.History.Statements() {
			if int(s.Origin.Source) >= len(o.History.Sources()) || s.Until < s.At {
				t.Fatalf("%+v of %d sources", s, len(o.History.Sources()))
			}
		}
		for _, g := range o.History.Gaps() {
			if g.Source >= len(o.History.Sources()) || g.Latest < g.Earliest {
				t.Fatalf("%+v of %d sources", g, len(o.History.Sources()))
			}
		}
		var out bytes.Buffer
		meta, _ := o.About("test")
		w, err := recording.Create(&out, meta, recording.Options{})
		if err == nil {
			err = errors.Join(w.Copy(o.History), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// recordedPiece is a recording of a piece of text.
func recordedPiece(t testing.TB, text string) string {
	o, err := openFiles(t.Context(), []input.File{inputtest.File("piece", []byte(text))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	var out bytes.Buffer
	meta, _ := o.About("test")
	meta.Whole = true
	w, err := recording.Create(&out, meta, recording.Options{})
	if err == nil {
		err = errors.Join(w.Copy(o.History), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
