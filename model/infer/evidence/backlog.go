package evidence

import (
	"sort"

	"kardia/model"
)

// burst is how many requests a controller may make at once before its client lets them through one by one, 20 a second
// unless kube-controller-manager is told otherwise (--kube-api-burst, --kube-api-qps). All that node-lifecycle writes goes
// through one client.
const burst = 30

// backlogs are the times in which node-lifecycle wrote without a pause, more than its client lets through at once: what it
// decided then was written by the end of them, at the latest.
func backlogs(writes []Seen) (list []model.Interval) {
	var v model.Interval
	n := 0
	end := func() {
		if n > burst {
			list = append(list, v)
		}
		n = 0
	}
	for i := range writes {
		w := &writes[i]
		if w.Aside || w.Across || !w.Time.Bounded() || !w.ByNodeLifecycle() {
			continue
		}
		if n > 0 && w.Time.Earliest.Sub(v.Latest) > LagBound {
			end()
		}
		if n == 0 {
			v = w.Time
		}
		v = model.Interval{Earliest: min(v.Earliest, w.Time.Earliest), Latest: max(v.Latest, w.Time.Latest)}
		n++
	}
	end()
	return list
}

// ByNodeLifecycle says that a write of the controllers is node-lifecycle's: all are but deletions.
func (w *Write) ByNodeLifecycle() bool { return w.Kind != model.EvictPod && w.Kind != model.CollectPod }

// WrittenBy is by when what node-lifecycle decided within a window was written, where it had more to write than it could at
// once; unknown where it had not.
func (e *Evidence) WrittenBy(window model.Interval) model.Instant {
	i := sort.Search(len(e.Backlogs), func(i int) bool { return e.Backlogs[i].Latest >= window.Earliest })
	if i < len(e.Backlogs) && e.Backlogs[i].Earliest <= window.Latest.Add(LagBound) {
		return e.Backlogs[i].Latest
	}
	return 0
}
