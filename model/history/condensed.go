package history

import (
	"sort"

	"kardia/model"
)

// Condensed is the content of a page. Renewals of leases are not Changes in it, if the History has them in a shorter
// form. Its memory is reused for one page after another.
type Condensed struct {
	// Full asks for Changes only, including renewals with their writer and origin. The reader sets it.
	Full bool
	// WithoutRenewals lets a History leave out Renewals that take time to read. The reader sets it; Full overrides it.
	WithoutRenewals bool

	Page
	// Lost: the page could not be read. Its first Change is the reason, the others only hold its positions. What is
	// folded across it holds up to the next state of the History.
	Lost bool
	// Leases are indexed by Renewal.Lease. They only grow, and pages with the same Dictionary share them.
	Leases     []model.LeaseObject
	Dictionary int
	// Renewals are in order. Changes are all others, in order, and Slots their places in the page, from 0.
	Renewals []model.Renewal
	Changes  []model.Change
	Slots    []int32

	shared bool // the reader must not modify the Changes
	whole  bool // nor the other lists
}

// Room is the memory for another page, if it is the reader's own. It invalidates this one.
func (c *Condensed) Room() (renewals []model.Renewal, changes []model.Change, slots []int32) {
	if !c.whole {
		renewals, slots = c.Renewals[:0], c.Slots[:0]
	}
	if !c.shared {
		changes = c.Changes[:0]
	}
	return renewals, changes, slots
}

// Put makes it a page in the reader's own memory, which may be from Room.
func (c *Condensed) Put(p Page, renewals []model.Renewal, changes []model.Change, slots []int32) {
	c.Page, c.Lost, c.Renewals, c.Changes, c.Slots, c.shared, c.whole = p, false, renewals, changes, slots, false, false
}

// Take makes it a page of Changes in the reader's own memory.
func (c *Condensed) Take(p Page, changes []model.Change) {
	renewals, _, slots := c.Room()
	for k := range changes {
		slots = append(slots, int32(k))
	}
	c.Put(p, renewals, changes, slots)
}

// Share is Take with Changes that the reader must not modify.
func (c *Condensed) Share(p Page, changes []model.Change) {
	c.Take(p, changes)
	c.shared = true
}

// ShareCondensed makes it a condensed page that the reader keeps and must not modify.
func (c *Condensed) ShareCondensed(of *Condensed) {
	c.Page, c.Lost, c.Leases, c.Dictionary = of.Page, of.Lost, of.Leases, of.Dictionary
	c.Renewals, c.Changes, c.Slots, c.shared, c.whole = of.Renewals, of.Changes, of.Slots, true, true
}

// Without leaves out a kind; for leases the renewals too.
func (c *Condensed) Without(kind model.Kind) {
	var changes []model.Change
	var slots []int32
	for i := range c.Changes {
		if c.Changes[i].Kind != kind {
			changes, slots = append(changes, c.Changes[i]), append(slots, c.Slots[i])
		}
	}
	renewals := c.Renewals
	if kind == model.KindNodeLease {
		renewals = nil
	}
	c.Put(c.Page, renewals, changes, slots)
}

// Told are the Changes to hand on: of a lost page only its reason.
func (c *Condensed) Told() []model.Change {
	if c.Lost {
		return c.Changes[:1]
	}
	return c.Changes
}

// Each yields the content of the places [from, to), in order, until a function returns false.
func (c *Condensed) Each(from, to int, renewal func(slot int, r *model.Renewal) bool, change func(slot int, ch *model.Change) bool) {
	next := sort.Search(len(c.Slots), func(i int) bool { return int(c.Slots[i]) >= from })
	first := sort.Search(len(c.Renewals), func(i int) bool { return int(c.Renewals[i].Slot) >= from })
	for k := first; ; k++ {
		slot := to
		if k < len(c.Renewals) {
			slot = min(slot, int(c.Renewals[k].Slot))
		}
		for ; next < len(c.Slots) && int(c.Slots[next]) < slot; next++ {
			if !change(int(c.Slots[next]), &c.Changes[next]) {
				return
			}
		}
		if slot == to || !renewal(slot, &c.Renewals[k]) {
			return
		}
	}
}

// EachChange is Each with Renewals as Changes. Each is valid until the next.
func (c *Condensed) EachChange(from, to int, visit func(slot int, ch *model.Change) bool) {
	var ch model.Change
	c.Each(from, to, func(slot int, r *model.Renewal) bool {
		ch = r.Change(&c.Leases[r.Lease])
		return visit(slot, &ch)
	}, visit)
}

func (c *Condensed) until(t model.Instant) int {
	return sort.Search(len(c.Renewals), func(i int) bool { return c.Renewals[i].Effective() > t }) +
		sort.Search(len(c.Changes), func(i int) bool { return c.Changes[i].Effective() > t })
}

// ByLease has a value for each lease of a dictionary. The zero value of T is one that was not asked for yet.
type ByLease[T comparable] struct {
	dictionary int
	values     []T
}

// Of is the value of a page's lease. find searches it by its node, once for each lease.
func (b *ByLease[T]) Of(page *Condensed, lease int32, find func(node string) T) T {
	if b.dictionary != page.Dictionary {
		b.values, b.dictionary = b.values[:0], page.Dictionary
	}
	if more := len(page.Leases) - len(b.values); more > 0 {
		b.values = append(b.values, make([]T, more)...)
	}
	if b.values[lease] == *new(T) {
		b.values[lease] = find(page.Leases[lease].Key.Name)
	}
	return b.values[lease]
}

// LeaseRows are the rows in a state of the leases of a dictionary. The zero value knows none.
type LeaseRows struct{ numbers ByLease[int32] } // row + 1

// Row is the row of a page's lease. find searches it, once for each lease.
func (r *LeaseRows) Row(page *Condensed, lease int32, find func(node string) int32) int32 {
	return r.numbers.Of(page, lease, func(node string) int32 { return 1 + find(node) }) - 1
}

// Fold folds the places [from, to) of a page into the state that has these rows.
func (r *LeaseRows) Fold(page *Condensed, from, to int, state *model.Cluster) {
	page.Each(from, to, func(_ int, renewal *model.Renewal) bool {
		state.Renew(r.Row(page, renewal.Lease, state.RowNumber), &page.Leases[renewal.Lease], renewal)
		return true
	}, func(_ int, ch *model.Change) bool {
		state.Fold(ch)
		return true
	})
}
