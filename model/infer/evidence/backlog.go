package evidence

import (
	"sort"
	"time"

	"kardia/model"
)

// burst is how many requests node-lifecycle's client sends at once before it limits them to 20 a second, by default
// (--kube-api-burst, --kube-api-qps). All its writes use one client.
const burst = 30

// backlogs are the times in which node-lifecycle wrote more than a burst without a pause.
func backlogs(writes []Seen) (list []model.Interval) {
	var v model.Interval
	n := 0
	end := func() {
		if n > burst {
			list = append(list, v)
		}
		n = 0
	}
	for w := range model.Each(writes) {
		if w.Aside || w.Across || !w.Time.Bounded() || !w.ByNodeLifecycle() {
			continue
		}
		if n > 0 && w.Time.Earliest.Sub(v.Latest) > LagBound {
			end()
		}
		if n++; n == 1 {
			v = w.Time
		}
		v = v.Around(w.Time)
	}
	end()
	return list
}

// ByNodeLifecycle reports whether node-lifecycle makes this kind of write: all kinds but deletions.
func (w *Write) ByNodeLifecycle() bool { return w.Kind != model.EvictPod && w.Kind != model.CollectPod }

// WrittenBy is the latest time of a write that was decided within a window, if it is in a backlog; else unknown.
func (e *Evidence) WrittenBy(window model.Interval) model.Instant {
	i := sort.Search(len(e.Backlogs), func(i int) bool { return e.Backlogs[i].Latest >= window.Earliest })
	if i < len(e.Backlogs) && e.Backlogs[i].Earliest <= window.Latest.Add(LagBound) {
		return e.Backlogs[i].Latest
	}
	return 0
}

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
