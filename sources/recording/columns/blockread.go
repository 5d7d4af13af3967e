package columns

import (
	"fmt"
	"slices"

	"kardia/model"
	"kardia/sources/recording/wire"
)

// BlockReader reads blocks; its memory serves for one after another.
type BlockReader struct {
	entries  []Entry // of the file
	profiles []profile
	rows     []readRow

	slots, distances, counts, profileOf, previous, moves []int64
	columns                                              [5][]int64

	firsts, others, arrivals, earliest, latest, ats StampColumn
	effects                                         []model.Instant
	room                                            orderRoom
	group                                           []int32
}

// Read puts the rows of a block into their slots of a page.
func (b *BlockReader) Read(data []byte, first model.Instant, entries []Entry, page *Slots) error {
	i := wire.Read(data)
	c := wire.From(i, nil)
	c.Version(1)
	n := i.AtMost(len(page.Filled))
	b.slots = ReadColumn(i, n, b.slots)
	used := i.AtMost(n)
	b.distances, b.counts = ReadColumn(i, used, b.distances), ReadColumn(i, used, b.counts)
	b.entries = entries
	wire.List(c, &b.profiles, wire.MaxRows, codeProfile)
	b.profileOf = ReadColumn(i, n, b.profileOf)
	if i.Err != nil {
		return i.Err
	}
	rows, err := b.objects(n)
	if err != nil {
		return err
	}
	if page.sparse && b.allRenewals(rows) {
		return b.passOver(n, page)
	}
	if err := b.fillRows(i, rows, page, first); err != nil {
		return err
	}
	return i.Err
}

// readRow is a row while its block is read, in the order by object.
type readRow struct {
	entry, profile int32
	times
	fresh bool // the first of its object
}

// objects finds the entries and the profiles of the rows.
func (b *BlockReader) objects(n int) ([]readRow, error) {
	rows := slices.Grow(b.rows[:0], n)
	b.rows = rows
	index := int64(0)
	for k, d := range b.distances {
		index += d
		if index < 0 || index >= int64(len(b.entries)) || b.entries[index].Kind == model.KindNone {
			return nil, fmt.Errorf("the dictionary entry %d that it needs was lost", index)
		}
		c := b.counts[k]
		if c < 1 || c > int64(n-len(rows)) {
			return nil, errColumn
		}
		for r := range c {
			p := b.profileOf[len(rows)]
			if p < 0 || p >= int64(len(b.profiles)) {
				return nil, errColumn
			}
			rows = append(rows, readRow{entry: int32(index), profile: int32(p), fresh: r == 0})
		}
	}
	if len(rows) != n {
		return nil, errColumn
	}
	return rows, nil
}

// allRenewals reports that the block holds only renewals.
func (b *BlockReader) allRenewals(rows []readRow) bool {
	for k := range b.profiles {
		if p := &b.profiles[k]; p.op != model.OpModify || p.value == formUnknown {
			return false
		}
	}
	return !slices.ContainsFunc(rows, func(r readRow) bool {
		e := &b.entries[r.entry]
		return e.Kind != model.KindNodeLease || e.Node != nil
	})
}

// passOver fills the slots of n renewals that were not asked for.
func (b *BlockReader) passOver(n int, page *Slots) error {
	slot := int64(-1)
	for _, gap := range b.slots[:n] {
		if slot += gap; !page.Free(slot) {
			return wire.ErrOrder
		}
		page.Fill(slot, 0)
	}
	return nil
}

// stampCounts is how many stamps of each kind are written in full.
func (b *BlockReader) stampCounts(rows []readRow) (c [6]int, previous int) {
	known := false
	for k := range rows {
		p := &b.profiles[rows[k].profile]
		known = known && !rows[k].fresh
		if p.value == formFull {
			if known {
				c[1]++
			} else {
				c[0]++
			}
			known = true
		}
		for x, f := range [4]form{p.arrival, p.earliest, p.latest, p.at} {
			if f == formFull {
				c[2+x]++
			}
		}
		if p.previous == formFull {
			previous++
		}
	}
	return c, previous
}

// fillRows reads the rest of the block and puts each row where it belongs.
func (b *BlockReader) fillRows(i *wire.Reader, rows []readRow, page *Slots, first model.Instant) error {
	n := len(rows)
	counts, previous := b.stampCounts(rows)
	for x, c := range [6]*StampColumn{&b.firsts, &b.others, &b.arrivals, &b.earliest, &b.latest, &b.ats} {
		ReadStamps(i, counts[x], c)
	}
	b.previous = ReadColumn(i, previous, b.previous)
	if i.Err != nil {
		return i.Err
	}
	b.effects = slices.Grow(b.effects[:0], n)[:n]
	var before model.Instant
	for k := range rows {
		if rows[k].fresh {
			before = 0
		}
		b.times(&rows[k].times, &b.profiles[rows[k].profile], first, &before)
		b.effects[k] = rows[k].effective()
	}
	order, err := b.order(i)
	if err != nil {
		return err
	}
	for c := range b.columns {
		b.columns[c] = ReadColumn(i, n, b.columns[c])
	}
	if i.Err != nil {
		return i.Err
	}
	return b.fill(rows, order, page)
}

// times are the times of one row.
type times struct {
	value, arrival, earliest, latest, at model.Instant
}

func (t *times) unplaced() model.Instant {
	if t.arrival.Known() {
		return t.arrival
	}
	return t.earliest
}

