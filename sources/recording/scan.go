package recording

import (
	"errors"
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// scan rebuilds the index by reading all chunks, for a file that was not closed, or whose index is damaged. Damaged
// parts are left out, and noted.
func (f *File) scan() error {
	at := int64(len(container.Magic))
	for at < f.container.Size {
		r, err := f.container.Record(at)
		if err != nil {
			if at = f.lost(at, at, err); at >= f.container.Size {
				break
			}
			continue
		}
		if r.Op != container.OpChunk && (f.container.WasChunk(r) || f.container.HoldsChunk(r)) || r.Op == container.OpFooter && r.Length != container.FooterSize || r.Op == container.OpDataEnd && r.Length != 4 {
			at = f.lost(at, at+1, container.ErrFrame)
			continue
		}
		switch r.Op {
		case container.OpHeader:
			if err := f.checkProfile(r); err != nil {
				return err
			}
		case container.OpMetadata:
			f.takeMetadata(r)
		case container.OpChunk:
			if err := f.scanChunk(r); err != nil {
				if refused(err) {
					return err
				}
				at = f.lost(at, at+1, err)
				continue
			}
		case container.OpDataEnd, container.OpFooter:
			return nil
		case 0:
			at = f.lost(at, at, container.ErrFrame)
			continue
		}
		at = r.End()
	}
	return nil
}

// lost notes a damaged piece and returns where to go on: at the next chunk.
func (f *File) lost(from, after int64, why error) int64 {
	next := f.container.Resync(after, f.container.Size)
	if next < f.container.Size {
		f.problem(from, fmt.Sprintf("%d bytes are damaged (%v); their contents are a gap", next-from, why))
		return next
	}
	tail := f.container.Size - from
	if errors.Is(why, container.ErrTruncated) {
		f.problem(from, fmt.Sprintf("the recorder was stopped while it wrote: the last %d bytes are lost, with %s", tail, f.timeLost(from)))
	} else {
		f.problem(from, fmt.Sprintf("nothing can be read from here on (%v): the last %d bytes are lost, with %s", why, tail, f.timeLost(from)))
	}
	return next
}

// timeLost is how much time is lost with a chunk that is not whole, as far as its head shows.
func (f *File) timeLost(at int64) string {
	end := f.index.Covers.Latest
	if !end.Bounded() {
		return "all that was heard"
	}
	if told := f.container.Announced(at); told.Bounded() && told >= end {
		return fmt.Sprintf("%v after %s", told.Sub(end).Round(time.Millisecond), end)
	}
	return fmt.Sprintf("an unknown time after %s", end)
}

func (f *File) checkProfile(r container.Record) error {
	body, err := f.container.Body(r, 1<<12)
	if err != nil {
		return nil // its bits may have changed; the next records will show
	}
	if name, _, ok := container.Prefixed(body); ok && string(name) != container.ProfileName && f.index.end() == 0 {
		return fmt.Errorf("an MCAP file with profile %q, and no recording by Kardia", name)
	}
	return nil
}

// takeMetadata reads a metadata record. No checksum protects it: the chunk that follows has the same and counts. This
// is for the case that the chunk is lost.
func (f *File) takeMetadata(r container.Record) {
	body, err := f.container.Body(r, 2*wire.MaxMeta)
	if err != nil {
		return
	}
	name, rest, ok := container.Prefixed(body)
	if !ok || string(name) != metaName || len(rest) < 4 {
		return
	}
	rest = rest[4:]
	for len(rest) > 0 {
		key, value, ok := container.Prefixed(rest)
		if !ok {
			break
		}
		if value, rest, ok = container.Prefixed(value); !ok {
			break
		}
		if string(key) == "meta" {
			if m, err := readMeta(value); err == nil {
				f.meta = m
			}
		}
	}
}

// scanChunk takes in what a chunk holds. A chunk counts as a whole or not at all.
func (f *File) scanChunk(r container.Record) error {
	if len(f.index.chunks) >= wire.MaxChunks {
		return wire.ErrTooLarge
	}
	records, err := f.container.Chunk(r, nil)
	if err != nil {
		return err
	}
	chunk := len(f.index.chunks)
	f.index.chunks = append(f.index.chunks, r)
	for rest := records; len(rest) > 0; {
		offset := len(records) - len(rest)
		var m container.Message
		if m, rest, err = container.NextMessage(rest); err != nil {
			return err
		}
		// Records that are no messages come before it; the page begins with its own.
		if m.Channel != 0 {
			offset = len(records) - len(rest) - len(m.Data) - container.MessageHead - container.RecordHead
		}
		if err := f.scanMessage(m, chunk, offset); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) scanMessage(m container.Message, chunk, offset int) error {
	switch m.Channel {
	case channelDictionary:
		return f.words.Read(m.Data, &f.names)
	case channelPage:
		i := wire.Read(m.Data)
		p := readPageHeader(i)
		if i.Err != nil {
			return i.Err
		}
		return f.addPage(&p, chunk, offset)
	case channelKeyframe:
		i := wire.Read(m.Data)
		f.scanned = snapshots.ReadHead(i)
		var now model.Instant
		wire.From(i, nil).Instant(&now)
		if f.scanned.Chunk = int32(chunk); i.Err != nil {
			f.scanned = snapshots.Ref{}
			return nil
		}
		if at := f.scanned.Position; at > f.index.end() { // the Changes right before it are lost
			p := pageHeader{Page: history.Page{Start: at, End: at, First: now, Last: now}, coverage: f.index.Covers}
			return f.addPage(&p, chunk, offset)
		}
	case channelLayer:
		i := wire.Read(m.Data)
		ref := snapshots.ReadLayerHead(i)
		ref.Chunk = int32(chunk - 1)
		if i.Err == nil && len(f.index.keyframes) < wire.MaxKeyframes && ref.Position == f.index.end() && ref == f.scanned {
			f.index.keyframes = append(f.index.keyframes, ref)
		}
	case channelConfig:
		meta, err := readMeta(m.Data)
		if err != nil {
			return err
		}
		f.meta = meta
	default:
		return f.scanNote(m)
	}
	return nil
}

// scanNote reads the records beside the Changes: gaps, marks, looks at the clock, statements. At most wire.MaxNotes of
// each are kept.
func (f *File) scanNote(m container.Message) (err error) {
	x := &f.index
	switch m.Channel {
	case channelSession:
		var g history.Gap
		err = f.coder.Read(m.Data, func(c *rows.Coder) { c.Gap(&g) })
		x.Blind = appendNote(x.Blind, g, err)
	case channelMark:
		var mark past.Bookmark
		err = f.coder.Read(m.Data, func(c *rows.Coder) { c.Mark(&mark) })
		x.marks = appendNote(x.marks, mark, err)
	case channelClock:
		var r history.ClockReading
		r, err = f.coder.ReadClock(m.Data)
		x.Readings = appendNote(x.Readings, r, err)
	case channelStatement:
		var said history.Statement
		said, err = f.coder.ReadStatement(m.Data)
		x.Said = appendNote(x.Said, said, err)
	}
	return err
}

// appendNote is a list with a note that could be read, if there is room.
func appendNote[T any](list []T, note T, err error) []T {
	if err != nil || len(list) >= wire.MaxNotes {
		return list
	}
	return append(list, note)
}

// addPage takes in a page. Positions that no page holds were in a chunk that is lost.
func (f *File) addPage(p *pageHeader, chunk, offset int) error {
	x := &f.index
	end := x.end()
	switch {
	case len(x.pages) >= wire.MaxPages, p.Start-end > maxLost, int64(p.End) > wire.PerByte*f.container.Size+1<<20:
		return wire.ErrTooLarge
	case p.Start < end, p.End > p.Start && (p.First < x.last() || p.Last < p.First):
		return wire.ErrOrder
	}
	if p.Start > end {
		f.problem(f.index.chunks[chunk].At, fmt.Sprintf("%d changes before here are lost; their time is a gap", p.Start-end))
		first := max(x.last(), min(f.index.Covers.Latest, p.First))
		if p.End == p.Start {
			p.First = first
		}
		f.addLost(p.Start, first, p.First)
	}
	x.page(p, chunk, offset)
	return nil
}

// maxLost is how many Changes may be lost between two pages: more is no truth.
const maxLost = 1 << 22

// addLost fills positions of which nothing is known up to an end.
func (f *File) addLost(end int, first, last model.Instant) {
	x := &f.index
	first = max(first, x.last())
	for x.end() < end {
		stop := min(end, x.end()+wire.MaxRows)
		x.pages = append(x.pages, pageRef{history.Page{Start: x.end(), End: stop, First: first, Last: max(first, last)}, -1, 0})
		first = max(first, last)
	}
	f.holes = append(f.holes, model.Interval{Earliest: x.pages[len(x.pages)-1].First, Latest: max(first, last)})
}

const whyLost = "a part of the recording is damaged"
