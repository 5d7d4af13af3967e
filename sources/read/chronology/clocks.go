package chronology

import (
	"slices"
	"time"

	"kardia/model"
)

// minRenewals is how many renewals must agree with the API server's timestamps before a kubelet's clock is believed.
const minRenewals = 6

// clocks are the bounds of how far each lease's kubelet's clock is ahead of the API server's. renewTime precedes the
// request, so by a believed clock it bounds the write from below.
type clocks map[model.Key]clock

type clock struct {
	// ahead is the most that the clock can be ahead.
	ahead    time.Duration
	renewals int
	believed bool
}

// clocks compares each lease's renewTimes with the API server's timestamps of the same versions. Every timestamp is at
// or after its renewTime, less the clock's offset. So the smallest distance, with timestamps cut to the second, is an
// upper bound of the offset. A renewTime later than its timestamp allows proves the clock ahead: then that lease's
// renewTimes bound nothing.
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
	if len(found) == 0 {
		return o.agreeing()
	}
	return found
}

// agreeing compares the kubelets' clocks with each other. It is for leases without a timestamp of the API server, as
// kubectl hides managedFields. A renewal is sent before those of other leases that were written after it.
func (o *order) agreeing() clocks {
	found := clocks{}
	var first, other model.Instant // the earliest renewTime of later versions, and that of other leases than its
	var of model.Key
	for _, v := range slices.Backward(o.versions) {
		at := v.Lease.Renewed
		if v.Kind != model.KindNodeLease || !at.Bounded() {
			continue
		}
		c, later := found[v.Key], first
		if v.Key == of {
			later = other
		}
		if c.renewals++; later.Known() {
			c.ahead, c.believed = max(c.ahead, at.Sub(later)), true
		}
		found[v.Key] = c
		switch {
		case !first.Known() || at < first && v.Key != of:
			first, other, of = at, first, v.Key
		case v.Key == of:
			first = min(first, at)
		case !other.Known() || at < other:
			other = at
		}
	}
	return found
}

// lowerBound is the earliest time of a renewal, by its holder's clock; unknown if that is not believed.
func (c clocks) lowerBound(v *version) model.Instant {
	k := c[v.Key]
	if v.Kind != model.KindNodeLease || !v.Lease.Renewed.Bounded() || !k.believed || k.renewals < minRenewals {
		return 0
	}
	return v.Lease.Renewed.Add(-max(k.ahead, 0))
}
