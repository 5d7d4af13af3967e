package recording

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/timeline"
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
//	uvarint  gaps, then each: interval, uvarint source, string why
//	uvarint  marks, then each: instant, string note
//	bytes    the whole dictionary, as a message of it
//	uvarint  readings of the clock, then each: bytes, as its message is; files from before there were
//	         any end here
//
// The attachment holds this compressed with zstd.
type index struct {
	meta      []byte
	chunks    []record
	pages     []pageRef
	keyframes []keyframeRef
	coverage  model.Interval
	counts    map[origin]int
	gaps      []timeline.Gap
	marks     []timeline.Mark
	clocks    []timeline.ClockReading
}

// pageRef is where a page lies. chunk is -1 for one that is lost, of which only the positions are
// known.
type pageRef struct {
	timeline.Page
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

// page takes a page in. One without Changes only tells of the coverage.
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

func (o *out) index(x *index, dictionary []byte) {
	o.byte(1)
	o.bytes(x.meta)
	o.uint(uint64(len(x.chunks)))
	at := int64(0)
	for _, c := range x.chunks {
		o.uint(uint64(c.at - at))
		o.uint(uint64(c.end() - c.at))
		at = c.end()
	}
	o.uint(uint64(len(x.pages)))
	var last model.Instant
	for _, p := range x.pages {
		o.uint(uint64(p.chunk))
		o.uint(uint64(p.offset))
		o.uint(uint64(p.End - p.Start))
		o.instant(p.First - last)
		o.instant(p.Last - p.First)
		last = p.Last
	}
	o.uint(uint64(len(x.keyframes)))
	for _, k := range x.keyframes {
		o.uint(uint64(k.chunk))
		o.uint(uint64(k.position))
		o.uint(uint64(k.base))
	}
	o.interval(x.coverage)
	var counts []count
	for k, n := range x.counts {
		counts = append(counts, count{k.source, k.kind, k.quality, n})
	}
	sortCounts(counts)
	o.counts(counts)
	o.uint(uint64(len(x.gaps)))
	for _, g := range x.gaps {
		o.interval(g.Interval)
		o.uint(uint64(g.Source))
		o.string(g.Why)
	}
	o.uint(uint64(len(x.marks)))
	for _, m := range x.marks {
		o.instant(m.At)
		o.string(m.Note)
	}
	o.bytes(dictionary)
	o.uint(uint64(len(x.clocks)))
	var c coder
	for _, r := range x.clocks {
		o.bytes(c.write(func(c *coder) { c.clock(&r) }))
	}
}

var errIndex = errors.New("its index contradicts itself")

// index reads an index and checks that it can be of a file of this size.
func (i *in) index(size int64) (x index, dictionary []byte, err error) {
	if v := i.byte(); v != 1 && i.err == nil {
		return x, nil, errVersion
	}
	x.meta = i.bytes()
	at := int64(0)
	for range i.count(maxChunks) {
		r := record{op: opChunk, at: at + int64(i.small(int(size)))}
		r.length = int64(i.small(int(size))) - recordHead
		if r.length < 0 || r.end() > size {
			return x, nil, errIndex
		}
		x.chunks, at = append(x.chunks, r), r.end()
	}
	var last model.Instant
	for range i.count(maxPages) {
		p := pageRef{chunk: int32(i.small(max(len(x.chunks)-1, 0))), offset: int32(i.small(maxChunk))}
		p.Start = x.end()
		p.End = p.Start + i.small(maxRows)
		p.First = last + i.instant()
		p.Last = p.First + i.instant()
		if i.err == nil && (p.End == p.Start || p.Last < p.First || p.First < x.last() || len(x.chunks) == 0) {
			return x, nil, errIndex
		}
		last = p.Last
		x.pages = append(x.pages, p)
	}
	for range i.count(maxKeyframes) {
		k := keyframeRef{chunk: int32(i.small(max(len(x.chunks)-1, 0))), position: i.small(maxPosition), base: i.small(maxPosition)}
		if n := len(x.keyframes); n > 0 && k.position <= x.keyframes[n-1].position || k.base >= k.position || len(x.chunks) == 0 {
			return x, nil, errIndex
		}
		x.keyframes = append(x.keyframes, k)
	}
	x.coverage = i.interval()
	x.counts = map[origin]int{}
	for _, c := range i.counts() {
		x.counts[origin{c.source, c.kind, c.quality}] = c.n
	}
	for range i.count(maxNotes) {
		x.gaps = append(x.gaps, timeline.Gap{Interval: i.interval(), Source: i.small(maxSources), Why: string(i.bytes())})
	}
	for range i.count(maxNotes) {
		x.marks = append(x.marks, timeline.Mark{At: i.instant(), Note: string(i.bytes())})
	}
	dictionary = i.bytes()
	if len(i.b) > 0 {
		x.clocks, err = i.clocks()
	}
	if err == nil && i.err == nil && int64(x.end()) > perByte*size+1<<20 {
		return x, nil, errTooLarge
	}
	return x, dictionary, cmp.Or(i.err, err)
}

func (i *in) clocks() (clocks []timeline.ClockReading, err error) {
	var c coder
	for range i.count(maxNotes) {
		r, err := c.readClock(i.bytes())
		if err != nil {
			return nil, err
		}
		clocks = append(clocks, r)
	}
	return clocks, nil
}

// writeIndex attaches the index. A file too large for one is read without.
func (w *Writer) writeIndex() error {
	w.index.coverage = w.covered
	w.index.chunks = w.sink.places()
	var o out
	o.index(&w.index, w.dictionary.message(0))
	if len(o.b) > maxChunk || len(w.index.pages) > maxPages || len(w.index.keyframes) > maxKeyframes {
		return nil
	}
	return w.sink.attach(indexName, indexMedia, logTime(w.last), o.b)
}

// findIndex reads the index of a file that was closed; found is false where there is none.
func (f *File) findIndex() (x index, dictionary []byte, found bool, err error) {
	packed, found, err := f.container.attachment(indexName)
	if err != nil || !found {
		return x, nil, found, err
	}
	plain, err := f.container.unpack(packed, maxChunk, nil)
	if err != nil {
		return x, nil, true, err
	}
	i := &in{b: plain}
	if x, dictionary, err = i.index(f.container.size); err != nil {
		err = fmt.Errorf("its index cannot be read: %w", err)
	}
	return x, dictionary, true, err
}
