package rows

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

func (c *Coder) Gap(g *history.Gap) {
	c.instant("from", &g.Earliest, 0)
	c.instant("to", &g.Latest, 0)
	number(c, "source", &g.Source, 0)
	c.text("why", &g.Why, "")
	c.flag("between", &g.Between, false)
	c.flag("unlisted", &g.Unlisted, false)
	c.flag("possible", &g.Possible, false)
}

func (c *Coder) Mark(m *past.Bookmark) {
	c.instant("at", &m.At, 0)
	c.text("note", &m.Note, "")
}

func (c *Coder) Clock(r *history.ClockReading) {
	c.instant("at", &r.At, 0)
	c.instant("wall", &r.Wall, 0)
	number(c, "sinceNanos", &r.Since, 0)
	number(c, "setNanos", &r.Set, 0)
	c.duration("sleptNanos", &r.Slept.Value, &r.Slept.Known)
	c.instant("from", &r.During.Earliest, 0)
	c.instant("to", &r.During.Latest, 0)
	c.duration("serverLeastNanos", &r.Server.Value.Least, &r.Server.Known)
	c.duration("serverMostNanos", &r.Server.Value.Most, &r.Server.Known)
}

// duration is written if it is known, even if it is 0.
func (c *Coder) duration(name string, v *time.Duration, known *bool) {
	switch {
	case c.writing && *known:
		c.put(name)
		c.out = strconv.AppendInt(c.out, int64(*v), 10)
	case !c.writing && c.here(name):
		*v, *known = numberAt[time.Duration](c), true
	}
}

// ReadClock reads a message of the clock.
func (c *Coder) ReadClock(data []byte) (r history.ClockReading, err error) {
	err = c.Read(data, func(c *Coder) { c.Clock(&r) })
	if !r.During.Earliest.Known() || r.During.Latest < r.During.Earliest {
		r.During = model.Interval{}
	}
	if r.Server.Value.Most < r.Server.Value.Least {
		r.Server = model.Maybe[history.Offset]{}
	}
	return r, err
}

// Statement is what a component said in its own log.
func (c *Coder) Statement(s *history.Statement) {
	c.instant("at", &s.At, 0)
	c.instant("until", &s.Until, 0)
	number(c, "times", &s.Times, 1)
	enum(c, "says", &s.What, history.SaidNothing, history.LastSaying)
	c.flag("sampled", &s.Sampled, false)
	c.instant("since", &s.Since, 0)
	c.flag("zoneAssumed", &s.ZoneAssumed, false)
	c.text("by", &s.By, "")
	number(c, "process", &s.Process, 0)
	c.text("node", &s.Node, "")
	c.text("podNamespace", &s.Pod.Namespace, "")
	c.text("pod", &s.Pod.Name, "")
	c.flag("zoned", &s.Zone.Known, false)
	c.text("region", &s.Zone.Value.Region, "")
	c.text("zone", &s.Zone.Value.Zone, "")
	enum(c, "state", &s.State, model.ZoneNone, model.ZoneFull)
	enum(c, "status", &s.Status, model.StatusAbsent, model.StatusUnknown)
	number(c, "silentNanos", &s.Silence, 0)
	c.text("text", &s.Text, "")
	number(c, "source", &s.Origin.Source, 0)
	number(c, "line", &s.Origin.Line, 0)
	number(c, "offset", &s.Origin.Offset, 0)
}

// ReadStatement reads a message of a log. Its What is SaidNothing if this version does not know its kind.
func (c *Coder) ReadStatement(data []byte) (s history.Statement, err error) {
	s.Times = 1
	err = c.Read(data, func(c *Coder) { c.Statement(&s) })
	s.Times, s.Until = max(s.Times, 1), max(s.Until, s.At)
	return s, err
}
