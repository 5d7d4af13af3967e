package recording

import (
	"slices"
	"sync"
)

// layerCache is the layers that were read last, which a File shares with its forks: a layer never
// changes.
type layerCache struct {
	mu          sync.Mutex
	layers      []cachedLayer // the one used last stands last
	size, twigs int
}

// cachedLayer is a layer that was read. A twig rests on the keyframe right before it, and only the next few
// rest on it.
type cachedLayer struct {
	chunk int32
	twig  bool
	*layer
}

const (
	// maxCachedLayers is how many bytes the layers that are kept may take, about: those that a day of
	// 5,000 nodes with 150,000 pods rests on.
	maxCachedLayers = 128 << 20
	// maxCachedTwigs is how many of them may be twigs: a few times as many as rest on each other.
	maxCachedTwigs = 4 * (maxTwigs + 1)
)

// get is the layer in a chunk; nil if it is not there.
func (c *layerCache) get(chunk int32) *layer {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := slices.IndexFunc(c.layers, func(l cachedLayer) bool { return l.chunk == chunk })
	if k < 0 {
		return nil
	}
	l := c.layers[k]
	copy(c.layers[k:], c.layers[k+1:])
	c.layers[len(c.layers)-1] = l
	return l.layer
}

// put keeps a layer, and lets others go for it.
func (c *layerCache) put(l cachedLayer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.layers, func(have cachedLayer) bool { return have.chunk == l.chunk }) {
		return // a fork was quicker
	}
	c.layers = append(c.layers, l)
	c.size += l.memory()
	if l.twig {
		c.twigs++
	}
	for c.twigs > maxCachedTwigs {
		c.drop(slices.IndexFunc(c.layers, func(l cachedLayer) bool { return l.twig }))
	}
	for c.size > maxCachedLayers && len(c.layers) > 1 {
		c.drop(0)
	}
}

func (c *layerCache) drop(k int) {
	c.size -= c.layers[k].memory()
	if c.layers[k].twig {
		c.twigs--
	}
	c.layers = slices.Delete(c.layers, k, k+1)
}

// nearlyFull says that what is read ahead would soon push out what was read ahead before.
func (c *layerCache) nearlyFull() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size > maxCachedLayers*9/10
}
