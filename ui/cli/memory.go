package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryLimit is the memory that garbage may fill. A day of 5,000 nodes needs two thirds, and keeps within 500 MiB.
	memoryLimit = 448 << 20
	// leastRoom: if more is needed, the limit is an eighth above it, so that the program does more than collect.
	leastRoom = 8
	// usualGarbage is the default GOGC. With another, the least limit fits the first lists of 2,000 nodes.
	usualGarbage = 100
	leastLimit   = 112 << 20
)

// spareMemory keeps the limit until the context ends, unless the environment sets one.
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

// limitFor is the limit for memory in use and a GOGC. A live view has a low GOGC, and a limit at 1.5 times that
// garbage, which starts no more collections. Without a limit the runtime keeps free memory for minutes: half as much
// again after an hour of 2,000 nodes. In the first lists the GOGC is high, and only the limit starts collections.
func limitFor(used, percent int64) int64 {
	switch {
	case percent < usualGarbage:
		return max(leastLimit, used+used*percent*3/200)
	case percent > usualGarbage:
		return max(leastLimit, used+used/2)
	}
	return max(memoryLimit, used+used/leastRoom)
}

// inUse is the memory in use at the last collection, with the runtime's own, and GOGC.
func inUse() (bytes, percent int64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/gogc:percent"}}
	metrics.Read(samples)
	own := samples[1].Value.Uint64()
	for _, heap := range samples[2:6] {
		own -= heap.Value.Uint64()
	}
	return int64(samples[0].Value.Uint64() + own), int64(samples[6].Value.Uint64())
}
