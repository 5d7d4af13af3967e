package model

import (
	"slices"
	"time"
)

// Health is the word for a node's Ready condition.
type Health uint8

const (
	// HealthUnseen: the Node object was never shown; only its lease, a pod or an Event was.
	HealthUnseen Health = iota
	// HealthNever: the node has no Ready condition yet.
	HealthNever
	HealthReady
	// HealthNotReady: Ready is False, usually posted by the kubelet.
	HealthNotReady
	// HealthUnknown: Ready is Unknown, usually declared by the node-lifecycle controller.
	HealthUnknown
)

// String is the word on screens.
func (h Health) String() string {
	return [...]string{"lease-only", "NoStatus", "Ready", "NotReady", "Unknown"}[min(h, HealthUnknown)]
}

// Health is the word for the row's Ready condition.
func (r *NodeRow) Health() Health {
	if r.Node == nil {
		return HealthUnseen
	}
	return [...]Health{HealthNever, HealthReady, HealthNotReady, HealthUnknown}[min(r.Node.ReadyStatus(), StatusUnknown)]
}

// ReadySince is since when Ready has its status: its transition time, but not before the version that set it can have
// been written. A returning kubelet may post the time of its start. Unknown without a Ready condition.
func (r *NodeRow) ReadySince() Instant {
	ready := r.Node.Ready()
	if ready == nil {
		return 0
	}
	since := ready.Transition
	if written := r.ReadySet.Earliest; since.Bounded() && written.Bounded() && written.Sub(since) > time.Second {
		return written // transition times are cut to a second, and may be that much early
	}
	return since
}

// Exists reports whether the node exists: it has a Node object, or a lease and no object that was deleted.
func (r *NodeRow) Exists() bool {
	return r.Node != nil || (!r.Gone && r.Lease.Seen && !r.Lease.Gone)
}

// ClockBehind is the delay from renewTime to the API server's write that proves the kubelet's clock to be behind. A
// request takes at most ten seconds, and is repeated with another renewTime.
// Source: kubernetes: pkg/kubelet, the heartbeat client's timeout, a quarter of the lease's duration.
const ClockBehind = 10 * time.Second

// Confirmed reports whether, by the API server's clock, the lease was written at its renewTime, apart from latency.
// Then an old renewTime is an old heartbeat on any clock. Without managedFields it is false.
func (r *LeaseRow) Confirmed() bool {
	w := r.Written.Earliest
	return w.Bounded() && w > r.Created && w.Sub(r.Renewed).Abs() < ClockBehind
}

// ahead reports whether renewTime is so far after the time of reading that the kubelet's clock must be ahead.
func (r *LeaseRow) ahead(read ReadUpTo) bool {
	return read.Bounded() && r.Renewed.Sub(read.Instant) >= ClockBehind
}

// Zone is the node's zone; unknown while its object is unseen.
func (r *NodeRow) Zone() Maybe[ZoneKey] {
	if r.Node == nil {
		return Maybe[ZoneKey]{}
	}
	return Some(r.Node.Zone)
}

// AgeFrom is the time from which a heartbeat's age was measured.
type AgeFrom uint8

const (
	AgeUnknown AgeFrom = iota
	// AgeHeard: from when the recorder saw the lease change.
	AgeHeard
	// AgeRenewTime: from the lease's renewTime, by the kubelet's clock.
	AgeRenewTime
	// AgeWritten: from when the API server last wrote the lease (managedFields), for a clock that is behind
	// (ClockBehind).
	AgeWritten
	// AgeStatus: from the newest status heartbeat, up to five minutes coarse.
	AgeStatus
)

// String is the word used in JSON.
func (f AgeFrom) String() string {
	return [...]string{"", "lastSeen", "renewTime", "written", "status"}[min(f, AgeStatus)]
}

// Ages are the ages of a node's heartbeat at one time.
type Ages struct {
	// Age is how long the kubelet has been silent: since its last renewal, or its last status if newer (Posted). Lease
	// is the age of the renewal alone; From is where it was measured from.
	Age, Lease Maybe[time.Duration]
	From       AgeFrom
	Posted     bool
	// Heard is the time since the recorder saw the lease change, Says that since renewTime, by the kubelet's clock.
	Heard, Says Maybe[time.Duration]
	// Skew is Heard − Says, with latency: positive if the kubelet's clock is ahead of the recorder's.
	Skew Maybe[time.Duration]
	// Ahead is how far renewTime is after the time of reading, if only a clock that is ahead or a much later reading
	// explains it. Age is then unknown.
	Ahead Maybe[time.Duration]
	// AtLeast: the heartbeat may be older, since the time of reading has only a lower bound. AtMost: it may be younger,
	// because of a gap; set by a caller that knows the gaps.
	AtLeast, AtMost bool
	// Unwatched is the part of Age without data: silence there proves nothing. See history.Unwatched.Excuse.
	Unwatched time.Duration
	// Declared: Age is the time since the node was declared Unknown; the heartbeat may be older, but not younger.
	Declared bool
}

