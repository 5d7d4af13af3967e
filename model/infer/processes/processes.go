// Package processes finds which processes of the controller manager ran when, and their restarts and pauses.
package processes

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Set is a set of the controllers' processes.
type Set uint8

const (
	NodeLifecycle Set = 1 << iota
	TaintEviction
	ControllerManager = NodeLifecycle | TaintEviction
)

// Of is the process that makes a kind of writes; 0 for pod garbage collection.
func Of(kind model.DecisionKind) Set {
	return [...]Set{model.NodeLifecycle: NodeLifecycle, model.TaintEviction: TaintEviction, model.PodGC: 0}[kind.Controller()]
}

// Course is the known history of the processes.
type Course struct {
	Evidence *evidence.Evidence
	// Assumed are the assumptions. The Evidence has the known restarts.
	Assumed []Assumption
	// Standstills are the observed pauses, after which the process continued or another began.
	Standstills []model.Interval
	// Until is the end of coverage.
	Grace time.Duration
	Until model.Instant
}

// Start is when the passes of node-lifecycle begin again.
type Start struct {
	model.Interval
	// Alone: taint eviction did not restart.
	Alone bool
	// GoesOn: no restart, but the end of a pause.
	GoesOn bool
}

// Starts are the known and assumed restarts, and the ends of pauses, in order of time.
func (c *Course) Starts() []Start {
	var all []Start
	for _, v := range c.Evidence.Restarts {
		all = append(all, Start{Interval: v})
	}
	for _, a := range c.Assumed {
		if a.Kind == Restarted && a.Who&NodeLifecycle != 0 {
			all = append(all, Start{Interval: a.At, Alone: a.Who&TaintEviction == 0})
		}
	}
	for _, v := range c.Standstills {
		on := WentOn(v)
		if on.Latest < c.Until && !slices.ContainsFunc(all, func(x Start) bool {
			return x.Overlaps(model.Interval{Earliest: v.Earliest, Latest: v.Latest.Add(evidence.OneBurst)})
		}) {
			all = append(all, Start{Interval: on, GoesOn: true})
		}
	}
	slices.SortStableFunc(all, func(a, b Start) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for i := range all {
		until := model.FarFuture
		if i+1 < len(all) {
			until = all[i+1].Earliest
		}
		all[i].Latest = c.beganBy(all[i].Interval, until)
		if !all[i].GoesOn {
			all[i].Earliest = c.beganAfter(all[i].Interval)
		}
	}
	return all
}

// beganAfter is the earliest first pass of a process. An earlier declaration is of the process before it (N1).
func (c *Course) beganAfter(began model.Interval) model.Instant {
	earliest := began.Earliest
	for w := range model.Each(c.Evidence.Writes) {
		if w.Kind == model.MarkUnknown && !w.Aside && !w.Across && w.Time.Latest < began.Latest {
			earliest = max(earliest, w.Time.Latest+1)
		}
	}
	return earliest
}

// beganBy is the latest first pass of a process: it declares a node a grace period after it at the earliest (N1, N12).
func (c *Course) beganBy(began model.Interval, ended model.Instant) model.Instant {
	latest := began.Latest
	for w := range model.Each(c.Evidence.Writes) {
		if w.Kind != model.MarkUnknown || w.Aside || w.Across || w.Time.Earliest <= began.Latest || w.Time.Latest >= ended {
			continue
		}
		if by := w.Time.Latest.Add(-c.Grace); by >= began.Earliest {
			latest = min(latest, by)
		}
	}
	return latest
}

// Idle are the times in which processes did nothing.
func (c *Course) Idle(who Set) (list []model.Interval) {
	list = append(list, c.Leaderless()...)
	for _, v := range c.Standstills {
		list = append(list, model.Interval{Earliest: v.Earliest, Latest: WentOn(v).Earliest})
	}
	for _, a := range c.Assumed {
		if a.Kind == Restarted && a.Who&who != 0 && a.Stopped.Known() && a.Stopped < a.At.Latest {
			list = append(list, model.Interval{Earliest: a.Stopped, Latest: a.At.Latest})
		}
	}
	return list
}

// Turn is when processes stop or continue, or taint eviction alone restarts.
type Turn struct {
	At    model.Instant
	Who   Set
	Stops bool
	// Within is when it starts, without memory unless it GoesOn. A process that stops and GoesOn keeps its memory.
	Within model.Interval
	GoesOn bool
	// Dies: its pending writes are lost.
	Dies bool
}

// Turns are in order of time. A restart of node-lifecycle is none: its first pass is.
func (c *Course) Turns() (list []Turn) {
	for _, v := range c.Leaderless() {
		list = append(list, Turn{At: v.Earliest, Who: ControllerManager, Stops: true, Dies: true})
	}
	for _, a := range c.Assumed {
		if a.Kind != Restarted {
			continue
		}
		if a.Stopped.Known() {
			list = append(list, Turn{At: a.Stopped, Who: a.Who, Stops: true})
		}
		if a.Who == TaintEviction {
			list = append(list, Turn{At: a.At.Middle(), Who: a.Who, Within: a.At})
		}
	}
	for _, v := range c.Standstills {
		on := WentOn(v)
		if c.EndedIn(v) {
			list = append(list, Turn{At: v.Earliest, Who: ControllerManager, Stops: true, Dies: true})
			continue
		}
		list = append(list, Turn{At: v.Earliest, Who: ControllerManager, Stops: true, GoesOn: true}, Turn{At: on.Earliest, Who: ControllerManager, Within: on, GoesOn: true})
	}
	slices.SortStableFunc(list, func(a, b Turn) int { return cmp.Compare(a.At, b.At) })
	return list
}

// Leaderless are the times without a leader: from the last leader's stop to the next election. A leader stops with its
// last observed write after its last renewal, and at the latest when it gives up. An election is left out if no process
// began with it. Without evidence of an earlier leader, there is none before the first.
func (c *Course) Leaderless() (list []model.Interval) {
	if first := c.Evidence.First; first.Known() {
		list = append(list, model.Interval{Earliest: model.FarPast + 1, Latest: first})
	}
	for _, v := range c.Evidence.Vacancies {
		begins := slices.ContainsFunc(c.Evidence.Restarts, func(r model.Interval) bool {
			return r.Latest >= v.Taken && r.Earliest <= v.Taken.Add(evidence.ElectedWithin)
		})
		if !begins {
			continue
		}
		stopped := v.Renewed
		for w := range model.Each(c.Evidence.Writes) {
			if !w.Across && !w.Aside && Of(w.Kind) != 0 && w.Time.Earliest <= v.GivesUp && w.At < v.Taken {
				stopped = max(stopped, w.At+1)
			}
		}
		list = append(list, model.Interval{Earliest: stopped, Latest: v.Taken})
	}
	return list
}

// GoingOn is how long a process may have run before the end of its first write after a pause. By its timestamp, a write
// may have been made 1.1 s earlier.
const GoingOn = 1150 * time.Millisecond

// WentOn is when the controllers continued after a pause.
func WentOn(standstill model.Interval) model.Interval {
	return model.Interval{Earliest: max(standstill.Earliest, standstill.Latest.Add(-GoingOn)), Latest: standstill.Latest}
}

// EndedIn reports whether another process began in the pause, without memory and with up-to-date caches.
func (c *Course) EndedIn(standstill model.Interval) bool {
	began := func(at model.Interval) bool {
		return at.Earliest <= standstill.Latest && standstill.Earliest <= at.Latest
	}
	return slices.ContainsFunc(c.Evidence.Restarts, began) ||
		slices.ContainsFunc(c.Assumed, func(a Assumption) bool { return a.Kind == Restarted && a.Who == ControllerManager && began(a.At) })
}

// IdleSince is the last observed write before a pause, which may have begun then. FarPast without one.
func (c *Course) IdleSince(standstill model.Interval) model.Instant {
	return c.Evidence.LastWrite(func(w *evidence.Seen) bool { return !w.Across && w.Time.Latest < standstill.Earliest })
}

// StandstillBefore is the last pause that ended less than a grace period before t.
func (c *Course) StandstillBefore(t model.Instant) (standstill model.Interval, ok bool) {
	for _, v := range c.Standstills {
		if !c.EndedIn(v) && t >= WentOn(v).Earliest && t <= v.Latest.Add(c.Grace) {
			standstill, ok = v, true
		}
	}
	return standstill, ok
}
