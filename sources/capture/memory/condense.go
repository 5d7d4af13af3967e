package memory

import (
	"kardia/model"
	"kardia/model/history"
)

// maxLeases is how many leases a condenser numbers before it starts again: nodes come and go.
const maxLeases = 1 << 15

// condenser condenses the unpacked Changes: most are renewals of leases, which a model.Renewal holds in a fifth of the
// memory. The zero value has seen no lease.
type condenser struct {
	numbers map[renewed]int32
	leases  []model.LeaseObject
	// renewed are the other common facts of each lease's renewals.
	renewed []renewed
	// dictionary is negative: it distinguishes the leases from those of packed pages, and from those before a restart.
	dictionary int
}

type renewed struct {
	model.LeaseObject
	quality model.Quality
	writer  model.Writer
	code    int16
	origin  model.Origin
}

// ready is the unpacked Changes of a page. It never changes.
type ready struct {
	history.Condensed
	renewed []renewed
}

// condense is a page of Changes, which stay the caller's.
func (c *condenser) condense(p history.Page, changes []model.Change) *ready {
	if c.numbers == nil || len(c.leases) >= maxLeases {
		*c = condenser{numbers: map[renewed]int32{}, dictionary: c.dictionary - 1}
	}
	var r ready
	renewals := 0
	for i := range changes {
		if onlyRenews(&changes[i]) {
			renewals++
		}
	}
	r.Renewals = make([]model.Renewal, 0, renewals)
	r.Changes, r.Slots = make([]model.Change, 0, len(changes)-renewals), make([]int32, 0, len(changes)-renewals)
	for i := range changes {
		if ch := &changes[i]; onlyRenews(ch) {
			r.Renewals = append(r.Renewals, model.Renewal{Lease: c.number(ch), Slot: int32(i), Renewed: ch.Lease.Renewed, Version: ch.Version, Time: ch.Time, Arrival: ch.Arrival, At: ch.At})
		} else {
			r.Changes, r.Slots = append(r.Changes, *ch), append(r.Slots, int32(i))
		}
	}
	r.Page, r.Leases, r.Dictionary, r.renewed = p, c.leases, c.dictionary, c.renewed
	return &r
}

// onlyRenews reports whether a model.Renewal can replace a Change.
func onlyRenews(ch *model.Change) bool {
	return ch.Kind == model.KindNodeLease && ch.Op == model.OpModify && ch.Lease.Renewed.Known() &&
		ch.Previous == 0 && ch.Also == model.Origin{} && ch.Patch == nil && ch.Note == ""
}

func (c *condenser) number(ch *model.Change) int32 {
	of := renewed{model.LeaseObject{Key: ch.Key, UID: ch.UID, Lease: ch.Lease}, ch.Quality, ch.Writer, ch.Code, ch.Origin}
	of.Lease.Renewed = 0
	n, ok := c.numbers[of]
	if !ok {
		n = int32(len(c.leases))
		c.numbers[of], c.leases, c.renewed = n, append(c.leases, of.LeaseObject), append(c.renewed, of)
	}
	return n
}

// each yields the Changes, each valid until the next.
func (r *ready) each(visit func(ch *model.Change)) {
	r.Each(0, r.End-r.Start, func(_ int, renewal *model.Renewal) bool {
		of := &r.renewed[renewal.Lease]
		ch := renewal.Change(&of.LeaseObject)
		ch.Quality, ch.Writer, ch.Code, ch.Origin = of.quality, of.writer, of.code, of.origin
		visit(&ch)
		return true
	}, func(_ int, ch *model.Change) bool {
		visit(ch)
		return true
	})
}
