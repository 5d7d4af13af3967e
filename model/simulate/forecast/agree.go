package forecast

import (
	"time"

	"kardia/model"
)

// agree has what comes end as the pods' windows do, which allow for how long a taint is on its way: else the same deletion
// would be told twice, a moment apart.
func (h *hull) agree() {
	const moment = time.Second
	ends := map[model.Key]model.Instant{}
	for i := range h.f.Evictions {
		if e := &h.f.Evictions[i]; e.State.Ahead() {
			ends[e.Pod] = e.Window.Latest
		}
	}
	for i := range h.f.Coming {
		d := &h.f.Coming[i].Decision
		if end, ok := ends[d.Pod]; ok && d.Kind == model.EvictPod && end > d.Window.Latest && end.Sub(d.Window.Latest) < moment {
			d.Window.Latest = end
		}
	}
}
