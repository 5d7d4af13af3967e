package container

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// written is a file of two chunks, and where they begin.
func written(t *testing.T) (data []byte, chunks []Record) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, "test", zstd.SpeedFastest, []Channel{{ID: 1, Topic: "a", Encoding: EncodingJSON, Schema: "s", Description: "{}"}})
	if err != nil {
		t.Fatal(err)
	}
	for k, text := range []string{"first", "second"} {
		w.Add(Message{Channel: 1, Sequence: uint32(k), At: 100, Data: bytes.Repeat([]byte(text), 50)})
		w.Add(Message{Channel: 1, Sequence: uint32(k), At: 200, Data: []byte(text)})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Attach("index", "application/octet-stream", 200, []byte("where things are")); err != nil {
		t.Fatal(err)
	}
	chunks = w.ChunkRecords()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Chunks() != 2 || len(chunks) != 2 {
		t.Fatalf("%d chunks, %d records", w.Chunks(), len(chunks))
	}
	return out.Bytes(), chunks
}

func open(data []byte) *File { return NewFile(bytes.NewReader(data), int64(len(data))) }

func TestWhatWasWrittenIsRead(t *testing.T) {
	data, chunks := written(t)
	f := open(data)
	if !Sniff(data) {
		t.Error("it does not begin as MCAP")
	}
	for k, text := range []string{"first", "second"} {
		r, err := f.Record(chunks[k].At)
		if err != nil || r != chunks[k] {
			t.Fatalf("%+v (%v), want %+v", r, err, chunks[k])
		}
		records, err := f.Chunk(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		long, rest, err := NextMessage(records)
		if err != nil || len(long.Data) != 50*len(text) || long.At != 100 {
			t.Errorf("%+v, %v", long, err)
		}
		short, rest, err := NextMessage(rest)
		if err != nil || string(short.Data) != text || short.Sequence != uint32(k) || short.At != 200 {
			t.Errorf("%+v, %v", short, err)
		}
		if end, _, err := NextMessage(rest); end.Channel != 0 || err != nil {
			t.Errorf("behind the last: %+v, %v", end, err)
		}
	}
	packed, found, err := f.Attachment("index")
	if err != nil || !found {
		t.Fatal(found, err)
	}
	if index, err := f.Unpack(packed, 100, nil); string(index) != "where things are" || err != nil {
		t.Errorf("%q, %v", index, err)
	}
	if _, found, err := f.Attachment("another"); found || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// TestDamage: a chunk of which a bit has changed is refused, unless it holds the same all the same; and the
// next one is found without it.
func TestDamage(t *testing.T) {
	data, chunks := written(t)
	whole, err := open(data).Chunk(chunks[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := chunks[0].At + RecordHead; at < chunks[0].End(); at++ {
		torn := bytes.Clone(data)
		torn[at] ^= 0x10
		got, err := open(torn).Chunk(chunks[0], nil)
		if err != nil {
			refused++
		} else if !bytes.Equal(got, whole) {
			t.Errorf("byte %d has changed, and nobody saw it", at)
		}
	}
	if refused < int(chunks[0].Length)/2 {
		t.Errorf("only %d changes of %d bytes were seen", refused, chunks[0].Length)
	}
	torn := bytes.Clone(data)
	torn[chunks[0].At+1] ^= 0xff // its length
	f := open(torn)
	if next := f.Resync(chunks[0].At+1, f.Size); next != chunks[1].At {
		t.Errorf("the next chunk is at %d, and found at %d", chunks[1].At, next)
	}
	for n := range data {
		f := open(data[:n])
		if _, err := f.Record(chunks[1].At); (err == nil) != (int64(n) >= chunks[1].End()) {
			t.Errorf("of %d bytes the second chunk, which ends at %d: %v", n, chunks[1].End(), err)
		}
	}
}
