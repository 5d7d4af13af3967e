package snapshots

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/packed"
	"kardia/sources/jsonscan"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// A layer is what changes seldom in the state at a position: Nodes, Events and pods; all of them,
// or what is different from another keyframe. It lies in a
// chunk of its own behind its keyframe's. The layers that a keyframe rests on make its stack, from
// which pods and Events are decoded node by node, when somebody asks for them.
//
//	byte     1
//	uvarint  position, uvarint position of the keyframe it rests on; 0 for a full one
//	instant  Now
//	uvarint  rows; uvarint of which the layer below has the first; then the names of the others
//	uvarint  nodes, then each: see nodeRecord
//	uvarint  nodes whose heartbeat is newer, column of their rows, each against the one before, and their
//	         beats: said is the newest status heartbeat, heard is Posted
//	uvarint  words, then strings; uvarint UIDs that are no UUIDs, then strings
//	uvarint  owners, then each: string kind, string name
//	uvarint  lists of tolerations, then each
//	uvarint  boxes, then each: uvarint row + 1, or 0 for pods without a node, against the box before,
//	         uvarint pods that the row has now, uvarint bytes
//	boxes    of that many bytes each: see box
type Layer struct {
	Position, Base int
	rows, below    int
	names          []string // of the rows that those below have not
	nodes          []nodeRecord
	beating        []int64 // rows that have beats
	beats          []columns.Beat
	tables         tables
	boxes          []boxRef
	data           []byte // of the boxes
	keys           keyTable
}

// nodeRecord is a row's Node object, or that there is none.
//
//	uvarint  row, against the record before
//	byte     1 with an object | 2 gone
//	interval in which Ready was set
//	         with an object: uvarint which conditions have the newest status heartbeat, and the node
//	         without the heartbeats of these
type nodeRecord struct {
	row      int
	gone     bool
	readySet model.Interval
	moved    uint64
	node     *model.Node
}

// tables are what pods and Events have in common.
type tables struct {
	words  []string
	others []model.UID
	owners []*model.Owner
	lists  []*model.Tolerations
}

// boxRef is where a row's box lies.
type boxRef struct {
	row, pods  int32 // row -1: of no node
	start, end int32
}

// find is the box of a row; nil if it has none.
func (l *Layer) find(row int) *boxRef {
	k := sort.Search(len(l.boxes), func(k int) bool { return int(l.boxes[k].row) >= row })
	if k == len(l.boxes) || int(l.boxes[k].row) != row {
		return nil
	}
	return &l.boxes[k]
}

// reader reads a box of the node of this name.
func (l *Layer) reader(b *boxRef, node string) *boxReader {
	return &boxReader{Reader: *wire.Read(l.data[b.start:b.end]), tables: &l.tables, node: node}
}

// memory is about how much a layer takes.
func (l *Layer) memory() int {
	return len(l.data) + 4*len(l.keys) + 600*len(l.nodes) + 48*len(l.beats) + 16*(len(l.names)+len(l.boxes)+len(l.tables.words))
}

// ReadLayerHead is what stands at the beginning of a layer.
func ReadLayerHead(i *wire.Reader) (position, base int) {
	if v := i.Byte(); v != 1 && i.Err == nil {
		i.Fail(wire.ErrVersion)
	}
	position, base = i.AtMost(wire.MaxPosition), i.AtMost(wire.MaxPosition)
	if base >= position {
		i.Fail(ErrKeyframe)
	}
	return position, base
}

