package informer

import (
	"slices"

	"kardia/model"
	"kardia/model/packed"
)

// Packed is a Cache without the parts that the observed state at the same position also has. A calm cluster leaves the
// positions at which objects were read. It never changes.
type Packed struct {
	// names, nodes, ended, out and leases are as in the Cache; rows is the number of rows.
	names             map[string]int32
	rows              int
	nodes, ended, out int
	leases            uint64
	mark              uint64

	// columns are the changes since mark, and the fields that the observed state lacks of each row that is not odd.
	columns []byte
	odd     []oddRow
}

// oddRow is a row that differs from the observed one.
type oddRow struct {
	number int32
	Row
}

// maxOdd limits the odd rows to one in this many: more are not worth packing.
const maxOdd = 16

// Pack takes the observed state at the same position of the same History; mark is that of the controller that reads
// Changed. It returns nil if too many rows are odd, or mark is too old.
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
	c.shared = true // the map is shared with p.names
	return p
}

// Size is roughly its bytes, without the shared names.
func (p *Packed) Size() int {
	const row, pod = 300, 200
	size := 200 + len(p.columns) + row*len(p.odd)
	for i := range p.odd {
		size += pod * len(p.odd[i].pods)
	}
	return size
}

// Unpack restores the Cache. observed is the state it was packed with, and is used up.
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

// packLog writes the changed rows, or reads them.
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

// pack writes the fields that the observed state lacks, or reads them. before is the previous row in the columns:
// positions grow about as fast as versions.
func (r *Row) pack(columns *packed.Columns, before *Row) {
	packed.Number(columns, &r.Position, before.Position+int(r.Version-before.Version))
	packed.Number(columns, &r.Lease.Position, before.Lease.Position+int(r.Lease.Version-before.Lease.Version))
	packed.Number(columns, &r.deleting, 0)
	packed.Number(columns, &r.ConditionsBy, before.ConditionsBy)
	packed.Number(columns, &r.TaintsBy, before.TaintsBy)
	*before = *r
}

// like reports whether a row equals the observed one, except for the fields in columns.
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

func versionOf(o *model.NodeRow) uint64 {
	if o.Node == nil {
		return 0
	}
	return o.Version
}

func leaseOf(o *model.NodeRow) Lease {
	if !o.Lease.Seen || o.Lease.Gone {
		return Lease{}
	}
	return Lease{Exists: true, Renewed: o.Lease.Renewed, Version: o.Lease.Version}
}
