package why

import (
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
)

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
