package recording

import (
	"slices"

	"kardia/model"
	"kardia/model/timeline"
)

// pageSlots is a page while it is read, in memory that serves for one page after another: which
// slots are filled, and when what stands there takes effect.
type pageSlots struct {
	filled  []bool
	effects []model.Instant

	// changes are in their slots. Where the page is condensed, they are those that are no renewals,
	// as they come, and slots are theirs.
	changes   []model.Change
	condensed bool
	slots     []int32
	renewals  []model.Renewal
}

// plain is for a page of Changes, in memory of their own.
func (p *pageSlots) plain() {
	p.condensed, p.changes, p.slots, p.renewals = false, nil, nil, nil
}

// condense is for a page that goes into the memory of into.
func (p *pageSlots) condense(into *timeline.Condensed) {
	p.condensed, p.changes, p.slots, p.renewals = true, into.Changes[:0], into.Slots[:0], into.Renewals[:0]
}

// expect makes room for a page with n slots.
func (p *pageSlots) expect(n int) {
	if !p.condensed {
		p.changes = make([]model.Change, n)
	}
	p.filled = slices.Grow(p.filled[:0], n)[:n]
	p.effects = slices.Grow(p.effects[:0], n)[:n]
	clear(p.filled)
}

// free says whether there is such a slot, and nothing in it.
func (p *pageSlots) free(slot int64) bool {
	return slot >= 0 && slot < int64(len(p.filled)) && !p.filled[slot]
}

// fill notes what stands in a slot that is free.
func (p *pageSlots) fill(slot int64, effect model.Instant) {
	p.filled[slot], p.effects[slot] = true, effect
}

// change is where the Change in a slot is to be put: all of it must be set. It is good until the next
// is asked for.
func (p *pageSlots) change(slot int64) *model.Change {
	if !p.condensed {
		return &p.changes[slot]
	}
	p.slots = append(p.slots, int32(slot))
	n := len(p.changes)
	p.changes = slices.Grow(p.changes, 1)[:n+1]
	return &p.changes[n]
}

// place puts the versions that follow others in their messages into the slots that are left, by the
// instants at which they take effect, and where these are equal in the order in which they stand.
func (p *pageSlots) place(later []model.Change) error {
	effects := make([]model.Instant, len(later))
	for k := range later {
		effects[k] = later[k].Effective()
	}
	slot := int64(0)
	for _, k := range stableOrder(effects, nil) {
		for slot < int64(len(p.filled)) && p.filled[slot] {
			slot++
		}
		if !p.free(slot) {
			return errOrder
		}
		*p.change(slot) = later[k]
		p.fill(slot, effects[k])
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

// give hands a condensed page out, each thing in order.
func (p *pageSlots) give(into *timeline.Condensed) {
	bySlot := func(a, b model.Renewal) int { return int(a.Slot - b.Slot) }
	if !slices.IsSortedFunc(p.renewals, bySlot) { // a page that Kardia has written has them in one block
		slices.SortFunc(p.renewals, bySlot)
	}
	at := make([]int32, len(p.filled)) // where the Change in a slot belongs
	for _, slot := range p.slots {
		at[slot] = 1
	}
	before := int32(0)
	for slot := range at {
		at[slot], before = before, before+at[slot]
	}
	for k := range p.slots {
		for to := at[p.slots[k]]; to != int32(k); to = at[p.slots[k]] {
			p.slots[k], p.slots[to] = p.slots[to], p.slots[k]
			p.changes[k], p.changes[to] = p.changes[to], p.changes[k]
		}
	}
	into.Renewals, into.Changes, into.Slots = p.renewals, p.changes, p.slots
}
