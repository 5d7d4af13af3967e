package why

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
)

// lookAhead is among how many later decisions effects are looked for: most are near their cause.
const lookAhead = 2000

// Effects are the first decisions that have a decision among their causes, at most so many, and how many more there are.
// all is in order of time.
func Effects(d *model.Decision, all []model.Decision, most int) (effects []*model.Decision, more int) {
	later := after(d, all)
	for i := range later[:min(len(later), lookAhead)] {
		switch {
		case !slices.Contains(later[i].Causes, d.ID):
		case len(effects) < most:
			effects = append(effects, &later[i])
		default:
			more++
		}
	}
	return effects, more
}

// after is the part of a list behind a decision; empty if that is not in it.
func after(d *model.Decision, all []model.Decision) []model.Decision {
	for i := sort.Search(len(all), func(i int) bool { return all[i].Time >= d.Time }); i < len(all) && all[i].Time == d.Time; i++ {
		if all[i].ID == d.ID {
			return all[i+1:]
		}
	}
	return nil
}

// NearMiss is the smallest difference with which a decision had not been made. Its Code is "" if the checks do not show one.
type NearMiss struct {
	Code string
	For  time.Duration
	// Nodes is by how many fewer or more: NotReady of Counted would then be not ready, which gives the State.
	Nodes, NotReady, Counted int
	State                    model.DisruptionState
}

// NearMissOf finds it by the checks of a decision. all is in order of time; params is nil if they are not known.
func NearMissOf(d *model.Decision, all []model.Decision, params *model.Params) (is NearMiss) {
	if d.Outcome != model.Did || len(d.Checks) == 0 {
		return is
	}
	first := &d.Checks[0]
	switch {
	case d.Kind == model.EvictPod && d.Checks[len(d.Checks)-1].Left.Kind == model.OperandInstant: // its countdown ended
		later := after(d, all)
		for i := range later {
			if x := &later[i]; x.Kind == model.UntaintNoExecute && x.Outcome == model.Did && x.Node == d.Node {
				return NearMiss{Code: "untainted-later", For: x.Time.Sub(d.Time)}
			}
		}
		is.Code = "not-untainted"
	case d.Kind == model.TaintNoExecute && first.Left.Kind == model.OperandInstant:
		since, at := model.Instant(first.Left.Int), model.Instant(first.Right.Int)
		switch {
		case !since.Bounded() || !at.Bounded():
		case at.Sub(since) < nodelifecycle.TickPeriod:
			is.Code = "node-waited"
		default:
			is.Code, is.For = "token-waited", at.Sub(since)
		}
	case d.Kind == model.MarkUnknown && first.Left.Kind == model.OperandDuration:
		is.Code, is.For = "less-silence", time.Duration(first.Left.Int-first.Right.Int)
	case d.Kind == model.ZoneState && len(d.Checks) == 1 && first.Holds:
		is.Code = "one-ready"
	case d.Kind == model.ZoneState && len(d.Checks) > 1 && params != nil:
		return zoneMiss(int(first.Left.Int), int(d.Checks[1].Left.Int), *params)
	}
	return is
}

// zoneMiss is the fewest nodes that had given a zone another state.
func zoneMiss(ready, notReady int, params model.Params) NearMiss {
	state, _ := nodelifecycle.Suppose(params, ready, notReady)
	for n := 1; n <= max(ready, notReady); n++ {
		for _, is := range [...]NearMiss{{Code: "fewer", NotReady: notReady - n}, {Code: "more", NotReady: notReady + n}} {
			is.Nodes, is.Counted = n, ready+notReady
			if is.NotReady < 0 || is.NotReady > is.Counted {
				continue
			}
			if is.State, _ = nodelifecycle.Suppose(params, is.Counted-is.NotReady, is.NotReady); is.State != state {
				return is
			}
		}
	}
	return NearMiss{}
}

// inFlight is how long a write may take from its decision on.
const inFlight = 2 * time.Second

// UnderWay lists, from decisions in order, those so recent that objects may not show them yet.
func UnderWay(all []model.Decision, at model.Instant) []model.Decision {
	from := sort.Search(len(all), func(i int) bool { return all[i].Time >= at.Add(-inFlight) })
	to := sort.Search(len(all), func(i int) bool { return all[i].Time > at })
	return all[from:max(from, to)]
}

// Undecided removes held steps decided just before a time but not written. Declaring or tainting a node queues it.
func Undecided(list []Held, all []model.Decision, at model.Instant) []Held {
	recent := UnderWay(all, at)
	var rest []Held
	for i := range list {
		if !decided(&list[i].Decision, recent) {
			rest = append(rest, list[i])
		}
	}
	return rest
}

func decided(d *model.Decision, recent []model.Decision) bool {
	return slices.ContainsFunc(recent, func(x model.Decision) bool {
		if x.Outcome != model.Did || x.Node != d.Node || x.Pod != d.Pod || x.Observed == nil && len(x.Writes) > 0 {
			return false // nothing shows that it was done, so it may still come
		}
		return x.Kind == d.Kind || d.Kind == model.QueueForTaint && x.Kind == model.MarkUnknown ||
			d.Kind == model.MarkUnknown && x.Kind == model.TaintNoExecute
	})
}
