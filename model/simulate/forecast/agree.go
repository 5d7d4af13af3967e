package forecast

import (
	"time"

	"kardia/model"
)

// agree has what comes end as the pods' windows do, which allow for how long a taint is on its way: else the same deletion
// would be told twice, a moment apart. What pod garbage collection deletes has the pods' windows.
func (h *hull) agree() {
	const moment = time.Second
	ends, collected := map[model.Key]model.Instant{}, map[model.Key]model.Interval{}
	for i := range h.f.Evictions {
		if e := &h.f.Evictions[i]; e.State.Ahead() {
			ends[e.Pod] = e.Window.Latest
			if e.Rule == model.RuleNodeMissed {
				collected[e.Pod] = e.Window
			}
		}
	}
	for i := range h.f.Coming {
		d := &h.f.Coming[i].Decision
		if w, ok := collected[d.Pod]; ok && d.Kind == model.CollectPod {
			d.Window = w
		}
		if end, ok := ends[d.Pod]; ok && d.Kind == model.EvictPod && end > d.Window.Latest && end.Sub(d.Window.Latest) < moment {
			d.Window.Latest = end
		}
	}
}
