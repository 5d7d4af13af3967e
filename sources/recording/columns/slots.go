package columns

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/wire"
)

// Slots is a page while it is read, in reused memory: the filled slots, and when their Changes take effect.
type Slots struct {
	Filled  []bool
	Effects []model.Instant

	// changes are in their slots. If the page is condensed, they are those other than renewals, and slots are theirs.
	changes   []model.Change
	condensed bool
	// sparse: renewals are skipped. Their slots are filled, their effects unknown.
	sparse   bool
	slots    []int32
	renewals []model.Renewal
	// places is memory for Give, later and order are for FillRest.
	places []int32
	later  []model.Instant
	order  orderRoom
}

// Into is for a page that goes into the memory of into, in the way that it asks for.
func (p *Slots) Into(into *history.Condensed) {
	p.condensed, p.sparse = !into.Full, !into.Full && into.WithoutRenewals
	p.renewals, p.changes, p.slots = into.Room()
}

// Expect makes room for a page with n slots.
func (p *Slots) Expect(n int) {
	if !p.condensed {
		p.changes = slices.Grow(p.changes[:0], n)[:n]
	}
	p.Filled = slices.Grow(p.Filled[:0], n)[:n]
	p.Effects = slices.Grow(p.Effects[:0], n)[:n]
	clear(p.Filled)
}

// Free reports whether there is such a slot, and nothing in it.
func (p *Slots) Free(slot int64) bool {
	return slot >= 0 && slot < int64(len(p.Filled)) && !p.Filled[slot]
}

// Fill notes that a free slot is filled.
func (p *Slots) Fill(slot int64, effect model.Instant) {
	p.Filled[slot], p.Effects[slot] = true, effect
}

// Change is the place for the Change in a slot: all of it must be set. It is good until the next is asked for.
func (p *Slots) Change(slot int64) *model.Change {
	if !p.condensed {
		return &p.changes[slot]
	}
	p.slots = append(p.slots, int32(slot))
	n := len(p.changes)
	p.changes = slices.Grow(p.changes, 1)[:n+1]
	return &p.changes[n]
}

// FillRest puts the later versions of messages into the remaining slots, in order of effective time, then by message.
func (p *Slots) FillRest(later []model.Change) error {
	effects := p.later[:0]
	for k := range later {
		effects = append(effects, later[k].Effective())
	}
	p.later = effects
	slot := int64(0)
	for _, k := range StableOrder(effects, &p.order) {
		for slot < int64(len(p.Filled)) && p.Filled[slot] {
			slot++
		}
		if !p.Free(slot) {
			return wire.ErrOrder
		}
		*p.Change(slot) = later[k]
		p.Fill(slot, effects[k])
	}
	return nil
}

// InOrder checks what a History promises of a page.
func (p *Slots) InOrder(page history.Page) error {
	last := page.First
	for k, t := range p.Effects {
		if !p.Filled[k] || t < last && !(p.sparse && t == 0) {
			return wire.ErrOrder
		}
		last = max(last, t)
	}
	if n := len(p.Effects); n > 0 && !p.sparse && (p.Effects[0] != page.First || last != page.Last) {
		return wire.ErrOrder
	}
	return nil
}

// Give hands a page out, each thing in order.
func (p *Slots) Give(page history.Page, into *history.Condensed) {
	if !p.condensed {
		into.Take(page, p.changes)
		return
	}
	bySlot := func(a, b model.Renewal) int { return int(a.Slot - b.Slot) }
	if !slices.IsSortedFunc(p.renewals, bySlot) { // a page that Kardia has written has them in one block
		slices.SortFunc(p.renewals, bySlot)
	}
	at := slices.Grow(p.places[:0], len(p.Filled))[:len(p.Filled)] // where the Change in a slot belongs
	clear(at)
	p.places = at
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
	into.Put(page, p.renewals, p.changes, p.slots)
}
