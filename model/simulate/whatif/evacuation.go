package whatif

import (
	"time"

	"kardia/model"
)

// Evacuation is how long after a kubelet fell silent its pods are deleted by taint eviction: the
// first of them at the earliest, and the last at the latest. Unknown where none is deleted from a node
// that was declared Unknown.
type Evacuation struct{ First, Last model.Maybe[time.Duration] }

// add takes in a pod that is deleted so long after.
func (e *Evacuation) add(earliest, latest time.Duration) {
	if !e.First.Known || earliest < e.First.Value {
		e.First = model.Some(earliest)
	}
	if !e.Last.Known || latest > e.Last.Value {
		e.Last = model.Some(latest)
	}
}
