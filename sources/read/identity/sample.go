package identity

import (
	"encoding/binary"
	"hash/fnv"

	"kardia/model"
)

// sample decides which of too many things are compared: all, every second, every fourth, and so on. It depends on the
// thing itself, so all inputs agree. The zero value takes all.
type sample struct{ without uint64 }

// takes reports whether something with a hash is compared.
func (s *sample) takes(hash uint64) bool { return hash&s.without == 0 }

func (s *sample) halve() { s.without = s.without<<1 | 1 }

// spread makes a hash of a number.
// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, mix64.
func spread(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

func spreadUID(uid model.UID) uint64 {
	raw, ok := uid.UUID()
	if !ok {
		text := fnv.New64a()
		_, _ = text.Write([]byte(uid.String()))
		return spread(text.Sum64())
	}
	return spread(binary.BigEndian.Uint64(raw[:8]) ^ spread(binary.BigEndian.Uint64(raw[8:])))
}
