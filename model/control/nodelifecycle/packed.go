package nodelifecycle

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/packed"
)

// Packed is a Controller in few bytes, to be put together again beside the cache it was packed
// with: of a node that is heard steadily it says in which pass, and nothing else. It never changes.
type Packed struct {
	// controller is the Controller without its columns.
	controller Controller
	rows       int
	columns    []byte
	caused     []causedRow
	// nodes are versions that the cache shows no more, in the order of rows.
	nodes []*model.Node
	size  int
}

// causedRow is a row with decisions.
type causedRow struct {
	row                     int32
	marked, queued, tainted model.DecisionID
}

// SeenChange is what of the cache the Controller has seen: see informer.Cache.Changed.
func (c *Controller) SeenChange() uint64 { return c.seenChange }

// Pack is the Controller as it stands. view is the cache it looks at; before may be nil, or an
// older one, to share with.
func (c *Controller) Pack(view *informer.Cache, before *Packed) *Packed {
	p := &Packed{controller: *c, rows: len(c.records)}
	p.controller.records, p.controller.due, p.controller.out = nil, nil, nil
	p.controller.zones, p.controller.byZone = cloneZones(c.zones), maps.Clone(c.byZone)
	var w packed.Writer
	if before != nil {
		w.B = make([]byte, 0, len(before.columns)*5/4)
	}
	for i := range c.records {
		r := &c.records[i]
		p.pack(&w, c, r, view.Row(int32(i)), c.due[i])
		if x := (causedRow{int32(i), r.marked, r.queued, r.tainted}); x != (causedRow{row: int32(i)}) {
			p.caused = append(p.caused, x)
		}
	}
	p.columns = slices.Clone(w.Bytes())
	p.size = 500 + len(p.columns) + 600*len(p.nodes)
	for i := range p.controller.zones {
		p.size += 200 + 32*len(p.controller.zones[i].queue.entries)
	}
	if before != nil && slices.Equal(before.caused, p.caused) {
		p.caused = before.caused
	} else {
		p.size += 32 * len(p.caused)
	}
	return p
}

// Size is about how many bytes it takes, besides what it shares.
func (p *Packed) Size() int { return p.size }

// Unpack is the Controller again. view is the cache it was packed with, or one that is the same.
func (p *Packed) Unpack(view *informer.Cache) *Controller {
	c := p.controller
	c.zones, c.byZone = cloneZones(c.zones), maps.Clone(c.byZone)
	c.records, c.due = make([]record, p.rows), make([]model.Instant, p.rows)
	columns, nodes := packed.Read(p.columns), p.nodes
	for i := range c.records {
		r := &c.records[i]
		c.due[i] = c.unpack(columns, r, view.Row(int32(i)), &nodes)
	}
	for _, x := range p.caused {
		r := &c.records[x.row]
		r.marked, r.queued, r.tainted = x.marked, x.queued, x.tainted
	}
	return &c
}

// How a field of a record is packed: not at all where it is zero, or what is to be expected of the row
// beside it and of the other fields; else it is listed.
const (
	nothing = iota
	asExpected
	listed
)

// outline is the flags of a record, and how its fields are packed.
type outline struct {
	calm, idle, has, known, retry, ready              bool
	node, saved, lease, beat, due, off, zone, counted uint8
	what                                              beatKind
}

// older says of a record's node that the cache shows a newer version, and that nothing a
// Controller asks of the older one is different in it.
const older = listed + 1

func (o *outline) bits() (b int64) {
	for _, flag := range [...]bool{o.calm, o.idle, o.has, o.known, o.retry, o.ready} {
		b <<= 1
		if flag {
			b |= 1
		}
	}
	for _, form := range [...]uint8{o.node, o.saved, o.lease, o.beat, o.due, o.off, o.zone, o.counted} {
		b = b<<2 | int64(form)
	}
	return b<<4 | int64(o.what)
}

func outlineOf(b int64) (o outline) {
	o.what = beatKind(b & 15)
	b >>= 4
	for _, form := range [...]*uint8{&o.counted, &o.zone, &o.off, &o.due, &o.beat, &o.lease, &o.saved, &o.node} {
		*form = uint8(b & 3)
		b >>= 2
	}
	for _, flag := range [...]*bool{&o.ready, &o.retry, &o.known, &o.has, &o.idle, &o.calm} {
		*flag = b&1 != 0
		b >>= 1
	}
	return o
}

// form is how a value is packed that may be zero or as expected.
func form[T comparable](v, expected T) uint8 {
	var zero T
	switch v {
	case zero:
		return nothing
	case expected:
		return asExpected
	}
	return listed
}

// expectedBeat is the sign of life that the saved lease or status is.
func (r *record) expectedBeat(row *informer.Row) beat {
	switch r.beat.what {
	case beatLease:
		return beat{beatLease, r.lease.renewed, r.lease.version, r.lease.position}
	case beatStatus:
		return beat{beatStatus, r.saved.heartbeat, row.Version, row.Position}
	}
	return beat{what: r.beat.what, at: r.probe, version: row.Version, position: row.Position}
}

// expectedLease is the lease that the cache shows, expectedSaved the status.
func expectedLease(row *informer.Row) savedLease {
	l := &row.Lease
	return savedLease{has: true, renewed: l.Renewed, version: l.Version, position: l.Position}
}