// ReadLayer reads a layer, and all of its boxes once, so that nothing in them surprises later.
func ReadLayer(i *wire.Reader, names *wire.Names) (*Layer, error) {
	l := &Layer{}
	l.Position, l.Base = ReadLayerHead(i)
	now := i.Instant()
	l.rows, l.below = i.AtMost(maxKeyframeRows), i.AtMost(maxKeyframeRows)
	if i.Err == nil && (l.below > l.rows || l.Base == 0 && l.below > 0 || l.rows-l.below > len(i.B)) {
		return nil, ErrKeyframe
	}
	l.names = make([]string, l.rows-l.below)
	for k := range l.names {
		l.names[k] = names.Bytes(i.Blob())
	}
	l.nodes = make([]nodeRecord, i.Count(l.rows))
	row := 0
	for k := range l.nodes {
		row += i.AtMost(maxKeyframeRows)
		l.nodes[k] = readNodeRecord(i, row, names)
		if row >= l.rows {
			i.Fail(ErrKeyframe)
		}
	}
	readBeatsOf(i, l, now)
	l.tables = readTables(i, names)
	l.boxes = make([]boxRef, i.Count(l.rows+1))
	pods, at := 0, 0
	row = -1
	for k := range l.boxes {
		row += i.AtMost(maxKeyframeRows)
		b := boxRef{row: int32(row), pods: int32(i.AtMost(maxKeyframePods)), start: int32(at)}
		at += i.AtMost(wire.MaxKeyframe)
		b.end = int32(at)
		if pods += int(b.pods); row >= l.rows || k > 0 && row <= int(l.boxes[k-1].row) || at > wire.MaxKeyframe || pods > maxKeyframePods {
			i.Fail(ErrKeyframe)
			break
		}
		l.boxes[k] = b
	}
	if i.Err == nil && at != len(i.B) {
		i.Fail(packed.ErrShort)
	}
	if i.Err != nil {
		return nil, i.Err
	}
	l.data = slices.Clone(i.B) // and not all of the chunk with it
	return l, l.readKeys()
}

// readBeatsOf reads the beats of a layer.
func readBeatsOf(i *wire.Reader, l *Layer, now model.Instant) {
	n := i.AtMost(l.rows)
	l.beating = columns.ReadColumn(i, n, nil)
	var r columns.BeatReader
	l.beats = r.Read(i, n, now)
	at := int64(0)
	for k, gap := range l.beating {
		if at += gap; at < 0 || at >= int64(l.rows) {
			i.Fail(ErrKeyframe)
			return
		}
		l.beating[k] = at
	}
}

func readNodeRecord(i *wire.Reader, row int, names *wire.Names) nodeRecord {
	flags := i.Byte()
	r := nodeRecord{row: row, gone: flags&rowGone != 0, readySet: i.Interval()}
	if flags&rowHasNode != 0 {
		r.moved = i.Uint()
		r.node = i.Node(names)
	}
	return r
}

func readTables(i *wire.Reader, names *wire.Names) (t tables) {
	t.words = make([]string, i.Count(maxKeyframePods))
	for k := range t.words {
		t.words[k] = names.Bytes(i.Blob())
	}
	t.others = make([]model.UID, i.Count(maxKeyframePods))
	for k := range t.others {
		t.others[k] = names.UID(i.Blob())
	}
	t.owners = make([]*model.Owner, i.Count(maxKeyframePods))
	for k := range t.owners {
		// Layers have most of their owners in common.
		t.owners[k] = names.SharedOwner(jsonscan.View(i.Blob()), jsonscan.View(i.Blob()))
	}
	t.lists = make([]*model.Tolerations, i.Count(maxKeyframePods))
	for k := range t.lists {
		t.lists[k] = i.Tolerations(names)
	}
	return t
}

// keyTable tells the rows in whose boxes a pod of a key may be, by hashing: a slot is 0, or row + 2 in
// its low bits and bits of the key's hash above. Few keys share a slot's bits; who asks looks into
// the box.
type keyTable []uint32

const (
	rowBits   = 17 // of row + 2; maxKeyframeRows fits
	maxProbes = 4096
)

var keySeed = maphash.MakeSeed()

func keyHash(namespace uint64, name []byte) uint64 { return maphash.Bytes(keySeed, name) ^ namespace }

func spaceHash(namespace string) uint64 { return maphash.String(keySeed, namespace) * 3 }

// note adds a key; false where too many have the same hash, as nobody's do by chance.
func (t keyTable) note(hash uint64, row int32) bool {
	slot := uint32(hash>>32)&^(1<<rowBits-1) | uint32(row+2)
	for at, n := int(hash)&(len(t)-1), 0; n < maxProbes; at, n = (at+1)&(len(t)-1), n+1 {
		if t[at] == 0 {
			t[at] = slot
		}
		if t[at] == slot {
			return true
		}
	}
	return false
}

