package audit

import (
	"hash/maphash"

	"kardia/model"
)

// IDs keeps recent auditIDs, so that a request counts once even in copies of a log. It holds 65,536 to twice as many
// hashes: about 5 MiB at most. Earlier IDs are forgotten. Readers may share one, from one goroutine.
type IDs struct {
	seed       maphash.Seed
	young, old map[uint64]struct{}
}

const recentIDs = 1 << 16

func NewIDs() *IDs {
	return &IDs{seed: maphash.MakeSeed(), young: map[uint64]struct{}{}}
}

func (m *IDs) add(id string) bool {
	h := maphash.String(m.seed, id)
	if _, ok := m.young[h]; ok {
		return false
	}
	_, known := m.old[h]
	if len(m.young) >= recentIDs {
		m.old, m.young = m.young, make(map[uint64]struct{}, recentIDs)
	}
	m.young[h] = struct{}{}
	return !known
}

type thing struct {
	kind model.Kind
	key  model.Key
}

// fact is what the Reader knows of an object: its last two versions, and the newest Node or Pod, the base of patches.
type fact struct {
	version, before uint64
	base            uint64 // the version of node or pod; 0 if unknown
	node            *model.Node
	pod             *model.Pod
	related         *model.Related
}

// maxFacts limits, to a factor of two, the known objects without an end in the log. The longest unwritten are dropped.
const maxFacts = 1 << 17

type facts struct {
	limit      int
	young, old map[thing]fact
}

func newFacts() facts { return facts{limit: maxFacts, young: map[thing]fact{}} }

func (m *facts) get(t thing) fact {
	if f, ok := m.young[t]; ok {
		return f
	}
	return m.old[t]
}

func (m *facts) set(t thing, f fact) {
	if _, ok := m.young[t]; !ok && len(m.young) >= m.limit {
		m.old, m.young = m.young, map[thing]fact{}
	}
	m.young[t] = f
}

func (m *facts) drop(t thing) {
	delete(m.young, t)
	delete(m.old, t)
}

func (f *fact) saw(version uint64) bool {
	return version != 0 && (version == f.version || version == f.before)
}

func (f *fact) move(version uint64) {
	if version != 0 && !f.saw(version) {
		f.version, f.before = version, f.version
	}
}

// keep takes a Node or Pod as the base of later patches, unless a newer one is there. Unknown versions count as newer:
// lines come nearly in order.
func (f *fact) keep(version uint64, node *model.Node, pod *model.Pod) {
	if version != 0 && f.base != 0 && version < f.base {
		return
	}
	f.base, f.node, f.pod = version, node, pod
}

// forget drops the base: the result of a write is unknown.
func (f *fact) forget() { f.base, f.node, f.pod = 0, nil, nil }