func (a *Ages) Measured() string {
	if a.Posted {
		return "posted"
	}
	return a.From.String()
}

// Ages measures the heartbeat's age at a time up to which it was watched.
func (r *NodeRow) Ages(at Instant) Ages { return r.AgesAsOf(Watched(at)) }

// postsWithin is the longest interval between two posts of an unchanged status: five minutes, and once after a change
// up to half of that more.
// Source: kubernetes: pkg/kubelet, calculateDelay.
const postsWithin = 7*time.Minute + 30*time.Second

// Late reports whether the ages prove a node silent for LateAfter. A missing status proves nothing about the lease.
func (a *Ages) Late() bool {
	return a.Age.Known && a.From != AgeStatus && a.Silent() >= LateAfter
}

// Unposted reports whether only a node's status is known, and the next one is overdue.
func (a *Ages) Unposted() bool {
	return a.Age.Known && a.From == AgeStatus && a.Silent() >= postsWithin
}

// ByStatus reports whether the age rests on a status alone: renewals that are not shown may have come after it.
func (a *Ages) ByStatus() bool { return a.Age.Known && a.From == AgeStatus && !a.Declared }

// Silent is the part of Age that was watched.
func (a *Ages) Silent() time.Duration { return a.Age.Value - a.Unwatched }

// AgesAsOf measures the heartbeat's age at the time of reading.
func (r *NodeRow) AgesAsOf(is AsOf) Ages {
	var a Ages
	since := func(t Instant, read ReadUpTo) Maybe[time.Duration] {
		switch {
		case !t.Bounded() || !read.Bounded():
			return Maybe[time.Duration]{}
		case read.AtLeast:
			return Some(max(0, read.Sub(t)))
		}
		return Some(read.Sub(t))
	}
	if r.Lease.Seen && !r.Lease.Gone {
		a.Says = since(r.Lease.Renewed, is.Leases)
		if !is.Leases.AtLeast { // nothing in a capture was received
			a.Heard = since(r.Lease.Heard, is.Leases)
		}
	}
	switch {
	case a.Heard.Known:
		a.Age, a.From = a.Heard, AgeHeard
	case a.Says.Known && r.Lease.ahead(is.Leases):
		if r.Lease.Written.Width() < ClockBehind {
			a.Age, a.From = since(r.Lease.Written.Earliest, is.Leases), AgeWritten
			a.Skew = Some(a.Age.Value - a.Says.Value)
		} else {
			a.Ahead = Some(r.Lease.Renewed.Sub(is.Leases.Instant))
		}
	case a.Says.Known:
		a.Age, a.From, a.AtLeast = a.Says, AgeRenewTime, is.Leases.AtLeast
		if w := r.Lease.Written.Earliest; w.Bounded() && w.Sub(r.Lease.Renewed) >= ClockBehind {
			a.Age, a.From = since(w, is.Leases), AgeWritten
			a.Skew = Some(a.Age.Value - a.Says.Value)
		}
	default:
		if a.Age = since(r.Posted, is.Statuses); a.Age.Known {
			a.From, a.AtLeast = AgeStatus, is.Statuses.AtLeast
		}
		if d := r.sinceDeclared(is.At); a.AtLeast && d > a.Age.Value {
			a.Age, a.Declared = Some(d), true
		}
	}
	if a.Heard.Known && a.Says.Known {
		a.Skew = Some(a.Heard.Value - a.Says.Value)
	}
	if a.From != AgeStatus {
		a.Lease = a.Age
		if later, ok := r.postedAfterLease(); ok && a.Lease.Known && later <= a.Lease.Value {
			a.Age, a.Posted = Some(a.Lease.Value-later), true
		}
	}
	return a
}

// postedAfterLease is how long after the last renewal the kubelet posted its status, by its own clock; ok is false if
// it did not. If the renewal has no object, arrivals are compared.
func (r *NodeRow) postedAfterLease() (by time.Duration, ok bool) {
	renewed, posted := r.Lease.Renewed, r.Posted
	if !renewed.Bounded() {
		renewed, posted = r.Lease.Heard, min(posted, r.Written.Latest)
	}
	if r.Node == nil || !posted.Bounded() || !renewed.Bounded() || posted <= renewed {
		return 0, false
	}
	ready := r.Node.Ready()
	return posted.Sub(renewed), ready != nil && ready.Heartbeat == r.Posted // else it is the arrival of a request
}

func (r *NodeRow) sinceDeclared(at Instant) time.Duration {
	ready := r.Node.Ready()
	if !at.Bounded() || ready == nil || ready.Status != StatusUnknown || ready.Reason != ReasonUnknown || !ready.Transition.Bounded() {
		return 0
	}
	return max(0, at.Sub(ready.Transition))
}

// Nodes calls yield for every existing node, in no particular order. Rows must not be kept across the next Fold.
func (c *Cluster) Nodes(yield func(*NodeRow) bool) {
	for i := range c.rows {
		if c.rows[i].Exists() && !yield(&c.rows[i]) {
			return
		}
	}
}