// rows are those in whose boxes a pod of this hash may be.
func (t keyTable) rows(hash uint64) iter.Seq[int] {
	return func(yield func(row int) bool) {
		for at := int(hash) & (len(t) - 1); t[at] != 0; at = (at + 1) & (len(t) - 1) {
			if (t[at]^uint32(hash>>32))>>rowBits == 0 && !yield(int(t[at]&(1<<rowBits-1))-2) {
				return
			}
		}
	}
}

// readKeys reads all boxes, and notes by their keys where pods are.
func (l *Layer) readKeys() error {
	n := 0
	for k := range l.boxes {
		put, err := l.reader(&l.boxes[k], "").count()
		if err != nil {
			return err
		}
		if n += put; n > maxKeyframePods {
			return ErrKeyframe
		}
	}
	room := 4
	for room < n+n/2 {
		room *= 2
	}
	l.keys = make(keyTable, room)
	spaces := make([]uint64, len(l.tables.words))
	for k, word := range l.tables.words {
		spaces[k] = spaceHash(word)
	}
	var r boxReader
	for k := range l.boxes {
		b := &l.boxes[k]
		r.Reader, r.tables, r.created = *wire.Read(l.data[b.start:b.end]), &l.tables, 0
		for range r.Reader.Count(maxKeyframePods) {
			namespace, name := r.skim()
			if r.Err == nil && !l.keys.note(keyHash(spaces[namespace], name), b.row) {
				r.Fail(ErrKeyframe)
			}
			if r.Err != nil {
				break
			}
		}
		r.rest()
		if r.Err != nil {
			return r.Err
		}
	}
	return nil
}

// layerWriter builds a layer.
type layerWriter struct {
	words  map[string]uint64
	others map[model.UID]uint64
	owners map[model.Owner]uint64
	lists  map[*model.Tolerations]uint64

	word, other, owner, list, boxes, data wire.Writer
	boxCount, lastRow                     int
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

// box adds the box of a row; −1 for pods without a node. pods is how many the row has now.
func (w *layerWriter) box(row, pods int, write func(o *wire.Writer)) {
	before := len(w.data.B)
	write(&w.data)
	w.boxes.Uint(uint64(row - w.lastRow))
	w.boxes.Uint(uint64(pods))
	w.boxes.Uint(uint64(len(w.data.B) - before))
	w.lastRow = row
	w.boxCount++
}

// finish writes all that was built behind the head and the nodes.
func (w *layerWriter) finish(o *wire.Writer) {
	for _, t := range [...]struct {
		n int
		b []byte
	}{{len(w.words), w.word.B}, {len(w.others), w.other.B}, {len(w.owners), w.owner.B}, {len(w.lists), w.list.B}, {w.boxCount, w.boxes.B}} {
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
		flags := byte(0)
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
		b := columns.Beat{Said: 0, Heard: r.Posted, Written: r.Written, Version: r.Version}
		if r.Node != nil {
			b.Said = columns.NewestHeartbeat(r.Node)
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
)

// compareKeys orders pods' keys.
func compareKeys(a, b model.Key) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// sortedPods are pods in the order of their keys.
func sortedPods(pods []*model.Pod) []*model.Pod {
	return slices.SortedFunc(slices.Values(pods), model.ComparePods)
}

func (l *Layer) Texts(visit func(text string)) {
	for _, name := range l.names {
		visit(name)
	}
	for _, r := range l.nodes {
		if r.node != nil {
			wire.NodeTexts(r.node, visit)
		}
	}
	for _, word := range l.tables.words {
		visit(word)
	}
	for _, uid := range l.tables.others {
		visit(uid.String())
	}
	for _, o := range l.tables.owners {
		visit(o.Kind)
		visit(o.Name)
	}
	for _, list := range l.tables.lists {
		for _, t := range list.List() {
			visit(t.Key)
			visit(t.Value)
			visit(t.Operator)
		}
	}
	for k := range l.boxes {
		r := l.reader(&l.boxes[k], "")
		r.pods(func(p *model.Pod, name []byte) {
			visit(string(name))
			visit(p.UID.String())
		})
		r.gone(func(_ string, name []byte) { visit(string(name)) })
		_, events := r.events()
		for _, e := range events {
			visit(e.Message)
			visit(e.UID.String())
			visit(e.Regarding.UID.String())
		}
	}
}
