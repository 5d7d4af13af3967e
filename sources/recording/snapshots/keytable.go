package snapshots

import (
	"hash/maphash"
	"iter"
	"kardia/sources/recording/wire"
)

// keyTable finds the rows in whose sections a pod of a key may be, by hashing. A slot is 0, or row + 2 in its low bits
// and bits of the key's hash above. Few keys share a slot's bits; the caller looks into the section.
type keyTable []uint32

const (
	rowBits   = 17 // of row + 2; maxKeyframeRows fits
	maxProbes = 4096
)

var keySeed = maphash.MakeSeed()

func keyHash(namespace uint64, name []byte) uint64 { return maphash.Bytes(keySeed, name) ^ namespace }

func spaceHash(namespace string) uint64 { return maphash.String(keySeed, namespace) * 3 }

// note adds a key; false if too many have the same hash, which does not happen by chance.
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

// rows are those in whose sections a pod of this hash may be.
func (t keyTable) rows(hash uint64) iter.Seq[int] {
	return func(yield func(row int) bool) {
		for at := int(hash) & (len(t) - 1); t[at] != 0; at = (at + 1) & (len(t) - 1) {
			if (t[at]^uint32(hash>>32))>>rowBits == 0 && !yield(int(t[at]&(1<<rowBits-1))-2) {
				return
			}
		}
	}
}

// readKeys reads all sections, and notes by their keys where pods are; and where Events begin.
func (l *Layer) readKeys() error {
	n := 0
	for k := range l.sections {
		put, err := l.reader(&l.sections[k], "").count()
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
	var r sectionReader
	for k := range l.sections {
		b := &l.sections[k]
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
