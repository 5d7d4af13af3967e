package model

// LeaseObject is what the renewals of one lease have in common.
type LeaseObject struct {
	Key Key
	UID UID
	// Lease is the object without its renewTime.
	Lease Lease
}

// Renewal is a Change that renews the lease of a node (KindNodeLease, OpModify, with a known
// renewTime), in an eighth of a Change's memory and without a pointer: most Changes are such. It
// says all that the state depends on, and nothing of who wrote it and where it was read.
type Renewal struct {
	// Lease says which LeaseObject, as an index into what stands beside the Renewals.
	Lease int32
	// Slot is the place in the page, from 0.
	Slot int32
	// Renewed, Version, Time, Arrival and At are those of the Change.
	Renewed Instant
	Version uint64
	Time    Interval
	Arrival Instant
	At      Instant
}

// Effective is when the Renewal enters the state that is shown: see Change.Effective.
func (r *Renewal) Effective() Instant {
	switch {
	case r.At.Known():
		return r.At
	case r.Arrival.Known():
		return r.Arrival
	}
	return r.Time.Earliest
}

// Renews says that a Change is a heartbeat: a write of a node's lease in which its renewTime is seen, or a write of it by
// its kubelet, as far as anything tells, of which the source shows no object (an audit log at level Metadata): kubelets write their
// leases to renew them.
func (c *Change) Renews() bool {
	if c.Kind != KindNodeLease || c.Op != OpModify && c.Op != OpAdd {
		return false
	}
	return c.Lease.Renewed.Bounded() || c.Lease == (Lease{}) && (c.Writer == WriterKubelet || c.Writer == WriterUnknown)
}

// RenewedAt is when the sender of a heartbeat says that it sent it; where the source does not show that, when it was heard.
func (c *Change) RenewedAt() Instant {
	if c.Lease.Renewed.Known() || !c.Renews() {
		return c.Lease.Renewed
	}
	return HeardAt(c.Arrival, c.Effective())
}

// HeardAt is when a renewal was heard that arrived, and took effect, at two instants: a recording that is cut from another has
// the last one before as what it begins with.
func HeardAt(arrival, effective Instant) Instant {
	if arrival.Known() && arrival < effective {
		return arrival
	}
	return effective
}

// Before says that it is older than the version of its lease that stands: see Apply.
func (r *Renewal) Before(stands uint64) bool { return older(r.Version, stands) }

// Change is the Change that a Renewal of a lease stands for, without its writer and origin.
func (r *Renewal) Change(of *LeaseObject) Change {
	ch := Change{Kind: KindNodeLease, Op: OpModify, Key: of.Key, UID: of.UID, Version: r.Version, Time: r.Time, Arrival: r.Arrival, At: r.At, Lease: of.Lease}
	ch.Lease.Renewed = r.Renewed
	return ch
}
