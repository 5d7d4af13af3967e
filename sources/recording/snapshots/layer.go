package snapshots

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/packed"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// Layer is the rarely changing part of the state at a position: Nodes, Events and pods. It has all of them, or the
// differences from another keyframe. The layers that a keyframe rests on are its Stack, from which pods are decoded row
// by row. docs/recording-bytes.md has the layout.
type Layer struct {
	Ref
	now         model.Instant
	rows, below int
	names       []string // of the rows that those below have not
	nodes       []nodeRecord
	beating     []int64 // rows that have beats
	beats       []columns.Beat
	tables      tables
	sections    []sectionRef
	events      int      // in all sections
	data        []byte   // of the sections
	keys        []keyRow // in whose sections pods are put, by keyHash
}

// nodeRecord is a row's Node object without its newest heartbeats, or that there is none.
type nodeRecord struct {
	row      int
	gone     bool
	readySet model.Interval
	readyBy  model.Writer
	columns.Shape
}

const (
	rowHasNode = 1 << iota
	rowGone

	rowReadyBy = 2 // from this bit on is the writer of Ready
)

// code writes or reads a record behind its row.
func (r *nodeRecord) code(c *wire.Codec) {
	flags := byte(r.readyBy) << rowReadyBy
	if r.Node != nil {
		flags |= rowHasNode
	}
	if r.gone {
		flags |= rowGone
	}
	wire.Byte(c, &flags)
	r.gone, r.readyBy = flags&rowGone != 0, min(model.Writer(flags>>rowReadyBy), model.WriterPerson)
	c.Interval(&r.readySet)
	if flags&rowHasNode != 0 {
		r.Shape.Code(c)
	}
}

// sectionRef is the place of a row's section.
type sectionRef struct {
	row, pods  int32 // row -1: of no node
	start, end int32
	put        int32 // how many pods are new or changed
	changed    bool  // its Events changed
	events     []*model.Event
}

// find is the section of a row; nil if it has none.
func (l *Layer) find(row int) *sectionRef {
	k := sort.Search(len(l.sections), func(k int) bool { return int(l.sections[k].row) >= row })
	if k == len(l.sections) || int(l.sections[k].row) != row {
		return nil
	}
	return &l.sections[k]
}

// section reads the section of the node of this name.
func (l *Layer) section(b *sectionRef, node string) *section {
	return &section{Codec: wire.From(wire.Read(l.data[b.start:b.end]), nil), tables: &l.tables, node: node}
}

// memory is about how much a layer takes.
func (l *Layer) memory() int {
	return len(l.data) + 300*l.events + 16*len(l.keys) + 600*len(l.nodes) + 48*len(l.beats) + 20*(len(l.names)+len(l.sections)+len(l.tables.words.List))
}

// The versions of layers.
const (
	layerPlain    = 1
	layerDetailed = 2
)

// begin writes or reads the beginning of a layer.
func (l *Layer) begin(c *wire.Codec) {
	version := byte(layerPlain)
	if l.tables.detailed {
		version = layerDetailed
	}
	wire.Byte(c, &version)
	if l.tables.detailed = version == layerDetailed; version != layerPlain && version != layerDetailed {
		c.Fail(wire.ErrVersion)
	}
	l.positions(c)
}

// ReadLayerHead is the place of a layer's keyframe, without its chunk.
func ReadLayerHead(i *wire.Reader) Ref {
	var l Layer
	l.begin(wire.From(i, nil))
	return l.Ref
}

