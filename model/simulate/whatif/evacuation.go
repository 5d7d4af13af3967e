package whatif

import (
	"time"

	"kardia/model"
)

// Evacuation is from the start of a kubelet's silence to the first and last deletion of its pods by taint eviction.
// Unknown if none is deleted from a declared node.
type Evacuation struct{ First, Last model.Maybe[time.Duration] }

func (e *Evacuation) add(earliest, latest time.Duration) {
	if !e.First.Known || earliest < e.First.Value {
		e.First = model.Some(earliest)
	}
	if !e.Last.Known || latest > e.Last.Value {
		e.Last = model.Some(latest)
	}
}
