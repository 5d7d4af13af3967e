package recording

import (
	"cmp"
	"errors"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/wire"
)

// A page is the unit of writing and reading: a run of Changes. It begins with a header, and holds a block for each kind
// of heartbeat and a row for every other Change.

// pageHeader begins a page. Its layout is that of code.
type pageHeader struct {
	history.Page
	coverage model.Interval
	counts   []count
}

// count is how many Changes of a kind and quality came from a source.
type count struct {
	origin
	n int
}

// counts are how many Changes there are of each origin.
type counts map[origin]int

// list is the counts in order.
func (m counts) list() (all []count) {
	for o, n := range m {
		all = append(all, count{o, n})
	}
	slices.SortFunc(all, func(a, b count) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.kind, b.kind), cmp.Compare(a.quality, b.quality))
	})
	return all
}

// code writes or reads a header.
func (p *pageHeader) code(c *wire.Codec) {
	c.Version(1)
	n := p.End - p.Start
	wire.AtMost(c, wire.MaxPosition, &p.Start)
	wire.AtMost(c, wire.MaxRows, &n)
	p.End = p.Start + n
	c.Instant(&p.First, &p.Last)
	c.Interval(&p.coverage)
	codeCounts(c, &p.counts)
}

func codeCounts(c *wire.Codec, counts *[]count) {
	wire.List(c, counts, wire.MaxCounts, func(c *wire.Codec, v *count) {
		wire.AtMost(c, wire.MaxSources, &v.source)
		wire.Byte(c, &v.kind)
		wire.Byte(c, &v.quality)
		wire.AtMost(c, wire.MaxPosition, &v.n)
	})
}

func readPageHeader(i *wire.Reader) (p pageHeader) {
	p.code(wire.From(i, nil))
	return p
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
