package snapshots

import (
	"slices"
	"sync"

	"kardia/model/history"
)

// Cache is the layers that were read last, which a File shares with its forks: a layer never
// changes.
type Cache struct {
	mu     sync.Mutex
	layers []*Layer // the one used last is last
	size   int
	ahead  bool // layers are read ahead, for moving to and fro
	stack  int  // what the layers of the last state take together
}

const (
	// maxCachedLayers is the approximate limit of kept layers, in bytes: enough for a day of 5,000 nodes with 150,000
	// pods.
	maxCachedLayers = 128 << 20
	// onTheWay is that limit without reading ahead: the next state needs the layers of one state only. It is twice their
	// size if they are large.
	onTheWay = 32 << 20
)

// Get is the layer in a chunk; nil if it is not there.
func (c *Cache) Get(chunk int32) *Layer {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := slices.IndexFunc(c.layers, func(l *Layer) bool { return l.Chunk == chunk })
	if k < 0 {
		return nil
	}
	l := c.layers[k]
	copy(c.layers[k:], c.layers[k+1:])
	c.layers[len(c.layers)-1] = l
	return l
}

// Put keeps a layer, and lets others go for it.
func (c *Cache) Put(l *Layer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.layers, func(have *Layer) bool { return have.Chunk == l.Chunk }) {
		return // a fork was quicker
	}
	c.layers = append(c.layers, l)
	c.size += l.memory()
	for c.size > c.most() && len(c.layers) > 1 {
		c.size -= c.layers[0].memory()
		c.layers = slices.Delete(c.layers, 0, 1)
	}
}

// most is how many bytes the layers may take.
func (c *Cache) most() int {
	if c.ahead {
		return maxCachedLayers
	}
	return min(maxCachedLayers, max(onTheWay, 2*c.stack))
}

// Stands notes of which layers the last state was made.
func (c *Cache) Stands(on []*Layer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stack = 0
	for _, l := range on {
		c.stack += l.memory()
	}
}

// ReadAhead lets the cache read layers before they are asked for: from then on it keeps as many as it ever may.
func (c *Cache) ReadAhead() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead = true
}

// Kept is what the layers take that are kept.
func (c *Cache) Kept() history.Kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	return history.Kept{Bytes: c.size, Most: c.most()}
}
