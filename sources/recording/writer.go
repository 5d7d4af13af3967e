package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// Options guide writing.
type Options struct {
	// ArrivalUnit rounds times of arrival up to a multiple of it, and with them the times that rest on them (At, and
	// the end of Time). 0 keeps them exact. A recorder uses a millisecond.
	ArrivalUnit time.Duration
	// Packed makes large pages: fewer bytes, but up to a minute of Changes are in memory and
	// would be lost with the process. It is for what can be written again.
	Packed bool
	// NoKeyframes leaves out the states that make any instant near. It is for short pieces,
	// which are read whole.
	NoKeyframes bool

	page     int // how many Changes a page holds; 0 means livePage or packedPage
	keyframe int // weight between keyframes; 0 means keyframeWeight
}

// How much is kept before it is written.
const (
	// livePage and packedPage are how many Changes a page holds at most.
	livePage   = 8 << 10
	packedPage = 32 << 10
	// pageBytes is how many bytes of JSON a page holds, about, and pageSpan how much time: that
	// much is lost when bits change.
	pageBytes = 2 << 20
	pageSpan  = time.Minute
	// firstRoom is how many Changes a page has room for at first: many recordings are short.
	firstRoom = 256
)

// Writer writes a recording. It asks for no time: its caller calls Flush every few seconds. It belongs to one
// goroutine. After an error every call returns it: everything written before is readable.
type Writer struct {
	sink    *container.Writer
	options Options
	meta    Meta
	file    *onDisk // nil for Create
	err     error

	dictionary *columns.Dictionary
	coder      rows.Coder
	page       pageInWork
	names      wire.Names

	index     index
	last      model.Instant // at which the newest Change takes effect
	covered   model.Interval
	counts    counts
	dirty     bool // coverage or notes since the last page
	keyframes *snapshots.Follower
}

// origin is the key of a count.
type origin struct {
	source  int32
	kind    model.Kind
	quality model.Quality
}

// pageInWork is the page that grows.
type pageInWork struct {
	changes []model.Change        // of which rows point to some
	rows    [2][]columns.BlockRow // leases, node heartbeats
	json    rows.Messages
	notes   []container.Message
	bytes   int
}

// Create begins a recording on w. Flush makes the Changes added so far readable.
func Create(w io.Writer, m Meta, o Options) (*Writer, error) {
	level := zstd.SpeedDefault
	if o.Packed {
		level = zstd.SpeedBetterCompression
	}
	s, err := container.NewWriter(w, m.Tool, level, channels[:])
	if err != nil {
		return nil, fmt.Errorf("cannot begin the recording: %w", err)
	}
	out := &Writer{sink: s, options: o, dictionary: columns.NewDictionary(), last: model.FarPast, counts: counts{}, keyframes: snapshots.Follow()}
	out.coder.Names = &out.names
	if err := out.SetMeta(m); err != nil {
		return nil, err
	}
	// The first chunk also holds the schemas and channels, so that no page begins behind them.
	return out, out.fail(s.Flush())
}

// fail keeps the first error.
func (w *Writer) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("cannot write the recording: %w", err)
	}
	return w.err
}

// SetMeta replaces the recording's description of itself.
func (w *Writer) SetMeta(m Meta) error {
	if w.err != nil {
		return w.err
	}
	fields, text, err := m.fields()
	if err != nil {
		return err
	}
	w.meta, w.index.meta = m, text
	w.page.notes = append(w.page.notes, container.Message{Channel: channelConfig, At: container.LogTime(w.last), Data: text})
	if err := w.sink.Metadata(metaName, fields); err != nil {
		return w.fail(err)
	}
	if w.sink.Chunks() == 0 {
		w.notes()
	}
	return nil
}

// ErrTooLarge reports that a Change is larger than any that a recording holds; nothing was written.
var ErrTooLarge = errors.New("a change of more than 6 MiB was left out of the recording")

