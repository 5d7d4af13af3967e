package chronology

import (
	"time"

	"kardia/model"
)

// minRenewals is how many renewals must agree with the API server's stamps before a
// kubelet's clock is believed.
const minRenewals = 6

// clocks are the known bounds of the kubelets' clocks, a lease each: how far ahead of the API server's each may be. A
// renewTime is written before the request is sent, so it bounds the write from below, but only by a clock that can be
// believed.
type clocks map[model.Key]clock

type clock struct {
	// ahead is the most by which the clock can be ahead of the API server's.
	ahead    time.Duration
	renewals int
	believed bool
}

// clocks compares each lease's renewTimes with the API server's timestamps of the same versions. Every timestamp is at
// or after its renewTime, less the clock's offset. Timestamps are cut to the second, so the smallest distance seen is
// an upper bound of that offset. A renewTime later than its timestamp allows shows that the clock is ahead indeed: then
// renewTimes of that lease bound nothing.
func (o *order) clocks() clocks {
	found := clocks{}
	for _, v := range o.versions {
		if v.Kind != model.KindNodeLease || !v.Lease.Renewed.Bounded() || !v.Stamps.Managed.Bounded() || v.Op == model.OpBaseline {
			continue
		}
		c, seen := found[v.Key]
		distance := v.Lease.Renewed.Sub(v.Stamps.Managed)
		if !seen {
			c = clock{ahead: distance, believed: true}
		}
		c.ahead = min(c.ahead, distance)
		c.renewals++
		if distance > stampWidth+commitWithin {
			c.believed = false
		}
		found[v.Key] = c
	}
	return found
}

// lowerBound is the earliest instant at which a renewal can have been written, by its
// holder's clock; unknown if that clock cannot be believed.
func (c clocks) lowerBound(v *version) model.Instant {
	k := c[v.Key]
	if v.Kind != model.KindNodeLease || !v.Lease.Renewed.Bounded() || !k.believed || k.renewals < minRenewals {
		return 0
	}
	return v.Lease.Renewed.Add(-max(k.ahead, 0))
}
