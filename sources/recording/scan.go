package recording

import (
	"errors"
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/timeline"
)

// scan finds what an index would tell by reading all chunks: of a file that was not closed, or
// whose index is damaged. What is damaged is left out, and noted.
func (f *File) scan() error {
	at := int64(len(magic))
	for at < f.container.size {
		r, err := f.container.record(at)
		if err != nil {
			if at = f.lost(at, at, err); at >= f.container.size {
				break
			}
			continue
		}
		if r.op != opChunk && (f.container.wasChunk(r) || f.container.holdsChunk(r)) || r.op == opFooter && r.length != footerSize || r.op == opDataEnd && r.length != 4 {
			at = f.lost(at, at+1, errFrame)
			continue
		}
		switch r.op {
		case opHeader:
			if err := f.checkProfile(r); err != nil {
				return err
			}
		case opMetadata:
			f.takeMetadata(r)
		case opChunk:
			if err := f.scanChunk(r); err != nil {
				if refused(err) {
					return err
				}
				at = f.lost(at, at+1, err)
				continue
			}
		case opDataEnd, opFooter:
			return nil
		case 0:
			at = f.lost(at, at, errFrame)
			continue
		}
		at = r.end()
	}
	return nil
}

// lost notes a damaged piece and returns where to go on: at the next chunk.
func (f *File) lost(from, after int64, why error) int64 {
	next := f.container.resync(after, f.container.size)
	if next < f.container.size {
		f.problem(from, fmt.Sprintf("%d bytes are damaged (%v); what they held is a gap", next-from, why))
		return next
	}
	tail := f.container.size - from
	if errors.Is(why, errTruncated) {
		f.problem(from, fmt.Sprintf("the recorder was stopped while it wrote: the last %d bytes are lost, with %s", tail, f.timeLost(from)))
	} else {
		f.problem(from, fmt.Sprintf("nothing can be read from here on (%v): the last %d bytes are lost, with %s", why, tail, f.timeLost(from)))
	}
	return next
}

// timeLost is how much time is lost with a chunk that is not whole, as far as its head tells.
func (f *File) timeLost(at int64) string {
	end := f.index.coverage.Latest
	if !end.Bounded() {
		return "all that was heard"
	}
	if told := f.container.announced(at); told.Bounded() && told >= end {
		return fmt.Sprintf("%v after %s", told.Sub(end).Round(time.Millisecond), end)
	}
	return fmt.Sprintf("an unknown time after %s", end)
}

func (f *File) checkProfile(r record) error {
	body, err := f.container.body(r, 1<<12)
	if err != nil {
		return nil // its bits may have changed; what follows will tell
	}
	if name, _, ok := prefixed(body); ok && string(name) != profileName && f.index.end() == 0 {
		return fmt.Errorf("an MCAP file with profile %q, and no recording by Kardia", name)
	}
	return nil
}

// takeMetadata reads a metadata record. No checksum protects it: the chunk that follows says the
// same and counts; this is for the case that it is lost.
func (f *File) takeMetadata(r record) {
	body, err := f.container.body(r, 2*maxMeta)
	if err != nil {
		return
	}
	name, rest, ok := prefixed(body)
	if !ok || string(name) != metaName || len(rest) < 4 {
		return
	}
	rest = rest[4:]
	for len(rest) > 0 {
		key, value, ok := prefixed(rest)
		if !ok {
			break
		}
		if value, rest, ok = prefixed(value); !ok {
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
func (f *File) scanChunk(r record) error {
	if len(f.index.chunks) >= maxChunks {
		return errTooLarge
	}
	records, err := f.container.chunk(r, nil)
	if err != nil {
		return err
	}
	chunk := len(f.index.chunks)
	f.index.chunks = append(f.index.chunks, r)
	for rest := records; len(rest) > 0; {
		offset := len(records) - len(rest)
		var m message
		if m, rest, err = nextMessage(rest); err != nil {
			return err
		}
		// Records that are no messages stand before it; the page begins with its own.
		if m.channel != 0 {
			offset = len(records) - len(rest) - len(m.data) - messageHead - recordHead
		}
		if err := f.scanMessage(m, chunk, offset); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) scanMessage(m message, chunk, offset int) error {
	switch m.channel {
	case channelDictionary:
		return f.words.read(m.data, &f.names)
	case channelPage:
		i := &in{b: m.data}
		p := i.pageHeader()
		if i.err != nil {
			return i.err
		}
		return f.addPage(&p, chunk, offset)
	case channelKeyframe:
		i := &in{b: m.data}
		f.scanned = i.keyframeHead()
		now := i.instant()
		if f.scanned.chunk = int32(chunk); i.err != nil {
			f.scanned = keyframeRef{}
			return nil
		}
		if at := f.scanned.position; at > f.index.end() { // what came right before it is lost
			p := pageHeader{Page: timeline.Page{Start: at, End: at, First: now, Last: now}, coverage: f.index.coverage}
			return f.addPage(&p, chunk, offset)
		}
	case channelLayer:
		i := &in{b: m.data}
		position, base := i.layerHead()
		if ref := f.scanned; i.err == nil && len(f.index.keyframes) < maxKeyframes && position == f.index.end() && ref == (keyframeRef{position, base, int32(chunk - 1)}) {
			f.index.keyframes = append(f.index.keyframes, ref)
		}
	case channelConfig:
		meta, err := readMeta(m.data)
		if err != nil {
			return err
		}
		f.meta = meta
	case channelSession:
		var g timeline.Gap
		if err := f.coder.read(m.data, func(c *coder) { c.gap(&g) }); err != nil {
			return err
		}
		if len(f.index.gaps) < maxNotes {
			f.index.gaps = append(f.index.gaps, g)
		}
	case channelMark:
		var mark timeline.Mark
		if err := f.coder.read(m.data, func(c *coder) { c.mark(&mark) }); err != nil {
			return err
		}
		if len(f.index.marks) < maxNotes {
			f.index.marks = append(f.index.marks, mark)
		}
	case channelClock:
		r, err := f.coder.readClock(m.data)
		if err != nil {
			return err
		}
		if len(f.index.clocks) < maxNotes {
			f.index.clocks = append(f.index.clocks, r)
		}
	}
	return nil
}

// addPage takes in a page. Positions that no page holds were in a chunk that is lost.
func (f *File) addPage(p *pageHeader, chunk, offset int) error {
	x := &f.index
	end := x.end()
	switch {
	case len(x.pages) >= maxPages, p.Start-end > maxLost, int64(p.End) > perByte*f.container.size+1<<20:
		return errTooLarge
	case p.Start < end, p.End > p.Start && (p.First < x.last() || p.Last < p.First):
		return errOrder
	}
	if p.Start > end {
		f.problem(f.index.chunks[chunk].at, fmt.Sprintf("%d changes before here are lost; their time is a gap", p.Start-end))
		first := max(x.last(), min(f.index.coverage.Latest, p.First))
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
		stop := min(end, x.end()+maxRows)
		x.pages = append(x.pages, pageRef{timeline.Page{Start: x.end(), End: stop, First: first, Last: max(first, last)}, -1, 0})
		first = max(first, last)
	}
	f.holes = append(f.holes, model.Interval{Earliest: x.pages[len(x.pages)-1].First, Latest: max(first, last)})
}

const whyLost = "a part of the recording is damaged"