// Add appends a Change. It takes effect no earlier than the one before it. The Change is copied; the values it points
// to must not be modified afterwards.
func (w *Writer) Add(ch *model.Change) error {
	if w.err != nil {
		return w.err
	}
	if err := w.listed(ch); err != nil {
		return err
	}
	p := &w.page
	if p.changes == nil {
		p.changes = make([]model.Change, 0, min(w.pageSize(), firstRoom))
	}
	p.changes = append(p.changes, *ch)
	kept := &p.changes[len(p.changes)-1]
	round(kept, w.options.ArrivalUnit)
	if kept.Effective() < w.last {
		kept.At = cmp.Or(w.last, 1) // the instant 0 means "not placed"
	}
	slot := int32(len(p.changes) - 1)
	if row, ok := w.dictionary.Row(kept, slot); ok {
		w.add(row)
	} else {
		data, into := p.json.Encode(&w.coder, kept)
		if len(data) > wire.MaxMessage {
			p.changes = p.changes[:slot]
			return ErrTooLarge
		}
		if p.bytes += len(data); p.bytes > wire.MaxMessage {
			return w.addAlone(kept)
		}
		p.json.Add(kept, data, into, rowChannel(kept.Kind), uint32(w.index.end()+int(slot)))
	}
	w.last = kept.Effective()
	w.count(kept)
	if !w.options.NoKeyframes {
		w.keyframes.Fold(kept)
	}
	if len(p.changes) >= w.pageSize() || p.bytes >= pageBytes || w.last.Sub(p.changes[0].Effective()) >= pageSpan {
		return w.endPage()
	}
	return nil
}

// addAlone ends the page before a Change that would make it too large.
func (w *Writer) addAlone(ch *model.Change) error {
	alone := *ch
	w.page.changes = w.page.changes[:len(w.page.changes)-1]
	if err := w.endPage(); err != nil {
		return err
	}
	return w.Add(&alone)
}

func (w *Writer) pageSize() int {
	switch {
	case w.options.page > 0:
		return w.options.page
	case w.options.Packed:
		return packedPage
	}
	return livePage
}

func (w *Writer) add(r columns.BlockRow) {
	which := 0
	if r.Ch.Kind == model.KindNode {
		which = 1
	}
	w.page.rows[which] = append(w.page.rows[which], r)
}

// round rounds the arrival up, so that what arrived had been written by then.
func round(ch *model.Change, unit time.Duration) {
	if unit <= 1 || !ch.Arrival.Bounded() {
		return
	}
	was := ch.Arrival
	ch.Arrival = was.Add(unit - 1).Truncate(unit)
	if ch.At == was {
		ch.At = ch.Arrival
	}
	if ch.Time.Latest == was {
		ch.Time.Latest = ch.Arrival
	}
	if ch.Time.Earliest == was {
		ch.Time.Earliest = ch.Arrival
	}
}

// count counts a Change for its sources, as sources.Open does.
func (w *Writer) count(ch *model.Change) {
	for i, from := range [...]model.Origin{ch.Origin, ch.Also} {
		if from.Source >= 0 && from.Source < wire.MaxSources && (i == 0 || from != (model.Origin{})) {
			w.counts[origin{from.Source, ch.Kind, ch.Quality}]++
		}
	}
}

// AddGap notes a time of which a source knows nothing.
func (w *Writer) AddGap(g history.Gap) error {
	return addNote(w, &w.index.Blind, g, channelSession, g.Earliest, (*rows.Coder).Gap)
}

// AddMark notes a person's mark.
func (w *Writer) AddMark(m past.Bookmark) error {
	return addNote(w, &w.index.marks, m, channelMark, m.At, (*rows.Coder).Mark)
}

// AddClock notes a reading of the clock that stamps the arrivals.
func (w *Writer) AddClock(r history.ClockReading) error {
	return addNote(w, &w.index.Readings, r, channelClock, r.At, (*rows.Coder).Clock)
}

// AddStatement notes what a component said in its own log.
func (w *Writer) AddStatement(s history.Statement) error {
	return addNote(w, &w.index.Said, s, channelStatement, s.At, (*rows.Coder).Statement)
}

// addNote notes what belongs to no position, in its list of the index and with the next page; of too many
// the last are left out.
func addNote[T any](w *Writer, list *[]T, v T, channel uint16, at model.Instant, describe func(*rows.Coder, *T)) error {
	if len(*list) >= wire.MaxNotes || w.err != nil {
		return w.err
	}
	*list = append(*list, v)
	w.dirty = true
	data := w.coder.Write(func(c *rows.Coder) { describe(c, &v) })
	w.page.notes = append(w.page.notes, container.Message{Channel: channel, At: container.LogTime(at), Data: append([]byte(nil), data...)})
	return nil
}

