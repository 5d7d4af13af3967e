package recording

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history/historytest"
)

// The flushed part can be read while more is written, and a later reading has more.
func TestReadingWhileWriting(t *testing.T) {
	var file bytes.Buffer
	w, err := Create(&file, Meta{}, Options{NoKeyframes: true})
	if err != nil {
		t.Fatal(err)
	}
	at := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	var readers []*File
	var came []model.Change
	for i := range 30 {
		for _, name := range []string{"a", "b", "c"} {
			came = append(came, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: name},
				Version: uint64(len(came) + 1), Arrival: at, At: at, Time: model.Exactly(at), Lease: model.Lease{Renewed: at, Holder: name}})
			if err := w.Add(&came[len(came)-1]); err != nil {
				t.Fatal(err)
			}
			at = at.Add(time.Second)
		}
		if i%10 == 9 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			readers = append(readers, w.Reading(bytes.NewReader(file.Bytes())))
		}
	}
	for i, f := range readers {
		first, end := f.Span()
		if end-first != 30*(i+1) {
			t.Fatalf("reader %d holds %d Changes", i, end-first)
		}
		for p := first; p < end; {
			page := f.PageAt(p)
			got, err := historytest.ReadChanges(f, page)
			if err != nil || !reflect.DeepEqual(got, came[page.Start:page.End]) {
				t.Fatalf("reader %d, %+v: %v, %v", i, page, got, err)
			}
			p = page.End
		}
	}
}
