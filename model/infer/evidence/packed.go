package evidence

import (
	"slices"

	"kardia/model"
	"kardia/model/packed"
)

// packedPods are pods in a quarter of the memory, in order: a day begins with many, and most of
// them are gone when it ends. A pod is what is its own (its name, as far as that differs from the
// one before, its UID, its node and its times), and what it has in common with others.
type packedPods struct {
	columns packed.Writer
	bytes   []byte // of the columns, once they are closed
	uids    []model.UID
	common  packed.Table[model.Pod]
	nodes   packed.Table[string]
	created model.Instant // of the last one
	name    string        // likewise
}

// seededPods are pods in order, held as they are where they lie in memory anyway, and else packed.
type seededPods struct {
	lasting bool
	held    []*model.Pod
	packed  packedPods
}

func (s *seededPods) count() int { return len(s.held) + s.packed.count() }

func (s *seededPods) add(p *model.Pod) {
	if s.lasting {
		s.held = append(s.held, p)
	} else {
		s.packed.add(p)
	}
}

func (s *seededPods) close() {
	s.held = slices.Clone(s.held)
	s.packed.close()
}

// all hands them out: those that are packed it makes anew.
func (s *seededPods) all(yield func(*model.Pod) bool) {
	if s.lasting {
		slices.Values(s.held)(yield)
	} else {
		s.packed.all(yield)
	}
}

func (s *packedPods) count() int { return len(s.uids) }

// close lets go what only add needs: no more come.
func (s *packedPods) close() {
	s.bytes, s.uids = slices.Clone(s.columns.Bytes()), slices.Clone(s.uids)
	s.columns = packed.Writer{}
	s.common.Close()
	s.nodes.Close()
}

func (s *packedPods) add(p *model.Pod) {
	common := *p
	common.Name, common.UID, common.Node = "", model.UID{}, ""
	common.Created, common.Deletion, common.ReadySince, common.Disrupted = 0, 0, 0, 0

	same := 0
	for same < min(len(p.Name), len(s.name)) && p.Name[same] == s.name[same] {
		same++
	}
	w := &s.columns
	w.Uint(s.common.Number(common))
	w.Uint(s.nodes.Number(p.Node))
	w.Uint(uint64(same))
	w.Text(p.Name[same:])
	w.Time(int64(p.Created - s.created))
	w.Time(int64(p.ReadySince - p.Created))
	w.Time(int64(p.Deletion))
	w.Time(int64(p.Disrupted))
	s.uids = append(s.uids, p.UID)
	s.created, s.name = p.Created, p.Name
}

// all makes the pods anew.
func (s *packedPods) all(yield func(*model.Pod) bool) {
	r := packed.Read(s.bytes)
	instant := func() model.Instant { return model.Instant(r.Time()) }
	name, created := "", model.Instant(0)
	for _, uid := range s.uids {
		p := s.common.List[r.Uint()]
		p.UID, p.Node = uid, s.nodes.List[r.Uint()]
		p.Name = name[:r.Uint()] + r.Text()
		p.Created = created + instant()
		p.ReadySince = p.Created + instant()
		p.Deletion, p.Disrupted = instant(), instant()
		name, created = p.Name, p.Created
		if !yield(&p) {
			return
		}
	}
}