func expectedSaved(row *informer.Row) savedReady {
	if row.Node == nil {
		return savedReady{}
	}
	if ready := row.Node.Ready(); ready != nil {
		return savedReady{ready.Status, ready.Heartbeat, ready.Transition}
	}
	return savedReady{}
}

// expectedZone is the zone of the node that the cache shows.
func (c *Controller) expectedZone(row *informer.Row) int32 {
	if row.Node != nil {
		if i, ok := c.byZone[row.Node.Zone]; ok {
			return i
		}
	}
	return noZone
}

// expectedDue is when a node that is heard steadily is looked at again.
func (c *Controller) expectedDue(r *record) model.Instant {
	return r.probe.Add(c.params.NodeMonitorGracePeriod.Value)
}

// pack writes a record and when it is due.
func (p *Packed) pack(w *packed.Writer, c *Controller, r *record, row *informer.Row, due model.Instant) {
	o := outline{calm: r.calm, idle: r.idle, has: r.has, known: r.known, retry: r.retry, ready: r.countedReady,
		node: form(r.node, row.Node), saved: form(r.saved, expectedSaved(row)), lease: form(r.lease, expectedLease(row)),
		beat: form(r.beat, r.expectedBeat(row)), due: listed, zone: listed, counted: listed, what: r.beat.what}
	if o.node == listed && row.Node != nil && r.node.Zone == row.Node.Zone && noExecuteTaints(r.node) == noExecuteTaints(row.Node) {
		o.node = older
	}
	switch due {
	case model.FarFuture:
		o.due = nothing
	case c.expectedDue(r):
		o.due = asExpected
	}
	if r.offPass == c.pass && r.offTaints != (pair{}) {
		o.off = listed
	}
	if r.zone == c.expectedZone(row) {
		o.zone = asExpected
	}
	if r.countedIn == r.zone {
		o.counted = asExpected
	}
	w.Interned(packed.Triple{o.bits(), int64(r.probe), int64(r.transition)})
	if o.node == listed {
		p.nodes = append(p.nodes, r.node)
	}
	if o.saved == listed {
		w.Uint(uint64(r.saved.status))
		w.Int(int64(r.saved.heartbeat))
		w.Int(int64(r.saved.transition))
	}
	if o.lease == listed {
		has, like := uint64(0), &row.Lease
		if r.lease.has {
			has = 1
		}
		w.Uint(has)
		w.Time(int64(r.lease.renewed - like.Renewed))
		back := int64(r.lease.position - like.Position)
		w.Int(back)
		w.Int(int64(r.lease.version-like.Version) - back) // versions come about as often as Changes
	}
	if o.beat == listed {
		w.Int(int64(r.beat.at))
		w.Uint(r.beat.version)
		w.Int(int64(r.beat.position))
	}
	if o.due == listed {
		w.Int(int64(due))
	}
	if o.zone == listed {
		w.Int(int64(r.zone))
	}
	if o.counted == listed {
		w.Int(int64(r.countedIn))
	}
	if o.off == listed {
		w.Uint(r.offTaints.bits())
	}
}

// unpack reads what pack has written, and says when the row is due.
func (c *Controller) unpack(columns *packed.Reader, r *record, row *informer.Row, nodes *[]*model.Node) (due model.Instant) {
	often := columns.Interned()
	o := outlineOf(often[0])
	r.calm, r.idle, r.has, r.known, r.retry, r.countedReady = o.calm, o.idle, o.has, o.known, o.retry, o.ready
	r.probe, r.transition = model.Instant(often[1]), model.Instant(often[2])
	switch o.node {
	case asExpected:
		r.node = row.Node
	case older:
		version := *row.Node
		r.node = &version
	case listed:
		r.node, *nodes = (*nodes)[0], (*nodes)[1:]
	}
	switch o.saved {
	case asExpected:
		r.saved = expectedSaved(row)
	case listed:
		r.saved = savedReady{model.Status(columns.Uint()), model.Instant(columns.Int()), model.Instant(columns.Int())}
	}
	switch o.lease {
	case asExpected:
		r.lease = expectedLease(row)
	case listed:
		like := &row.Lease
		r.lease.has, r.lease.renewed = columns.Uint() == 1, like.Renewed+model.Instant(columns.Time())
		back := columns.Int()
		r.lease.position, r.lease.version = like.Position+int(back), like.Version+uint64(columns.Int()+back)
	}
	r.beat.what = o.what
	switch o.beat {
	case nothing:
		r.beat = beat{}
	case asExpected:
		r.beat = r.expectedBeat(row)
	case listed:
		r.beat = beat{o.what, model.Instant(columns.Int()), columns.Uint(), int(columns.Int())}
	}
	switch o.due {
	case nothing:
		due = model.FarFuture
	case asExpected:
		due = c.expectedDue(r)
	case listed:
		due = model.Instant(columns.Int())
	}
	r.zone = c.expectedZone(row)
	if o.zone == listed {
		r.zone = int32(columns.Int())
	}
	r.countedIn = r.zone
	if o.counted == listed {
		r.countedIn = int32(columns.Int())
	}
	if o.off == listed {
		r.offPass, r.offTaints = c.pass, pairOf(columns.Uint())
	}
	return due
}

func (p pair) bits() (b uint64) {
	if p.notReady {
		b |= 1
	}
	if p.unreachable {
		b |= 2
	}
	return b
}

func pairOf(b uint64) pair { return pair{b&1 != 0, b&2 != 0} }