// Cover extends the coverage to include t, rounded as an arrival is. The first call sets its
// start.
func (w *Writer) Cover(t model.Instant) {
	if unit := w.options.ArrivalUnit; unit > 1 && w.covered.Known() {
		t = t.Add(unit - 1).Truncate(unit)
	}
	if !w.covered.Known() {
		w.covered = model.Exactly(t)
		w.dirty = true
	}
	if t > w.covered.Latest {
		w.covered.Latest = t
		w.dirty = true
	}
}

// BeginAt lets the coverage begin at an instant, and not earlier: the lists with which the record begins have come so far only
// then.
func (w *Writer) BeginAt(t model.Instant) {
	w.Cover(t)
	w.covered.Earliest = max(w.covered.Earliest, min(t, w.covered.Latest))
	w.dirty = true
}

// Flush writes the Changes added since the last one as a chunk of its own, so that a crash loses nothing from before
// it. A file is synced.
func (w *Writer) Flush() error {
	if err := w.endPage(); err != nil {
		return err
	}
	if err := w.endChunk(); err != nil || w.file == nil || w.file.part {
		return err
	}
	return w.fail(cmp.Or(w.file.Sync(), w.file.there()))
}

// endPage hands the page to the chunk.
func (w *Writer) endPage() error {
	if w.err != nil {
		return w.err
	}
	p := &w.page
	if len(p.changes) == 0 && !w.dirty {
		return nil
	}
	w.dirty = false
	// A file that a crash may leave without an index has each entry in two chunks. Without its entry, the rows of an
	// object cannot be read.
	if data := w.dictionary.Next(!w.options.Packed && !w.options.NoKeyframes); data != nil {
		w.sink.Add(container.Message{Channel: channelDictionary, At: container.LogTime(w.last), Data: data})
	}
	w.notes()
	header := pageHeader{Page: history.Page{Start: w.index.end(), End: w.index.end() + len(p.changes)}, coverage: w.covered, counts: w.counts.list()}
	if len(p.changes) > 0 {
		header.First, header.Last = p.changes[0].Effective(), w.last
	}
	clear(w.counts)
	w.index.page(&header, w.sink.Chunks(), w.sink.Size())
	var o wire.Writer
	header.code(wire.To(&o))
	sequence := uint32(header.Start)
	// The page is stamped with its end and blocks with its beginning, so that the chunk covers it all.
	w.sink.Add(container.Message{Channel: channelPage, Sequence: sequence, At: container.LogTime(header.Last), Data: o.B})
	for which, rows := range p.rows {
		if len(rows) > 0 {
			var o wire.Writer
			columns.WriteBlock(&o, rows, header.First)
			w.sink.Add(container.Message{Channel: channelLease + uint16(which), Sequence: sequence, At: container.LogTime(header.First), Data: o.B})
		}
	}
	for _, m := range p.json.All() {
		w.sink.Add(m)
	}
	clear(p.changes)
	*p = pageInWork{changes: p.changes[:0], rows: [2][]columns.BlockRow{p.rows[0][:0], p.rows[1][:0]}}
	if err := w.endChunk(); err != nil {
		return err
	}
	if w.options.NoKeyframes {
		return nil
	}
	return w.keyframe()
}

// notes hands over what belongs to no position.
func (w *Writer) notes() {
	for _, m := range w.page.notes {
		w.sink.Add(m)
	}
	w.page.notes = nil
}

func (w *Writer) endChunk() error {
	if w.err != nil || w.sink.Size() == 0 {
		return w.err
	}
	return w.fail(w.sink.Flush())
}

// Size is how many bytes were written so far.
func (w *Writer) Size() int64 { return w.sink.Written() }

// Close flushes, writes the index, and packs and closes a file that CreateFile made. It does not close the writer given
// to Create. After an error everything flushed before is readable.
func (w *Writer) Close() error {
	if err := w.end(); err != nil {
		return errors.Join(err, w.Abandon())
	}
	w.err = errClosed
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.finish()
}

func (w *Writer) end() error {
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.writeIndex(); err != nil {
		return w.fail(err)
	}
	return w.fail(w.sink.Close())
}

var errClosed = errors.New("the recording is closed")
