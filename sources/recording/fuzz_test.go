package recording

import (
	"bytes"
	"slices"
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// limited is how many Changes a fuzzed file is read for.
const limited = 1 << 17

// readLimited reads what a History promises, up to a limit, and checks that it keeps it.
func readLimited(t *testing.T, f *File) {
	first, end := f.Span()
	last := model.FarPast
	fork, condensed := f.Fork().(*File), history.Condensed{}
	for at := first; at < min(end, limited); {
		page := f.PageAt(at)
		if page.Start != at || page.End <= at {
			t.Fatalf("the page at %d is %+v", at, page)
		}
		changes, err := historytest.ReadChanges(f, page)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) != page.End-page.Start {
			t.Fatalf("%d changes in %+v", len(changes), page)
		}
		if err := fork.Read(page, &condensed); err != nil {
			t.Fatal(err)
		}
		if err := historytest.SameCondensed(&condensed, changes); err != nil {
			t.Fatal(err)
		}
		for i := range changes {
			if e := changes[i].Effective(); e < last {
				t.Fatalf("change %d takes effect %s, before %s", at+i, e, last)
			} else {
				last = e
			}
		}
		at = page.End
	}
	if end == 0 {
		return
	}
	cursor := history.NewCursor(f)
	for _, at := range []model.Instant{f.PageAt(0).Last, f.PageAt(0).First} {
		if err := cursor.Seek(at); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := f.State(end); err != nil {
		t.Fatal(err)
	}
}

// FuzzFile opens whatever it is given.
func FuzzFile(f *testing.F) {
	for _, closed := range []bool{true, false} {
		data, _, _ := smallRecording(f, closed)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add(mcapFile(plainChunk(oneEntry(), hostilePage(0, 3, noon, noon), mcapMessage(channelLease, 0, endlessBlock(3)))))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Bytes(data, "fuzz")
		if err == nil {
			readLimited(t, file)
		}
	})
}

// FuzzMessages reads a chunk of any messages, past the checksums: dictionaries, pages, blocks, rows,
// keyframes and notes.
func FuzzMessages(f *testing.F) {
	small, _, _ := smallRecording(f, true)
	various, _ := varietyWith(f, Options{keyframe: 24}, lives)
	for _, data := range [][]byte{small, various} {
		seed, err := Bytes(data, "seed")
		if err != nil {
			f.Fatal(err)
		}
		var all []byte
		for n := range seed.index.chunks {
			records, err := seed.chunk(int32(n))
			if err != nil {
				f.Fatal(err)
			}
			if n > 0 {
				f.Add(bytes.Clone(records))
			}
			all = append(all, records...)
		}
		f.Add(all)
	}
	f.Fuzz(func(t *testing.T, records []byte) {
		file, err := Bytes(mcapFile(mcapChunk(records, uint64(len(records)), 0, "")), "fuzz")
		if err == nil {
			readLimited(t, file)
		}
	})
}

// FuzzRow reads a message of rows; the result, written again, reads back the same.
func FuzzRow(f *testing.F) {
	_, changes, _ := smallRecording(f, true)
	c := rows.Coder{Names: &wire.Names{}}
	for i := range changes[:8] {
		f.Add(bytes.Clone(c.EncodeRow(&changes[i])))
	}
	data, _ := varietyWith(f, Options{}, lives)
	file, err := Bytes(data, "lives")
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range rowMessages(f, file) {
		f.Add(m.Data)
	}
	f.Add([]byte(`{"kind":"Node","op":"patch","name":"\udcff\u0000\ud83d\ude00","node":{"conditions":[{"type":"Ready","status":"True","transition":"past"}],"taints":[{"key":"a","effect":"NoExecute","added":1}]},"patch":"{}","earliest":null}`))
	f.Add([]byte(`{"kind":"Pod","pod":{"key":{"name":"x"},"owner":{},"tolerations":[{"seconds":-1}]},"also":{"line":3}}`))
	f.Add([]byte(`{"kind":"Event","event":{"regarding":{"kind":"Node"},"count":3,"warning":true}}`))
	f.Add([]byte(`{"at":null,"node":{},"pod":{"uid":"x"},"then":[{"after":0.000000001,"node":null,"pod":{"uid":null,"owner":{}},"arrival":"past"},{"pod":{"owner":null}},{"after":9.25}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := rows.Coder{Names: &wire.Names{}}
		var first model.Change
		later, err := c.DecodeRows(data, noon, &first, nil, 100)
		if len(later) > 100 {
			t.Fatalf("%d versions", len(later))
		}
		if err != nil {
			return
		}
		var rows rows.Messages
		all := append([]model.Change{first}, later...)
		for i := range all {
			if i > 0 && all[i].Effective() < all[i-1].Effective() {
				all = all[:i] // no page holds these
				break
			}
			data, into := rows.Encode(&c, &all[i])
			rows.Add(&all[i], data, into, channelPod, 0)
		}
		messages := rows.All()
		if len(messages) != 1 {
			t.Fatalf("%d messages", len(messages))
		}
		read, err := c.DecodeRows(messages[0].Data, messages[0].At, &first, nil, 100)
		if err != nil || len(read) != len(all)-1 {
			t.Fatalf("%s\nbecame %s (%v)", data, messages[0].Data, err)
		}
		for i := range all {
			got := first
			if i > 0 {
				got = read[i-1]
			}
			if !same(got, all[i]) {
				t.Fatalf("%s\nbecame %s\n%d: %+v\n%+v", data, messages[0].Data, i, got, all[i])
			}
		}
	})
}

// FuzzClock reads a reading of the clock; the result, written again, reads back the same.
func FuzzClock(f *testing.F) {
	var c rows.Coder
	for _, r := range clockReadings() {
		f.Add(bytes.Clone(c.Write(func(c *rows.Coder) { c.Clock(&r) })))
	}
	f.Add([]byte(`{"at":"past","from":"2026-11-20T12:00:00Z","to":1,"sleptNanos":0,"serverLeastNanos":9,"serverMostNanos":-9223372036854775808,"more":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c rows.Coder
		r, err := c.ReadClock(data)
		if err != nil {
			return
		}
		again := bytes.Clone(c.Write(func(c *rows.Coder) { c.Clock(&r) }))
		if read, err := c.ReadClock(again); err != nil || read != r {
			t.Fatalf("%s\nbecame %s (%v)\n%+v\n%+v", data, again, err, r, read)
		}
	})
}

// rowMessages are the messages in JSON of a file.
func rowMessages(t testing.TB, f *File) (rows []container.Message) {
	for n := range f.index.chunks {
		records, err := f.readChunk(int32(n), nil)
		if err != nil {
			t.Fatal(err)
		}
		for len(records) > 0 {
			var m container.Message
			if m, records, err = container.NextMessage(records); err != nil {
				t.Fatal(err)
			}
			if m.Channel >= channelNode && m.Channel <= channelChange {
				rows = append(rows, m)
			}
		}
	}
	return rows
}

// FuzzBlock reads columns into a page.
func FuzzBlock(f *testing.F) {
	_, changes, _ := smallRecording(f, true)
	d := columns.NewDictionary()
	var rows []columns.BlockRow
	for i := range changes {
		if r, ok := d.Row(&changes[i], int32(i)); ok {
			rows = append(rows, r)
		}
	}
	var o wire.Writer
	columns.WriteBlock(&o, rows, noon)
	f.Add(o.B)
	f.Add(endlessBlock(40))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b columns.BlockReader
		page := newSlots(len(changes))
		plain := b.Read(data, noon, d.Entries, page)
		page.Into(&history.Condensed{})
		page.Expect(len(changes))
		if condensed := b.Read(data, noon, d.Entries, page); (plain == nil) != (condensed == nil) {
			t.Fatalf("%v, and condensed %v", plain, condensed)
		}
	})
}

