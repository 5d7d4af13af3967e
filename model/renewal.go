package model

type LeaseObject struct {
	Key Key
	UID UID
	// Lease has no renewTime.
	Lease Lease
}

// Renewal is a Change that renews a node's lease (KindNodeLease, OpModify, known renewTime), as most do, in an eighth
// of its memory and without a pointer. It has all that the state depends on, but not the writer and the origin.
type Renewal struct {
	// Lease is the index of the LeaseObject kept with the Renewals, Slot the place in the page, from 0.
	Lease   int32
	Slot    int32
	Renewed Instant
	Version uint64
	Time    Interval
	Arrival Instant
	At      Instant
}

// Effective is when the Renewal enters the shown state: see Change.Effective.
func (r *Renewal) Effective() Instant { return effective(r.At, r.Arrival, r.Time) }

// Renews reports whether a Change is a heartbeat: a write of a node's lease that shows its renewTime. Without an
// object, as at audit level Metadata, a write by the kubelet or an unknown writer counts: kubelets write only to renew.
func (c *Change) Renews() bool {
	if c.Kind != KindNodeLease || c.Op != OpModify && c.Op != OpAdd {
		return false
	}
	return c.Lease.Renewed.Bounded() || c.Lease == (Lease{}) && (c.Writer == WriterKubelet || c.Writer == WriterUnknown)
}

// RenewedAt is when a heartbeat was sent, by renewTime; else when it arrived.
func (c *Change) RenewedAt() Instant {
	if c.Lease.Renewed.Known() || !c.Renews() {
		return c.Lease.Renewed
	}
	return HeardAt(c.Arrival, c.Effective())
}

// HeardAt is when a renewal arrived, given its arrival and when it took effect. In a recording cut from another, the
// last renewal before the cut takes effect at its start.
func HeardAt(arrival, effective Instant) Instant {
	if arrival.Known() && arrival < effective {
		return arrival
	}
	return effective
}

// Before reports whether it is older than the current version of its lease: see Apply.
func (r *Renewal) Before(stands uint64) bool { return older(r.Version, stands) }

// Change is the Change of a Renewal, without its writer and origin.
func (r *Renewal) Change(of *LeaseObject) Change {
	ch := Change{Kind: KindNodeLease, Op: OpModify, Key: of.Key, UID: of.UID, Version: r.Version, Time: r.Time, Arrival: r.Arrival, At: r.At, Lease: of.Lease}
	ch.Lease.Renewed = r.Renewed
	return ch
}
