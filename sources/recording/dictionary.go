package recording

import (
	"errors"
	"hash/fnv"

	"kardia/model"
)

// Limits of a dictionary. A Writer that reaches them writes what comes after as JSON.
const (
	maxEntries = 1 << 18
	// maxDictionary is about how much memory the entries may take.
	maxDictionary = 48 << 20
)

var errDictionary = errors.New("its dictionary is larger than any that Kardia writes")

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

// leaseEntry is the entry in the file of a lease as it is, but for its renewTime; -1 where there is none.
func (d *dictionary) leaseEntry(key model.Key, lease model.Lease) int32 {
	if e, ok := d.leases[key]; ok && int(e) < d.written && d.entries[e].lease == withoutRenewal(lease) {
		return e
	}
	return -1
}

// withoutRenewal is a lease without its renewTime.
func withoutRenewal(l model.Lease) model.Lease {
	l.Renewed = 0
	return l
}
