package forecast

import (
	"slices"

	"kardia/model"
	"kardia/model/caveat"
)

// waiting is the assumption for controllers that do not act.
var waiting = map[caveat.Reason]Assumed{caveat.NoLeader: Leaderless, caveat.MaybeNoLeader: PossiblyLeaderless, caveat.Overdue: NotActing, caveat.Behind: Lagging}

// wait removes the ends of all windows: without a leader, or with overdue decisions, no latest time is known.
func (f *Forecast) wait(held caveat.Caveat) {
	f.assume(since(waiting[held.Reason], held.Since))
	open := func(w *model.Interval) {
		if w.Known() && w.Earliest != model.FarFuture {
			*w = model.Interval{Earliest: max(w.Earliest, f.At), Latest: model.FarFuture}
		}
	}
	f.Coming = slices.DeleteFunc(f.Coming, registers)
	for i := range f.Coming {
		f.Coming[i].Sure = false
		open(&f.Coming[i].Decision.Window)
	}
	for i := range f.Evictions {
		e := &f.Evictions[i] // a deleted one may be deleted again, with a taint that comes back
		open(&e.Window)
		e.Certain, e.tokenless = false, true
	}
	for i := range f.Taints {
		open(&f.Taints[i].Window)
		f.Taints[i].Certain = false
	}
}

// countOpen counts the nodes of zones by the earliest time of their taints: their order and rate are not known.
func (f *Forecast) countOpen() {
	first := map[model.ZoneKey][]model.Instant{}
	for i := range f.Taints {
		w := &f.Taints[i]
		first[w.Zone] = append(first[w.Zone], w.Window.Earliest)
	}
	for i := range f.Zones {
		list := first[f.Zones[i].Zone]
		slices.Sort(list)
		for k := range f.Zones[i].By {
			n := &f.Zones[i].By[k]
			may, _ := slices.BinarySearch(list, n.By+1)
			n.Tainted = Bounds{0, max(n.Tainted.Most, may)}
		}
	}
}
