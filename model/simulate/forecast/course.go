package forecast

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
	"kardia/model/infer/passes"
	"kardia/model/infer/phases"
	"kardia/model/simulate/courses"
)

// course is one simulation, in one Phase of the passes. Its memory is reused: the hull keeps the results.
type course struct {
	s     *infer.State
	o     *Options
	phase *phases.Phase
	// posts is when the renewing kubelets post Ready; FarFuture for never.
	posts model.Instant
	// exact: the clock and the order of all writes are known. newLeader: the course starts with a new leader.
	exact, newLeader bool
	loop             *loop.Loop
	room             model.Room
	list             []*model.Decision
	byID             map[model.DecisionID]int
	races            races
	// windows are when each decision can be made and written.
	windows []model.Interval
	// master is the position of the decision that enters master disruption, -1 for none. Its pass has not seen taints
	// from snapshot on, so they stay.
	master   int
	snapshot model.Instant
}

func (c *course) begin(s *infer.State, p *phases.Phase, posts model.Instant) {
	c.s, c.phase, c.exact, c.posts = s, p, len(s.Phases) == 0, posts
	c.room.Clear()
	c.list = c.list[:0]
	clear(c.byID)
}

func (c *course) run(l *loop.Loop, until model.Instant) {
	begins := l.Nodes.Zones(c.s.At, l.Cache)
	c.loop, l.Room = l, &c.room
	for _, part := range l.RunInParts(until) {
		for i := range part {
			c.list = append(c.list, &part[i])
		}
	}
	for i, d := range c.list {
		c.byID[d.ID] = i
	}
	c.races = race(c, begins, l)
	c.bound()
}

// slack is how much earlier or later passes may come, by the spread of the next and the time of their writes; -1 if
// exact.
func (c *course) slack() time.Duration {
	if c.exact {
		return -1
	}
	return c.phase.Spread() + c.writing()
}

// writing is how much the writes of passes may change their distance.
func (c *course) writing() time.Duration {
	writes := 0
	for _, d := range c.list {
		if d.Kind == model.MarkUnknown || d.Kind == model.MarkPodsNotReady {
			writes += d.Written()
		}
	}
	return min(time.Duration(writes)*passes.PerWrite, time.Second)
}

func (c *course) bound() {
	c.master, c.snapshot = -1, model.FarFuture
	c.windows = slices.Grow(c.windows[:0], len(c.list))[:len(c.list)]
	clear(c.windows)
	marked := c.s.At
	for i, d := range c.list {
		switch d.Kind {
		case model.MarkUnknown:
			marked = d.Time
		case model.EnterMasterDisruption:
			if c.master < 0 {
				c.master, c.snapshot = i, marked
			}
		}
	}
	before := time.Duration(0)
	for from := 0; from < len(c.list); {
		to, writes := from, 0
		for ; to < len(c.list) && c.list[to].Time == c.list[from].Time; to++ {
			writes += c.list[to].Written()
		}
		late := courses.Lag + passes.Writing(writes, 0)
		for i := from; i < to; i++ {
			c.windows[i] = c.window(c.list[i], late, before)
			c.darkens(i)
		}
		before += late
		from = to
	}
}

// window is when a decision is made and written; before is the time of the earlier writes.
func (c *course) window(d *model.Decision, late, before time.Duration) model.Interval {
	if c.exact {
		late = 0
	}
	if t, ok := c.races.tokens[d.ID]; ok {
		return c.padded(model.Interval{Earliest: d.Time, Latest: d.Time.Add(t.burnt)}, t.nth, d.Zone.Value)
	}
	switch d.Kind {
	case model.TaintNoExecute:
		if s := c.races.tainted[d.ID]; s != nil {
			return c.stay(s)
		}
	case model.ScheduleEviction, model.EvictPod:
		if i := c.latestCause(d); i >= 0 {
			cause := c.list[i]
			from := c.windows[i]
			if s := c.races.tainted[cause.ID]; s != nil && cause.Kind == model.TaintNoExecute {
				from = c.stay(s) // the node's own, not the token's
			}
			wait := d.Time.Sub(cause.Time)
			return model.Interval{Earliest: from.Earliest.Add(wait), Latest: from.Latest.Add(wait)}
		}
		if ends, ok := c.ends(d.Pod); ok && d.Kind == model.EvictPod {
			return ends.Around(model.Exactly(d.Time))
		}
	case model.MarkUnknown:
		w := model.Interval{Earliest: d.Time, Latest: max(d.Time, c.s.At).Add(late)}
		if c.exact {
			return w
		}
		return c.s.Bounds(d.Node, w, before+late)
	}
	return model.Interval{Earliest: d.Time, Latest: d.Time.Add(late)}
}

