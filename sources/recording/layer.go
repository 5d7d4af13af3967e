package recording

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sort"

	"kardia/model"
	"kardia/sources/jsonscan"
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
type layer struct {
	position, base int
	rows, below    int
	names          []string // of the rows that those below have not
	nodes          []nodeRecord
	beating        []int64 // rows that have beats
	beats          []beat
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
func (l *layer) find(row int) *boxRef {
	k := sort.Search(len(l.boxes), func(k int) bool { return int(l.boxes[k].row) >= row })
	if k == len(l.boxes) || int(l.boxes[k].row) != row {
		return nil
	}
	return &l.boxes[k]
}

// reader reads a box of the node of this name.
func (l *layer) reader(b *boxRef, node string) *boxReader {
	return &boxReader{in: in{b: l.data[b.start:b.end]}, tables: &l.tables, node: node}
}

// memory is about how much a layer takes.
func (l *layer) memory() int {
	return len(l.data) + 4*len(l.keys) + 600*len(l.nodes) + 48*len(l.beats) + 16*(len(l.names)+len(l.boxes)+len(l.tables.words))
}

// layerHead is what stands at the beginning of a layer.
func (i *in) layerHead() (position, base int) {
	if v := i.byte(); v != 1 && i.err == nil {
		i.fail(errVersion)
	}
	position, base = i.small(maxPosition), i.small(maxPosition)
	if base >= position {
		i.fail(errKeyframe)
	}
	return position, base
}

// layer reads a layer, and all of its boxes once, so that nothing in them surprises later.
func (i *in) layer(names *names) (*layer, error) {
	l := &layer{}
	l.position, l.base = i.layerHead()
	now := i.instant()
	l.rows, l.below = i.small(maxKeyframeRows), i.small(maxKeyframeRows)
	if i.err == nil && (l.below > l.rows || l.base == 0 && l.below > 0 || l.rows-l.below > len(i.b)) {
		return nil, errKeyframe
	}
	l.names = make([]string, l.rows-l.below)
	for k := range l.names {
		l.names[k] = names.Bytes(i.bytes())
	}
	l.nodes = make([]nodeRecord, i.count(l.rows))
	row := 0
	for k := range l.nodes {
		row += i.small(maxKeyframeRows)
		l.nodes[k] = i.nodeRecord(row, names)
		if row >= l.rows {
			i.fail(errKeyframe)
		}
	}
	i.beatsOf(l, now)
	l.tables = i.tables(names)
	l.boxes = make([]boxRef, i.count(l.rows+1))
	pods, at := 0, 0
	row = -1
	for k := range l.boxes {
		row += i.small(maxKeyframeRows)
		b := boxRef{row: int32(row), pods: int32(i.small(maxKeyframePods)), start: int32(at)}
		at += i.small(maxKeyframe)
		b.end = int32(at)
		if pods += int(b.pods); row >= l.rows || k > 0 && row <= int(l.boxes[k-1].row) || at > maxKeyframe || pods > maxKeyframePods {
			i.fail(errKeyframe)
			break
		}
		l.boxes[k] = b
	}
	if i.err == nil && at != len(i.b) {
		i.fail(errShort)
	}
	if i.err != nil {
		return nil, i.err
	}
	l.data = slices.Clone(i.b) // and not all of the chunk with it
	return l, l.readKeys()
}

// beatsOf reads the beats of a layer.
func (i *in) beatsOf(l *layer, now model.Instant) {
	n := i.small(l.rows)
	l.beating = i.column(n, nil)
	var r beatReader
	l.beats = r.read(i, n, now)
	at := int64(0)
	for k, gap := range l.beating {
		if at += gap; at < 0 || at >= int64(l.rows) {
			i.fail(errKeyframe)
			return
		}
		l.beating[k] = at
	}
}

func (i *in) nodeRecord(row int, names *names) nodeRecord {
	flags := i.byte()
	r := nodeRecord{row: row, gone: flags&rowGone != 0, readySet: i.interval()}
	if flags&rowHasNode != 0 {
		r.moved = i.uint()
		r.node = i.node(names)
	}
	return r
}

func (i *in) tables(names *names) (t tables) {
	t.words = make([]string, i.count(maxKeyframePods))
	for k := range t.words {
		t.words[k] = names.Bytes(i.bytes())
	}
	t.others = make([]model.UID, i.count(maxKeyframePods))
	for k := range t.others {
		t.others[k] = names.uid(i.bytes())
	}
	t.owners = make([]*model.Owner, i.count(maxKeyframePods))
	for k := range t.owners {
		// Layers have most of their owners in common.
		t.owners[k] = names.owner(jsonscan.View(i.bytes()), jsonscan.View(i.bytes()))
	}
	t.lists = make([]*model.Tolerations, i.count(maxKeyframePods))
	for k := range t.lists {
		t.lists[k] = i.tolerations(names)
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
func (l *layer) readKeys() error {
	n := 0
	for k := range l.boxes {
		put, err := l.reader(&l.boxes[k], "").count()
		if err != nil {
			return err
		}
		if n += put; n > maxKeyframePods {
			return errKeyframe
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
		r.in, r.tables, r.created = in{b: l.data[b.start:b.end]}, &l.tables, 0
		for range r.in.count(maxKeyframePods) {
			namespace, name := r.skim()
			if r.err == nil && !l.keys.note(keyHash(spaces[namespace], name), b.row) {
				r.fail(errKeyframe)
			}
			if r.err != nil {
				break
			}
		}
		r.rest()
		if r.err != nil {
			return r.err
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

	word, other, owner, list, boxes, data out
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
	return placeIn(w.words, s, func() { w.word.string(s) })
}

// box adds the box of a row; −1 for pods without a node. pods is how many the row has now.
func (w *layerWriter) box(row, pods int, write func(o *out)) {
	before := len(w.data.b)
	write(&w.data)
	w.boxes.uint(uint64(row - w.lastRow))
	w.boxes.uint(uint64(pods))
	w.boxes.uint(uint64(len(w.data.b) - before))
	w.lastRow = row
	w.boxCount++
}

// finish writes all that was built behind the head and the nodes.
func (w *layerWriter) finish(o *out) {
	for _, t := range [...]struct {
		n int
		b []byte
	}{{len(w.words), w.word.b}, {len(w.others), w.other.b}, {len(w.owners), w.owner.b}, {len(w.lists), w.list.b}, {w.boxCount, w.boxes.b}} {
		o.uint(uint64(t.n))
		o.b = append(o.b, t.b...)
	}
	o.b = append(o.b, w.data.b...)
}

// nodeRecords writes the nodes of the rows that are wanted.
func (o *out) nodeRecords(rows []*model.NodeRow, wanted func(*model.NodeRow) bool) {
	var which []int
	for k, r := range rows {
		if wanted(r) {
			which = append(which, k)
		}
	}
	o.uint(uint64(len(which)))
	last := 0
	for _, k := range which {
		r := rows[k]
		o.uint(uint64(k - last))
		last = k
		flags := byte(0)
		if r.Node != nil {
			flags |= rowHasNode
		}
		if r.Gone {
			flags |= rowGone
		}
		o.byte(flags)
		o.interval(r.ReadySet)
		if r.Node != nil {
			shape, moved, _ := split(r.Node)
			o.uint(moved)
			o.node(shape)
		}
	}
}

// nodeBeats writes the heartbeats of the rows that are wanted.
func (o *out) nodeBeats(rows []*model.NodeRow, now model.Instant, wanted func(*model.NodeRow) bool) {
	var gaps []int64
	var beats []beat
	last := int64(0)
	for k, r := range rows {
		if !wanted(r) {
			continue
		}
		gaps, last = append(gaps, int64(k)-last), int64(k)
		b := beat{0, r.Posted, r.Written, r.Version}
		if r.Node != nil {
			b.said = newestHeartbeat(r.Node)
		}
		beats = append(beats, b)
	}
	o.uint(uint64(len(gaps)))
	o.column(gaps)
	o.beats(beats, now)
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

func (l *layer) texts(visit func(text string)) {
	for _, name := range l.names {
		visit(name)
	}
	for _, r := range l.nodes {
		if r.node != nil {
			nodeTexts(r.node, visit)
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
