package recording

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestARowComesBack: every field of any Change survives JSON, and the JSON is what any JSON
// library reads.
func TestARowComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ch := anyChange(t)
		c := coder{names: &names{}}
		data := c.encodeRow(&ch)
		if !json.Valid(data) {
			t.Fatalf("not JSON: %s", data)
		}
		got, err := c.decodeRow(append([]byte(nil), data...), logTime(ch.Effective()))
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if !same(got, ch) {
			t.Fatalf("%s\n%+v\n%+v", data, got, ch)
		}
	})
}

func TestABlockComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		d := newDictionary()
		page := make([]model.Change, n)
		var rows []blockRow
		last := model.FarPast
		for i := range page {
			page[i] = heartbeat(t, i)
			if page[i].Effective() < last {
				page[i].At = last
			}
			last = page[i].Effective()
			if row, ok := d.row(&page[i], int32(i)); ok {
				rows = append(rows, row)
			}
		}
		var o out
		o.block(rows, noon)
		var l lexicon
		if err := l.read(d.message(0), &names{}); err != nil {
			t.Fatal(err)
		}
		got, filled := make([]model.Change, n), make([]bool, n)
		var b blockReader
		if err := b.read(o.b, noon, l.entries, got, filled); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if !filled[r.slot] || !same(got[r.slot], page[r.slot]) {
				t.Fatalf("row %d of %d:\n%+v\n%+v\n%+v\n%+v", r.slot, n, got[r.slot], page[r.slot], got[r.slot].Node, page[r.slot].Node)
			}
		}
	})
}
