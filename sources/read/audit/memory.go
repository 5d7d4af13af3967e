package audit

import (
	"hash/maphash"

	"kardia/model"
)

// recent keeps what was set last, from a limit on to twice as much; the rest is forgotten.
type recent[K comparable, V any] struct {
	limit      int
	young, old map[K]V
}

func (m *recent[K, V]) get(k K) (v V, ok bool) {
	if v, ok = m.young[k]; !ok {
		v, ok = m.old[k]
	}
	return v, ok
}

func (m *recent[K, V]) set(k K, v V) {
	if _, ok := m.young[k]; m.young == nil || !ok && len(m.young) >= m.limit {
		m.old, m.young = m.young, map[K]V{}
	}
	m.young[k] = v
}

func (m *recent[K, V]) drop(k K) {
	delete(m.young, k)
	delete(m.old, k)
}

// IDs keeps recent auditIDs, so that a request counts once even in copies of a log. It holds 65,536 to twice as many
// hashes: about 5 MiB at most. Readers may share one, from one goroutine.
type IDs struct {
	seed maphash.Seed
	recent[uint64, struct{}]
}

const recentIDs = 1 << 16

func NewIDs() *IDs { return &IDs{maphash.MakeSeed(), recent[uint64, struct{}]{limit: recentIDs}} }

func (m *IDs) add(id string) bool {
	h := maphash.String(m.seed, id)
	_, known := m.get(h)
	m.set(h, struct{}{})
	return !known
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

type facts = recent[model.ObjectID, fact]

func newFacts() facts { return facts{limit: maxFacts} }

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
