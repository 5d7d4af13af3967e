package session

import (
	"context"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// margins keeps the last margins. They are computed in the background while shown: a large day takes a minute.
type margins = latest[marginOrder]

// marginOrder is a Margin to compute, and then its result.
type marginOrder struct {
	options margin.Options
	reader  *watched

	found *margin.Margin
	err   error
}

// marginRest is how many times as long as a Margin took the next one of the same past waits.
const marginRest = 9

func (o *marginOrder) carryOut(ctx context.Context) {
	o.options.Progress = func(float64) bool { return ctx.Err() == nil }
	o.found, o.err = margin.Of(o.reader, o.options)
}

// Margin is how near nodes came within a time, as far as computed: a partial result shows that more is being read.
func (s *Session) Margin(over model.Interval) (m screen.Margin) {
	if s.history == nil || !over.Bounded() {
		return m
	}
	k := &s.margins
	o := s.shown.Params
	want := margin.Options{Over: over, Graces: margin.Graces(o.NodeMonitorGracePeriod.Value), InForce: o.NodeMonitorGracePeriod.Value, Period: o.NodeMonitorPeriod.Value}
	if k.cached == nil || !k.cached.serves(&want, k.cost, k.since(s.now())) {
		s.orderMargin(want)
	}
	m.Reading = k.running != nil
	if k.cached == nil {
		return m
	}
	if k.cached.err != nil {
		m.Problem = words.Of("session.no-margin", "why", k.cached.err).String()
		return m
	}
	if k.cached.options.Over.Latest <= over.Latest { // later times are left out
		m.Found = k.cached.found
	}
	return m
}

// serves reports whether it is the requested one, or lacks too little to compute another: it took cost, some time ago.
func (o *marginOrder) serves(want *margin.Options, cost, ago time.Duration) bool {
	is := &o.options
	if is.Over.Earliest != want.Over.Earliest && ago > marginRest*cost || is.InForce != want.InForce || is.Period != want.Period {
		return false
	}
	return is.Over.Latest == want.Over.Latest || is.Over.Latest < want.Over.Latest && ago < max(marginRest*cost, time.Second)
}

func (s *Session) orderMargin(want margin.Options) {
	k := &s.margins
	if k.running != nil {
		if want.Over.Latest < k.running.options.Over.Latest {
			k.stop()
		}
		return
	}
	o := &marginOrder{options: want, reader: &watched{History: s.history.Fork()}}
	k.order(s, o, o.carryOut)
}
