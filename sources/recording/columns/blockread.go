package columns

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/wire"
)

// allRenewals reports that the block holds only renewals.
func (b *BlockReader) allRenewals() bool {
	for k := range b.profiles {
		if p := &b.profiles[k]; p.op != model.OpModify || p.value == formUnknown {
			return false
		}
	}
	return !slices.ContainsFunc(b.rows, func(r blockRow) bool {
		e := &b.entries[r.entry]
		return e.Kind != model.KindNodeLease || e.Node != nil
	})
}

// passOver fills the slots of renewals that were not asked for.
func (b *BlockReader) passOver(page *Slots) error {
	slot := int64(-1)
	for _, gap := range b.slots {
		if slot += gap; !page.Free(slot) {
			return wire.ErrOrder
		}
		page.Fill(slot, 0)
	}
	return nil
}

// order puts the rows that tie into the order of the page.
func (b *BlockReader) order(order []int32) error {
	moves := b.moves
	for group := range ties(order, b.effects) {
		last := len(group) - 1
		if err := b.permute(group, moves[:last]); err != nil {
			return err
		}
		moves = moves[last:]
	}
	return nil
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
func (b *BlockReader) fill(order []int32, page *Slots) error {
	previous := b.previousOf(order)
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
		r := &b.rows[k]
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
func (b *BlockReader) previousOf(order []int32) []uint64 {
	none := true
	for k := range b.rows {
		none = none && b.profiles[b.rows[k].profile].previous == formUnknown
	}
	if none {
		return nil
	}
	versions := make([]uint64, len(b.rows))
	var version int64
	for place, k := range order {
		version += b.columns[0][place]
		versions[k] = uint64(version)
	}
	previous, full := make([]uint64, len(b.rows)), b.previous
	for k := range b.rows {
		switch r := &b.rows[k]; b.profiles[r.profile].previous {
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
