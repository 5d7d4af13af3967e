package model

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// maxNodeEvents limits the Kubernetes Events kept for each node.
const maxNodeEvents = 32

// Cluster is the state at one time, folded from Changes. The zero value is not usable; see NewCluster. A Cluster and
// its Clones share structure and belong to one goroutine.
type Cluster struct {
	rows  []NodeRow
	names *RowNames
	lent  bool // others share names: it is copied before a name is added
	// podsLent: others share pods, which is copied before a write. unboundLent is the same for unbound.
	podsLent bool
	// pods are those folded in, and those on no node. stored has the others; nil in a state folded from the start.
	pods map[Key]*Pod
	// unbound are the pods on no node.
	unbound     map[Key]*Pod
	unboundLent bool
	podCount    int
	stored      Stored
	leaders     []Leader
	related     related
	epoch       *byte // identifies the Cluster that may modify a row's slices in place

	// Now is the latest Effective time folded in; unknown when empty.
	Now Instant
	// Folded, Stale, Attempts and Gaps count Changes: all, those older than the state, refused writes, and gaps.
	Folded, Stale, Attempts, Gaps int
}

// NodeRow is the state of one node: its object, its lease, its pods.
type NodeRow struct {
	Name string
	// Node is the current version; nil if never shown, or deleted (then Gone).
	Node    *Node
	Version uint64
	// Written is when the current version was written, ReadySet when Ready got its status.
	Written, ReadySet Interval
	// ReadyBy is the writer of the current Ready status, or of its newest heartbeat; WriterUnknown if not known.
	ReadyBy Writer
	// Posted is the newest status heartbeat: lastHeartbeatTime of Ready if a kubelet posted it, or the arrival of a
	// status patch known by its request only.
	Posted Instant
	Gone   bool

	Lease LeaseRow

	pods   []*Pod
	events []*Event
	// byControllers is the newest timestamp of the controllers' events.
	byControllers Instant
	owner         *byte
	shelf         shelf
}

// LeaseRow is the state of a node's heartbeat lease.
type LeaseRow struct {
	Lease
	// Seen: the lease, or a request to renew it, was seen.
	Seen    bool
	Gone    bool
	Version uint64
	// Heard is when the recorder last saw the lease change; unknown without arrival times or changes.
	Heard   Instant
	Written Interval
	// Renewals and Refused count folded Changes.
	Renewals, Refused uint32
}

// Leader is the state of a leader-election lease in kube-system.
type Leader struct {
	Name string
	LeaseRow
}

// NewCluster is an empty state.
func NewCluster() *Cluster {
	return &Cluster{names: &RowNames{map[string]int32{}}, pods: map[Key]*Pod{}, unbound: map[Key]*Pod{}, epoch: new(byte),
		related: related{rows: map[ObjectID]RelatedRow{}, released: map[Claim]Interval{}}}
}

// Clone is an independent copy of the state. Both share objects and per-node lists until one changes them.
func (c *Cluster) Clone() *Cluster { return c.CloneInto(nil) }

// CloneInto is a Clone in the memory of a state that is not used any more; nil for none.
func (c *Cluster) CloneInto(room *Cluster) *Cluster {
	c.lent, c.podsLent, c.unboundLent = true, true, true
	d := *c
	d.rows = nil
	if room != nil {
		d.rows = room.rows[:0]
		clear(room.rows[min(len(c.rows), len(room.rows)):])
	}
	d.rows = append(d.rows, c.rows...)
	d.leaders = slices.Clone(c.leaders)
	d.epoch = new(byte)
	// Neither side may write into the lists they now share.
	c.epoch = new(byte)
	return &d
}

// Detach is a copy for another goroutine: it shares nothing that either side writes. c must not be folded into again.
func (c *Cluster) Detach() *Cluster {
	d := *c
	d.rows, d.leaders, d.related, d.epoch = slices.Clone(c.rows), slices.Clone(c.leaders), c.related.clone(), new(byte)
	d.lent, d.podsLent, d.unboundLent = true, true, true
	return &d
}

