package recording

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// index is what must be known of a file before a page of it is read. A Writer writes it at the end, as
// an attachment; where there is none, it is found by reading all chunks.
//
//	byte     1
//	bytes    metadata, as JSON
//	uvarint  chunks, then each: uvarint offset against the end of the one before, uvarint length,
//	         both with the head of the record
//	uvarint  pages, then each: uvarint chunk, uvarint offset in it, uvarint Changes, instants first
//	         against the last of the page before, and last against first
//	uvarint  keyframes, then each: uvarint chunk, uvarint position, uvarint position of its base
//	interval coverage
//	counts   as in the head of a page
//	uvarint  gaps, then each: interval, uvarint source, string why, three bools: between, unlisted,
//	         possible
//	uvarint  marks, then each: instant, string note
//	bytes    the whole dictionary, as a message of it
//	uvarint  readings of the clock, then each: bytes, as its message is; files from before there were
//	         any end here
//	uvarint  statements of logs, then each: bytes, as its message is; files from before there were any
//	         end here
//
// The attachment holds this compressed with zstd.
type index struct {
	meta      []byte
	chunks    []container.Record
	pages     []pageRef
	keyframes []snapshots.Ref
	coverage  model.Interval
	counts    map[origin]int
	gaps      []history.Gap
	marks     []past.Bookmark
	clocks    []history.ClockReading
	said      []history.Statement
}

// pageRef is the place of a page. chunk is -1 for one that is lost, of which only the positions are known.
type pageRef struct {
	history.Page
	chunk, offset int32
}

// end is the position after the last Change.
func (x *index) end() int {
	if n := len(x.pages); n > 0 {
		return x.pages[n-1].End
	}
	return 0
}

// last is the instant at which the last Change takes effect.
func (x *index) last() model.Instant {
	if n := len(x.pages); n > 0 {
		return x.pages[n-1].Last
	}
	return model.FarPast
}

// page takes a page in. One without Changes only extends the coverage.
func (x *index) page(p *pageHeader, chunk, offset int) {
	x.coverage = p.coverage
	if x.counts == nil {
		x.counts = map[origin]int{}
	}
	for _, c := range p.counts {
		x.counts[origin{c.source, c.kind, c.quality}] += c.n
	}
	if p.End > p.Start {
		x.pages = append(x.pages, pageRef{p.Page, int32(chunk), int32(offset)})
	}
}

func sortCounts(counts []count) {
	slices.SortFunc(counts, func(a, b count) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.kind, b.kind), cmp.Compare(a.quality, b.quality))
	})
}

const (
	indexName  = "kardia.index"
	indexMedia = "application/x-kardia-index"
)

func writeIndex(o *wire.Writer, x *index, dictionary []byte) {
	o.Byte(1)
	o.Blob(x.meta)
	o.Uint(uint64(len(x.chunks)))
	at := int64(0)
	for _, c := range x.chunks {
		o.Uint(uint64(c.At - at))
		o.Uint(uint64(c.End() - c.At))
		at = c.End()
	}
	o.Uint(uint64(len(x.pages)))
	var last model.Instant
	for _, p := range x.pages {
		o.Uint(uint64(p.chunk))
		o.Uint(uint64(p.offset))
		o.Uint(uint64(p.End - p.Start))
		o.Instant(p.First - last)
		o.Instant(p.Last - p.First)
		last = p.Last
	}
	o.Uint(uint64(len(x.keyframes)))
	for _, k := range x.keyframes {
		o.Uint(uint64(k.Chunk))
		o.Uint(uint64(k.Position))
		o.Uint(uint64(k.Base))
	}
	o.Interval(x.coverage)
	var counts []count
	for k, n := range x.counts {
		counts = append(counts, count{k.source, k.kind, k.quality, n})
	}
	sortCounts(counts)
	writeCounts(o, counts)
	o.Uint(uint64(len(x.gaps)))
	for _, g := range x.gaps {
		o.Interval(g.Interval)
		o.Uint(uint64(g.Source))
		o.Text(g.Why)
		o.Bool(g.Between)
		o.Bool(g.Unlisted)
		o.Bool(g.Possible)
	}
	o.Uint(uint64(len(x.marks)))
	for _, m := range x.marks {
		o.Instant(m.At)
		o.Text(m.Note)
	}
	o.Blob(dictionary)
	o.Uint(uint64(len(x.clocks)))
	var c rows.Coder
	for _, r := range x.clocks {
		o.Blob(c.Write(func(c *rows.Coder) { c.Clock(&r) }))
	}
	o.Uint(uint64(len(x.said)))
	for _, s := range x.said {
		o.Blob(c.Write(func(c *rows.Coder) { c.Statement(&s) }))
	}
}