func (c *Cluster) NodeCount() int {
	n := 0
	for range c.Nodes {
		n++
	}
	return n
}

// Node finds an existing node; nil if there is none.
func (c *Cluster) Node(name string) *NodeRow {
	if r := c.Row(name); r != nil && r.Exists() {
		return r
	}
	return nil
}

// ComparePods orders pods by their keys.
func ComparePods(a, b *Pod) int { return CompareKeys(a.Key, b.Key) }

// Leaders are the leader-election leases seen, by name. The slice must not be modified.
func (c *Cluster) Leaders() []Leader { return c.leaders }

// ZoneSummary counts the nodes of one zone at one time.
type ZoneSummary struct {
	// Zone is unknown for nodes whose object the source never showed.
	Zone Maybe[ZoneKey]

	Nodes, Ready, NotReady, Unknown, Never, Unseen, Cordoned int
	// Late counts Ready nodes whose heartbeat is at least LateAfter old.
	Late int
	// Oldest and Median are over the best known age of each node.
	Oldest, Median Maybe[time.Duration]
	// AtLeast: Oldest and Median may be more, being of a capture. Coarse: they may be less, being the age of a status.
	AtLeast, Coarse bool
	// OldestHeard and MedianHeard are over ages by arrival only.
	OldestHeard, MedianHeard Maybe[time.Duration]
}

// LateAfter is the age from which a heartbeat counts as late: one renewal is missed.
const LateAfter = 20 * time.Second

// Compare orders zones for screens: by zone, then nodes without labels, then nodes of unknown zone.
func (z *ZoneSummary) Compare(y *ZoneSummary) int {
	switch {
	case z.Zone.Known == y.Zone.Known:
		return z.Zone.Value.Compare(y.Zone.Value)
	case z.Zone.Known:
		return -1
	}
	return 1
}

// Zones counts the nodes of every zone at a time, in the order of Compare.
func (c *Cluster) Zones(at Instant) []ZoneSummary { return c.ZonesAsOf(Watched(at)) }

// ZonesAsOf is Zones with ages at the time of reading.
func (c *Cluster) ZonesAsOf(is AsOf) []ZoneSummary {
	type tally struct {
		ZoneSummary
		ages, heard []time.Duration
		apart       bool // some age by arrival is not the age
	}
	index := map[Maybe[ZoneKey]]int{}
	var zones []tally
	i := -1
	for r := range c.Nodes {
		if zone := r.Zone(); i < 0 || zone != zones[i].Zone { // mostly the zone of the previous node
			var ok bool
			if i, ok = index[zone]; !ok {
				i = len(zones)
				index[zone] = i
				zones = append(zones, tally{ZoneSummary: ZoneSummary{Zone: zone}})
			}
		}
		z := &zones[i]
		a := r.AgesAsOf(is)
		z.count(r, a)
		if a.Age.Known {
			z.ages = append(z.ages, a.Age.Value)
		}
		if a.Heard.Known {
			z.heard = append(z.heard, a.Heard.Value)
		}
		z.apart = z.apart || a.Heard != a.Age
	}
	out := make([]ZoneSummary, 0, len(zones))
	for i := range zones {
		z := &zones[i]
		z.Oldest, z.Median = oldestAndMedian(z.ages)
		if z.OldestHeard, z.MedianHeard = z.Oldest, z.Median; z.apart {
			z.OldestHeard, z.MedianHeard = oldestAndMedian(z.heard)
		}
		out = append(out, z.ZoneSummary)
	}
	slices.SortFunc(out, func(a, b ZoneSummary) int { return a.Compare(&b) })
	return out
}

func (z *ZoneSummary) count(r *NodeRow, a Ages) {
	z.Nodes++
	z.AtLeast = z.AtLeast || a.AtLeast
	z.Coarse = z.Coarse || a.From == AgeStatus
	health := r.Health()
	*[...]*int{&z.Unseen, &z.Never, &z.Ready, &z.NotReady, &z.Unknown}[health]++
	if health == HealthReady && a.Age.Known && a.Age.Value >= LateAfter && a.From != AgeStatus {
		z.Late++
	}
	if r.Node != nil && r.Node.Unschedulable {
		z.Cordoned++
	}
}

func oldestAndMedian(ages []time.Duration) (oldest, median Maybe[time.Duration]) {
	if len(ages) == 0 {
		return
	}
	slices.Sort(ages)
	middle, _ := Median(ages)
	return Some(ages[len(ages)-1]), Some(middle)
}

// AsOf is up to when the state at a time was read: that time for history; for a capture, that time or later.
type AsOf struct {
	At Instant
	// Leases and Statuses are up to when each was read.
	Leases, Statuses ReadUpTo
}

// ReadUpTo is the time up to which something was read; unknown if it was not. AtLeast: ages by it are minimums.
type ReadUpTo struct {
	Instant
	AtLeast bool
}

func Watched(at Instant) AsOf { return AsOf{at, ReadUpTo{at, false}, ReadUpTo{at, false}} }
