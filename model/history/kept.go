package history

import "kardia/model"

// Kept is how many bytes a store of states takes in memory, about, and how many it may take. The zero
// value is a store that keeps none.
type Kept struct{ Bytes, Most int }

// And is two stores together.
func (k Kept) And(other Kept) Kept { return Kept{k.Bytes + other.Bytes, k.Most + other.Most} }

// Kept is what the states take that the Cursor folds on from.
func (c *Cursor) Kept() Kept {
	k := Kept{Most: keyframeMemory}
	for i := range c.keyframes {
		k.Bytes += memoryOf(c.keyframes[i].state)
	}
	return k
}

// memoryOf is about how many bytes a state takes that is kept.
func memoryOf(state *model.Cluster) int {
	return rowMemory*state.RowCount() + podMemory*state.Listed()
}
