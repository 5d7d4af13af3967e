package forecast

import (
	"kardia/model"
	"kardia/model/infer"
)

// waits says what a State waits for; "" where the controllers act.
func waits(s *infer.State) string {
	switch {
	case s.Unled.Known(): // also where something is overdue: this is why
		return "nobody leads the controllers since " + s.Unled.String() + ", by their lease: nothing comes before somebody does, and nobody can say when that is. " +
			"Graces and countdowns begin anew then, unless the last leader only stood still, and goes on: windows begin with the earlier of both"
	case s.Overdue.Known():
		return "the controllers have not done what was due: nothing comes before they act again, and nobody can say when that is"
	}
	return ""
}

// wait takes the ends from all windows: while the controllers do not do what is due, or nobody leads them, nobody can
// say when they will do anything.
func (f *Forecast) wait(s *infer.State, why string) {
	f.Assumptions = append(f.Assumptions, why)
	open := func(w *model.Interval) {
		if w.Known() && w.Earliest != model.FarFuture {
			*w = model.Interval{Earliest: max(w.Earliest, f.At), Latest: model.FarFuture}
		}
	}
	for i := range f.Coming {
		f.Coming[i].Sure = false
		open(&f.Coming[i].Decision.Window)
	}
	for i := range f.Evictions {
		if e := &f.Evictions[i]; e.State.Ahead() {
			open(&e.Window)
			e.Certain = false
		}
	}
	for _, list := range [...][]Wait{f.Waits, f.Taints} {
		for i := range list {
			open(&list[i].Window)
			list[i].Certain = false
		}
	}
	in := func(node string) (zone model.ZoneKey) {
		if n := s.Cache.Node(node); n != nil {
			zone = n.Zone
		}
		return zone
	}
	for i := range f.Zones {
		f.countOpen(&f.Zones[i], in)
	}
}

// countOpen counts, for who waits, a zone's nodes and pods by when each may go first: in which order they come, and at
// which rate, is not known before anybody acts.
func (f *Forecast) countOpen(z *Zone, in func(node string) model.ZoneKey) {
	for k := range z.By {
		n := &z.By[k]
		tainted, deleted := 0, 0
		for i := range f.Taints {
			tainted += one(f.Taints[i].Zone == z.Zone && f.Taints[i].Window.Earliest <= n.By)
		}
		for i := range f.Evictions {
			e := &f.Evictions[i]
			deleted += one(e.comes() && e.Window.Earliest <= n.By && in(e.Node) == z.Zone)
		}
		n.Tainted, n.Deleted = Bounds{0, max(n.Tainted.Most, tainted)}, Bounds{0, max(n.Deleted.Most, deleted)}
	}
}
