package session

import (
	"context"
	"errors"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// supposed keeps the last explanation of the unexplained writes. It is searched in the background, and only while it is
// shown and something is unexplained: the models run many times.
type supposed = latest[supposedOrder]

// supposedOrder is a search for hypotheses, and then its result.
type supposedOrder struct {
	of      *infer.Result // the run with something unexplained
	options infer.Options
	reader  *watched

	found *verify.Report
	err   error
}

// carryOut runs the models again, since the shown Result answers others meanwhile.
func (o *supposedOrder) carryOut(ctx context.Context) {
	defer func() {
		o.reader.watch = nil
		if x := recover(); x != nil {
			o.err = errors.New(topics.Unjudged(bug(x)))
		}
	}()
	o.reader.watch = func(history.Page) error { return ctx.Err() }
	result, err := hypotheses.Run(o.reader, o.options)
	if err != nil {
		o.err = err
		return
	}
	found, err := hypotheses.Search(result)
	if err != nil {
		o.err = err
		return
	}
	r := verify.Evaluate(found)
	o.found = &r
}

// Hypotheses would explain the writes that nothing explains, without direct evidence, as far as they were looked for.
func (s *Session) Hypotheses() (h screen.Hypotheses) {
	r := s.runner.shown.Result
	if s.history == nil || r == nil || r.Findings() == 0 {
		return h
	}
	k := &s.supposed
	if k.running == nil && (k.cached == nil || k.cached.of != r && k.since(s.now()) > max(marginRest*k.cost, 10*time.Second)) {
		s.orderHypotheses(r)
	}
	h.Searching = k.running != nil
	if k.cached == nil {
		return h
	}
	if k.cached.err != nil {
		h.Problem = words.Of("session.no-hypotheses", "why", k.cached.err).String()
		return h
	}
	h.Found = k.cached.found
	return h
}

func (s *Session) orderHypotheses(r *infer.Result) {
	o := &supposedOrder{of: r, options: infer.Options{Params: s.params, Mode: r.Mode}, reader: &watched{History: s.history.Fork()}}
	if r.Mode == infer.Causal {
		o.options.Until, o.options.Standstills = s.runner.shown.Until, append([]model.Interval(nil), s.live.news.held...)
	}
	s.supposed.order(s, o, o.carryOut)
}
