package forecast

import (
	"time"

	"kardia/model"
)

// agree gives decisions the ends of the pods' windows, which include the delay of a taint. Otherwise one deletion has
// two ends, a moment apart. Pods deleted by pod garbage collection have the pods' windows.
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
