package evidence

import (
	"time"

	"kardia/model"
)

// OneCycle is the longest time between deletions of one cycle of pod garbage collection.
const OneCycle = 5 * time.Second

// cyclesOf returns the first deletion of each cycle that deleted pods.
func cyclesOf(writes []Seen) (cycles []model.Instant) {
	for w := range model.Each(writes) {
		if w.Kind != model.CollectPod || w.Time.Width() > OneCycle {
			continue
		}
		if n := len(cycles); n == 0 || w.Time.Earliest.Sub(cycles[n-1]) > OneCycle {
			cycles = append(cycles, w.Time.Earliest)
		}
	}
	return cycles
}
