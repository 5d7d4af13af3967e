package snapshots

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// writeLayer writes the differences of the state from the base that it rests on.
func writeLayer(o *wire.Writer, c *model.Cluster, rows []*model.NodeRow, ref *Ref, on *base) {
	w := newLayerWriter()
	o.Byte(layerDetailed)
	o.Uint(uint64(ref.Position))
	o.Uint(uint64(ref.Base))
	o.Instant(c.Now)
	o.Uint(uint64(len(rows)))
	o.Uint(uint64(len(on.rows)))
	for _, r := range rows[len(on.rows):] {
		o.Text(r.Name)
	}
	writeNodeRecords(o, rows, on)
	writeNodeBeats(o, rows, on, c.Now)
	w.section(-1, 0, c.Unbound(), on.unbound, nil, nil)
	for k, r := range rows {
		before := on.row(k)
		w.section(k, r.PodCount(), r.Pods(), before.Pods(), r.Events(), before.Events())
	}
	w.finish(o)
}

// row is how a row was; one that was not there is empty.
func (b *base) row(k int) *model.NodeRow {
	if k < len(b.rows) {
		return b.rows[k]
	}
	return &model.NodeRow{}
}

// differing are the pods that are not among those before, by key, and the keys of which no pod is there any more.
func differing(now, before []*model.Pod) (put []*model.Pod, gone []model.Key) {
	if len(now) == len(before) && (len(now) == 0 || &now[0] == &before[0]) {
		return nil, nil // the same list
	}
	was := make(map[model.Key]*model.Pod, len(before))
	for _, p := range before {
		was[p.Key] = p
	}
	for _, p := range now {
		if was[p.Key] != p {
			put = append(put, p)
		}
		delete(was, p.Key)
	}
	slices.SortFunc(put, model.ComparePods)
	return put, slices.SortedFunc(maps.Keys(was), model.CompareKeys)
}

// layerWriter builds a layer.
type layerWriter struct {
	words  map[string]uint64
	others map[model.UID]uint64
	owners map[model.Owner]uint64
	lists  map[*model.Tolerations]uint64

	word, other, owner, list, sections, data wire.Writer
	sectionCount, lastRow                    int
}

func newLayerWriter() *layerWriter {
	return &layerWriter{words: map[string]uint64{}, others: map[model.UID]uint64{}, owners: map[model.Owner]uint64{}, lists: map[*model.Tolerations]uint64{}, lastRow: -1}
}

// placeIn is the place of a thing in its table; add appends it there when it is new.
func placeIn[T comparable](known map[T]uint64, v T, add func()) uint64 {
	n, ok := known[v]
	if !ok {
		n = uint64(len(known))
		known[v] = n
		add()
	}
	return n
}

func (w *layerWriter) say(s string) uint64 {
	return placeIn(w.words, s, func() { w.word.Text(s) })
}

// section adds the section of a row, if anything of it differs; row −1 is for pods without a node. pods is how many the
// row has.
func (w *layerWriter) section(row, pods int, now, before []*model.Pod, events, eventsBefore []*model.Event) {
	put, gone := differing(now, before)
	changed := !slices.Equal(events, eventsBefore)
	if len(put)+len(gone) == 0 && !changed {
		return
	}
	start := len(w.data.B)
	w.pods(&w.data, put, gone)
	w.events(&w.data, changed, events)
	w.sections.Uint(uint64(row - w.lastRow))
	w.sections.Uint(uint64(pods))
	w.sections.Uint(uint64(len(w.data.B) - start))
	w.lastRow = row
	w.sectionCount++
}

// finish writes all that was built behind the head and the nodes.
func (w *layerWriter) finish(o *wire.Writer) {
	for _, t := range [...]struct {
		n int
		b []byte
	}{{len(w.words), w.word.B}, {len(w.others), w.other.B}, {len(w.owners), w.owner.B}, {len(w.lists), w.list.B}, {w.sectionCount, w.sections.B}} {
		o.Uint(uint64(t.n))
		o.B = append(o.B, t.b...)
	}
	o.B = append(o.B, w.data.B...)
}

// writeNodeRecords writes the nodes that differ from the base, except in their newest heartbeats.
func writeNodeRecords(o *wire.Writer, rows []*model.NodeRow, on *base) {
	var records wire.Writer
	n, last := 0, 0
	for k, r := range rows {
		if b := on.row(k); r.ReadySet == b.ReadySet && r.ReadyBy == b.ReadyBy && r.Gone == b.Gone && columns.SameShape(r.Node, b.Node) {
			continue
		}
		records.Uint(uint64(k - last))
		n, last = n+1, k
		flags := byte(r.ReadyBy) << rowReadyBy
		if r.Node != nil {
			flags |= rowHasNode
		}
		if r.Gone {
			flags |= rowGone
		}
		records.Byte(flags)
		records.Interval(r.ReadySet)
		if r.Node != nil {
			shape, moved, _ := columns.Split(r.Node)
			records.Uint(moved)
			records.Node(shape)
		}
	}
	o.Uint(uint64(n))
	o.B = append(o.B, records.B...)
}

// writeNodeBeats writes the heartbeats that differ from the base.
func writeNodeBeats(o *wire.Writer, rows []*model.NodeRow, on *base, now model.Instant) {
	var gaps []int64
	var beats []columns.Beat
	last := int64(0)
	for k, r := range rows {
		if b := beatOf(r); b != beatOf(on.row(k)) {
			gaps, last = append(gaps, int64(k)-last), int64(k)
			beats = append(beats, b)
		}
	}
	o.Uint(uint64(len(gaps)))
	columns.WriteColumn(o, gaps)
	columns.WriteBeats(o, beats, now)
}

// beatOf is the newest heartbeat of a node.
func beatOf(r *model.NodeRow) columns.Beat {
	b := columns.Beat{Heard: r.Posted, Written: r.Written, Version: r.Version}
	if r.Node != nil {
		b.Stamp = columns.NewestHeartbeat(r.Node)
	}
	return b
}

const (
	rowHasNode = 1 << iota
	rowGone

	rowReadyBy = 2 // from this bit on is the writer of Ready
)
