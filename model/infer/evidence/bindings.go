package evidence

import (
	"hash/maphash"

	"kardia/model"
)

// Bindings says on which node a pod of a key was, from which position on: one entry for each
// pod, so that states need no table of their own to find a pod by its key.
//
// Of a key only its hash is kept, for a day has many pods, and their names are most of what it
// would take to remember them. Two keys with the same hash would share their entries; no input
// can bring that about, since every process hashes in its own way. And they would be no more than
// overlooked: what is found here is where to look, and there the pod is looked up by its key.
type Bindings struct {
	seed  maphash.Seed
	last  map[uint64]int32 // hash of the key → index of the newest binding
	list  []binding
	nodes []string
	// numbers are the indices of nodes.
	numbers map[string]int32
}

type binding struct {
	// from is the position of the Change that shows it, -1 for what stood there before the
	// first.
	from int
	// node is the index of its name, and before that of the binding before it, -1 if it is the
	// first.
	node, before int32
}

func newBindings() Bindings {
	return Bindings{seed: maphash.MakeSeed(), last: map[uint64]int32{}, numbers: map[string]int32{}}
}

// newest is the index of the last binding of a key.
func (b *Bindings) newest(key model.Key) (index int32, ok bool) {
	index, ok = b.last[maphash.Comparable(b.seed, key)]
	return index, ok
}

// has says whether a pod of that key was ever seen.
func (b *Bindings) has(key model.Key) bool {
	_, ok := b.newest(key)
	return ok
}

// add notes where a pod is, from a position on.
func (b *Bindings) add(key model.Key, node string, from int) {
	before, ok := b.newest(key)
	if !ok {
		before = -1
	} else if b.nodes[b.list[before].node] == node {
		return
	}
	b.last[maphash.Comparable(b.seed, key)] = int32(len(b.list))
	b.list = append(b.list, binding{from, b.number(node), before})
}

// number is the index of a node's name.
func (b *Bindings) number(node string) int32 {
	n, ok := b.numbers[node]
	if !ok {
		n = int32(len(b.nodes))
		b.numbers[node], b.nodes = n, append(b.nodes, node)
	}
	return n
}

// NodeBefore is the node a pod was on before a position; ok is false if it was not there.
func (b *Bindings) NodeBefore(key model.Key, position int) (node string, ok bool) {
	i, ok := b.newest(key)
	if !ok {
		return "", false
	}
	for ; i >= 0; i = b.list[i].before {
		if b.list[i].from < position {
			return b.nodes[b.list[i].node], true
		}
	}
	return "", false
}
