package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryLimit is how much memory garbage may fill up: a day of 5,000 nodes, whose models need two
	// thirds of it, keeps within 500 MiB.
	memoryLimit = 448 << 20
	// Where more is needed the limit is an eighth above that, lest nothing be done but collecting.
	leastRoom = 8
)

// spareMemory keeps the limit until the context ends, unless the person at the shell has set another.
func spareMemory(ctx context.Context, environ func(string) string) {
	if environ("GOMEMLIMIT") != "" || environ("GOGC") != "" {
		return
	}
	debug.SetMemoryLimit(memoryLimit)
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				debug.SetMemoryLimit(limitFor(inUse()))
			}
		}
	}()
}

// limitFor is the limit where so much is in use.
func limitFor(used int64) int64 { return max(memoryLimit, used+used/leastRoom) }

// inUse is what was found to be in use by the last collection, with what the runtime takes for itself.
func inUse() int64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	own := samples[1].Value.Uint64()
	for _, heap := range samples[2:] {
		own -= heap.Value.Uint64()
	}
	return int64(samples[0].Value.Uint64() + own)
}
