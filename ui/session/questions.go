package session

import (
	"cmp"
	"context"
	"errors"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// marginRest is how many times as long as a Margin took the next one of the same past waits.
const marginRest = 9

// Margin is how near nodes came within a time, as far as computed: a partial result shows that more is being read.
func (s *Session) Margin(over model.Interval) (m screen.Margin) {
	if s.history == nil || !over.Bounded() {
		return m
	}
	k, inForce := &s.margins, s.shown.Params.NodeMonitorGracePeriod.Value
	want := margin.Options{Over: over, Graces: margin.Graces(inForce), InForce: inForce, Period: s.shown.Params.NodeMonitorPeriod.Value}
	switch {
	case k.cached != nil && serves(&k.cached.to, &want, k.cost, k.since(s.now())):
	case k.running == nil:
		k.find(s, want, func(_ context.Context, reader *watched) (*margin.Margin, error) { return margin.Of(reader, want) })
	case over.Latest < k.running.Over.Latest:
		k.stop()
	}
	if m.Searching = k.running != nil; k.cached == nil {
		return m
	}
	switch is := k.cached; {
	case is.err != nil:
		m.Problem = words.Of("session.no-margin", "why", is.err).String()
	case is.to.Over.Latest <= over.Latest: // later times are left out
		m.Found = is.answer
	}
	return m
}

// serves reports whether a Margin is the requested one, or lacks too little to compute another: it took cost, some time
// ago.
func serves(is, want *margin.Options, cost, ago time.Duration) bool {
	if is.Over.Earliest != want.Over.Earliest && ago > marginRest*cost || is.InForce != want.InForce || is.Period != want.Period {
		return false
	}
	return is.Over.Latest == want.Over.Latest || is.Over.Latest < want.Over.Latest && ago < max(marginRest*cost, time.Second)
}

// Hypotheses would explain the writes that nothing explains, without direct evidence, as far as they were looked for.
func (s *Session) Hypotheses() (h screen.Hypotheses) {
	r := s.runner.shown.Result
	if s.history == nil || r == nil || r.Findings() == 0 {
		return h
	}
	k := &s.supposed
	if k.running == nil && (k.cached == nil || k.cached.to != r && k.since(s.now()) > max(marginRest*k.cost, 10*time.Second)) {
		o := infer.Options{Params: s.params, Mode: r.Mode}
		if r.Mode == infer.Causal {
			o.Until, o.Standstills = s.runner.shown.Until, append([]model.Interval(nil), s.live.news.held...)
		}
		k.find(s, r, func(_ context.Context, reader *watched) (*verify.Report, error) { return suppose(reader, o) })
	}
	if h.Searching = k.running != nil; k.cached == nil {
		return h
	}
	if h.Found = k.cached.answer; k.cached.err != nil {
		h.Problem = words.Of("session.no-hypotheses", "why", k.cached.err).String()
	}
	return h
}

// suppose runs the models again, since the shown Result answers others meanwhile.
func suppose(h history.History, o infer.Options) (_ *verify.Report, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = errors.New(topics.Unjudged(bug(x)))
		}
	}()
	result, err := hypotheses.Run(h, o)
	if err != nil {
		return nil, err
	}
	found, err := hypotheses.Search(result)
	if err != nil {
		return nil, err
	}
	r := verify.Evaluate(found)
	return &r, nil
}

// slack is how much of the newest past a kept Track may lack at least. A Track that takes long to build may lack more,
// so that building takes at most a fifth of the time.
const slack = time.Second

// Track is a node's past over a window, as far as it was read: its fields show whether more is being read.
func (s *Session) Track(node string, window model.Interval) *past.Track {
	if s.history == nil || !window.Bounded() {
		return &past.Track{Window: window}
	}
	k, want := &s.tracks, trackOf{node, window, s.Coverage()}
	if k.cached != nil && k.cached.to.serves(&want, s.live != nil && k.since(s.now()) < 4*k.cost) {
		return k.cached.answer.Clip(window)
	}
	s.buildTrack(want)
	if k.cached != nil && k.cached.to.serves(&want, true) {
		return k.cached.answer.Clip(window)
	}
	part := &past.Track{Reading: k.running != nil}
	if k.cached != nil && k.cached.to.node == node {
		if both, ok := window.Intersect(k.cached.to.window); ok {
			part = k.cached.answer.Clip(both)
			part.Reading = k.running != nil
		}
	}
	return part
}

func (s *Session) buildTrack(want trackOf) {
	k := &s.tracks
	if k.running != nil {
		if !k.running.serves(&want, true) {
			k.stop()
		}
		return
	}
	wide := want
	wide.window = model.Interval{Earliest: want.window.Earliest.Add(-want.window.Width() / 2), Latest: want.window.Latest.Add(want.window.Width() / 2)}
	k.waits = k.cached != nil && k.cached.to.serves(&want, true)
	k.find(s, wide, func(ctx context.Context, reader *watched) (*past.Track, error) {
		built, err := past.BuildTrack(reader, wide.node, wide.window)
		if err != nil && ctx.Err() == nil {
			s.hand(func() { s.err = cmp.Or(s.err, err) })
		}
		if err != nil {
			built = &past.Track{Window: wide.window} // it would fail again
		}
		return built, err
	})
}

// serves reports whether a Track has all that is wanted. The window is in the built part, and nothing relevant has
// arrived since, or that is not needed.
func (is *trackOf) serves(want *trackOf, old bool) bool {
	if is.node != want.node || want.window.Earliest < is.window.Earliest || want.window.Latest > is.window.Latest {
		return false
	}
	return old || min(want.window.Latest, want.covered.Latest) <= is.covered.Latest.Add(slack)
}
