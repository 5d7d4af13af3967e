package timeline

import "kardia/model"

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
	// shared and must not be modified.
	ReadCondensed(p Page, into *Condensed) error
}