// FuzzKeyframe fills a state from a keyframe, and reads all that is in its layer.
func FuzzKeyframe(f *testing.F) {
	_, changes, _ := smallRecording(f, true)
	k, d := snapshots.Follow(), columns.NewDictionary()
	for i := range changes {
		k.Fold(&changes[i])
		d.Row(&changes[i], 0)
	}
	d.Written = len(d.Entries)
	_, head, below, _ := k.Write(len(changes), 0, d)
	f.Add(head, below)
	f.Fuzz(func(t *testing.T, data, below []byte) {
		l, err := snapshots.ReadLayer(wire.Read(below), &wire.Names{})
		if err != nil {
			return
		}
		s, err := snapshots.NewStack([]*snapshots.Layer{l})
		if err != nil {
			return
		}
		c, err := new(snapshots.Reader).State(data, s, d.Entries, &wire.Names{})
		if err != nil {
			numbers, ok := model.NewRowNames(s.Names)
			if !ok {
				return
			}
			c = model.NewClusterOf(numbers, make([]model.NodeRow, len(s.Names)), s)
		}
		for _, p := range c.Pods() {
			if c.Pod(p.Key) == nil {
				t.Fatalf("%v is there, and is not", p.Key)
			}
		}
		c.Rows(func(r *model.NodeRow) bool { r.Events(); return true })
	})
}

// FuzzIndex reads an index; the result, written again, reads back the same.
func FuzzIndex(f *testing.F) {
	data, _, _ := smallRecording(f, true)
	file, err := Bytes(data, "seed")
	if err != nil {
		f.Fatal(err)
	}
	var o wire.Writer
	writeIndex(&o, &file.index, []byte("dictionary"))
	f.Add(o.B)
	f.Fuzz(func(t *testing.T, data []byte) {
		x, dictionary, err := readIndex(wire.Read(data), 1<<20)
		if err != nil {
			return
		}
		var o wire.Writer
		writeIndex(&o, &x, dictionary)
		y, _, err := readIndex(wire.Read(o.B), 1<<20)
		if err != nil || !slices.Equal(x.Readings, y.Readings) || !slices.Equal(x.pages, y.pages) || !slices.Equal(x.keyframes, y.keyframes) || !slices.Equal(x.chunks, y.chunks) {
			t.Fatalf("%v\n%+v\n%+v", err, x, y)
		}
	})
}

// FuzzDictionary reads entries.
func FuzzDictionary(f *testing.F) {
	d := columns.NewDictionary()
	d.Add(columns.Entry{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: "a"}, Lease: model.Lease{Holder: "a", Seconds: 40}})
	d.Add(columns.Entry{Kind: model.KindNode, Key: model.Key{Name: "a"}, Shape: columns.Shape{Node: &model.Node{Conditions: []model.Condition{{Type: "Ready"}}, Taints: []model.Taint{{Key: "k"}}}, Moved: 1}})
	f.Add(d.Message(0))
	f.Fuzz(func(t *testing.T, data []byte) {
		var l columns.DictionaryReader
		_ = l.Read(data, &wire.Names{})
	})
}

// FuzzColumn reads numbers.
func FuzzColumn(f *testing.F) {
	for _, values := range [][]int64{{1, 1, 1}, {5, 900, -3, 7, 1 << 60}, make([]int64, 100)} {
		var o wire.Writer
		columns.WriteColumn(&o, values)
		f.Add(o.B, uint16(len(values)))
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		i := wire.Read(data)
		columns.ReadColumn(i, int(n), nil)
		new(columns.StampColumn).Code(wire.From(i, nil), int(n))
	})
}
