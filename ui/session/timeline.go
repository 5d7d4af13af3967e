package session

import (
	"context"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// portion is how many Changes are read at a time: some milliseconds.
const portion = 100_000

// inPortions reads everything unless the context ends, and reports now and then, and at the end.
func inPortions(ctx context.Context, read func() (done bool, err error), report func(ended bool, err error)) {
	var told time.Time
	for ended := false; !ended && ctx.Err() == nil; {
		done, err := read()
		if ended = done || err != nil; ended || time.Since(told) >= tellEvery {
			told = time.Now()
			report(ended, err)
		}
	}
}

func shareOf(h history.History, position int, ended bool) float64 {
	first, end := h.Span()
	if ended || end == first {
		return 1
	}
	return min(float64(position-first)/float64(end-first), 0.99)
}

func (s *Session) readTimeline() {
	h, o := s.history.Fork(), &past.Overview{}
	s.do(func(ctx context.Context) {
		inPortions(ctx, func() (bool, error) { return o.Extend(h, portion) }, func(ended bool, err error) {
			overview, share := o.Snapshot(), shareOf(h, o.Position(), ended)
			s.hand(func() {
				shown := &s.timeline.shown
				if shown.Overview, shown.Progress = overview, share; err != nil {
					shown.Problem = words.Of("session.no-timeline", "why", err).String()
				}
				s.touch()
			})
		})
	}, func(bool) {})
}

// extendTimeline sums up and searches a live session's news.
func (s *Session) extendTimeline() {
	p := s.timeline
	if p.own == nil {
		p.own = &past.Overview{}
	}
	_, _ = p.own.Extend(s.history, 4*portion) // a memory is always readable
	p.shown.Overview, p.shown.Progress = p.own, 1
	s.extendSearch()
}

func (s *Session) extendSearch() {
	p := s.timeline
	if p.search == nil {
		return
	}
	done, _ := p.search.Extend(s.history, 4*portion)
	if hits := p.search.Hits(); len(hits) != len(p.shown.Hits) {
		p.shown.Hits = hits
		s.touch()
	}
	p.shown.MoreHits, p.shown.Searched = p.search.More(), shareOf(s.history, p.search.Position(), done)
}

// shownTimeline is the whole covered time, with the models' result.
func (s *Session) shownTimeline() *screen.Timeline {
	p := s.timeline
	if s.history == nil {
		return nil
	}
	r := s.runner.shown.Result
	now := reviewed{result: r, done: p.shown.Progress == 1}
	if o := p.shown.Overview; o != nil && s.live == nil {
		now.steps = len(o.ClockSteps()) + o.MoreClockSteps
	}
	if p.reviewed == nil || now != *p.reviewed {
		p.reviewed = &now
		p.shown.Anomalies = review.Find(s.history, p.shown.Overview, r)
		p.shown.States = nil
		if r != nil {
			p.shown.States = review.States(r.Decisions)
		}
	}
	p.shown.Marks, p.shown.Loop, p.shown.SkipIdle = slices.Clone(s.marks.List()), s.loop, s.skipping
	shown := p.shown
	return &shown
}

// Search looks for words across the whole time; "" ends it. What is found comes bit by bit.
func (s *Session) Search(query string) {
	p := s.timeline
	if p.stop != nil {
		p.stop()
	}
	p.shown.Query, p.shown.Hits, p.shown.MoreHits, p.shown.Searched = query, nil, 0, 0
	s.touch()
	p.search, p.stop = nil, nil
	if query == "" || s.history == nil {
		p.shown.Query = ""
		return
	}
	search := past.NewSearch(query, topics.Difference)
	if s.live != nil {
		p.search = search
		s.extendSearch()
		return
	}
	h := s.history.Fork()
	p.stop = s.do(func(ctx context.Context) {
		inPortions(ctx, func() (bool, error) { return search.Extend(h, portion) }, func(ended bool, _ error) {
			hits, more, share := search.Hits(), search.More(), shareOf(h, search.Position(), ended)
			s.hand(func() {
				if ctx.Err() == nil {
					p.shown.Hits, p.shown.MoreHits, p.shown.Searched = hits, more, share
					s.touch()
				}
			})
		})
	}, func(bool) {})
}

// StepHit goes to the next time at which something that was searched for changed, or the one before.
func (s *Session) StepHit(forwards bool) (*past.Hit, bool) {
	h, ok := past.Nearest(s.timeline.shown.Hits, func(h *past.Hit) model.Instant { return h.At }, s.at, forwards)
	if ok {
		s.Jump(h.At)
	}
	return h, ok
}

// StepAnomaly goes to the next time at which something is out of the ordinary, or the one before.
func (s *Session) StepAnomaly(forwards bool) (*review.Anomaly, bool) {
	if s.history == nil {
		return nil, false
	}
	a, ok := s.shownTimeline().Anomalies.Nearest(s.at, forwards)
	if ok {
		s.Jump(a.At)
	}
	return a, ok
}
