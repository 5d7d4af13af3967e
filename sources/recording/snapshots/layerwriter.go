package snapshots

import (
	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
	"slices"
)

// layerWriter builds a layer.
type layerWriter struct {
	words  map[string]uint64
	others map[model.UID]uint64
	owners map[model.Owner]uint64
	lists  map[*model.Tolerations]uint64

	word, other, owner, list, sections, data wire.Writer
	sectionCount, lastRow                    int
	detailed                                 bool // a pod has details
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

// section adds the section of a row; −1 for pods without a node. pods is how many the row has now.
func (w *layerWriter) section(row, pods int, write func(o *wire.Writer)) {
	before := len(w.data.B)
	write(&w.data)
	w.sections.Uint(uint64(row - w.lastRow))
	w.sections.Uint(uint64(pods))
	w.sections.Uint(uint64(len(w.data.B) - before))
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

// writeNodeRecords writes the nodes of the rows that are wanted.
func writeNodeRecords(o *wire.Writer, rows []*model.NodeRow, wanted func(*model.NodeRow) bool) {
	var which []int
	for k, r := range rows {
		if wanted(r) {
			which = append(which, k)
		}
	}
	o.Uint(uint64(len(which)))
	last := 0
	for _, k := range which {
		r := rows[k]
		o.Uint(uint64(k - last))
		last = k
		flags := byte(r.ReadyBy) << rowReadyBy
		if r.Node != nil {
			flags |= rowHasNode
		}
		if r.Gone {
			flags |= rowGone
		}
		o.Byte(flags)
		o.Interval(r.ReadySet)
		if r.Node != nil {
			shape, moved, _ := columns.Split(r.Node)
			o.Uint(moved)
			o.Node(shape)
		}
	}
}

// writeNodeBeats writes the heartbeats of the rows that are wanted.
func writeNodeBeats(o *wire.Writer, rows []*model.NodeRow, now model.Instant, wanted func(*model.NodeRow) bool) {
	var gaps []int64
	var beats []columns.Beat
	last := int64(0)
	for k, r := range rows {
		if !wanted(r) {
			continue
		}
		gaps, last = append(gaps, int64(k)-last), int64(k)
		b := columns.Beat{Stamp: 0, Heard: r.Posted, Written: r.Written, Version: r.Version}
		if r.Node != nil {
			b.Stamp = columns.NewestHeartbeat(r.Node)
		}
		beats = append(beats, b)
	}
	o.Uint(uint64(len(gaps)))
	columns.WriteColumn(o, gaps)
	columns.WriteBeats(o, beats, now)
}

const (
	rowHasNode = 1 << iota
	rowGone

	rowReadyBy = 2 // from this bit on is the writer of Ready
)

// sortedPods are pods in the order of their keys.
func sortedPods(pods []*model.Pod) []*model.Pod {
	return slices.SortedFunc(slices.Values(pods), model.ComparePods)
}
