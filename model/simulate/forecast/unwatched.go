package forecast

import (
	"cmp"
	"slices"

	"kardia/model"
)

// placedIn gives the pods of a course that begins before the others, where nobody watched since, the places that they
// have in those.
func (h *hull) placedIn(c *course, list []placed) []placed {
	if c.s.At == h.s.At {
		return list
	}
	out := list[:0]
	for _, p := range list {
		row, ok := h.s.Cache.Lookup(p.Node)
		if !ok {
			continue
		}
		pods := h.s.Cache.Row(row).Pods()
		i := slices.IndexFunc(pods, func(o *model.Pod) bool { return o.Key == p.Pod })
		if i < 0 {
			continue
		}
		p.row, p.pod, p.since = row, int32(i), c.s.At
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b placed) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.pod, b.pod)) })
	return out
}

// leavePast takes back what is due by now in all courses that have it, where nobody watches: it came unseen, if it did.
// What may have come by now is not certain to come.
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
		case !e.comes():
		case over(e.Window):
			e.State, e.Certain = Unseen, false
			e.Why = fromOn(DueInGap, e.Window.Latest)
		default:
			remains(&e.Window, &e.Certain)
			e.Why.MayHaveCome = certain && !e.Certain
		}
	}
	f.Evictions = inOrder(f.Evictions)
	for _, list := range [...]*[]Wait{&f.Waits, &f.Taints} {
		*list = slices.DeleteFunc(*list, func(w Wait) bool { return over(w.Window) })
		for i := range *list {
			remains(&(*list)[i].Window, &(*list)[i].Certain)
		}
	}
}
