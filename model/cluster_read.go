package model

import (
	"cmp"
	"slices"
	"time"
)

// Health is the word for what a node's Ready condition says.
type Health uint8

const (
	// HealthUnseen: the source never showed the Node object; it is known by its lease, a
	// pod or an Event only.
	HealthUnseen Health = iota
	// HealthNever: the node has no Ready condition yet.
	HealthNever
	HealthReady
	// HealthNotReady: the kubelet itself says that it is not ready.
	HealthNotReady
	// HealthUnknown: the control plane has declared that it does not hear the kubelet.
	HealthUnknown
)

// String is the word on screens.
func (h Health) String() string {
	return [...]string{"lease-only", "NoStatus", "Ready", "NotReady", "Unknown"}[min(h, HealthUnknown)]
}

// Health is what the row's Ready condition says.
func (r *NodeRow) Health() Health {
	if r.Node == nil {
		return HealthUnseen
	}
	switch readyStatus(r.Node) {
	case StatusTrue:
		return HealthReady
	case StatusFalse:
		return HealthNotReady
	case StatusUnknown:
		return HealthUnknown
	}
	return HealthNever
}

// ReadySince is since when Ready has its status, as well as it is known: as declared, and not before
// the version that brought it can have been written. A kubelet that returns may declare the time
// of its start. Unknown without a Ready condition.
func (r *NodeRow) ReadySince() Instant {
	if r.Node == nil || r.Node.Ready() == nil {
		return 0
	}
	since := r.Node.Ready().Transition
	if written := r.ReadySet.Earliest; since.Bounded() && written.Bounded() && written.Sub(since) > time.Second {
		return written // the declared time is cut to a second, and may be that much behind
	}
	return since
}

// Exists says whether the row stands for a node at all: a Node object, or a
// heartbeat of one whose object the source does not show. A deleted node does not
// come back by its lease.
func (r *NodeRow) Exists() bool {
	return r.Node != nil || (!r.Gone && r.Lease.Seen && !r.Lease.Gone)
}

// ClockBehind is how much later than its renewTime the API server must have written a lease for the kubelet's clock to be
// behind: the request itself takes ten seconds at most, and then is made anew with another renewTime.
// Source: kubernetes: pkg/kubelet, the heartbeat client's timeout, a quarter of the lease's duration.
const ClockBehind = 10 * time.Second

// Confirmed says that the API server's clock tells that the lease was not written after its renewTime by more than the
// way there takes: then an old renewTime is an old heartbeat, whatever the kubelet's clock. Of a lease that is shown
// without managedFields nobody knows.
func (r *LeaseRow) Confirmed() bool {
	w := r.Written.Earliest
	return w.Bounded() && w > r.Created && w.Sub(r.Renewed).Abs() < ClockBehind
}

// ahead says that the lease's renewTime lies that far after when it was read that its kubelet's clock must be ahead.
func (r *LeaseRow) ahead(read ReadUpTo) bool {
	return read.Bounded() && r.Renewed.Sub(read.Instant) >= ClockBehind
}

// Zone is where the node is; unknown while its object is unseen.
func (r *NodeRow) Zone() Maybe[ZoneKey] {
	if r.Node == nil {
		return Maybe[ZoneKey]{}
	}
	return Some(r.Node.Zone)
}

// AgeFrom says what a heartbeat age was measured from.
type AgeFrom uint8

const (
	AgeUnknown AgeFrom = iota
	// AgeHeard: from the moment the recorder saw the lease change.
	AgeHeard
	// AgeRenewTime: from the lease's renewTime, by the kubelet's clock.
	AgeRenewTime
	// AgeWritten: from when the API server wrote the lease last, by its clock (managedFields), where the kubelet's is
	// that far behind that its renewTime tells of an older heartbeat than there was.
	AgeWritten
	// AgeStatus: from the newest status heartbeat; up to five minutes coarse.
	AgeStatus
)

// String is the word used in JSON.
func (f AgeFrom) String() string {
	return [...]string{"", "lastSeen", "renewTime", "written", "status"}[min(f, AgeStatus)]
}

