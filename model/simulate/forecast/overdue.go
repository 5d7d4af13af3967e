package forecast

import (
	"kardia/model"
	"kardia/model/infer"
)

// waits says what a State waits for; "" where the controllers act.
func waits(s *infer.State) string {
	switch {
	case s.Unled.Known(): // also where something is overdue: this is why
		return "nobody leads the controllers since " + s.Unled.String() + ", by their lease: nothing comes before somebody does, and nobody can say when that is; graces and countdowns begin anew then"
	case s.Overdue.Known():
		return "the controllers have not done what was due: nothing comes before they act again, and nobody can say when that is"
	}
	return ""
}

// wait takes the ends from all windows: while the controllers do not do what is due, or nobody leads them, nobody can
// say when they will do anything.
func (f *Forecast) wait(why string) {
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
}
