package session

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
)

// garbage is collected while nobody waits, so that who goes somewhere next need not share the
// processor with the collector: of a large cluster that would make one jump in ten twice as long.
type garbage struct {
	busy      atomic.Bool
	collected atomic.Uint64 // how much had been allocated then
}

// enoughGarbage is how many bytes it is worth while for: what a few jumps leave behind.
const enoughGarbage = 24 << 20

// collect begins to, if it is worth while. It does not wait for the end.
func (g *garbage) collect() {
	if allocated()-g.collected.Load() < enoughGarbage || !g.busy.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer g.busy.Store(false)
		runtime.GC()
		g.collected.Store(allocated())
	}()
}

// allocated is how many bytes this process ever took.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
