package whatif

import (
	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/infer/evidence"
	"kardia/model/past/stall"
)

// While the API server does not answer, recorded events and the controllers' writes wait for it.

func (c *course) planStalls() {
	for _, v := range c.b.stalls {
		if until := evidence.AnsweredFrom(v); until > c.b.From {
			c.loop.At(max(v.Earliest, c.b.From+1), func(l *loop.Loop) { l.Hold(until) })
		}
	}
}

// answers is when the API server answers a request sent at a time.
func (b *Base) answers(at model.Instant) model.Instant {
	for _, v := range b.stalls {
		if v.Earliest < at && at < evidence.AnsweredFrom(v) {
			return evidence.AnsweredFrom(v)
		}
	}
	return at
}

// waits notes a pass that waited until a time: it continues after the queued writes, and skips recorded passes before.
func (c *course) waits(until model.Instant) {
	if until <= c.loop.Now() {
		return
	}
	c.next.within = model.Interval{Earliest: until, Latest: until.Add(stall.Queued)}
	c.passed = append(c.passed, passed{until, c.next.within, true})
	for c.nth < len(c.b.passes) && !c.b.passes[c.nth].First && c.b.passes[c.nth].At < until {
		c.nth++
	}
}

// waitedThen reports whether a pass was recorded to wait and does not in this course: the next ones are not recorded.
func (c *course) waitedThen(last model.Instant) bool {
	period, next := c.branch.Params.NodeMonitorPeriod.Value, &c.b.passes[c.nth]
	return !next.First && c.b.answers(last) > last && last.Add(2*period) < next.At
}

// assumeUnchanged adds the stalls of the API server, and the restarts.
func (b *Base) assumeUnchanged(add func(Assumption)) {
	for _, v := range b.stalls {
		if v.Latest > b.From {
			add(Assumption{What: "stall", At: v.Earliest, Until: v.Latest})
		}
	}
	for _, p := range b.passes {
		if p.First {
			add(Assumption{What: "restart", At: p.At})
		}
	}
}