// darkens lets a zone enter FullDisruption only after all its nodes may be declared, and its rate follow.
func (c *course) darkens(i int) {
	d, first := c.list[i], model.Instant(0)
	if d.Kind != model.SetRate && (d.Kind != model.ZoneState || d.State.To != model.ZoneFull) {
		return
	}
	for k, before := range c.list[:i] {
		if before.Zone == d.Zone && (before.Kind == model.MarkUnknown && d.Kind == model.ZoneState ||
			before.Kind == model.ZoneState && before.State.To == model.ZoneFull && d.Kind == model.SetRate) {
			first = max(first, c.windows[k].Earliest)
		}
	}
	w := &c.windows[i]
	w.Earliest = max(w.Earliest, first)
	w.Latest = max(w.Earliest, w.Latest)
}

// ends is when a pod's running countdown ends; its start may not have been observed.
func (c *course) ends(pod model.Key) (w model.Interval, ok bool) {
	t, ok := c.s.Taints.Pending(pod)
	if !ok {
		return w, false
	}
	if w = c.s.Ends(t); !c.exact {
		w.Latest = w.Latest.Add(courses.Lag)
	}
	return c.clip(w), true
}

// latestCause is the position of the decision's last cause in this course; -1 for none.
func (c *course) latestCause(d *model.Decision) int {
	latest := -1
	for _, id := range d.Causes {
		if i, ok := c.byID[id]; ok && i > latest {
			latest = i
		}
	}
	return latest
}

// stay is when a waiting node gets its taint; never if not.
func (c *course) stay(s *stay) model.Interval {
	if s.first == model.FarFuture {
		return never
	}
	w := c.padded(model.Interval{Earliest: s.first, Latest: s.last.Add(s.burnt)}, s.tokens, s.zone)
	w.Earliest = max(w.Earliest, s.since)
	return w
}

// tainted is when a node gets its next taint, and whether it is sure. A node may leave the queue and join it again.
func (c *course) tainted(stays []*stay) (w model.Interval, sure bool) {
	w = never
	for _, s := range stays {
		if next := c.stay(s); next != never {
			if w = either(w, next); s.sure {
				return w, true
			}
		}
	}
	return w, false
}

// padded widens a window by the unknown phase of ticks, and the unknown time of the zone's last token.
func (c *course) padded(w model.Interval, ticks int, zone model.ZoneKey) model.Interval {
	if c.exact {
		return w
	}
	off, token := nodelifecycle.TickPeriod*time.Duration(max(1, ticks)), c.s.TokenOffset(zone)
	return c.clip(model.Interval{Earliest: w.Earliest.Add(token.Earlier - off), Latest: w.Latest.Add(token.Later + off)})
}

func (c *course) clip(w model.Interval) model.Interval {
	return model.Interval{Earliest: max(w.Earliest, c.s.At), Latest: max(w.Latest, c.s.At)}
}

// coming copies a decision with its window. One about any of several nodes stands for all of them.
func (c *course) coming(i int) Coming {
	d := c.list[i]
	out := Coming{Decision: *d}
	out.Decision.Window = c.clip(c.windows[i])
	out.Decision.Checks, out.Decision.Inputs = slices.Clone(d.Checks), slices.Clone(d.Inputs)
	out.Decision.Writes, out.Decision.Causes = slices.Clone(d.Writes), slices.Clone(d.Causes)
	if t, ok := c.races.tokens[d.ID]; ok {
		out.Among = t.among
		out.Decision.Node = ""
		out.Decision.Inputs = nil
		for k := range out.Decision.Writes {
			out.Decision.Writes[k].Node = ""
		}
	}
	return out
}
