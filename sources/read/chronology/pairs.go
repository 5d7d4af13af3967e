package chronology

import (
	"cmp"
	"slices"
	"time"

	"kardia/model/history"
)

// Clock is how far the clock of a source's arrivals is ahead of the API server's, by the same writes in another source.
type Clock struct {
	Source, Against int32
	Ahead           history.Offset
	Writes          int
}

// arrives is the time within which the quickest of many writes arrives.
const arrives = time.Second

type pairs map[[2]int32]*Clock

// compare takes two sightings of one version. A write arrives after it was made, so the least distance is an upper
// bound of the offset. The quickest write gives the lower bound.
func (p pairs) compare(a, b *Sighting) {
	if fromAudit(&a.Change) {
		a, b = b, a
	}
	if fromAudit(&a.Change) || !fromAudit(&b.Change) || !a.Arrival.Known() || a.Origin.Source == b.Origin.Source {
		return
	}
	most := a.Arrival.Sub(b.Time.Earliest)
	of := [2]int32{a.Origin.Source, b.Origin.Source}
	c := p[of]
	if c == nil {
		c = &Clock{Source: of[0], Against: of[1], Ahead: history.Offset{Least: most - arrives, Most: most}}
		p[of] = c
	}
	c.Ahead = history.Offset{Least: min(c.Ahead.Least, most-arrives), Most: min(c.Ahead.Most, most)}
	c.Writes++
}

// list is those of more than a few writes, in order.
func (p pairs) list() (all []Clock) {
	for _, c := range p {
		if c.Writes >= 3 {
			all = append(all, *c)
		}
	}
	slices.SortFunc(all, func(a, b Clock) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Against, b.Against))
	})
	return all
}