var errIndex = errors.New("its index contradicts itself")

// readIndex reads an index and checks that it can be of a file of this size.
func readIndex(i *wire.Reader, size int64) (x index, dictionary []byte, err error) {
	if v := i.Byte(); v != 1 && i.Err == nil {
		return x, nil, wire.ErrVersion
	}
	x.meta = i.Blob()
	at := int64(0)
	for range i.Count(wire.MaxChunks) {
		r := container.Record{Op: container.OpChunk, At: at + int64(i.AtMost(int(size)))}
		r.Length = int64(i.AtMost(int(size))) - container.RecordHead
		if r.Length < 0 || r.End() > size {
			return x, nil, errIndex
		}
		x.chunks, at = append(x.chunks, r), r.End()
	}
	var last model.Instant
	for range i.Count(wire.MaxPages) {
		p := pageRef{chunk: int32(i.AtMost(max(len(x.chunks)-1, 0))), offset: int32(i.AtMost(wire.MaxChunk))}
		p.Start = x.end()
		p.End = p.Start + i.AtMost(wire.MaxRows)
		p.First = last + i.Instant()
		p.Last = p.First + i.Instant()
		if i.Err == nil && (p.End == p.Start || p.Last < p.First || p.First < x.last() || len(x.chunks) == 0) {
			return x, nil, errIndex
		}
		last = p.Last
		x.pages = append(x.pages, p)
	}
	for range i.Count(wire.MaxKeyframes) {
		k := snapshots.Ref{Chunk: int32(i.AtMost(max(len(x.chunks)-1, 0))), Position: i.AtMost(wire.MaxPosition), Base: i.AtMost(wire.MaxPosition)}
		if n := len(x.keyframes); n > 0 && k.Position <= x.keyframes[n-1].Position || k.Base >= k.Position || len(x.chunks) == 0 {
			return x, nil, errIndex
		}
		x.keyframes = append(x.keyframes, k)
	}
	x.coverage = i.Interval()
	x.counts = map[origin]int{}
	for _, c := range readCounts(i) {
		x.counts[origin{c.source, c.kind, c.quality}] = c.n
	}
	for range i.Count(wire.MaxNotes) {
		x.gaps = append(x.gaps, history.Gap{Interval: i.Interval(), Source: i.AtMost(wire.MaxSources), Why: string(i.Blob()),
			Between: i.Bool(), Unlisted: i.Bool(), Possible: i.Bool()})
	}
	for range i.Count(wire.MaxNotes) {
		x.marks = append(x.marks, past.Bookmark{At: i.Instant(), Note: string(i.Blob())})
	}
	dictionary = i.Blob()
	if len(i.B) > 0 {
		x.clocks, err = readNotes(i, (*rows.Coder).ReadClock)
	}
	if err == nil && len(i.B) > 0 {
		x.said, err = readNotes(i, (*rows.Coder).ReadStatement)
	}
	if err == nil && i.Err == nil && int64(x.end()) > wire.PerByte*size+1<<20 {
		return x, nil, wire.ErrTooLarge
	}
	return x, dictionary, cmp.Or(i.Err, err)
}

func readNotes[T any](i *wire.Reader, read func(*rows.Coder, []byte) (T, error)) (notes []T, err error) {
	var c rows.Coder
	for range i.Count(wire.MaxNotes) {
		note, err := read(&c, i.Blob())
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}

// writeIndex attaches the index. A file too large for one is read without.
func (w *Writer) writeIndex() error {
	w.index.coverage = w.covered
	w.index.chunks = w.sink.ChunkRecords()
	var o wire.Writer
	writeIndex(&o, &w.index, w.dictionary.Message(0))
	if len(o.B) > wire.MaxChunk || len(w.index.pages) > wire.MaxPages || len(w.index.keyframes) > wire.MaxKeyframes {
		return nil
	}
	return w.sink.Attach(indexName, indexMedia, container.LogTime(w.last), o.B)
}

// findIndex reads the index of a file that was closed; found is false if there is none.
func (f *File) findIndex() (x index, dictionary []byte, found bool, err error) {
	packed, found, err := f.container.Attachment(indexName)
	if err != nil || !found {
		return x, nil, found, err
	}
	plain, err := f.container.Unpack(packed, wire.MaxChunk, nil)
	if err != nil {
		return x, nil, true, err
	}
	i := wire.Read(plain)
	if x, dictionary, err = readIndex(i, f.container.Size); err != nil {
		err = fmt.Errorf("its index cannot be read: %w", err)
	}
	return x, dictionary, true, err
}
