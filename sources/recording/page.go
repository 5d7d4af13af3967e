package recording

import (
	"slices"

	"kardia/model"
	"kardia/model/timeline"
)

// A page is what is written at once and read at once: a run of Changes. It begins with a
// header, and holds a block for each kind of heartbeat and a row for every other Change.

// Channels have these numbers in every file of this format.
const (
	channelDictionary uint16 = iota + 1
	channelPage
	channelLease
	channelHeartbeat
	channelKeyframe
	channelNode
	channelPod
	channelEvent
	channelLeader
	channelChange
	channelSession
	channelMark
	channelConfig
	channelLayer
	channelClock
	channelEnd
)

// rowChannel is the channel of a Change that stands as JSON.
func rowChannel(k model.Kind) uint16 {
	switch k {
	case model.KindNode:
		return channelNode
	case model.KindPod:
		return channelPod
	case model.KindEvent:
		return channelEvent
	case model.KindLeaderLease:
		return channelLeader
	}
	return channelChange
}

// message is one MCAP message.
type message struct {
	channel  uint16
	sequence uint32
	at       model.Instant // its log_time; 0 for what lies before 1970
	data     []byte
}

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

// maxPosition is how many Changes a file may hold.
const maxPosition = 1 << 40

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
func (f *File) readPage(messages []byte) ([]model.Change, pageHeader, error) {
	head, rest, err := nextMessage(messages)
	if err != nil {
		return nil, pageHeader{}, err
	}
	i := &in{b: head.data}
	header := i.pageHeader()
	if head.channel != channelPage || i.err != nil {
		return nil, header, errPage
	}
	f.coder.items = 0
	size := 0
	page := f.slots(header.End - header.Start)
	later := f.later[:0]
	for len(rest) > 0 {
		var m message
		if m, rest, err = nextMessage(rest); err != nil {
			return nil, header, err
		}
		if m.channel == channelKeyframe || m.channel == channelLayer {
			break // they stand in chunks of their own
		}
		if size += len(m.data); size > 2*maxMessage {
			return nil, header, errTooLarge
		}
		switch m.channel {
		case channelPage:
			rest = nil
		case channelLease, channelHeartbeat:
			if err := f.blocks.read(m.data, header.First, f.words.entries, page); err != nil {
				return nil, header, err
			}
		case channelNode, channelPod, channelEvent, channelLeader, channelChange:
			slot := int(m.sequence - uint32(header.Start))
			if slot < 0 || slot >= len(page.changes) || page.filled[slot] {
				return nil, header, errOrder
			}
			ch := &page.changes[slot]
			if later, err = f.coder.decodeRows(m.data, m.at, ch, later, len(page.changes)); err != nil {
				return nil, header, err
			}
			page.filled[slot], page.effects[slot] = true, ch.Effective()
		}
	}
	if err := page.place(later); err != nil {
		return nil, header, err
	}
	clear(later)
	f.later = later
	return page.changes, header, page.inOrder(header.Page)
}

// pageSlots is a page while it is read: which Changes are there, and when they take effect. Only the
// Changes live on.
type pageSlots struct {
	changes []model.Change
	room    []model.Change // to be used for the changes if it is large enough
	filled  []bool
	effects []model.Instant
}

// slots are those of a page with n Changes, in memory that serves for one page after another.
func (f *File) slots(n int) *pageSlots {
	p := &f.page
	if cap(p.room) >= n {
		p.changes = p.room[:n] // all of each will be set
	} else {
		p.changes = make([]model.Change, n)
	}
	p.room = nil
	p.filled = slices.Grow(p.filled[:0], n)[:n]
	p.effects = slices.Grow(p.effects[:0], n)[:n]
	clear(p.filled)
	return p
}

// place puts the versions that follow others in their messages into the slots that are left, by the
// instants at which they take effect, and where these are equal in the order in which they stand.
func (p *pageSlots) place(later []model.Change) error {
	effects := make([]model.Instant, len(later))
	for k := range later {
		effects[k] = later[k].Effective()
	}
	slot := 0
	for _, k := range stableOrder(effects) {
		for slot < len(p.filled) && p.filled[slot] {
			slot++
		}
		if slot == len(p.filled) {
			return errOrder
		}
		p.changes[slot], p.filled[slot], p.effects[slot] = later[k], true, effects[k]
	}
	return nil
}

// inOrder checks what a History promises of a page.
func (p *pageSlots) inOrder(page timeline.Page) error {
	last := page.First
	for k, t := range p.effects {
		if !p.filled[k] || t < last {
			return errOrder
		}
		last = t
	}
	if n := len(p.effects); n > 0 && (p.effects[0] != page.First || last != page.Last) {
		return errOrder
	}
	return nil
}