// code writes or reads a layer.
func (l *Layer) code(c *wire.Codec) {
	l.begin(c)
	c.Instant(&l.now)
	wire.AtMost(c, maxKeyframeRows, &l.rows, &l.below)
	if c.Reading() {
		if l.below > l.rows || l.Base == 0 && l.below > 0 || l.rows-l.below > len(c.In().B) {
			c.Fail(ErrKeyframe)
			return
		}
		l.names = make([]string, l.rows-l.below)
	}
	for k := range l.names {
		c.Word(&l.names[k])
	}
	row := 0
	wire.List(c, &l.nodes, l.rows, func(c *wire.Codec, r *nodeRecord) {
		row = against(c, &r.row, row)
		if r.code(c); row >= l.rows {
			c.Fail(ErrKeyframe)
		}
	})
	l.codeBeats(c)
	l.tables.code(c)
	pods, at, before, some := 0, 0, int32(-1), false
	wire.List(c, &l.sections, l.rows+1, func(c *wire.Codec, b *sectionRef) {
		size, last := int(b.end-b.start), before
		before = against(c, &b.row, before)
		wire.AtMost(c, maxKeyframePods, &b.pods)
		wire.AtMost(c, wire.MaxKeyframe, &size)
		b.start, b.end = int32(at), int32(at+size)
		at += size
		if pods += int(b.pods); int(b.row) >= l.rows || some && b.row == last || at > wire.MaxKeyframe || pods > maxKeyframePods {
			c.Fail(ErrKeyframe)
		}
		some = true
	})
	if !c.Reading() {
		c.Out().B = append(c.Out().B, l.data...)
	} else if l.data = slices.Clone(c.In().B); c.Err() == nil && at != len(l.data) { // a copy, and not all of the chunk
		c.Fail(packed.ErrShort)
	}
}

// against is a row against the one before, which is no larger.
func against[T ~int | ~int32](c *wire.Codec, row *T, before T) T {
	by := *row - before
	wire.AtMost(c, maxKeyframeRows, &by)
	*row = before + by
	return *row
}

// codeBeats writes or reads the beats of a layer.
func (l *Layer) codeBeats(c *wire.Codec) {
	n := len(l.beating)
	if wire.AtMost(c, l.rows, &n); c.Reading() {
		l.beating, l.beats = make([]int64, n), make([]columns.Beat, n)
	}
	columns.Against(c, n, func(k int) *int64 { return &l.beating[k] })
	columns.Beats(c, l.beats, l.now)
	for _, row := range l.beating {
		if row < 0 || row >= int64(l.rows) {
			c.Fail(ErrKeyframe)
		}
	}
}

// ReadLayer reads a layer, and all of its sections once, so that nothing in them surprises later.
func ReadLayer(i *wire.Reader, names *wire.Names) (*Layer, error) {
	l := &Layer{}
	if l.code(wire.From(i, names)); i.Err != nil {
		return nil, i.Err
	}
	return l, l.readSections()
}

// readSections reads all sections, and notes in which row each pod is put, and the Events.
func (l *Layer) readSections() error {
	n := 0
	for k := range l.sections {
		if n += l.section(&l.sections[k], "").In().Count(maxKeyframePods); n > maxKeyframePods {
			return ErrKeyframe
		}
	}
	l.keys = make([]keyRow, 0, n)
	for k := range l.sections {
		b := &l.sections[k]
		s := l.section(b, "")
		s.pods(func(p *model.Pod, name []byte) {
			l.keys = append(l.keys, keyRow{keyHash(p.Namespace, name), b.row})
			b.put++
		})
		s.gone()
		s.events(&b.changed, &b.events)
		l.events += len(b.events)
		if !s.AtEnd() {
			s.Fail(ErrKeyframe)
		}
		if s.Err() != nil {
			return s.Err()
		}
	}
	slices.SortFunc(l.keys, func(a, b keyRow) int { return cmp.Compare(a.hash, b.hash) })
	return nil
}

// keyRow is the row of the pod of a key. A slice of them, sorted, takes a third of the memory of a map.
type keyRow struct {
	hash uint64
	row  int32
}

var keySeed = maphash.MakeSeed()

// keyHash identifies the key of a pod: no two keys of a state have the same by chance.
func keyHash(namespace string, name []byte) uint64 {
	return maphash.String(keySeed, namespace)*3 ^ maphash.Bytes(keySeed, name)
}

// Each calls visit for everything in the layer: names, nodes, pods, Events and what these have in common. What is
// visited is good until the next only.
func (l *Layer) Each(visit func(what any)) {
	visit(l.names)
	for k := range l.nodes {
		visit(l.nodes[k].Node)
	}
	visit(l.tables.words.List)
	visit(l.tables.owners.List)
	visit(l.tables.lists.List)
	for k := range l.sections {
		s := l.section(&l.sections[k], "")
		s.pods(func(p *model.Pod, name []byte) {
			p.Name = string(name)
			visit(p)
		})
		visit(s.gone())
		visit(l.sections[k].events)
	}
}
