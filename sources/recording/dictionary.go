package recording

import (
	"errors"
	"hash/fnv"

	"kardia/model"
)

// entry is what the rows of one object have in common: all of its Changes but their times,
// versions and origins. A lease has a new entry when anything but its renewTime changes; a
// node, when anything but the time of its status heartbeat does.
type entry struct {
	kind  model.Kind // KindNodeLease or KindNode
	key   model.Key
	uid   model.UID
	lease model.Lease // without Renewed
	// node is a Node without the heartbeats of the conditions that moved names, bit by bit in
	// the order of the conditions.
	node  *model.Node
	moved uint64
}

// maxConditions is how many conditions a typed node may have: the bits of moved.
const maxConditions = 64

// into makes the Change of a row, with the given renewTime or time of the status heartbeat.
func (e *entry) into(ch *model.Change, value model.Instant) {
	ch.Kind, ch.Key, ch.UID = e.kind, e.key, e.uid
	// The memory may have served for another Change.
	ch.Previous, ch.Node, ch.Pod, ch.Event, ch.Patch, ch.Note = 0, nil, nil, nil, nil, ""
	if e.node == nil {
		ch.Lease = e.lease
		ch.Lease.Renewed = value
		return
	}
	node := *e.node
	node.Conditions = append([]model.Condition(nil), node.Conditions...)
	for i := range node.Conditions {
		if e.moved>>i&1 != 0 {
			node.Conditions[i].Heartbeat = value
		}
	}
	ch.Node, ch.Lease = &node, model.Lease{}
}

// renewedBy says whether a row of the entry is a model.Renewal.
func (e *entry) renewedBy(op model.Op, value model.Instant) bool {
	return e.kind == model.KindNodeLease && e.node == nil && op == model.OpModify && value.Known()
}

// leaseObject is what the Renewals of an entry have in common; that of a node's entry means nothing.
func (e *entry) leaseObject() model.LeaseObject {
	return model.LeaseObject{Key: e.key, UID: e.uid, Lease: e.lease}
}

// split takes the newest heartbeat out of a node. Of one with more than maxConditions some are left
// in.
func split(n *model.Node) (without *model.Node, moved uint64, newest model.Instant) {
	newest = newestHeartbeat(n)
	shape := *n
	shape.Conditions = append([]model.Condition(nil), n.Conditions...)
	for i := range shape.Conditions[:min(len(shape.Conditions), maxConditions)] {
		if c := &shape.Conditions[i]; c.Heartbeat == newest {
			c.Heartbeat = 0
			moved |= 1 << i
		}
	}
	return &shape, moved, newest
}

// Limits of a dictionary. A Writer that reaches them writes what comes after as JSON.
const (
	maxEntries = 1 << 18
	// maxDictionary is about how much memory the entries may take.
	maxDictionary = 48 << 20
)

var errDictionary = errors.New("its dictionary is larger than any that Kardia writes")

// weight is about how much memory an entry takes.
func (e *entry) weight() int {
	n := 200 + len(e.key.Name)
	if e.node != nil {
		n += 300 + 120*len(e.node.Conditions) + 80*len(e.node.Taints) + len(e.node.ProviderID)
	}
	return n
}

// dictionary is the entries of a file, as a Writer makes them.
type dictionary struct {
	entries []entry
	written int // how many are in the file
	twice   int // how many of them are there a second time
	size    int // see entry.weight

	leases map[model.Key]int32 // the newest entry of each lease
	known  map[leaseIdentity]int32
	nodes  map[string]int32    // by what they are in the file
	once   map[string][16]byte // nodes' shapes that were seen once, by name
}

// leaseIdentity is what makes the entry of a lease.
type leaseIdentity struct {
	key   model.Key
	uid   model.UID
	lease model.Lease
}

func newDictionary() *dictionary {
	return &dictionary{leases: map[model.Key]int32{}, known: map[leaseIdentity]int32{}, nodes: map[string]int32{}, once: map[string][16]byte{}}
}

func (d *dictionary) add(e entry) int32 {
	d.size += e.weight()
	d.entries = append(d.entries, e)
	return int32(len(d.entries) - 1)
}

func (d *dictionary) full() bool { return len(d.entries) >= maxEntries || d.size >= maxDictionary }

