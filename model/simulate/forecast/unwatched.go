package forecast

import (
	"slices"

	"kardia/model"
)

// places gives a pod of a course that begins before the gap its place at present; false if it is gone.
func (h *hull) places(p *placed, began model.Instant) bool {
	row, ok := h.s.Cache.Lookup(p.Node)
	if !ok {
		return false
	}
	i := slices.IndexFunc(h.s.Cache.Row(row).Pods(), func(o *model.Pod) bool { return o.Key == p.Pod })
	p.row, p.pod, p.since = row, int32(i), began
	return i >= 0
}

// leavePast removes what is due by now in all courses: it came in the gap, if at all. What may have come is uncertain.
func (h *hull) leavePast() {
	if h.s.Before == nil {
		return
	}
	f := h.f
	over := func(w model.Interval) bool { return w.Bounded() && w.Latest < f.At }
	remains := func(w *model.Interval, certain *bool) {
		if w.Known() && w.Earliest <= f.At {
			w.Earliest, *certain = f.At, false
		}
	}
	f.Coming = slices.DeleteFunc(f.Coming, func(c Coming) bool { return over(c.Decision.Window) })
	for i := range f.Coming {
		remains(&f.Coming[i].Decision.Window, &f.Coming[i].Sure)
	}
	for i := range f.Evictions {
		switch e, certain := &f.Evictions[i], f.Evictions[i].Certain; {
		case !e.mayCome():
		case over(e.Window):
			e.State, e.Certain = Unseen, false
			e.Why = fromOn(DueInGap, e.Window.Latest)
		default:
			remains(&e.Window, &e.Certain)
			e.Why.MayHaveCome = certain && !e.Certain
		}
	}
	f.Evictions = inOrder(f.Evictions)
	f.Taints = slices.DeleteFunc(f.Taints, func(w Wait) bool { return over(w.Window) })
	for i := range f.Taints {
		remains(&f.Taints[i].Window, &f.Taints[i].Certain)
	}
}
