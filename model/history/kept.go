package history

import "kardia/model"

// Kept is about how many bytes a store of states takes, and how many it may take. The zero value keeps none.
type Kept struct{ Bytes, Most int }

// And adds another store.
func (k Kept) And(other Kept) Kept { return Kept{k.Bytes + other.Bytes, k.Most + other.Most} }

// Kept is the memory of the Cursor's keyframes.
func (c *Cursor) Kept() Kept {
	k := Kept{Most: keyframeMemory}
	for i := range c.keyframes {
		k.Bytes += memoryOf(c.keyframes[i].state)
	}
	return k
}

func memoryOf(state *model.Cluster) int {
	return rowMemory*state.RowCount() + podMemory*state.Listed()
}
