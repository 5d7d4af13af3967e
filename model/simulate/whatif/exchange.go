package whatif

import (
	"kardia/model"
	"kardia/model/simulate/courses"
)

// exchange notes whose tokens might as well have been another's: of nodes that wait equally long any may get the
// next one, so that each may have been tainted when another was.
type exchange struct {
	// chance is when each node that waits could have got a token first, which another got.
	chance map[string]model.Instant
	// given are the tokens of each zone, in order, and tokens the same by the decisions that tainted.
	given  map[model.ZoneKey][]*token
	tokens map[model.DecisionID]*token
}

// token is one that a node got.
type token struct {
	node string
	at   model.Instant
	// soonest and latest are when the node would have got one, had others had less luck, or more.
	soonest, latest model.Instant
	// over is when the node waited no more, and was tainted no more; FarFuture if it is.
	over model.Instant
}

func newExchange() exchange {
	return exchange{chance: map[string]model.Instant{}, given: map[model.ZoneKey][]*token{}, tokens: map[model.DecisionID]*token{}}
}

// meet takes in who waits equally long for a token that is there.
func (x *exchange) meet(now model.Instant, waiting []string) {
	for _, name := range waiting {
		if _, ok := x.chance[name]; !ok {
			x.chance[name] = now
		}
	}
}

// decided takes in who gets a token, and who waits no more.
func (x *exchange) decided(d *model.Decision) {
	switch d.Kind {
	case model.DequeueFromTaint, model.UntaintNoExecute:
		delete(x.chance, d.Node)
		for _, t := range x.given[d.Zone.Value] {
			if t.node == d.Node {
				t.over = min(t.over, d.Time)
			}
		}
	case model.TaintNoExecute:
		since, met := x.chance[d.Node]
		delete(x.chance, d.Node)
		if d.Outcome != model.Did || !met {
			return
		}
		list := x.given[d.Zone.Value]
		for i := len(list) - 1; i >= 0 && list[i].at >= since; i-- {
			if d.Time < list[i].over {
				list[i].latest = d.Time
			}
		}
		t := &token{node: d.Node, at: d.Time, soonest: since, latest: d.Time, over: model.FarFuture}
		x.given[d.Zone.Value], x.tokens[d.ID] = append(list, t), t
	}
}

// widen is the slack of what follows from a token, at an instant of a course that ends at another: it comes with the
// token, unless the node is back before.
func (t *token) widen(s slack, at, until model.Instant) slack {
	s.earlier = max(s.earlier, t.at.Sub(t.soonest))
	if late := at.Add(t.latest.Sub(t.at) + courses.Lag); late < t.over {
		s.later = max(s.later, min(late, until).Sub(at))
	}
	return s
}