// Fold applies one Change, in the order of its History. It allocates nothing for the renewal of a known lease.
func (c *Cluster) Fold(ch *Change) {
	c.count(ch.Effective())
	if ch.Op == OpGap {
		c.Gaps++
		return
	}
	if ch.Kind == KindPod {
		c.foldEviction(ch)
	}
	if ch.Op == OpAttempt {
		c.Attempts++
		if ch.Kind == KindNodeLease {
			if row := c.row(ch.Key.Name); row.Lease.Seen || row.Node != nil {
				row.Lease.Refused++
			}
		}
		return
	}
	switch ch.Kind {
	case KindNode:
		c.foldNode(ch)
	case KindNodeLease:
		row := c.row(ch.Key.Name)
		if !row.Lease.fold(ch) {
			c.Stale++
		}
	case KindPod:
		c.foldPod(ch)
	case KindEvent:
		c.foldEvent(ch)
	case KindLeaderLease:
		if !c.leader(ch.Key.Name).fold(ch) {
			c.Stale++
		}
	default:
		c.foldRelated(ch)
	}
}

// Renew applies a Renewal as Fold does its Change, without allocating. row is the RowNumber of the lease's node.
func (c *Cluster) Renew(row int32, of *LeaseObject, r *Renewal) {
	c.count(r.Effective())
	l := &c.rows[row].Lease
	if !l.Gone && r.Before(l.Version) {
		c.Stale++
		return
	}
	l.note(r.Renewed, r.Arrival)
	l.Lease, l.Seen, l.Gone, l.Version, l.Written = of.Lease, true, false, r.Version, r.Time
	l.Renewed = r.Renewed
}

func (c *Cluster) count(t Instant) {
	c.Folded++
	if t.Bounded() && t > c.Now {
		c.Now = t
	}
}

func (c *Cluster) row(name string) *NodeRow { return &c.rows[c.RowNumber(name)] }

// RowNumber is the number of a node's row, made if there is none. Clusters with the same Names agree on it.
func (c *Cluster) RowNumber(name string) int32 {
	if i, ok := c.names.numbers[name]; ok {
		return i
	}
	if c.lent {
		c.names, c.lent = &RowNames{maps.Clone(c.names.numbers)}, false
	}
	i := int32(len(c.rows))
	c.names.numbers[name] = i
	c.rows = append(c.rows, NodeRow{Name: name})
	return i
}

func (c *Cluster) leader(name string) *LeaseRow {
	for i := range c.leaders {
		if c.leaders[i].Name == name {
			return &c.leaders[i].LeaseRow
		}
	}
	c.leaders = append(c.leaders, Leader{Name: name})
	slices.SortFunc(c.leaders, func(a, b Leader) int { return strings.Compare(a.Name, b.Name) })
	return c.leader(name)
}

func (c *Cluster) foldNode(ch *Change) {
	row := c.row(ch.Key.Name)
	switch Apply(ch, NodeVersion(row.Node, row.Version)) {
	case TransitionStale:
		c.Stale++
		return
	case TransitionUnknown:
		if t := ch.Effective(); ch.Op == OpPatch && ch.Writer == WriterKubelet && t.Bounded() {
			row.Posted = max(row.Posted, t) // the kubelet posted, but the current status is not shown
		}
		return
	case TransitionGone:
		row.Node, row.Gone, row.Version = nil, true, ch.Version
		row.Written, row.ReadySet, row.ReadyBy, row.Posted = ch.Time, Interval{}, WriterUnknown, 0
		return
	}
	same := row.Node != nil && (!ch.UID.Known() || !row.Node.UID.Known() || row.Node.UID == ch.UID)
	set := row.Node == nil || !same || row.Node.ReadyStatus() != ch.Node.ReadyStatus()
	switch {
	case row.Node == nil && !row.Gone && ch.Op != OpAdd:
		row.ReadySet = firstSeenReady(ch)
		set = row.ReadySet == ch.Time
	case set:
		row.ReadySet = ch.Time
	}
	if !same {
		row.Node, row.ReadyBy, row.Posted = nil, WriterUnknown, 0
	}
	row.foldReady(ch, set)
	row.Node, row.Gone, row.Version, row.Written = ch.Node, false, ch.Version, ch.Time
}

