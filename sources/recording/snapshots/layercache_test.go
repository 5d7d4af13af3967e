package snapshots

import "testing"

// TestLayersAreKeptForWhoNeedsThem: who goes on from state to state keeps those of one, and room for as much
// again; who reads ahead keeps all he can.
func TestLayersAreKeptForWhoNeedsThem(t *testing.T) {
	const each = 10 << 20
	c, chunk, data := &Cache{}, int32(0), make([]byte, each)
	pass := func(n int) (layers []*Layer, kept int) {
		for range n {
			l := &Layer{data: data}
			layers = append(layers, l)
			l.Chunk = chunk
			c.Put(l)
			chunk++
		}
		return layers, c.Kept().Bytes
	}
	if _, kept := pass(20); kept > onTheWay || kept < onTheWay-each {
		t.Errorf("%d bytes are kept on the way", kept)
	}
	stack, _ := pass(5)
	c.Stands(stack)
	if _, kept := pass(20); kept != 2*5*each {
		t.Errorf("%d bytes are kept where a state rests on %d", kept, 5*each)
	}
	c.ReadAhead()
	if _, kept := pass(20); kept > maxCachedLayers || kept < maxCachedLayers-each {
		t.Errorf("%d bytes are kept by who reads ahead", kept)
	}
}
