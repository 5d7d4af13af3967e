package nodelifecycle

import (
	"maps"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/packed"
)

// Packed is a Controller in few bytes, to be unpacked beside the cache it was packed with. It never changes.
type Packed struct {
	controller Controller
	rows       int
	columns    []byte
	// nodes are versions that the cache no longer shows, in the order of rows.
	nodes []*model.Node
}

// SeenChange is how much of the cache the Controller has seen: see informer.Cache.Changed.
func (c *Controller) SeenChange() uint64 { return c.seenChange }

// Pack packs the Controller. view is its cache.
func (c *Controller) Pack(view *informer.Cache) *Packed {
	p := &Packed{controller: *c, rows: len(c.records)}
	p.controller.records, p.controller.due, p.controller.out = nil, nil, nil
	p.controller.zones, p.controller.byZone = cloneZones(c.zones), maps.Clone(c.byZone)
	var columns packed.Columns
	p.walk(&columns, c, view, len(c.records))
	p.columns = columns.Bytes()
	return p
}

// Size is roughly its bytes.
func (p *Packed) Size() int {
	size := 500 + len(p.columns) + 600*len(p.nodes)
	for i := range p.controller.zones {
		size += 200 + 32*len(p.controller.zones[i].queue.entries)
	}
	return size
}

// Unpack restores the Controller. view is the cache it was packed with, or an equal one.
func (p *Packed) Unpack(view *informer.Cache) *Controller {
	c := p.controller
	c.zones, c.byZone = cloneZones(c.zones), maps.Clone(c.byZone)
	c.records, c.due = make([]record, p.rows), make([]model.Instant, p.rows)
	p.walk(packed.ColumnsOf(p.columns), &c, view, p.rows)
	return &c
}

func (p *Packed) walk(columns *packed.Columns, c *Controller, view *informer.Cache, rows int) {
	var before record
	nodes := p.nodes
	for i := range rows {
		r, row := c.records[i], view.Row(int32(i))
		if r.offPass != c.pass {
			r.offTaints = pair{}
		}
		form := nodeForm(r.node, row.Node)
		packed.Number(columns, &form, shown)
		r.pack(columns, row, &before)
		packed.Number(columns, &c.due[i], r.probe.Add(c.params.NodeMonitorGracePeriod.Value))
		before = r
		switch {
		case !columns.Read() && form == listed:
			p.nodes = append(p.nodes, r.node)
		case !columns.Read():
		case form == shown:
			r.node = row.Node
		case form == older:
			version := *row.Node
			r.node = &version
		case form == listed:
			r.node, nodes = nodes[0], nodes[1:]
		}
		if columns.Read() {
			r.offPass = c.pass
			c.records[i] = r
		}
	}
}

// Forms of a record's node compared with the cache's: none, the same, older but equal for all decisions, or another.
const (
	absent uint8 = iota
	shown
	older
	listed
)

func nodeForm(node, now *model.Node) uint8 {
	switch {
	case node == nil:
		return absent
	case node == now:
		return shown
	case now != nil && node.Zone == now.Zone && noExecuteTaints(node) == noExecuteTaints(now):
		return older
	}
	return listed
}

// pack writes a record, or reads it: each field as a difference from its row or the record before.
func (r *record) pack(columns *packed.Columns, row *informer.Row, before *record) {
	packed.Flags(columns, &r.calm, &r.idle, &r.has, &r.known, &r.retry, &r.countedReady, &r.lease.has, &r.offTaints.notReady, &r.offTaints.unreachable)
	packed.Number(columns, &r.probe, before.probe)
	packed.Number(columns, &r.transition, before.transition)
	saved := savedReady{}
	if row.Node != nil && row.Node.Ready() != nil {
		ready := row.Node.Ready()
		saved = savedReady{ready.Status, ready.Heartbeat, ready.Transition}
	}
	packed.Number(columns, &r.saved.status, saved.status)
	packed.Number(columns, &r.saved.heartbeat, saved.heartbeat)
	packed.Number(columns, &r.saved.transition, saved.transition)
	packed.Number(columns, &r.lease.renewed, row.Lease.Renewed)
	packed.Number(columns, &r.lease.version, row.Lease.Version)
	packed.Number(columns, &r.lease.position, row.Lease.Position)
	packed.Number(columns, &r.beat.what, before.beat.what)
	beat := r.expectedBeat(row)
	packed.Number(columns, &r.beat.at, beat.at)
	packed.Number(columns, &r.beat.version, beat.version)
	packed.Number(columns, &r.beat.position, beat.position)
	packed.Number(columns, &r.zone, before.zone)
	packed.Number(columns, &r.countedIn, r.zone)
	packed.Number(columns, &r.marked, before.marked)
	packed.Number(columns, &r.queued, before.queued)
	packed.Number(columns, &r.tainted, before.tainted)
}

// expectedBeat is the beat that the saved lease or status implies.
func (r *record) expectedBeat(row *informer.Row) beat {
	switch r.beat.what {
	case beatLease:
		return beat{at: r.lease.renewed, version: r.lease.version, position: r.lease.position}
	case beatStatus:
		return beat{at: r.saved.heartbeat, version: row.Version, position: row.Position}
	}
	return beat{at: r.probe, version: row.Version, position: row.Position}
}