// foldReady updates the writer of Ready and the kubelet's last post. set says that this version set the status.
func (r *NodeRow) foldReady(ch *Change, set bool) {
	ready, was := ch.Node.Ready(), r.Node.Ready()
	if ready == nil {
		r.ReadyBy = WriterUnknown
		return
	}
	posts := was == nil || was.Heartbeat != ready.Heartbeat
	if set || posts && was != nil {
		r.ReadyBy = ch.WroteReady(r.Node)
	}
	if r.ReadyBy == WriterUnknown {
		r.ReadyBy = ch.Node.ReadyWriter()
	}
	if posts && ready.Posted().Known() && (was == nil || !ch.Requester.Kubectl()) && r.ReadyBy.PostsAsKubelet(r.Lease.Seen && !r.Lease.Gone) {
		r.Posted = max(r.Posted, ready.Posted())
	}
}

// firstSeenReady is when Ready of the first seen version was set: with it if the transition is in its span, or before.
func firstSeenReady(ch *Change) Interval {
	ready := ch.Node.Ready()
	if ready != nil && ready.Transition.Bounded() && ch.Time.Earliest.Bounded() &&
		ready.Transition >= ch.Time.Earliest.Truncate(time.Second) {
		return ch.Time
	}
	return Interval{FarPast, ch.Time.Latest}
}

// fold applies a lease version, and reports whether it is not older than the state.
func (l *LeaseRow) fold(ch *Change) bool {
	switch Apply(ch, l.objectVersion()) {
	case TransitionStale:
		return false
	case TransitionUnknown:
		return true
	case TransitionGone:
		*l = LeaseRow{Seen: l.Seen, Gone: true, Version: ch.Version, Written: ch.Time, Renewals: l.Renewals, Refused: l.Refused}
		return true
	}
	renewed := ch.Lease.Renewed
	// A repeated write shows a renewal that the API server had stored, but whose answer was lost.
	if ch.Op != OpBaseline && (renewed.Known() || ch.Op != OpRepeat && (ch.Kind == KindLeaderLease || ch.Renews())) {
		l.note(renewed, ch.Arrival)
	}
	next := ch.Lease
	if !renewed.Known() && !ch.UID.Known() || next == (Lease{}) {
		next = l.Lease // only the request is known
	}
	if !renewed.Known() {
		next.Renewed = 0 // the current version has an unseen renewTime
	}
	l.Lease, l.Seen, l.Gone, l.Version, l.Written = next, true, false, ch.Version, ch.Time
	return true
}

// objectVersion has no UID: the controllers' caches keep none of leases.
func (l *LeaseRow) objectVersion() ObjectVersion {
	if !l.Seen || l.Gone {
		return ObjectVersion{}
	}
	return ObjectVersion{Exists: true, Version: l.Version}
}

func (l *LeaseRow) note(renewed, arrival Instant) {
	if renewed.Known() && renewed == l.Renewed {
		return
	}
	l.Renewals++
	if arrival.Known() {
		l.Heard = arrival
	}
}

// own makes the row's lists safe to modify: a Clone may still read the old ones.
func (c *Cluster) own(row *NodeRow) {
	if row.owner == c.epoch {
		return
	}
	row.pods = slices.Clone(row.pods)
	row.events = slices.Clone(row.events)
	row.owner = c.epoch
}

func (c *Cluster) foldEvent(ch *Change) {
	e := ch.Event
	if e == nil || ch.Op == OpDelete || e.Regarding.Kind != "Node" {
		return // an Event outlives its object in the API, and its expiry means nothing
	}
	row := c.row(e.Regarding.Name)
	row.Events()
	c.own(row)
	for i, have := range row.events {
		if have.UID == e.UID && e.UID.Known() {
			row.events = slices.Delete(row.events, i, i+1)
			break
		}
	}
	if len(row.events) >= maxNodeEvents {
		row.events = slices.Delete(row.events, 0, 1)
	}
	row.events = append(row.events, e)
	row.seeControllers(e)
}
