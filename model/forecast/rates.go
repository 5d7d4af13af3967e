package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/nodelifecycle"
)

// rateChange is a change of a zone's rate, and when it comes. Between the early and the late
// clock there may be one that makes it come before a token that both give before it, or after
// one that both give after it: all that wait then may be served at the old rate or at the new.
type rateChange struct {
	window model.Interval
	rate   float64
	// sure: with both clocks.
	sure bool
	// at is when it comes in each run; unknown where it does not.
	at [2]model.Instant
}

// noteRates notes the changes of both runs.
func (m *merge) noteRates() {
	m.rates, m.stirred = map[model.Place][]rateChange{}, map[alike]model.Interval{}
	for r := range m.runs {
		for i, d := range m.runs[r].list {
			if d.Kind != model.SetRate || d.Outcome != model.Did || (r > 0 && m.runs[r].twins[i] >= 0) {
				continue
			}
			rate := d.Checks[len(d.Checks)-1].Right.Float
			c := rateChange{window: m.windowOf(r, i), rate: rate}
			c.at[r] = d.Time
			if r == 0 && m.twin(i) != nil {
				c.at[1], c.sure = m.twin(i).Time, true
			}
			m.rates[d.Place.Value] = append(m.rates[d.Place.Value], c)
		}
	}
}

// alike are stays of which the same can be said.
type alike struct {
	place    model.Place
	own, end model.Interval
}

// stirs widens the window of a stay that a change of rate may meet.
func (m *merge) stirs(s *stay, own, w model.Interval) model.Interval {
	changes := m.rates[s.place]
	if len(changes) == 0 || m.soonServed(s) {
		return w
	}
	key := alike{s.place, own, w}
	known, ok := m.stirred[key]
	if ok {
		return known
	}
	out := w
	for again := true; again; {
		again = false
		for _, c := range changes {
			if c.window.Earliest > out.Latest || c.window.Latest < own.Earliest.Add(-m.period) || m.queuedAfter(s, &c) {
				continue
			}
			out.Earliest = min(out.Earliest, max(own.Earliest, m.runs[0].races.next[s.place]))
			if latest := m.servedBy(s, own, c, out.Latest); latest > out.Latest {
				out.Latest, again = latest, true
			}
		}
	}
	m.stirred[key] = out
	return out
}

// queuedAfter says that with both clocks a stay begins in the pass that sets the rate to 0, or
// in a later one. Then it does so with all, since passes keep their order, and no token of the
// rate before can be its own. (At another rate those who waited before may come first.)
func (m *merge) queuedAfter(s *stay, c *rateChange) bool {
	o := m.twinStay(s)
	return c.rate <= 0 && s.by >= 0 && o != nil && o.by >= 0 && c.sure && c.at[0] <= s.since && c.at[1] <= o.since
}

// soonServed says that a node gets a token at the first tick after it was queued, with both
// clocks and alone: no pass can come between.
func (m *merge) soonServed(s *stay) bool {
	o := m.twinStay(s)
	if o == nil || s.by < 0 {
		return false
	}
	return s.tokens == 1 && o.tokens == 1 && s.last.Sub(s.since) <= nodelifecycle.TickPeriod && o.last.Sub(o.since) <= nodelifecycle.TickPeriod
}

// servedBy is by when all are served that may wait with a stay when a rate changes: those that
// are queued by an instant, and not surely served before. Later changes count from when they
// have surely come.
func (m *merge) servedBy(s *stay, own model.Interval, c rateChange, until model.Instant) model.Instant {
	if c.rate <= 0 || until == model.FarFuture {
		return model.FarFuture
	}
	waiting := time.Duration(0)
	for _, o := range m.runs[0].races.zones[s.place] {
		if m.stayAlone(o).Latest >= c.window.Earliest && m.queuedWithin(o).Earliest <= until {
			waiting++
		}
	}
	at, each := max(c.window.Latest, own.Latest), interval(c.rate)
	for _, next := range m.rates[s.place] {
		if !next.sure || next.rate <= c.rate || next.window.Latest <= at {
			continue
		}
		if at.Add(waiting*each) <= next.window.Latest {
			break
		}
		waiting -= time.Duration(next.window.Latest.Sub(at) / each)
		at, each, c = next.window.Latest, interval(next.rate), next
	}
	return at.Add(waiting*each + nodelifecycle.TickPeriod)
}

// interval is the longest from one token to the next at a rate.
func interval(rate float64) time.Duration {
	return time.Duration(float64(time.Second)/rate) + nodelifecycle.TickPeriod
}

// stirsToken widens the window of a token that a change of rate may meet to that of those who
// may get it.
func (m *merge) stirsToken(d *model.Decision, among []*stay, w model.Interval) model.Interval {
	if !m.queued || len(m.rates[d.Place.Value]) == 0 {
		return w
	}
	for _, s := range among {
		own := m.stayWindow(s)
		w.Earliest, w.Latest = min(w.Earliest, own.Earliest), max(w.Latest, own.Latest)
	}
	return w
}
