package shadow

import "kardia/model"

// bindings says on which node a pod of a key was, from which position on: one entry for each
// pod, so that states need no table of their own to find a pod by its key.
type bindings struct {
	last map[model.Key]int32 // index of the newest binding
	list []binding
}

type binding struct {
	node string
	// from is the position of the Change that shows it, -1 for what stood there before the
	// first; before is the index of the binding before it, -1 if it is the first.
	from   int
	before int32
}

func newBindings() bindings { return bindings{last: map[model.Key]int32{}} }

// has says whether a pod of that key was ever seen.
func (b *bindings) has(key model.Key) bool {
	_, ok := b.last[key]
	return ok
}

// add notes where a pod is, from a position on.
func (b *bindings) add(key model.Key, node string, from int) {
	before, ok := b.last[key]
	if !ok {
		before = -1
	} else if b.list[before].node == node {
		return
	}
	b.last[key] = int32(len(b.list))
	b.list = append(b.list, binding{node, from, before})
}

// before is the node a pod was on before a position; ok is false if it was not there.
func (b *bindings) before(key model.Key, position int) (node string, ok bool) {
	i, ok := b.last[key]
	if !ok {
		return "", false
	}
	for ; i >= 0; i = b.list[i].before {
		if b.list[i].from < position {
			return b.list[i].node, true
		}
	}
	return "", false
}
