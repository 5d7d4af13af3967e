package session

import (
	"context"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/ui/screen"
)

// margins keeps how near nodes came, as it was worked out last. It is worked out in the background, and
// only while somebody looks: a day of a large cluster is read for a minute.
type margins struct {
	cached  *marginOrder // the last that was worked out; nil before the first
	running *marginOrder
	ended   time.Time // when cached was taken back

	orders chan *marginOrder // capacity 1
	back   chan *marginOrder // capacity 1
}

// marginOrder is a Margin to be worked out, and then what it was.
type marginOrder struct {
	options margin.Options
	reader  *watched
	stopped atomic.Bool

	found *margin.Margin
	err   error
	cost  time.Duration
}

// marginRest is for how many times as long as a Margin took the next one of more of the same past waits.
const marginRest = 9

func (o *marginOrder) carryOut(ctx context.Context) {
	began := time.Now()
	o.options.Progress = func(float64) bool { return !o.stopped.Load() && ctx.Err() == nil }
	o.found, o.err = margin.Of(o.reader, o.options)
	o.cost = time.Since(began)
}

// Margin is how near nodes came within a time, as far as that was worked out: what is not of all of it yet
// says that more is being read.
func (s *Session) Margin(over model.Interval) (m screen.Margin) {
	if s.history == nil || !over.Bounded() {
		return m
	}
	k := &s.margins
	o := s.shown.Params
	want := margin.Options{Over: over, Graces: margin.Graces(o.NodeMonitorGracePeriod.Value), InForce: o.NodeMonitorGracePeriod.Value, Period: o.NodeMonitorPeriod.Value}
	if k.cached == nil || !k.cached.serves(&want, s.now().Sub(k.ended)) {
		s.orderMargin(want)
	}
	m.Reading = k.running != nil
	if k.cached == nil {
		return m
	}
	if k.cached.err != nil {
		m.Problem = "it cannot be read: " + k.cached.err.Error()
		return m
	}
	if k.cached.options.Over.Latest <= over.Latest { // of later nothing is told
		m.Found = k.cached.found
	}
	return m
}

// serves says whether it is what is asked for, or so little less of it that another is not worked out yet.
func (o *marginOrder) serves(want *margin.Options, ago time.Duration) bool {
	is := &o.options
	if is.Over.Earliest != want.Over.Earliest && ago > marginRest*o.cost || is.InForce != want.InForce || is.Period != want.Period {
		return false
	}
	return is.Over.Latest == want.Over.Latest || is.Over.Latest < want.Over.Latest && ago < max(marginRest*o.cost, time.Second)
}

// orderMargin has a Margin worked out, unless one is.
func (s *Session) orderMargin(want margin.Options) {
	k := &s.margins
	if k.running != nil {
		if want.Over.Latest < k.running.options.Over.Latest {
			k.running.stopped.Store(true) // the next frame asks again
		}
		return
	}
	o := &marginOrder{options: want, reader: &watched{History: s.history.Fork()}}
	if !s.seeker.async {
		o.carryOut(context.Background())
		s.takeMargin(o)
		return
	}
	k.running = o
	k.orders <- o
}

// takeMargin takes back a Margin that was worked out, or not.
func (s *Session) takeMargin(o *marginOrder) {
	k := &s.margins
	k.running = nil
	if !o.stopped.Load() {
		k.cached, k.ended = o, s.now()
	}
	s.touch()
}
