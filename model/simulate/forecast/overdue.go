package forecast

import "kardia/model"

// wait takes the ends from all windows: while the controllers do not do what is due, nobody can
// say when they will do anything.
func (f *Forecast) wait() {
	f.Assumptions = append(f.Assumptions, "the controllers have not done what was due: nothing comes before they act again, and nobody can say when that is")
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
		if e := &f.Evictions[i]; e.State == Due || e.State == WaitingForTaint {
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