// Ages are the ages of a node's heartbeat at one instant.
type Ages struct {
	// Age is for how long the kubelet has been silent, as well as that is known: since it renewed its lease, or posted its
	// status after that (Posted). Lease is the same since its lease was renewed, and From what that was measured from.
	Age, Lease Maybe[time.Duration]
	From       AgeFrom
	Posted     bool
	// Heard is the time since the recorder saw the lease change; Says is the time since
	// renewTime, as the kubelet's clock has it. The controller acts on neither exactly.
	Heard, Says Maybe[time.Duration]
	// Skew is Heard − Says: positive when the kubelet's clock is ahead of the
	// recorder's. Network and server latency are part of it.
	Skew Maybe[time.Duration]
	// Ahead is by how much its renewTime lies after when it was read, where that is so much that only a clock that is ahead
	// explains it, or that it was read much later: then it does not tell since when the kubelet is silent, nor that it is not.
	Ahead Maybe[time.Duration]
	// AtLeast says that the heartbeat may be older: when it was read is only bounded from below. AtMost
	// says that it may be younger: nobody watched for a while. Whoever knows of that sets it.
	AtLeast, AtMost bool
	// Unwatched is the part of Age in which nothing was received: silence then proves nothing. See history.Unwatched.Excuse.
	Unwatched time.Duration
	// Declared says that Age is the time since the node was declared Unknown, by when it was silent: it may be older, and
	// is no younger.
	Declared bool
}

// Measured is the word for what Age was measured from.
func (a *Ages) Measured() string {
	if a.Posted {
		return "posted"
	}
	return a.From.String()
}

// Ages measures the heartbeat's age at an instant up to which it was watched.
func (r *NodeRow) Ages(at Instant) Ages { return r.AgesAsOf(Watched(at)) }

// postsWithin is within what time a kubelet posts its status again if nothing changes: five minutes, and once after a
// change up to half of that less or more.
// Source: kubernetes: pkg/kubelet, calculateDelay.
const postsWithin = 7*time.Minute + 30*time.Second

// Late says that the ages prove a node silent: two renewals are missing. A status proves nothing: a kubelet that posts none
// may renew its lease.
func (a *Ages) Late() bool {
	return a.Age.Known && a.From != AgeStatus && a.Silent() >= LateAfter
}

// Unposted says that only a node's status is known, and that the next is overdue.
func (a *Ages) Unposted() bool {
	return a.Age.Known && a.From == AgeStatus && a.Silent() >= postsWithin
}

// Silent is for how long heartbeats were watched, and none came.
func (a *Ages) Silent() time.Duration { return a.Age.Value - a.Unwatched }