// lease finds or makes the entry of a lease; ok is false where there is no room for a new one.
func (d *dictionary) lease(ch *model.Change) (index int32, ok bool) {
	id := leaseIdentity{ch.Key, ch.UID, ch.Lease}
	id.lease.Renewed = 0
	if i, ok := d.leases[ch.Key]; ok {
		if e := &d.entries[i]; e.uid == id.uid && e.lease == id.lease {
			return i, true
		}
	}
	index, ok = d.known[id]
	if !ok {
		if d.full() {
			return 0, false
		}
		index = d.add(entry{kind: model.KindNodeLease, key: id.key, uid: id.uid, lease: id.lease})
		d.known[id] = index
	}
	d.leases[ch.Key] = index
	return index, true
}

// node finds the entry of a node's version. It makes one for a shape that is seen the second
// time in a row: most are not, and stand in the file as JSON.
func (d *dictionary) node(ch *model.Change) (index int32, heartbeat model.Instant, ok bool) {
	if ch.Node == nil || len(ch.Node.Conditions) == 0 || len(ch.Node.Conditions) > maxConditions {
		return 0, 0, false
	}
	shape, moved, newest := split(ch.Node)
	e := entry{kind: model.KindNode, key: ch.Key, uid: ch.UID, node: shape, moved: moved}
	var o out
	o.entry(&e)
	if index, ok = d.nodes[string(o.b)]; ok {
		return index, newest, true
	}
	hash := fnv.New128a()
	_, _ = hash.Write(o.b)
	sum := [16]byte(hash.Sum(nil))
	if d.once[ch.Key.Name] != sum || d.full() {
		d.once[ch.Key.Name] = sum
		return 0, 0, false
	}
	index = d.add(e)
	d.nodes[string(o.b)] = index
	return index, newest, true
}

// next is a message of the entries that are not in the file yet, or not twice; nil where there are none.
func (d *dictionary) next(twice bool) []byte {
	from := d.written
	if twice {
		from = d.twice
	}
	d.twice, d.written = d.written, len(d.entries)
	if from == len(d.entries) {
		return nil
	}
	return d.message(from)
}

// message is the entries from an index on.
//
//	byte     1
//	uvarint  index of the first, uvarint how many, then each: see entry
func (d *dictionary) message(from int) []byte {
	var o out
	o.byte(1)
	o.uint(uint64(from))
	o.uint(uint64(len(d.entries) - from))
	for i := from; i < len(d.entries); i++ {
		o.entry(&d.entries[i])
	}
	return o.b
}

func (o *out) entry(e *entry) {
	o.byte(byte(e.kind))
	o.string(e.key.Namespace)
	o.string(e.key.Name)
	o.uid(e.uid)
	if e.node != nil {
		o.uint(e.moved)
		o.node(e.node)
		return
	}
	o.lease(&e.lease)
}

// lexicon is the entries of a file, as a reader finds them.
type lexicon struct {
	entries []entry
	size    int
}

// read takes a message in. Entries it has already are left as they are; a message that leaves out
// some, because the one before it was lost, leaves them empty.
func (l *lexicon) read(data []byte, names *names) error {
	i := in{b: data}
	if v := i.byte(); v != 1 && i.err == nil {
		return errVersion
	}
	from := i.small(maxEntries)
	n := i.count(maxEntries - from)
	for k := from; k < from+n && i.err == nil; k++ {
		e := i.entry(names)
		if i.err != nil {
			break
		}
		for len(l.entries) <= k {
			l.entries = append(l.entries, entry{})
		}
		if l.entries[k].kind != model.KindNone {
			continue
		}
		if l.size += e.weight(); l.size > maxDictionary+maxMessage {
			return errDictionary
		}
		l.entries[k] = e
	}
	return i.err
}

func (i *in) entry(names *names) entry {
	e := entry{kind: model.Kind(i.byte())}
	e.key.Namespace = names.Bytes(i.bytes())
	e.key.Name = string(i.bytes())
	e.uid = i.uid(names)
	switch e.kind {
	case model.KindNode:
		e.moved = i.uint()
		e.node = i.node(names)
	case model.KindNodeLease:
		e.lease = i.lease(names)
	default:
		i.fail(errDictionary)
	}
	return e
}

// row is a Change as a row in columns; ok is false for one that must stand as JSON.
func (d *dictionary) row(ch *model.Change, slot int32) (r blockRow, ok bool) {
	if ch.Pod != nil || ch.Event != nil || len(ch.Patch) > 0 || ch.Note != "" {
		return r, false
	}
	r.slot, r.ch = slot, ch
	switch {
	case ch.Kind == model.KindNodeLease && ch.Node == nil:
		r.value = ch.Lease.Renewed
		r.entry, ok = d.lease(ch)
	case ch.Kind == model.KindNode && ch.Lease == (model.Lease{}):
		r.entry, r.value, ok = d.node(ch)
	}
	return r, ok
}
