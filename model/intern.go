package model

import (
	"encoding/binary"
	"strings"
)

// Interner gives equal strings, owners, requesters and toleration lists the same memory. A cluster repeats a few
// hundred of them a hundred thousand times. A full table starts empty again, so memory stays bounded. The zero value is
// ready to use. Not safe for concurrent use.
type Interner struct {
	// Limit is how many entries each table holds; 0 means 65,536.
	Limit int

	strings     map[string]string
	pointers    map[string]*string
	owners      map[Owner]*Owner
	requesters  map[Requester]*Requester
	tolerations map[string]*Tolerations
	key         []byte
}

func (in *Interner) limit() int {
	if in.Limit > 0 {
		return in.Limit
	}
	return 1 << 16
}

// put adds an entry to a table, which starts empty again if it is full.
func put[K comparable, V any](in *Interner, table *map[K]V, key K, v V) V {
	if *table == nil || len(*table) >= in.limit() {
		*table = map[K]V{}
	}
	(*table)[key] = v
	return v
}

// String is s, in shared memory.
func (in *Interner) String(s string) string {
	if s == "" {
		return ""
	}
	if known, ok := in.strings[s]; ok {
		return known
	}
	s = strings.Clone(s) // it may be a piece of a long line
	return put(in, &in.strings, s, s)
}

// Bytes is b as a string; it does not allocate if known.
func (in *Interner) Bytes(b []byte) string {
	if known, ok := in.strings[string(b)]; ok {
		return known
	}
	return in.String(string(b))
}

// Pointer is the same pointer for the same text, for ParseUID.
func (in *Interner) Pointer(s string) *string {
	if p, ok := in.pointers[s]; ok {
		return p
	}
	s = strings.Clone(s) // likewise
	return put(in, &in.pointers, s, &s)
}

func (in *Interner) UID(s string) UID { return ParseUID(s, in.Pointer) }

// Owner is a shared Owner; nil for an empty one.
func (in *Interner) Owner(kind, name string) *Owner {
	if kind == "" && name == "" {
		return nil
	}
	if p, ok := in.owners[Owner{kind, name}]; ok {
		return p
	}
	o := Owner{in.String(kind), in.String(name)}
	return put(in, &in.owners, o, &o)
}

// Requester is a shared copy; nil for an empty one.
func (in *Interner) Requester(r Requester) *Requester {
	if r == (Requester{}) {
		return nil
	}
	if p, ok := in.requesters[r]; ok {
		return p
	}
	p := &Requester{in.String(r.User), in.String(r.Agent), in.String(r.Address)}
	return put(in, &in.requesters, *p, p)
}

// Tolerations is a shared copy of the list; nil for an empty one.
func (in *Interner) Tolerations(list []Toleration) *Tolerations {
	if len(list) == 0 {
		return nil
	}
	key := in.key[:0]
	for i := range list {
		t := &list[i]
		for _, s := range [...]string{t.Key, t.Operator, t.Value} {
			key = append(key, s...)
			key = append(key, 0)
		}
		key = append(key, byte(t.Effect))
		if t.Seconds.Known {
			key = binary.LittleEndian.AppendUint64(key, uint64(t.Seconds.Value))
		}
		key = append(key, 0xff)
	}
	in.key = key
	if p, ok := in.tolerations[string(key)]; ok {
		return p
	}
	shared := make(Tolerations, len(list))
	for i, t := range list {
		t.Key, t.Value, t.Operator = in.String(t.Key), in.String(t.Value), in.String(t.Operator)
		shared[i] = t
	}
	return put(in, &in.tolerations, string(key), &shared)
}