// AgesAsOf measures the heartbeat's age as of when it was read.
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
		if !is.Leases.AtLeast { // what was captured was heard by nobody
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

// postedAfterLease is by how much later than the last renewal of the lease the kubelet posted its status, both by its own
// clock; ok is false where it did not. Of a renewal whose object is not shown, only when it was heard is known.
func (r *NodeRow) postedAfterLease() (by time.Duration, ok bool) {
	renewed, posted := r.Lease.Renewed, r.Posted
	if !renewed.Bounded() {
		renewed, posted = r.Lease.Heard, min(posted, r.Written.Latest)
	}
	if r.Node == nil || !posted.Bounded() || !renewed.Bounded() || posted <= renewed {
		return 0, false
	}
	ready := r.Node.Ready()
	return posted.Sub(renewed), ready != nil && ready.Heartbeat == r.Posted // else it is when a request came
}

// sinceDeclared is for how long a node has read Unknown by the controller's word; 0 where it does not.
func (r *NodeRow) sinceDeclared(at Instant) time.Duration {
	if r.Node == nil || !at.Bounded() {
		return 0
	}
	ready := r.Node.Ready()
	if ready == nil || ready.Status != StatusUnknown || ready.Reason != ReasonUnknown || !ready.Transition.Bounded() {
		return 0
	}
	return max(0, at.Sub(ready.Transition))
}

// Nodes calls yield for every node that exists, in no particular order, until it
// returns false. Rows must not be kept across the next Fold.
func (c *Cluster) Nodes(yield func(*NodeRow) bool) {
	for i := range c.rows {
		if c.rows[i].Exists() && !yield(&c.rows[i]) {
			return
		}
	}
}

// NodeCount is how many nodes exist.
func (c *Cluster) NodeCount() int {
	n := 0
	c.Nodes(func(*NodeRow) bool { n++; return true })
	return n
}

// Node finds a node that exists; nil if there is none of that name.
func (c *Cluster) Node(name string) *NodeRow {
	if r := c.Row(name); r != nil && r.Exists() {
		return r
	}
	return nil
}

// ComparePods orders pods by namespace, then name.
func ComparePods(a, b *Pod) int {
	if d := cmp.Compare(a.Namespace, b.Namespace); d != 0 {
		return d
	}
	return cmp.Compare(a.Name, b.Name)
}

// Leaders are the leader-election leases seen, by name. The slice must not be modified.
func (c *Cluster) Leaders() []Leader { return c.leaders }

// ZoneSummary counts the nodes of one zone at one instant.
type ZoneSummary struct {
	// Zone is unknown for nodes whose object the source never showed: their zone
	// cannot be known.
	Zone Maybe[ZoneKey]

	Nodes, Ready, NotReady, Unknown, Never, Unseen, Cordoned int
	// Late counts Ready nodes whose heartbeat is 20 s old or older.
	Late int
	// Oldest and Median are over the heard ages where all nodes of the zone that have an
	// age have one of that kind, else over the best age known of each.
	Oldest, Median Maybe[time.Duration]
	// AtLeast says that Oldest and Median may be more: they are of a capture. Coarse says that they may be less:
	// a node's age goes by its status.
	AtLeast, Coarse bool
	// OldestHeard and MedianHeard are over heard ages only.
	OldestHeard, MedianHeard Maybe[time.Duration]
}

// LateAfter is the age from which a heartbeat counts as late: one renewal missed.
const LateAfter = 20 * time.Second

// Less orders zones as screens list them: by zone, nodes without labels after
// them, nodes of unknown zone last.
func (z *ZoneSummary) Less(y *ZoneSummary) bool {
	if z.Zone.Known != y.Zone.Known {
		return z.Zone.Known
	}
	return z.Zone.Value.Less(y.Zone.Value)
}

// Zones counts the nodes of every zone at an instant, in the order screens list them.
func (c *Cluster) Zones(at Instant) []ZoneSummary { return c.ZonesAsOf(Watched(at)) }

// ZonesAsOf is Zones with ages as of when heartbeats were read.
func (c *Cluster) ZonesAsOf(is AsOf) []ZoneSummary {
	type tally struct {
		ZoneSummary
		ages, heard []time.Duration
		apart       bool // some heard age is not the age
	}
	index := map[Maybe[ZoneKey]]int{}
	var zones []tally
	i := -1
	c.Nodes(func(r *NodeRow) bool {
		if zone := r.Zone(); i < 0 || zone != zones[i].Zone { // most often it is that of the node before
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
		return true
	})
	out := make([]ZoneSummary, 0, len(zones))
	for i := range zones {
		z := &zones[i]
		z.Oldest, z.Median = oldestAndMedian(z.ages)
		if z.OldestHeard, z.MedianHeard = z.Oldest, z.Median; z.apart {
			z.OldestHeard, z.MedianHeard = oldestAndMedian(z.heard)
		}
		out = append(out, z.ZoneSummary)
	}
	slices.SortFunc(out, func(a, b ZoneSummary) int {
		if a.Less(&b) {
			return -1
		}
		return 1
	})
	return out
}

func (z *ZoneSummary) count(r *NodeRow, a Ages) {
	z.Nodes++
	z.AtLeast = z.AtLeast || a.AtLeast
	z.Coarse = z.Coarse || a.From == AgeStatus
	switch r.Health() {
	case HealthReady:
		z.Ready++
		if a.Age.Known && a.Age.Value >= LateAfter && a.From != AgeStatus {
			z.Late++
		}
	case HealthNotReady:
		z.NotReady++
	case HealthUnknown:
		z.Unknown++
	case HealthNever:
		z.Never++
	case HealthUnseen:
		z.Unseen++
	}
	if r.Node != nil && r.Node.Unschedulable {
		z.Cordoned++
	}
}

// oldestAndMedian sorts ages in place.
func oldestAndMedian(ages []time.Duration) (oldest, median Maybe[time.Duration]) {
	if len(ages) == 0 {
		return
	}
	slices.Sort(ages)
	middle, _ := Median(ages)
	return Some(ages[len(ages)-1]), Some(middle)
}
