package recording

import (
	"errors"
	"kardia/model"
	"kardia/model/timeline"
)

// A page is what is written at once and read at once: a run of Changes. It begins with a
// header, and holds a block for each kind of heartbeat and a row for every other Change.

// pageHeader begins a page.
//
//	byte     1
//	uvarint  position of the first Change, uvarint how many
//	instant  at which the first takes effect, and the last
//	interval coverage so far
//	uvarint  counts, then each: uvarint source, byte kind, byte quality, uvarint Changes
type pageHeader struct {
	timeline.Page
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

func (o *out) pageHeader(p *pageHeader) {
	o.byte(1)
	o.uint(uint64(p.Start))
	o.uint(uint64(p.End - p.Start))
	o.instant(p.First)
	o.instant(p.Last)
	o.interval(p.coverage)
	o.counts(p.counts)
}

func (o *out) counts(counts []count) {
	o.uint(uint64(len(counts)))
	for _, c := range counts {
		o.uint(uint64(c.source))
		o.byte(byte(c.kind))
		o.byte(byte(c.quality))
		o.uint(uint64(c.n))
	}
}

func (i *in) pageHeader() (p pageHeader) {
	if v := i.byte(); v != 1 && i.err == nil {
		i.fail(errVersion)
	}
	p.Start = i.small(maxPosition)
	p.End = p.Start + i.small(maxRows)
	p.First, p.Last = i.instant(), i.instant()
	p.coverage = i.interval()
	p.counts = i.counts()
	return p
}

func (i *in) counts() (counts []count) {
	for range i.count(maxCounts) {
		counts = append(counts, count{int32(i.small(maxSources)), model.Kind(i.byte()), model.Quality(i.byte()), i.small(maxPosition)})
	}
	return counts
}

// readPage decodes the page whose header is the first of the messages; the next page's header, or the
// end of the messages, ends it.
func (f *File) readPage(messages []byte, page *pageSlots) (pageHeader, error) {
	head, rest, err := nextMessage(messages)
	if err != nil {
		return pageHeader{}, err
	}
	i := &in{b: head.data}
	header := i.pageHeader()
	if head.channel != channelPage || i.err != nil {
		return header, errPage
	}
	f.coder.items = 0
	size := 0
	page.expect(header.End - header.Start)
	later := f.later[:0]
	for len(rest) > 0 {
		var m message
		if m, rest, err = nextMessage(rest); err != nil {
			return header, err
		}
		if m.channel == channelKeyframe || m.channel == channelLayer {
			break // they stand in chunks of their own
		}
		if size += len(m.data); size > 2*maxMessage {
			return header, errTooLarge
		}
		switch m.channel {
		case channelPage:
			rest = nil
		case channelLease, channelHeartbeat:
			if err := f.blocks.read(m.data, header.First, f.words.entries, page); err != nil {
				return header, err
			}
		case channelNode, channelPod, channelEvent, channelLeader, channelChange:
			slot := int64(m.sequence - uint32(header.Start))
			if !page.free(slot) {
				return header, errOrder
			}
			ch := page.change(slot)
			if later, err = f.coder.decodeRows(m.data, m.at, ch, later, len(page.filled)); err != nil {
				return header, err
			}
			page.fill(slot, ch.Effective())
		}
	}
	if err := page.place(later); err != nil {
		return header, err
	}
	clear(later)
	f.later = later
	return header, page.inOrder(header.Page)
}

var errPage = errors.New("it does not hold the page that the index promises")
