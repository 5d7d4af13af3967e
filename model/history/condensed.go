package history

import (
	"sort"

	"kardia/model"
)

// Condensed is what stands in a page, in which the renewals of leases do not stand as Changes where
// the History can tell them in less. Its memory serves for one page after another.
type Condensed struct {
	// Full asks for Changes alone: renewals with who wrote them, and where they were read. It is the
	// reader's to set.
	Full bool
	// WithoutRenewals says that Renewals are not asked for: a History that takes time to tell them leaves them out.
	// It is the reader's to set, and means nothing where Full is.
	WithoutRenewals bool

	Page
	// Lost says that the page turned out to be lost: its first Change says so, and the others hold its
	// positions only. What is folded across it holds only up to the next state of the History.
	Lost bool
	// Leases are what Renewal.Lease is an index of. They grow at their end only, and are the same for
	// all pages with the same Dictionary.
	Leases     []model.LeaseObject
	Dictionary int
	// Renewals are in order.
	Renewals []model.Renewal
	// Changes are all others, in order, and Slots their places in the page, from 0.
	Changes []model.Change
	Slots   []int32

	shared bool // the Changes are somebody else's
	whole  bool // and so are the other lists
}

// Room is memory for another page: what was there before is no more.
func (c *Condensed) Room() (renewals []model.Renewal, changes []model.Change, slots []int32) {
	if !c.whole {
		renewals, slots = c.Renewals[:0], c.Slots[:0]
	}
	if !c.shared {
		changes = c.Changes[:0]
	}
	return renewals, changes, slots
}

// Put makes it a page of what is the reader's own: it may lie in the memory that was here.
func (c *Condensed) Put(p Page, renewals []model.Renewal, changes []model.Change, slots []int32) {
	c.Page, c.Lost, c.Renewals, c.Changes, c.Slots, c.shared, c.whole = p, false, renewals, changes, slots, false, false
}

// Take makes it a page of Changes alone that are the reader's own.
func (c *Condensed) Take(p Page, changes []model.Change) {
	renewals, _, slots := c.Room()
	for k := range changes {
		slots = append(slots, int32(k))
	}
	c.Put(p, renewals, changes, slots)
}

// Share is Take with Changes that are not the reader's, who must not modify them.
func (c *Condensed) Share(p Page, changes []model.Change) {
	c.Take(p, changes)
	c.shared = true
}

// ShareCondensed makes it a page that is condensed already, by a reader who keeps it and must not modify it.
func (c *Condensed) ShareCondensed(of *Condensed) {
	c.Page, c.Lost, c.Leases, c.Dictionary = of.Page, of.Lost, of.Leases, of.Dictionary
	c.Renewals, c.Changes, c.Slots, c.shared, c.whole = of.Renewals, of.Changes, of.Slots, true, true
}

// Without leaves out the Changes of a kind; of leases the renewals too.
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

// Told are the Changes to hand on: of a page that is lost, the one that says so alone.
func (c *Condensed) Told() []model.Change {
	if c.Lost {
		return c.Changes[:1]
	}
	return c.Changes
}

// Each hands out what stands in the places [from, to), in order, until one of the two returns
// false.
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

// EachChange is Each with the Changes that Renewals stand for, which are good until the next only.
func (c *Condensed) EachChange(from, to int, visit func(slot int, ch *model.Change) bool) {
	var ch model.Change
	c.Each(from, to, func(slot int, r *model.Renewal) bool {
		ch = r.Change(&c.Leases[r.Lease])
		return visit(slot, &ch)
	}, visit)
}

// until is how many Changes, Renewals among them, are effective at or before t.
func (c *Condensed) until(t model.Instant) int {
	return sort.Search(len(c.Renewals), func(i int) bool { return c.Renewals[i].Effective() > t }) +
		sort.Search(len(c.Changes), func(i int) bool { return c.Changes[i].Effective() > t })
}

// LeaseRows are the rows of a state that the leases of a dictionary are about. The zero value knows
// none.
type LeaseRows struct {
	dictionary int
	rows       []int32 // row + 1, by lease; 0 where nobody has asked
}

// Row is the row of a lease of a page; find says which it is, and is asked once for each lease.
func (r *LeaseRows) Row(page *Condensed, lease int32, find func(node string) int32) int32 {
	if r.dictionary != page.Dictionary || int(lease) >= len(r.rows) {
		r.of(page)
	}
	if r.rows[lease] == 0 {
		r.rows[lease] = 1 + find(page.Leases[lease].Key.Name)
	}
	return r.rows[lease] - 1
}

// of makes room for the leases of a page, and forgets those of another dictionary.
func (r *LeaseRows) of(page *Condensed) {
	if r.dictionary != page.Dictionary {
		r.Forget()
		r.dictionary = page.Dictionary
	}
	if more := len(page.Leases) - len(r.rows); more > 0 {
		r.rows = append(r.rows, make([]int32, more)...)
	}
}

// Forget is for when there is a state whose rows have other numbers.
func (r *LeaseRows) Forget() { r.rows = r.rows[:0] }

// Fold folds what stands in the places [from, to) of a page into a state, whose rows these are.
func (r *LeaseRows) Fold(page *Condensed, from, to int, state *model.Cluster) {
	page.Each(from, to, func(_ int, renewal *model.Renewal) bool {
		state.Renew(r.Row(page, renewal.Lease, state.RowNumber), &page.Leases[renewal.Lease], renewal)
		return true
	}, func(_ int, ch *model.Change) bool {
		state.Fold(ch)
		return true
	})
}
