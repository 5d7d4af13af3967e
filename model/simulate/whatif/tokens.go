package whatif

import (
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/simulate/courses"
)

// pick is the waiting node that gets a token.
func (c *course) pick(zone model.ZoneKey, waiting []string) string {
	c.meet(zone, waiting)
	c.exchange.meet(c.loop.Now(), waiting)
	v := &c.variant
	switch {
	case v.recorded:
		return c.recorded(waiting)
	case v.favourite == "":
		return waiting[0]
	}
	i, waits := slices.BinarySearch(waiting, v.favourite)
	if waits {
		if c.missed >= v.after {
			return v.favourite
		}
		c.missed++
		i++
	}
	if v.backward {
		i -= 2
	}
	return waiting[(i+2*len(waiting))%len(waiting)]
}

func (c *course) meet(zone model.ZoneKey, waiting []string) {
	have := c.waited[zone]
	for _, name := range waiting {
		if _, ok := slices.BinarySearch(have, name); !ok {
			c.waited[zone] = courses.Union(have, waiting)
			return
		}
	}
}

func (c *course) recorded(waiting []string) string {
	for i := range c.b.tainted {
		turn := &c.b.tainted[i]
		if _, ok := slices.BinarySearch(waiting, turn.node); ok && c.taken[turn.node] <= turn.nth {
			return turn.node
		}
	}
	return waiting[0]
}

// comes reports whether a node was recorded to get a token about now, and is not queued: its pass comes first.
func (c *course) comes(zone model.ZoneKey) bool {
	now := c.loop.Now()
	i := sort.Search(len(c.b.tainted), func(i int) bool { return c.b.tainted[i].at >= now.Add(-settles) })
	for ; i < len(c.b.tainted) && c.b.tainted[i].at <= now.Add(settles); i++ {
		turn := &c.b.tainted[i]
		if turn.zone != zone || c.taken[turn.node] > turn.nth {
			continue
		}
		for _, z := range c.loop.Nodes.Zones(now, c.loop.Cache) {
			if z.Zone == zone {
				_, waits := slices.BinarySearch(z.Waiting, turn.node)
				return !waits
			}
		}
	}
	return false
}

// nextTick is when a prompt or a tardy tick comes: exactly when a waiting node can get a token, or a tick later.
func (c *course) nextTick(now model.Instant) model.Instant {
	next := model.FarFuture
	for zone := range c.since {
		if !c.loop.Nodes.Waits(zone) || !c.loop.Nodes.HasToken(zone, now) {
			delete(c.since, zone)
		}
	}
	c.loop.Nodes.EachWaiting(func(zone model.ZoneKey) {
		if since, ok := c.since[zone]; ok {
			next = min(next, since.Add(nodelifecycle.TickPeriod))
		} else {
			next = min(next, c.loop.Nodes.NextToken(zone, now))
		}
	})
	return next
}

// withhold makes a tardy tick come a tick after the token.
func (c *course) withhold(zone model.ZoneKey) bool {
	if c.variant.recorded && c.comes(zone) {
		return true
	}
	now := c.loop.Now()
	if c.variant.ticks != tardy || !c.loop.Nodes.HasToken(zone, now) {
		return false
	}
	since, ok := c.since[zone]
	if !ok {
		c.since[zone] = now
	}
	return !ok || now.Sub(since) < nodelifecycle.TickPeriod
}

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
