package informer

import (
	"slices"

	"kardia/model"
	"kardia/model/packed"
)

// Packed is what of a Cache the observed state at the same position does not tell: in a calm
// cluster, where in the History its objects were read. It never changes.
type Packed struct {
	// names, nodes, ended, out and leases are as in the Cache, rows is how many there are.
	names             map[string]int32
	rows              int
	nodes, ended, out int
	leases            uint64
	mark              uint64

	// columns are what changed since mark, and what a row that is as it was observed knows besides.
	columns []byte
	odd     []oddRow
}

// oddRow is a row that is not as it was observed.
type oddRow struct {
	number int32
	Row
}

// maxOdd is which share of the rows may be odd, so that packing is worth while: one of so many.
const maxOdd = 16

// Pack is the Cache without what observed tells, the state at the same position of the same
// History; mark is that of the controller which reads what Changed. It is nil where too much is not as it was observed,
// or mark too old.
func (c *Cache) Pack(observed *model.Cluster, mark uint64) *Packed {
	changed, all, _ := c.Changed(mark)
	if all {
		return nil
	}
	p := &Packed{names: c.byName, rows: len(c.rows), nodes: c.nodes, ended: c.ended, out: c.out, leases: c.leases, mark: mark}
	var columns packed.Columns
	packLog(&columns, &changed)
	var before Row
	for i := range c.rows {
		row := &c.rows[i]
		if o := observed.RowNear(i, row.Name); row.like(o) {
			row.pack(&columns, &before)
			continue
		}
		if len(p.odd) > len(c.rows)/maxOdd {
			return nil
		}
		kept := oddRow{int32(i), *row}
		kept.pods = slices.Clone(row.pods)
		p.odd = append(p.odd, kept)
	}
	p.columns = columns.Bytes()
	c.shared = true // names is the same map
	return p
}

// Size is about how many bytes it takes, besides the names that it shares.
func (p *Packed) Size() int {
	const row, pod = 300, 200
	size := 200 + len(p.columns) + row*len(p.odd)
	for i := range p.odd {
		size += pod * len(p.odd[i].pods)
	}
	return size
}

// Unpack is the Cache again. observed is the state it was packed with, which is used up.
func (p *Packed) Unpack(observed *model.Cluster) *Cache {
	c := New()
	c.rows, c.byName, c.shared = make([]Row, p.rows), p.names, true
	c.nodes, c.ended, c.out, c.leases, c.base = p.nodes, p.ended, p.out, p.leases, p.mark-1
	columns := packed.ColumnsOf(p.columns)
	packLog(columns, &c.log)
	for name, i := range p.names {
		if int(i) < p.rows { // the map may have grown since
			c.rows[i].Name = name
		}
	}
	odd := p.odd
	var before Row
	for i := range c.rows {
		if len(odd) > 0 && odd[0].number == int32(i) {
			c.rows[i], odd = odd[0].Row, odd[1:]
			continue
		}
		row := &c.rows[i]
		o := observed.RowNear(i, row.Name)
		row.Node, row.Version, row.Lease = o.Node, versionOf(o), leaseOf(o)
		if stored, ok := o.Stored(); ok {
			row.stored = stored
		} else {
			row.pods = slices.Clone(o.Pods())
		}
		row.pack(columns, &before)
	}
	return c
}

// packLog writes which rows changed, or reads it.
func packLog(columns *packed.Columns, log *[]int32) {
	n := len(*log)
	packed.Number(columns, &n, 0)
	if columns.Read() {
		*log = make([]int32, n)
	}
	for k := range *log {
		packed.Number(columns, &(*log)[k], 0)
	}
}

// pack writes the fields of a row that the observed state lacks, or reads them. before is the previous row in the columns:
// positions grow about as fast as versions.
func (r *Row) pack(columns *packed.Columns, before *Row) {
	packed.Number(columns, &r.Position, before.Position+int(r.Version-before.Version))
	packed.Number(columns, &r.Lease.Position, before.Lease.Position+int(r.Lease.Version-before.Lease.Version))
	packed.Number(columns, &r.deleting, 0)
	packed.Number(columns, &r.ConditionsBy, before.ConditionsBy)
	packed.Number(columns, &r.TaintsBy, before.TaintsBy)
	*before = *r
}

// like says that a row holds what was observed, besides what Packed has of it.
func (r *Row) like(o *model.NodeRow) bool {
	if o == nil || r.Name == "" || (r.Node == nil) != (o.Node == nil) || r.Version != versionOf(o) {
		return false
	}
	if r.Node != nil && r.Node != o.Node && (r.Version == 0 || r.Node.UID != o.Node.UID) {
		return false
	}
	lease := leaseOf(o)
	lease.Position = r.Lease.Position
	return r.Lease == lease && r.PodCount() == o.PodCount()
}

// versionOf is the version of the Node object that exists.
func versionOf(o *model.NodeRow) uint64 {
	if o.Node == nil {
		return 0
	}
	return o.Version
}

// leaseOf is a lease as it was observed.
func leaseOf(o *model.NodeRow) Lease {
	if !o.Lease.Seen || o.Lease.Gone {
		return Lease{}
	}
	return Lease{Exists: true, Renewed: o.Lease.Renewed, Version: o.Lease.Version}
}