func (t *times) effective() model.Instant {
	if t.at.Known() {
		return t.at
	}
	return t.unplaced()
}

func (b *BlockReader) times(t *times, p *profile, first model.Instant, before *model.Instant) {
	var full bool
	if t.value, full = p.value.instant(model.FarPast, model.FarFuture); full {
		if *before == 0 {
			t.value = b.firsts.next(first)
		} else {
			t.value = b.others.next(*before)
		}
		*before = t.value
	}
	if t.arrival, full = p.arrival.instant(model.FarPast, model.FarFuture); full {
		t.arrival = b.arrivals.next(near(t.value, first))
	}
	if t.earliest, full = p.earliest.instant(t.arrival, model.FarPast); full {
		t.earliest = b.earliest.next(near(t.arrival, near(t.value, first)))
	}
	if t.latest, full = p.latest.instant(t.arrival, t.earliest); full {
		t.latest = b.latest.next(near(t.earliest, near(t.arrival, first)))
	}
	if t.at, full = p.at.instant(t.arrival, t.unplaced()); full {
		t.at = b.ats.next(near(t.unplaced(), first))
	}
}

// order finds the order of the page.
func (b *BlockReader) order(i *wire.Reader) ([]int32, error) {
	order := StableOrder(b.effects, &b.room)
	tied := 0
	for place := 1; place < len(order); place++ {
		if b.effects[order[place]] == b.effects[order[place-1]] {
			tied++
		}
	}
	b.moves = ReadColumn(i, tied, b.moves)
	if i.Err != nil {
		return nil, i.Err
	}
	moves := b.moves
	for group := range ties(order, b.effects) {
		last := len(group) - 1
		if err := b.permute(group, moves[:last]); err != nil {
			return nil, err
		}
		moves = moves[last:]
	}
	return order, nil
}

// permute puts the rows of a group, which are in the order by object, into the order of the page.
func (b *BlockReader) permute(group []int32, moves []int64) error {
	if !slices.ContainsFunc(moves, func(m int64) bool { return m != 0 }) {
		return nil
	}
	byObject := append(b.group[:0], group...)
	b.group = byObject
	for place, m := range moves {
		at := int64(place) + m
		if at < 0 || at >= int64(len(byObject)) || byObject[at] < 0 {
			return wire.ErrOrder
		}
		group[place] = byObject[at]
		byObject[at] = -1
	}
	for _, k := range byObject {
		if k >= 0 {
			group[len(group)-1] = k
		}
	}
	return nil
}

// fill puts the rows into the page, in its order.
func (b *BlockReader) fill(rows []readRow, order []int32, page *Slots) error {
	previous := b.previousOf(rows, order)
	moving := b.moving()
	slot, last := int64(-1), [5]int64{}
	for place, k := range order {
		slot += b.slots[place]
		if !page.Free(slot) {
			return wire.ErrOrder
		}
		page.Fill(slot, b.effects[k])
		for _, c := range moving {
			last[c] += b.columns[c][place]
		}
		r := &rows[k]
		e, p := &b.entries[r.entry], &b.profiles[r.profile]
		if page.condensed && e.renewedBy(p.op, r.value) {
			if page.sparse {
				continue
			}
			page.renewals = append(page.renewals, model.Renewal{Lease: r.entry, Slot: int32(slot), Renewed: r.value,
				Version: uint64(last[0]), Time: model.Interval{Earliest: r.earliest, Latest: r.latest}, Arrival: r.arrival, At: r.at})
			continue
		}
		ch := page.Change(slot)
		e.into(ch, r.value)
		ch.Op, ch.Quality, ch.Writer, ch.Code = p.op, p.quality, p.writer, p.code
		ch.Arrival, ch.Time, ch.At = r.arrival, model.Interval{Earliest: r.earliest, Latest: r.latest}, r.at
		ch.Version = uint64(last[0])
		ch.Origin = model.Origin{Source: p.source, Line: int32(last[1]), Offset: last[2]}
		ch.Also = model.Origin{Source: p.also, Line: int32(last[3]), Offset: last[4]}
		if previous != nil {
			ch.Previous = previous[k]
		}
	}
	return nil
}

// moving are the columns with anything but zeros. Most columns hold the line and the offset at which a Change was read,
// which a recorder does not have.
func (b *BlockReader) moving() (moving []int) {
	for c := range b.columns {
		if slices.ContainsFunc(b.columns[c], func(v int64) bool { return v != 0 }) {
			moving = append(moving, c)
		}
	}
	return moving
}

// previousOf is the Previous of each row, in the order by object; nil if none has one.
func (b *BlockReader) previousOf(rows []readRow, order []int32) []uint64 {
	none := true
	for k := range rows {
		none = none && b.profiles[rows[k].profile].previous == formUnknown
	}
	if none {
		return nil
	}
	versions := make([]uint64, len(rows))
	var version int64
	for place, k := range order {
		version += b.columns[0][place]
		versions[k] = uint64(version)
	}
	previous, full := make([]uint64, len(rows)), b.previous
	for k := range rows {
		switch r := &rows[k]; b.profiles[r.profile].previous {
		case formBefore:
			if !r.fresh {
				previous[k] = versions[k-1]
			}
		case formFull:
			previous[k] = versions[k] - uint64(full[0])
			full = full[1:]
		}
	}
	return previous
}
