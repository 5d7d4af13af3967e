package shadow

import (
	"encoding/binary"
	"slices"

	"kardia/model"
)

// packedPods are pods in a quarter of the memory, in order: a day begins with many, and most of
// them are gone when it ends. A pod is what is its own (its name, as far as that differs from the
// one before, its UID, its node and its times), and what it has in common with others.
type packedPods struct {
	bytes   []byte
	uids    []model.UID
	common  table[model.Pod]
	nodes   table[string]
	created model.Instant // of the last one
	name    string        // likewise
}

// table numbers values of which there are few.
type table[T comparable] struct {
	list    []T
	numbers map[T]uint64
}

func (t *table[T]) number(v T) uint64 {
	n, ok := t.numbers[v]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[T]uint64{}
		}
		n = uint64(len(t.list))
		t.numbers[v], t.list = n, append(t.list, v)
	}
	return n
}

func (s *packedPods) count() int { return len(s.uids) }

// close lets go what only add needs: no more come.
func (s *packedPods) close() {
	s.bytes, s.uids = slices.Clone(s.bytes), slices.Clone(s.uids)
	s.common.numbers, s.nodes.numbers = nil, nil
}

func (s *packedPods) add(p *model.Pod) {
	common := *p
	common.Name, common.UID, common.Node = "", model.UID{}, ""
	common.Created, common.Deletion, common.ReadySince, common.Disrupted = 0, 0, 0, 0

	same := 0
	for same < min(len(p.Name), len(s.name)) && p.Name[same] == s.name[same] {
		same++
	}
	b := binary.AppendUvarint(s.bytes, s.common.number(common))
	b = binary.AppendUvarint(b, s.nodes.number(p.Node))
	b = binary.AppendUvarint(b, uint64(same))
	b = binary.AppendUvarint(b, uint64(len(p.Name)-same))
	b = append(b, p.Name[same:]...)
	b = binary.AppendVarint(b, int64(p.Created-s.created))
	b = binary.AppendVarint(b, int64(p.ReadySince-p.Created))
	b = binary.AppendVarint(b, int64(p.Deletion))
	s.bytes = binary.AppendVarint(b, int64(p.Disrupted))
	s.uids = append(s.uids, p.UID)
	s.created, s.name = p.Created, p.Name
}

// all makes the pods anew.
func (s *packedPods) all(yield func(*model.Pod) bool) {
	b := s.bytes
	number := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	instant := func() model.Instant {
		v, n := binary.Varint(b)
		b = b[n:]
		return model.Instant(v)
	}
	name, created := "", model.Instant(0)
	for _, uid := range s.uids {
		p := s.common.list[number()]
		p.UID, p.Node = uid, s.nodes.list[number()]
		same, rest := number(), number()
		p.Name = name[:same] + string(b[:rest])
		b = b[rest:]
		p.Created = created + instant()
		p.ReadySince = p.Created + instant()
		p.Deletion, p.Disrupted = instant(), instant()
		name, created = p.Name, p.Created
		if !yield(&p) {
			return
		}
	}
}
