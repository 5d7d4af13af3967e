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

	// position is where it was packed, and rate how many positions there are to a version about.
	position int
	rate     float64
	// columns are what changed since mark, and the positions of the rows, each by how far it is from
	// where its version would be.
	columns []byte
	marked  []rowMarks
	odd     []oddRow
	size    int
}

// rowMarks is what a row knows that most do not.
type rowMarks struct {
	row, deleting          int32
	conditionsBy, taintsBy model.DecisionID
}

// oddRow is a row that is not as it was observed.
type oddRow struct {
	number int32
	Row
}

// maxOdd is which share of the rows may be odd, so that packing is worth while: one of so many.
const maxOdd = 16

// Pack is the Cache without what observed tells, the state at the same position of the same
// History; mark is that of the controller which reads what Changed. before may be nil, or an older one,
// to share with. It is nil where too much is not as it was observed, or mark too old.
func (c *Cache) Pack(observed *model.Cluster, position int, mark uint64, before *Packed) *Packed {
	changed, all, _ := c.Changed(mark)
	if all {
		return nil
	}
	p := &Packed{names: c.byName, rows: len(c.rows), nodes: c.nodes, ended: c.ended, out: c.out, leases: c.leases,
		mark: mark, position: position}
	p.rate = c.rate(position)
	var w packed.Writer
	if before != nil {
		w.B = make([]byte, 0, len(before.columns)*5/4)
	}
	w.Uint(uint64(len(changed)))
	for _, i := range changed {
		w.Uint(uint64(i))
	}
	for i := range c.rows {
		row := &c.rows[i]
		if o := observed.RowNear(i, row.Name); !row.like(o) {
			if len(p.odd) > len(c.rows)/maxOdd {
				return nil
			}
			kept := oddRow{int32(i), *row}
			kept.pods = slices.Clone(row.pods)
			p.odd = append(p.odd, kept)
			continue
		}
		p.write(&w, row.Position, row.Version)
		p.write(&w, row.Lease.Position, row.Lease.Version)
		if m := (rowMarks{int32(i), row.deleting, row.ConditionsBy, row.TaintsBy}); m != (rowMarks{row: int32(i)}) {
			p.marked = append(p.marked, m)
		}
	}
	p.columns = slices.Clone(w.Bytes())
	const row, pod = 300, 200
	p.size = 200 + len(p.columns) + row*len(p.odd)
	for i := range p.odd {
		p.size += pod * len(p.odd[i].pods)
	}
	if before != nil && slices.Equal(before.marked, p.marked) {
		p.marked = before.marked
	} else {
		p.size += 24 * len(p.marked)
	}
	c.shared = true // names is the same map
	return p
}

// Size is about how many bytes it takes, besides what it shares.
func (p *Packed) Size() int { return p.size }

// Unpack is the Cache again. observed is the state it was packed with, which is used up.
func (p *Packed) Unpack(observed *model.Cluster) *Cache {
	c := New()
	c.rows, c.byName, c.shared = make([]Row, p.rows), p.names, true
	c.nodes, c.ended, c.out, c.leases = p.nodes, p.ended, p.out, p.leases
	columns := packed.Read(p.columns)
	c.log, c.base = make([]int32, columns.Uint()), p.mark-1
	for k := range c.log {
		c.log[k] = int32(columns.Uint())
	}
	for name, i := range p.names {
		if int(i) < p.rows { // the map may have grown since
			c.rows[i].Name = name
		}
	}
	for i := range p.odd {
		c.rows[p.odd[i].number] = p.odd[i].Row
	}
	odd := p.odd
	for i := range c.rows {
		if len(odd) > 0 && odd[0].number == int32(i) {
			odd = odd[1:]
			continue
		}
		row := &c.rows[i]
		o := observed.RowNear(i, row.Name)
		row.Node, row.Version, row.Lease = o.Node, versionOf(o), leaseOf(o)
		row.Position = p.read(columns, row.Version)
		row.Lease.Position = p.read(columns, row.Lease.Version)
		if stored, ok := o.Stored(); ok {
			row.stored = stored
		} else {
			row.pods = slices.Clone(o.Pods())
		}
	}
	for _, m := range p.marked {
		row := &c.rows[m.row]
		row.deleting, row.ConditionsBy, row.TaintsBy = m.deleting, m.conditionsBy, m.taintsBy
	}
	return c
}

// rate is how many positions there are to a version about, by the leases.
func (c *Cache) rate(position int) float64 {
	var positions, versions float64
	for i := range c.rows {
		if l := &c.rows[i].Lease; l.Position > 0 && l.Version > 0 {
			positions += float64(position + 1 - l.Position)
			versions += float64(c.leases - l.Version)
		}
	}
	if versions == 0 {
		return 0
	}
	return positions / versions
}

// expected is where a version would be.
func (p *Packed) expected(version uint64) int {
	return p.position + 1 - int(float64(int64(p.leases-version))*p.rate)
}

// write writes a position, which may be 0.
func (p *Packed) write(w *packed.Writer, position int, version uint64) {
	if position == 0 {
		w.Uint(0)
		return
	}
	off := int64(position - p.expected(version))
	w.Uint(1 + (uint64(off)<<1 ^ uint64(off>>63)))
}

func (p *Packed) read(r *packed.Reader, version uint64) (position int) {
	v := r.Uint()
	if v == 0 {
		return 0
	}
	v--
	return p.expected(version) + int(v>>1^-(v&1))
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
