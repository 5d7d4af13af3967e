package snapshots

import (
	"hash/maphash"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/packed"
	"kardia/sources/read/jsonscan"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// A layer is the rarely changing part of the state at a position: Nodes, Events and pods. It has all of them, or the
// differences from another keyframe. It is in a chunk of its own behind its keyframe's. The layers that a keyframe
// rests on make its stack, from which pods and Events are decoded node by node, when they are asked for.
//
//	byte     1, or 2 where pods have details
//	uvarint  position, uvarint position of the keyframe it rests on; 0 for a full one
//	instant  Now
//	uvarint  rows; uvarint of which the layer below has the first; then the names of the others
//	uvarint  nodes, then each: see nodeRecord
//	uvarint  nodes whose heartbeat is newer, column of their rows, each against the one before, and their
//	         beats: said is the newest status heartbeat, heard is Posted
//	uvarint  words, then strings; uvarint UIDs that are no UUIDs, then strings
//	uvarint  owners, then each: string kind, string name
//	uvarint  lists of tolerations, then each
//	uvarint  sections, then each: uvarint row + 1, or 0 for pods without a node, against the section before,
//	         uvarint pods that the row has now, uvarint bytes
//	sections    of that many bytes each: see section
type Layer struct {
	Position, Base int
	rows, below    int
	names          []string // of the rows that those below have not
	nodes          []nodeRecord
	beating        []int64 // rows that have beats
	beats          []columns.Beat
	tables         tables
	sections       []sectionRef
	data           []byte           // of the sections
	rowOf          map[uint64]int32 // in whose section a pod is put, by keyHash
}

// nodeRecord is a row's Node object, or that there is none.
//
//	uvarint  row, against the record before
//	byte     1 with an object | 2 gone | 4 × who wrote Ready
//	interval in which Ready was set
//	         with an object: uvarint which conditions have the newest status heartbeat, and the node
//	         without the heartbeats of these
type nodeRecord struct {
	row      int
	gone     bool
	readySet model.Interval
	readyBy  model.Writer
	moved    uint64
	node     *model.Node
}

// tables are what pods and Events have in common.
type tables struct {
	words  []string
	others []model.UID
	owners []*model.Owner
	lists  []*model.Tolerations
	// detailed: each pod ends with its details.
	detailed bool
}

// sectionRef is the place of a row's section.
type sectionRef struct {
	row, pods  int32 // row -1: of no node
	start, end int32
	put        int32 // how many pods are new or changed
	events     int32 // where its Events begin, behind its pods; 0 if they did not change
}

// find is the section of a row; nil if it has none.
func (l *Layer) find(row int) *sectionRef {
	k := sort.Search(len(l.sections), func(k int) bool { return int(l.sections[k].row) >= row })
	if k == len(l.sections) || int(l.sections[k].row) != row {
		return nil
	}
	return &l.sections[k]
}

// reader reads a section of the node of this name.
func (l *Layer) reader(b *sectionRef, node string) *sectionReader {
	return &sectionReader{Reader: *wire.Read(l.data[b.start:b.end]), tables: &l.tables, node: node}
}

// eventsOf reads the Events of a section, which changed.
func (l *Layer) eventsOf(b *sectionRef) []*model.Event {
	r := sectionReader{Reader: *wire.Read(l.data[b.events:b.end]), tables: &l.tables}
	_, events := r.events()
	return events
}

// memory is about how much a layer takes.
func (l *Layer) memory() int {
	return len(l.data) + 24*len(l.rowOf) + 600*len(l.nodes) + 48*len(l.beats) + 20*(len(l.names)+len(l.sections)+len(l.tables.words))
}

// The versions of layers.
const (
	layerPlain    = 1
	layerDetailed = 2
)

// ReadLayerHead is the beginning of a layer.
func ReadLayerHead(i *wire.Reader) (position, base int, detailed bool) {
	switch v := i.Byte(); {
	case v == layerDetailed:
		detailed = true
	case v != layerPlain && i.Err == nil:
		i.Fail(wire.ErrVersion)
	}
	position, base = i.AtMost(wire.MaxPosition), i.AtMost(wire.MaxPosition)
	if base >= position {
		i.Fail(ErrKeyframe)
	}
	return position, base, detailed
}

// ReadLayer reads a layer, and all of its sections once, so that nothing in them surprises later.
func ReadLayer(i *wire.Reader, names *wire.Names) (*Layer, error) {
	l := &Layer{}
	var detailed bool
	l.Position, l.Base, detailed = ReadLayerHead(i)
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
	l.tables.detailed = detailed
	l.sections = make([]sectionRef, i.Count(l.rows+1))
	pods, at := 0, 0
	row = -1
	for k := range l.sections {
		row += i.AtMost(maxKeyframeRows)
		b := sectionRef{row: int32(row), pods: int32(i.AtMost(maxKeyframePods)), start: int32(at)}
		at += i.AtMost(wire.MaxKeyframe)
		b.end = int32(at)
		if pods += int(b.pods); row >= l.rows || k > 0 && row <= int(l.sections[k-1].row) || at > wire.MaxKeyframe || pods > maxKeyframePods {
			i.Fail(ErrKeyframe)
			break
		}
		l.sections[k] = b
	}
	if i.Err == nil && at != len(i.B) {
		i.Fail(packed.ErrShort)
	}
	if i.Err != nil {
		return nil, i.Err
	}
	l.data = slices.Clone(i.B) // and not all of the chunk with it
	return l, l.readSections()
}

// readSections reads all sections, and notes in which row each pod is put, and where Events begin.
func (l *Layer) readSections() error {
	n := 0
	for k := range l.sections {
		r := l.reader(&l.sections[k], "")
		if n += r.Count(maxKeyframePods); n > maxKeyframePods {
			return ErrKeyframe
		}
	}
	l.rowOf = make(map[uint64]int32, n)
	for k := range l.sections {
		b := &l.sections[k]
		r := l.reader(b, "")
		r.pods(func(p *model.Pod, name []byte) {
			l.rowOf[keyHash(p.Namespace, name)] = b.row
			b.put++
		})
		r.gone(func(string, []byte) {})
		at := b.end - int32(len(r.B))
		if changed, _ := r.events(); changed {
			b.events = at
		}
		if len(r.B) > 0 {
			r.Fail(ErrKeyframe)
		}
		if r.Err != nil {
			return r.Err
		}
	}
	return nil
}

var keySeed = maphash.MakeSeed()

// keyHash identifies the key of a pod: no two keys of a state have the same by chance.
func keyHash(namespace string, name []byte) uint64 {
	return maphash.String(keySeed, namespace)*3 ^ maphash.Bytes(keySeed, name)
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
	r := nodeRecord{row: row, gone: flags&rowGone != 0, readyBy: min(model.Writer(flags>>rowReadyBy), model.WriterPerson), readySet: i.Interval()}
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

// Each calls visit for everything in the layer: names, nodes, pods, Events and what these have in common. What is
// visited is good until the next only.
func (l *Layer) Each(visit func(what any)) {
	visit(l.names)
	for k := range l.nodes {
		visit(l.nodes[k].node)
	}
	visit(l.tables.words)
	visit(l.tables.owners)
	visit(l.tables.lists)
	for k := range l.sections {
		r := l.reader(&l.sections[k], "")
		r.pods(func(p *model.Pod, name []byte) {
			p.Name = string(name)
			visit(p)
		})
		r.gone(func(_ string, name []byte) { visit(string(name)) })
		_, events := r.events()
		visit(events)
	}
}
