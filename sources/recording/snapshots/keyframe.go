package snapshots

import (
	"errors"
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// A keyframe is the state at a position: the leases, which change all the time, and the rest in its
// layer, in the chunk behind.
//
//	byte     2
//	uvarint  position: how many Changes are part of the state
//	uvarint  position of the keyframe that its layer rests on; 0 for a full one
//	instant  Now; uvarint Folded, Stale, Attempts, Gaps
//	uvarint  rows
//	leases   of all rows: see leaseTable
//	uvarint  leaders, then each: string name, and its lease: see leaderRow
//	         none of what follows where there are no related objects: see writeRelated
const keyframeVersion = 2

func writeKeyframe(o *wire.Writer, c *model.Cluster, rows []*model.NodeRow, ref *Ref, d *columns.Dictionary) {
	o.Byte(keyframeVersion)
	o.Uint(uint64(ref.Position))
	o.Uint(uint64(ref.Base))
	o.Instant(c.Now)
	for _, n := range [...]int{c.Folded, c.Stale, c.Attempts, c.Gaps} {
		o.Uint(uint64(n))
	}
	o.Uint(uint64(len(rows)))
	writeLeaseTable(o, rows, c.Now, d)
	o.Uint(uint64(len(c.Leaders())))
	for _, l := range c.Leaders() {
		o.Text(l.Name)
		writeLeaderRow(o, &l.LeaseRow)
	}
	writeRelated(o, c)
}

func writeLeaderRow(o *wire.Writer, l *model.LeaseRow) {
	o.Lease(&l.Lease)
	o.Instant(l.Renewed)
	o.Bool(l.Seen)
	o.Bool(l.Gone)
	o.Uint(l.Version)
	o.Instant(l.Heard)
	o.Interval(l.Written)
	o.Uint(uint64(l.Renewals))
	o.Uint(uint64(l.Refused))
}

func readLeaderRow(i *wire.Reader, names *wire.Names) model.LeaseRow {
	l := model.LeaseRow{Lease: i.Lease(names)}
	l.Renewed = i.Instant()
	l.Seen, l.Gone, l.Version, l.Heard, l.Written = i.Bool(), i.Bool(), i.Uint(), i.Instant(), i.Interval()
	l.Renewals, l.Refused = uint32(i.Uint()), uint32(i.Uint())
	return l
}

var ErrKeyframe = errors.New("a keyframe is damaged")

// ReadHead is the beginning of a keyframe.
func ReadHead(i *wire.Reader) (ref Ref) {
	if v := i.Byte(); v != keyframeVersion && i.Err == nil {
		i.Fail(wire.ErrVersion)
	}
	ref.Position, ref.Base = i.AtMost(wire.MaxPosition), i.AtMost(wire.MaxPosition)
	if ref.Base >= ref.Position {
		i.Fail(ErrKeyframe)
	}
	return ref
}

// Reader reads keyframes; its memory serves for one after another.
type Reader struct {
	Records []byte
	leases  leaseReader
	nodes   nodeReader
	// Most states have the same rows as the one before.
	names   []string
	numbers *model.RowNames
}

// number numbers the rows of a state.
func (r *Reader) number(names []string) (*model.RowNames, error) {
	if r.numbers == nil || !slices.Equal(names, r.names) {
		numbers, ok := model.NewRowNames(names)
		if !ok {
			return nil, ErrKeyframe
		}
		r.names, r.numbers = names, numbers
	}
	return r.numbers, nil
}

// State is the state of a keyframe, whose stack is s.
func (r *Reader) State(data []byte, s *Stack, entries []columns.Entry, names *wire.Names) (*model.Cluster, error) {
	i := wire.Read(data)
	ReadHead(i)
	now := i.Instant()
	var counts [4]int
	for k := range counts {
		counts[k] = i.AtMost(wire.MaxPosition)
	}
	n := i.AtMost(maxKeyframeRows)
	if i.Err == nil && n != len(s.Names) {
		return nil, ErrKeyframe
	}
	leases := r.leases.read(i, n, now, entries, names)
	if i.Err != nil {
		return nil, i.Err
	}
	numbers, err := r.number(s.Names)
	if err != nil {
		return nil, err
	}
	r.nodes.read(s)
	rows := make([]model.NodeRow, n)
	for k, name := range s.Names {
		b, record := &r.nodes.beats[k], &r.nodes.records[k]
		rows[k] = model.NodeRow{Name: name, Node: r.nodes.nodes[k], Version: b.Version, Written: b.Written, ReadySet: record.readySet, ReadyBy: record.readyBy,
			Posted: b.Heard, Gone: record.gone, Lease: leases[k]}
	}
	c := model.NewClusterOf(numbers, rows, s)
	for range i.Count(wire.MaxList) {
		c.PutLeader(model.Leader{Name: string(i.Blob()), LeaseRow: readLeaderRow(i, names)})
	}
	if err := readRelated(i, c, names); err != nil {
		return nil, err
	}
	c.Now, c.Folded, c.Stale, c.Attempts, c.Gaps = now, counts[0], counts[1], counts[2], counts[3]
	return c, i.Err
}

// Ref is the place of a keyframe: the first message of a chunk.
type Ref struct {
	Position, Base int
	Chunk          int32
}
