package model

import "strings"

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

// String is s, in shared memory.
func (in *Interner) String(s string) string {
	if s == "" {
		return ""
	}
	if known, ok := in.strings[s]; ok {
		return known
	}
	if in.strings == nil || len(in.strings) >= in.limit() {
		in.strings = map[string]string{}
	}
	s = strings.Clone(s) // it may be a piece of a long line
	in.strings[s] = s
	return s
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
	if in.pointers == nil || len(in.pointers) >= in.limit() {
		in.pointers = map[string]*string{}
	}
	s = strings.Clone(s) // likewise
	in.pointers[s] = &s
	return &s
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
	if in.owners == nil || len(in.owners) >= in.limit() {
		in.owners = map[Owner]*Owner{}
	}
	o := Owner{in.String(kind), in.String(name)}
	in.owners[o] = &o
	return &o
}

// Requester is a shared copy; nil for an empty one.
func (in *Interner) Requester(r Requester) *Requester {
	if r == (Requester{}) {
		return nil
	}
	if p, ok := in.requesters[r]; ok {
		return p
	}
	if in.requesters == nil || len(in.requesters) >= in.limit() {
		in.requesters = map[Requester]*Requester{}
	}
	p := &Requester{in.String(r.User), in.String(r.Agent), in.String(r.Address)}
	in.requesters[*p] = p
	return p
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
			for shift := 0; shift < 64; shift += 8 {
				key = append(key, byte(t.Seconds.Value>>shift))
			}
		}
		key = append(key, 0xff)
	}
	in.key = key
	if p, ok := in.tolerations[string(key)]; ok {
		return p
	}
	if in.tolerations == nil || len(in.tolerations) >= in.limit() {
		in.tolerations = map[string]*Tolerations{}
	}
	shared := make(Tolerations, len(list))
	for i, t := range list {
		t.Key, t.Value, t.Operator = in.String(t.Key), in.String(t.Value), in.String(t.Operator)
		shared[i] = t
	}
	p := &shared
	in.tolerations[string(key)] = p
	return p
}
