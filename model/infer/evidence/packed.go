package evidence

import (
	"slices"

	"kardia/model"
	"kardia/model/packed"
)

// packedPods are pods in order, in a quarter of the memory, as a day starts with many. Name, UID, node and times are a
// pod's own, the name as a difference from the previous one. The rest is shared.
type packedPods struct {
	columns packed.Writer
	bytes   []byte // of the columns, once they are closed
	uids    []model.UID
	common  packed.Table[model.Pod]
	nodes   packed.Table[string]
	created model.Instant // of the last one
	name    string        // of the last one
}

// seededPods are pods in order: held if they stay in memory anyway, else packed.
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

// all yields the pods; packed ones are new objects.
func (s *seededPods) all(yield func(*model.Pod) bool) {
	if s.lasting {
		slices.Values(s.held)(yield)
	} else {
		s.packed.all(yield)
	}
}

func (s *packedPods) count() int { return len(s.uids) }

// close frees the memory that only add needs.
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
