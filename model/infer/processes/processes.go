// Package processes tells which processes of the controller manager ran when: which are told or supposed to
// have begun anew, and which were seen to stand still and to go on.
package processes

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Set is some of the processes in which the controllers run.
type Set uint8

const (
	NodeLifecycle Set = 1 << iota
	TaintEviction
	ControllerManager = NodeLifecycle | TaintEviction
)

// Of is the process that makes writes of a kind.
func Of(kind model.DecisionKind) Set {
	switch kind {
	case model.EvictPod:
		return TaintEviction
	case model.CollectPod:
		return 0
	}
	return NodeLifecycle
}

// Course is what is known of the processes through the time of a record.
type Course struct {
	Evidence *evidence.Evidence
	// Restarts are those that are supposed: the Evidence has those that are told.
	Restarts []Restart
	// Standstills are the times in which the controllers were seen not to act, and after which they went on, or others began.
	Standstills []model.Interval
	// Grace is the grace period, and Until the end of coverage.
	Grace time.Duration
	Until model.Instant
}

// Restart is one that nobody tells of.
type Restart struct {
	Who Set
	// At is within which its work began again, for node-lifecycle with a pass.
	At model.Interval
	// Stopped is from when on it did nothing; unknown: until then it worked.
	Stopped model.Instant
}

// Start is when a node-lifecycle controller began anew.
type Start struct {
	model.Interval
	// Alone: taint eviction went on.
	Alone bool
	// GoesOn: it is no restart, but the process went on after it had stood still.
	GoesOn bool
}

// Starts are when the passes of node-lifecycle begin anew: with the restarts, those that are told and
// those that are assumed, and where it had stood still.
func (c *Course) Starts() []Start {
	var all []Start
	for _, v := range c.Evidence.Restarts {
		all = append(all, Start{Interval: v})
	}
	for _, a := range c.Restarts {
		if a.Who&NodeLifecycle != 0 {
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

// beganAfter is when a process that began within bounds made its first pass at the earliest: what was
// declared Unknown by the latest was so by the process before it, for the first pass counts all anew (M1).
func (c *Course) beganAfter(began model.Interval) model.Instant {
	earliest := began.Earliest
	for i := range c.Evidence.Writes {
		w := &c.Evidence.Writes[i]
		if w.Kind == model.MarkUnknown && !w.Aside && !w.Across && w.Time.Latest < began.Latest {
			earliest = max(earliest, w.Time.Latest+1)
		}
	}
	return earliest
}

// beganBy is when a process that began within bounds, and ended by an instant, made its first pass at
// the latest: it has declared no node Unknown that it did not know for the grace period (M1, N12).
func (c *Course) beganBy(began model.Interval, ended model.Instant) model.Instant {
	latest := began.Latest
	for i := range c.Evidence.Writes {
		w := &c.Evidence.Writes[i]
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
	for _, a := range c.Restarts {
		if a.Who&who != 0 && a.Stopped.Known() && a.Stopped < a.At.Latest {
			list = append(list, model.Interval{Earliest: a.Stopped, Latest: a.At.Latest})
		}
	}
	return list
}

// Turn is an instant at which processes stop, or at which taint eviction alone begins again.
type Turn struct {
	At    model.Instant
	Who   Set
	Stops bool
	// Within is when it began, with an empty memory, unless it GoesOn; a process that stops and GoesOn
	// later keeps what it knew.
	Within model.Interval
	GoesOn bool
	// Dies: what it had decided, and not written yet, nobody writes.
	Dies bool
}

// Turns are those of the assumptions, in order of time. Node-lifecycle that restarts is no turn: its
// first pass is.
func (c *Course) Turns() (list []Turn) {
	for _, v := range c.Leaderless() {
		list = append(list, Turn{At: v.Earliest, Who: ControllerManager, Stops: true, Dies: true})
	}
	for _, a := range c.Restarts {
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
