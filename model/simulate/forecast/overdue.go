package forecast

import (
	"slices"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/infer"
)

// Waits says what a State waits for; "" if the controllers act.
func Waits(s *infer.State) string {
	switch c, _ := caveat.Holding(s); c.Reason {
	case caveat.NoLeader:
		return model.NoLeader + " since " + c.Since.String() + ", by its lease: nothing happens until it has one, and when that will be is not known. " +
			"Every grace period and countdown restarts then: windows start as if a new leader started now"
	case caveat.MaybeNoLeader:
		return model.ControllerManager + " may have no leader: its lease was last renewed at " + c.Since.String() + ", so the leader has exited or is paused. " +
			"If it exited, nothing happens until a new leader starts, and every grace period and countdown restarts then"
	case caveat.Overdue:
		return "the controllers have not done what was due: nothing happens before they act again, at a time that is not known"
	case caveat.Behind:
		return "the controllers cannot keep up: since " + c.Since.String() + " most of what they must have done was not seen to be done, and when they do the rest is not known"
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
