package recording

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/wire"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestARowComesBack: every field of any Change survives JSON, and the JSON is what any JSON
// library reads.
func TestARowComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ch := anyChange(t)
		c := rows.Coder{Names: &wire.Names{}}
		data := c.EncodeRow(&ch)
		if !json.Valid(data) {
			t.Fatalf("not JSON: %s", data)
		}
		got, err := decodeRow(&c, append([]byte(nil), data...), container.LogTime(ch.Effective()))
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
		d := columns.NewDictionary()
		page := make([]model.Change, n)
		var rows []columns.BlockRow
		last := model.FarPast
		for i := range page {
			page[i] = heartbeat(t, i)
			if page[i].Effective() < last {
				page[i].At = last
			}
			last = page[i].Effective()
			if row, ok := d.Row(&page[i], int32(i)); ok {
				rows = append(rows, row)
			}
		}
		var o wire.Writer
		columns.WriteBlock(&o, rows, noon)
		var l columns.DictionaryReader
		if err := l.Read(d.Message(0), &wire.Names{}); err != nil {
			t.Fatal(err)
		}
		got := newSlots(n)
		var b columns.BlockReader
		if err := b.Read(o.B, noon, l.Entries, got); err != nil {
			t.Fatal(err)
		}
		var told history.Condensed
		got.Give(history.Page{}, &told)
		for _, r := range rows {
			if ch := told.Changes[r.Slot]; !got.Filled[r.Slot] || !same(ch, page[r.Slot]) || got.Effects[r.Slot] != ch.Effective() {
				t.Fatalf("row %d of %d:\n%+v\n%+v\n%+v\n%+v", r.Slot, n, ch, page[r.Slot], ch.Node, page[r.Slot].Node)
			}
		}
	})
}

// decodeRow reads a message of one version.
func decodeRow(c *rows.Coder, data []byte, at model.Instant) (ch model.Change, err error) {
	later, err := c.DecodeRows(data, at, &ch, nil, 0)
	if len(later) > 0 {
		return ch, wire.ErrOrder
	}
	return ch, err
}
