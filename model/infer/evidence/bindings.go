package evidence

import (
	"hash/maphash"

	"kardia/model"
)

// Bindings is the node of a pod by position: one entry for each pod, so that states need no table of pods by key.
//
// Keys would be most of its memory on a day with many pods, so it keeps their hashes. Keys with one hash share entries,
// which is harmless: the pod is then looked up by its key. No input can force it, as each process has its own seed.
type Bindings struct {
	seed    maphash.Seed
	last    map[uint64]int32 // hash of the key → index of the newest binding
	list    []binding
	nodes   []string
	numbers map[string]int32
}

type binding struct {
	// from is the position of the Change that shows it, -1 before the first.
	from int
	// node is an index into nodes, before the pod's previous binding or -1.
	node, before int32
}

func newBindings() Bindings {
	return Bindings{seed: maphash.MakeSeed(), last: map[uint64]int32{}, numbers: map[string]int32{}}
}

func (b *Bindings) newest(key model.Key) (index int32, ok bool) {
	index, ok = b.last[maphash.Comparable(b.seed, key)]
	return index, ok
}

// has reports whether a pod of that key was ever seen.
func (b *Bindings) has(key model.Key) bool {
	_, ok := b.newest(key)
	return ok
}

// add binds a pod to a node from a position on.
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

func (b *Bindings) number(node string) int32 {
	n, ok := b.numbers[node]
	if !ok {
		n = int32(len(b.nodes))
		b.numbers[node], b.nodes = n, append(b.nodes, node)
	}
	return n
}

// NodeBefore is the pod's node before a position; ok is false if there was no such pod.
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
