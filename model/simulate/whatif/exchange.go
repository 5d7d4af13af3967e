package whatif

import (
	"kardia/model"
	"kardia/model/simulate/courses"
)

// exchange finds tokens that could have gone to another node: any of equally old nodes may get the next one.
type exchange struct {
	// chance is the first token that each waiting node could have got, but another got.
	chance map[string]model.Instant
	// given are the tokens of each zone in order, tokens the same by decision.
	given  map[model.ZoneKey][]*token
	tokens map[model.DecisionID]*token
}

type token struct {
	node string
	at   model.Instant
	// soonest and latest are when the node could have got a token in another order.
	soonest, latest model.Instant
	// over is when the node left the queue, or lost its taint; FarFuture for never.
	over model.Instant
}

func newExchange() exchange {
	return exchange{chance: map[string]model.Instant{}, given: map[model.ZoneKey][]*token{}, tokens: map[model.DecisionID]*token{}}
}

// meet notes the equally old nodes that wait for an available token.
func (x *exchange) meet(now model.Instant, waiting []string) {
	for _, name := range waiting {
		if _, ok := x.chance[name]; !ok {
			x.chance[name] = now
		}
	}
}

// decided notes given tokens, and nodes that no longer wait.
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

// widen adds a token's slack to that of a decision at the time at that follows it, unless the node returns before.
func (t *token) widen(s slack, at, until model.Instant) slack {
	s.earlier = max(s.earlier, t.at.Sub(t.soonest))
	if late := at.Add(t.latest.Sub(t.at) + courses.Lag); late < t.over {
		s.later = max(s.later, min(late, until).Sub(at))
	}
	return s
}
