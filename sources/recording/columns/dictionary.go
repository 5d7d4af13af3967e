package columns

import (
	"errors"
	"hash/fnv"

	"kardia/model"
	"kardia/sources/recording/wire"
)

// Limits of a dictionary. A Writer that reaches them writes all later versions as JSON.
const (
	maxEntries = 1 << 18
	// maxDictionary is about how much memory the entries may take.
	maxDictionary = 48 << 20
)

var errDictionary = errors.New("its dictionary is larger than any that Kardia writes")

// Dictionary is the entries of a file, as a Writer makes them.
type Dictionary struct {
	Entries []Entry
	Written int // how many are in the file
	twice   int // how many of them are there a second time
	size    int // see entry.weight

	leases map[model.Key]int32 // the newest entry of each lease
	known  map[string]int32    // all, by their bytes
	once   map[string][16]byte // nodes' shapes that were seen once, by name
}

func NewDictionary() *Dictionary {
	return &Dictionary{leases: map[model.Key]int32{}, known: map[string]int32{}, once: map[string][16]byte{}}
}

func (d *Dictionary) Add(e Entry) int32 {
	d.size += e.weight()
	d.Entries = append(d.Entries, e)
	return int32(len(d.Entries) - 1)
}

func (d *Dictionary) full() bool { return len(d.Entries) >= maxEntries || d.size >= maxDictionary }

// bytes are an entry as it is in the file.
func (e *Entry) bytes() []byte {
	var o wire.Writer
	o.B = make([]byte, 0, 256) // most need less
	e.code(wire.To(&o))
	return o.B
}

// lease finds or makes the entry of a lease; ok is false if there is no room for a new one.
func (d *Dictionary) lease(ch *model.Change) (index int32, ok bool) {
	lease := WithoutRenewal(ch.Lease)
	if i, ok := d.leases[ch.Key]; ok && d.Entries[i].Uid == ch.UID && d.Entries[i].Lease == lease {
		return i, true
	}
	e := Entry{Kind: model.KindNodeLease, Key: ch.Key, Uid: ch.UID, Lease: lease}
	code := e.bytes()
	if index, ok = d.known[string(code)]; !ok {
		if d.full() {
			return 0, false
		}
		index = d.Add(e)
		d.known[string(code)] = index
	}
	d.leases[ch.Key] = index
	return index, true
}

// node finds the entry of a node's version. It makes one for a shape that is seen the second time in a row: most are
// not, and are in the file as JSON.
func (d *Dictionary) node(ch *model.Change) (index int32, heartbeat model.Instant, ok bool) {
	if ch.Node == nil || len(ch.Node.Conditions) == 0 || len(ch.Node.Conditions) > maxConditions {
		return 0, 0, false
	}
	shape, newest := Split(ch.Node)
	e := Entry{Kind: model.KindNode, Key: ch.Key, Uid: ch.UID, Shape: shape}
	code := e.bytes()
	if index, ok = d.known[string(code)]; ok {
		return index, newest, true
	}
	hash := fnv.New128a()
	_, _ = hash.Write(code)
	sum := [16]byte(hash.Sum(nil))
	if d.once[ch.Key.Name] != sum || d.full() {
		d.once[ch.Key.Name] = sum
		return 0, 0, false
	}
	index = d.Add(e)
	d.known[string(code)] = index
	return index, newest, true
}

// Next is a message of the entries that are not in the file yet, or not twice; nil if there are none.
func (d *Dictionary) Next(twice bool) []byte {
	from := d.Written
	if twice {
		from = d.twice
	}
	d.twice, d.Written = d.Written, len(d.Entries)
	if from == len(d.Entries) {
		return nil
	}
	return d.Message(from)
}

// Message is the entries from an index on.
//
//	byte     1
//	uvarint  index of the first, uvarint how many, then each: see entry
func (d *Dictionary) Message(from int) []byte {
	var o wire.Writer
	o.Byte(1)
	o.Uint(uint64(from))
	o.Uint(uint64(len(d.Entries) - from))
	c := wire.To(&o)
	for i := from; i < len(d.Entries); i++ {
		d.Entries[i].code(c)
	}
	return o.B
}

// Row is a Change as a row in columns; ok is false for one that must be JSON.
func (d *Dictionary) Row(ch *model.Change, slot int32) (r BlockRow, ok bool) {
	if ch.Pod != nil || ch.Event != nil || len(ch.Patch) > 0 || ch.Note != "" || ch.Requester != nil {
		return r, false
	}
	r.Slot, r.Ch = slot, ch
	switch {
	case ch.Kind == model.KindNodeLease && ch.Node == nil:
		r.Value = ch.Lease.Renewed
		r.Entry, ok = d.lease(ch)
	case ch.Kind == model.KindNode && ch.Lease == (model.Lease{}):
		r.Entry, r.Value, ok = d.node(ch)
	}
	return r, ok
}

// LeaseEntry is the entry in the file of a lease as it is, but for its renewTime; -1 if there is none.
func (d *Dictionary) LeaseEntry(key model.Key, lease model.Lease) int32 {
	if e, ok := d.leases[key]; ok && int(e) < d.Written && d.Entries[e].Lease == WithoutRenewal(lease) {
		return e
	}
	return -1
}

// WithoutRenewal is a lease without its renewTime.
func WithoutRenewal(l model.Lease) model.Lease {
	l.Renewed = 0
	return l
}
