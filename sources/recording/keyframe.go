package recording

import (
	"errors"
	"slices"

	"kardia/model"
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
const keyframeVersion = 2

func (o *out) keyframe(c *model.Cluster, rows []*model.NodeRow, ref *keyframeRef, d *dictionary) {
	o.byte(keyframeVersion)
	o.uint(uint64(ref.position))
	o.uint(uint64(ref.base))
	o.instant(c.Now)
	for _, n := range [...]int{c.Folded, c.Stale, c.Attempts, c.Gaps} {
		o.uint(uint64(n))
	}
	o.uint(uint64(len(rows)))
	o.leaseTable(rows, c.Now, d)
	o.uint(uint64(len(c.Leaders())))
	for _, l := range c.Leaders() {
		o.string(l.Name)
		o.leaderRow(&l.LeaseRow)
	}
}

func (o *out) leaderRow(l *model.LeaseRow) {
	o.lease(&l.Lease)
	o.instant(l.Renewed)
	o.bool(l.Seen)
	o.bool(l.Gone)
	o.uint(l.Version)
	o.instant(l.Heard)
	o.interval(l.Written)
	o.uint(uint64(l.Renewals))
	o.uint(uint64(l.Refused))
}

func (i *in) leaderRow(names *names) model.LeaseRow {
	l := model.LeaseRow{Lease: i.lease(names)}
	l.Renewed = i.instant()
	l.Seen, l.Gone, l.Version, l.Heard, l.Written = i.bool(), i.bool(), i.uint(), i.instant(), i.interval()
	l.Renewals, l.Refused = uint32(i.uint()), uint32(i.uint())
	return l
}

var errKeyframe = errors.New("a keyframe is damaged")

// keyframeHead is what stands at the beginning of a keyframe.
func (i *in) keyframeHead() (ref keyframeRef) {
	if v := i.byte(); v != keyframeVersion && i.err == nil {
		i.fail(errVersion)
	}
	ref.position, ref.base = i.small(maxPosition), i.small(maxPosition)
	if ref.base >= ref.position {
		i.fail(errKeyframe)
	}
	return ref
}

// keyframeReader reads keyframes; its memory serves for one after another.
type keyframeReader struct {
	records []byte
	leases  leaseReader
	nodes   nodeReader
	// Most states have the same rows as the one before.
	names   []string
	numbers *model.RowNames
}

// number numbers the rows of a state.
func (r *keyframeReader) number(names []string) (*model.RowNames, error) {
	if r.numbers == nil || !slices.Equal(names, r.names) {
		numbers, ok := model.NewRowNames(names)
		if !ok {
			return nil, errKeyframe
		}
		r.names, r.numbers = names, numbers
	}
	return r.numbers, nil
}

// state is the state of a keyframe, whose stack is s.
func (r *keyframeReader) state(data []byte, s *stack, entries []entry, names *names) (*model.Cluster, error) {
	i := &in{b: data}
	i.keyframeHead()
	now := i.instant()
	var counts [4]int
	for k := range counts {
		counts[k] = i.small(maxPosition)
	}
	n := i.small(maxKeyframeRows)
	if i.err == nil && n != len(s.names) {
		return nil, errKeyframe
	}
	leases := r.leases.read(i, n, now, entries, names)
	if i.err != nil {
		return nil, i.err
	}
	numbers, err := r.number(s.names)
	if err != nil {
		return nil, err
	}
	r.nodes.read(s)
	rows := make([]model.NodeRow, n)
	for k, name := range s.names {
		b, record := &r.nodes.beats[k], &r.nodes.records[k]
		rows[k] = model.NodeRow{Name: name, Node: r.nodes.nodes[k], Version: b.version, Written: b.written, ReadySet: record.readySet,
			Posted: b.heard, Gone: record.gone, Lease: leases[k]}
	}
	c := model.NewClusterOf(numbers, rows, s)
	for range i.count(maxList) {
		c.PutLeader(model.Leader{Name: string(i.bytes()), LeaseRow: i.leaderRow(names)})
	}
	c.Now, c.Folded, c.Stale, c.Attempts, c.Gaps = now, counts[0], counts[1], counts[2], counts[3]
	return c, i.err
}

// keyframeRef is where a keyframe lies: the first message of a chunk.
type keyframeRef struct {
	position, base int
	chunk          int32
}
