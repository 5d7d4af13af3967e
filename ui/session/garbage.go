package session

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// garbage is collected while no person waits, so that a jump does not share the processor with the collector. In a
// large cluster one jump in ten would take twice as long.
type garbage struct {
	busy      atomic.Bool
	released  time.Time     // when free memory was given back last
	collected atomic.Uint64 // how much had been allocated then, at the least
	cycles    atomic.Uint64 // how many collections there had been
}

// enoughGarbage is worth a collection: that of a few jumps.
const enoughGarbage = 24 << 20

// collect starts a collection if that is worth it, unless the runtime collected meanwhile, and does not wait.
func (g *garbage) collect() {
	allocated, cycles := taken()
	if g.cycles.Swap(cycles) != cycles {
		g.collected.Store(allocated)
	}
	if allocated-g.collected.Load() < enoughGarbage || !g.busy.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer g.busy.Store(false)
		runtime.GC()
	}()
}

// releaseEvery is the least time between releases of free memory: each takes a collection, 50 ms for 2,000 nodes.
const releaseEvery = time.Minute

// release frees the memory for reading a live session's first lists, and later that of a run of the models. Each is a
// quarter of the kept memory, and the runtime would release it over minutes.
func (g *garbage) release(now time.Time) {
	if now.Sub(g.released) >= releaseEvery {
		g.released = now
		debug.FreeOSMemory()
	}
}

// taken is how many bytes this process ever allocated, and how often garbage was collected.
func taken() (allocated, cycles uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
