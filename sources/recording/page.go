package recording

import (
	"errors"
	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/wire"
)

// A page is the unit of writing and reading: a run of Changes. It begins with a header, and holds a block for each kind
// of heartbeat and a row for every other Change.

// pageHeader begins a page.
//
//	byte     1
//	uvarint  position of the first Change, uvarint how many
//	instant  at which the first takes effect, and the last
//	interval coverage so far
//	uvarint  counts, then each: uvarint source, byte kind, byte quality, uvarint Changes
type pageHeader struct {
	history.Page
	coverage model.Interval
	counts   []count
}

// count is how many Changes of a kind and quality came from a source.
type count struct {
	source  int32
	kind    model.Kind
	quality model.Quality
	n       int
}

func writePageHeader(o *wire.Writer, p *pageHeader) {
	o.Byte(1)
	o.Uint(uint64(p.Start))
	o.Uint(uint64(p.End - p.Start))
	o.Instant(p.First)
	o.Instant(p.Last)
	o.Interval(p.coverage)
	writeCounts(o, p.counts)
}

func writeCounts(o *wire.Writer, counts []count) {
	o.Uint(uint64(len(counts)))
	for _, c := range counts {
		o.Uint(uint64(c.source))
		o.Byte(byte(c.kind))
		o.Byte(byte(c.quality))
		o.Uint(uint64(c.n))
	}
}

func readPageHeader(i *wire.Reader) (p pageHeader) {
	if v := i.Byte(); v != 1 && i.Err == nil {
		i.Fail(wire.ErrVersion)
	}
	p.Start = i.AtMost(wire.MaxPosition)
	p.End = p.Start + i.AtMost(wire.MaxRows)
	p.First, p.Last = i.Instant(), i.Instant()
	p.coverage = i.Interval()
	p.counts = readCounts(i)
	return p
}

func readCounts(i *wire.Reader) (counts []count) {
	for range i.Count(wire.MaxCounts) {
		counts = append(counts, count{int32(i.AtMost(wire.MaxSources)), model.Kind(i.Byte()), model.Quality(i.Byte()), i.AtMost(wire.MaxPosition)})
	}
	return counts
}

// readPage decodes the page whose header is the first of the messages; the next page's header, or the
// end of the messages, ends it.
func (f *File) readPage(messages []byte, page *columns.Slots) (pageHeader, error) {
	head, rest, err := container.NextMessage(messages)
	if err != nil {
		return pageHeader{}, err
	}
	i := wire.Read(head.Data)
	header := readPageHeader(i)
	if head.Channel != channelPage || i.Err != nil {
		return header, errPage
	}
	f.coder.Items = 0
	size := 0
	page.Expect(header.End - header.Start)
	later := f.later[:0]
	for len(rest) > 0 {
		var m container.Message
		if m, rest, err = container.NextMessage(rest); err != nil {
			return header, err
		}
		if m.Channel == channelKeyframe || m.Channel == channelLayer {
			break // they are in chunks of their own
		}
		if size += len(m.Data); size > 2*wire.MaxMessage {
			return header, wire.ErrTooLarge
		}
		switch m.Channel {
		case channelPage:
			rest = nil
		case channelLease, channelHeartbeat:
			if err := f.blocks.Read(m.Data, header.First, f.words.Entries, page); err != nil {
				return header, err
			}
		case channelNode, channelPod, channelEvent, channelLeader, channelChange:
			slot := int64(m.Sequence - uint32(header.Start))
			if !page.Free(slot) {
				return header, wire.ErrOrder
			}
			ch := page.Change(slot)
			if later, err = f.coder.DecodeRows(m.Data, m.At, ch, later, len(page.Filled)); err != nil {
				return header, err
			}
			page.Fill(slot, ch.Effective())
		}
	}
	if err := page.FillRest(later); err != nil {
		return header, err
	}
	clear(later)
	f.later = later
	return header, page.InOrder(header.Page)
}

var errPage = errors.New("it does not hold the page that the index promises")
