package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryLimit is how much memory garbage may fill up. A day of 5,000 nodes, whose models need two thirds of it,
	// keeps within 500 MiB.
	memoryLimit = 448 << 20
	// If more is needed the limit is an eighth above that, so that the program does more than collect garbage.
	leastRoom = 8
	// usualGarbage is GOGC unless a command asks for another. leastLimit is what the limit is then at least: the first lists of
	// 2,000 nodes fit in.
	usualGarbage = 100
	leastLimit   = 112 << 20
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

// limitFor is the limit for so much memory in use, and garbage of so many percent of it. A live view asks for less
// than usual; its limit is half of that above it, so collections are not more frequent. Without the limit the runtime
// keeps free memory for minutes: after an hour of 2,000 nodes it took half as much again as needed. During its first
// lists a live view asks for more than usual: then only the limit starts a collection.
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
