package snapshots

import (
	"errors"
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// keyframeVersion is the first byte of a keyframe.
const keyframeVersion = 2

// writeKeyframe writes the state at a position: the leases, which change all the time, and the other small parts. The
// rest is in its layer, in the next chunk.
func writeKeyframe(c *wire.Codec, state *model.Cluster, rows []*model.NodeRow, ref *Ref, d *columns.Dictionary) {
	n, leaders := len(rows), state.Leaders()
	ref.head(c)
	codeTotals(c, state, &n)
	codeLeases(c, leaseTableOf(rows, d), state.Now, nil)
	wire.List(c, &leaders, 0, codeLeader)
	writeRelated(c, state)
}

// codeTotals writes or reads the time and the counts of a state, and the number of its rows.
func codeTotals(c *wire.Codec, s *model.Cluster, rows *int) {
	c.Instant(&s.Now)
	wire.AtMost(c, wire.MaxPosition, &s.Folded, &s.Stale, &s.Attempts, &s.Gaps)
	wire.AtMost(c, maxKeyframeRows, rows)
}

func codeLeader(c *wire.Codec, l *model.Leader) {
	wire.Text(c, &l.Name)
	c.Lease(&l.Lease)
	c.Instant(&l.Renewed)
	c.Bool(&l.Seen, &l.Gone)
	wire.Uint(c, &l.Version)
	c.Instant(&l.Heard)
	c.Interval(&l.Written)
	wire.Uint(c, &l.Renewals, &l.Refused)
}

var ErrKeyframe = errors.New("a keyframe is damaged")

// head writes or reads the beginning of a keyframe.
func (r *Ref) head(c *wire.Codec) {
	c.Version(keyframeVersion)
	r.positions(c)
}

// positions are those of a keyframe and of the one that its layer rests on; 0 for a full one. A position is the number
// of Changes before it.
func (r *Ref) positions(c *wire.Codec) {
	wire.AtMost(c, wire.MaxPosition, &r.Position, &r.Base)
	if r.Base >= r.Position {
		c.Fail(ErrKeyframe)
	}
}

// ReadHead is the beginning of a keyframe.
func ReadHead(i *wire.Reader) (ref Ref) {
	ref.head(wire.From(i, nil))
	return ref
}

// Reader reads keyframes; its memory serves for one after another.
type Reader struct {
	Records []byte
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
	c, totals, n := wire.From(wire.Read(data), names), &model.Cluster{}, 0
	new(Ref).head(c)
	if codeTotals(c, totals, &n); c.Err() == nil && n != len(s.Names) {
		return nil, ErrKeyframe
	}
	leases := make([]leaseTable, n)
	if codeLeases(c, leases, totals.Now, entries); c.Err() != nil {
		return nil, c.Err()
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
			Posted: b.Heard, Gone: record.gone, Lease: leases[k].LeaseRow}
	}
	state := model.NewClusterOf(numbers, rows, s)
	state.Now, state.Folded, state.Stale, state.Attempts, state.Gaps = totals.Now, totals.Folded, totals.Stale, totals.Attempts, totals.Gaps
	var leaders []model.Leader
	wire.List(c, &leaders, wire.MaxList, codeLeader)
	for _, l := range leaders {
		state.PutLeader(l)
	}
	readRelated(c, state)
	return state, c.Err()
}

// Ref is the place of a keyframe: the first message of a chunk.
type Ref struct {
	Position, Base int
	Chunk          int32
}
