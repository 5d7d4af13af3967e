package timeline

import (
	"sort"

	"kardia/model"
)

// Condensed is a page in which the renewals of leases do not stand as Changes. Its memory serves
// for one page after another.
type Condensed struct {
	Page
	// Leases are what Renewal.Lease is an index of. They grow at their end only, and are the same for
	// all pages with the same Dictionary.
	Leases     []model.LeaseObject
	Dictionary int
	// Renewals are in order.
	Renewals []model.Renewal
	// Changes are all others, in order, and Slots their places in the page, from 0.
	Changes []model.Change
	Slots   []int32
}

// Condenser is a History that reads pages condensed, which is faster than reading Changes.
type Condenser interface {
	History
	// ReadCondensed reads a page into memory that is the caller's; what the Changes point to is
	// shared and must not be modified. After an error, what is in that memory means nothing.
	ReadCondensed(p Page, into *Condensed) error
}

// Fill makes it a page of which nothing is condensed.
func (c *Condensed) Fill(p Page, changes []model.Change) {
	c.share(p, append(c.Changes[:0], changes...))
}

// share is Fill with the Changes where they are.
func (c *Condensed) share(p Page, changes []model.Change) {
	c.Page, c.Renewals, c.Changes, c.Slots = p, c.Renewals[:0], changes, c.Slots[:0]
	for k := range changes {
		c.Slots = append(c.Slots, int32(k))
	}
}

// until is how many Changes, Renewals among them, are effective at or before t.
func (c *Condensed) until(t model.Instant) int {
	return sort.Search(len(c.Renewals), func(i int) bool { return c.Renewals[i].Effective() > t }) +
		sort.Search(len(c.Changes), func(i int) bool { return c.Changes[i].Effective() > t })
}

// rowNumbers are the rows of a state that the leases of a dictionary are about.
type rowNumbers struct {
	dictionary int
	rows       []int32 // row + 1, by lease; 0 where nobody has asked
}

// fold folds what stands in the places [from, to) of a page into a state.
func (r *rowNumbers) fold(page *Condensed, from, to int, state *model.Cluster) {
	r.of(page)
	next := sort.Search(len(page.Slots), func(i int) bool { return int(page.Slots[i]) >= from })
	first := sort.Search(len(page.Renewals), func(i int) bool { return int(page.Renewals[i].Slot) >= from })
	for k := first; ; k++ {
		slot := to
		if k < len(page.Renewals) {
			slot = min(slot, int(page.Renewals[k].Slot))
		}
		for ; next < len(page.Slots) && int(page.Slots[next]) < slot; next++ {
			state.Fold(&page.Changes[next])
		}
		if slot == to {
			return
		}
		renewal := &page.Renewals[k]
		lease := &page.Leases[renewal.Lease]
		if r.rows[renewal.Lease] == 0 {
			r.rows[renewal.Lease] = 1 + state.RowNumber(lease.Key.Name)
		}
		state.Renew(r.rows[renewal.Lease]-1, lease, renewal)
	}
}

// of makes room for the leases of a page, and forgets those of another dictionary.
func (r *rowNumbers) of(page *Condensed) {
	if r.dictionary != page.Dictionary {
		r.forget()
		r.dictionary = page.Dictionary
	}
	if more := len(page.Leases) - len(r.rows); more > 0 {
		r.rows = append(r.rows, make([]int32, more)...)
	}
}

// forget is for when there is a state whose rows have other numbers.
func (r *rowNumbers) forget() { r.rows = r.rows[:0] }
