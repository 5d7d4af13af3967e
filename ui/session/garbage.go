package session

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// garbage is collected while no person waits, so that a jump does not share the processor with the collector. In a
// large cluster that would make one jump in ten twice as long.
type garbage struct {
	busy      atomic.Bool
	released  time.Time     // when free memory was given back last
	collected atomic.Uint64 // how much had been allocated then, at the least
	cycles    atomic.Uint64 // how many collections there had been
}

// enoughGarbage is how many bytes it is worth while for: what a few jumps leave behind.
const enoughGarbage = 24 << 20

// collect begins to, if it is worth while: the runtime may have done so meanwhile. It does not wait for the end.
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

// releaseEvery is how often free memory is given back at most: it takes a collection, for 2,000 nodes a twentieth of a
// second.
const releaseEvery = time.Minute

// release gives back the memory for reading the first lists of a live session, and then the memory of a run of the
// models. Either is a quarter of the kept memory, and the runtime would give it back over minutes.
func (g *garbage) release(now time.Time) {
	if now.Sub(g.released) >= releaseEvery {
		g.released = now
		debug.FreeOSMemory()
	}
}

// taken is how many bytes this process ever took, and how often garbage was collected.
func taken() (allocated, cycles uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
