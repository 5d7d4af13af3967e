package recording

import (
	"errors"
	"fmt"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// index is what must be known of a file before a page of it is read. A Writer writes it at the end, as an attachment that
// is compressed with zstd. If there is none, it is found by reading all chunks. Its layout is that of code.
type index struct {
	history.Info // of the sources only once the file is open
	meta         []byte
	chunks       []container.Record
	pages        []pageRef
	keyframes    []snapshots.Ref
	counts       counts
	marks        []past.Bookmark
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
	x.Covers = p.coverage
	if x.counts == nil {
		x.counts = counts{}
	}
	for _, c := range p.counts {
		x.counts[c.origin] += c.n
	}
	if p.End > p.Start {
		x.pages = append(x.pages, pageRef{p.Page, int32(chunk), int32(offset)})
	}
}

const (
	indexName  = "kardia.index"
	indexMedia = "application/x-kardia-index"
)

var errIndex = errors.New("its index contradicts itself")

// code writes or reads an index, with the dictionary as a message. An index that is read must be possible for a file of
// this size.
func (x *index) code(c *wire.Codec, size int64, dictionary *[]byte) error {
	c.Version(1)
	c.Blob(&x.meta)
	at := int64(0)
	wire.List(c, &x.chunks, wire.MaxChunks, func(c *wire.Codec, r *container.Record) {
		gap, length := int(r.At-at), int(r.End()-r.At)
		wire.AtMost(c, int(size), &gap, &length)
		*r = container.Record{Op: container.OpChunk, At: at + int64(gap), Length: int64(length) - container.RecordHead}
		if at = r.End(); r.Length < 0 || at > size {
			c.Fail(errIndex)
		}
	})
	lastChunk := int32(max(len(x.chunks)-1, 0))
	var before history.Page
	wire.List(c, &x.pages, wire.MaxPages, func(c *wire.Codec, p *pageRef) {
		n, first, length := p.End-p.Start, p.First-before.Last, p.Last-p.First
		wire.AtMost(c, int(lastChunk), &p.chunk)
		wire.AtMost(c, wire.MaxChunk, &p.offset)
		wire.AtMost(c, wire.MaxRows, &n)
		c.Instant(&first, &length)
		p.Page = history.Page{Start: before.End, End: before.End + n, First: before.Last + first, Last: before.Last + first + length}
		if n == 0 || p.Last < p.First || before.End > 0 && p.First < before.Last || len(x.chunks) == 0 {
			c.Fail(errIndex)
		}
		before = p.Page
	})
	position := -1
	wire.List(c, &x.keyframes, wire.MaxKeyframes, func(c *wire.Codec, k *snapshots.Ref) {
		wire.AtMost(c, int(lastChunk), &k.Chunk)
		wire.AtMost(c, wire.MaxPosition, &k.Position, &k.Base)
		if k.Position <= position || k.Base >= k.Position || len(x.chunks) == 0 {
			c.Fail(errIndex)
		}
		position = k.Position
	})
	c.Interval(&x.Covers)
	x.codeCounts(c)
	wire.List(c, &x.Blind, wire.MaxNotes, func(c *wire.Codec, g *history.Gap) {
		c.Interval(&g.Interval)
		wire.AtMost(c, wire.MaxSources, &g.Source)
		wire.Text(c, &g.Why)
		c.Bool(&g.Between, &g.Unlisted, &g.Possible)
	})
	wire.List(c, &x.marks, wire.MaxNotes, func(c *wire.Codec, m *past.Bookmark) {
		c.Instant(&m.At)
		wire.Text(c, &m.Note)
	})
	c.Blob(dictionary)
	// Older files have no readings of the clock, or no statements.
	if !c.AtEnd() {
		codeNotes(c, &x.Readings, (*rows.Coder).Clock, (*rows.Coder).ReadClock)
	}
	if !c.AtEnd() {
		codeNotes(c, &x.Said, (*rows.Coder).Statement, (*rows.Coder).ReadStatement)
	}
	if c.Reading() && c.Err() == nil && int64(x.end()) > wire.PerByte*size+1<<20 {
		return wire.ErrTooLarge
	}
	return c.Err()
}

func (x *index) codeCounts(c *wire.Codec) {
	list := x.counts.list()
	if codeCounts(c, &list); c.Reading() {
		x.counts = counts{}
		for _, n := range list {
			x.counts[n.origin] = n.n
		}
	}
}

// codeNotes writes or reads notes as their messages are.
func codeNotes[T any](c *wire.Codec, notes *[]T, describe func(*rows.Coder, *T), read func(*rows.Coder, []byte) (T, error)) {
	var coder rows.Coder
	wire.List(c, notes, wire.MaxNotes, func(c *wire.Codec, v *T) {
		var message []byte
		if !c.Reading() {
			message = coder.Write(func(o *rows.Coder) { describe(o, v) })
		}
		if c.Blob(&message); c.Reading() {
			var err error
			if *v, err = read(&coder, message); err != nil {
				c.Fail(err)
			}
		}
	})
}

// writeIndex attaches the index. A file too large for one is read without.
func (w *Writer) writeIndex() error {
	w.index.Covers = w.covered
	w.index.chunks = w.sink.ChunkRecords()
	var o wire.Writer
	dictionary := w.dictionary.Message(0)
	if err := w.index.code(wire.To(&o), 0, &dictionary); err != nil {
		return err
	}
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
	if err = x.code(wire.From(i, nil), f.container.Size, &dictionary); err != nil {
		err = fmt.Errorf("its index cannot be read: %w", err)
	}
	return x, dictionary, true, err
}
