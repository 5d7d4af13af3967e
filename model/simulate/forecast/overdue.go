package forecast

import (
	"slices"

	"kardia/model"
	"kardia/model/caveat"
)

// waiting is what is assumed of controllers that do not act.
var waiting = map[caveat.Reason]Assumed{caveat.NoLeader: Leaderless, caveat.MaybeNoLeader: PossiblyLeaderless, caveat.Overdue: NotActing, caveat.Behind: Lagging}

// wait takes the ends from all windows: while the controllers do not do what is due, or nobody leads them, nobody can
// say when they will do anything.
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
		e := &f.Evictions[i] // one that was deleted may be so once more, with a taint that comes back
		open(&e.Window)
		e.Certain, e.tokenless = false, true
	}
	for _, list := range [...][]Wait{f.Waits, f.Taints} {
		for i := range list {
			open(&list[i].Window)
			list[i].Certain = false
		}
	}
}

// countOpen counts, for who waits, the nodes of zones by when each may be tainted first: in which order they come, and at
// which rate, is not known before anybody acts.
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
