package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

const (
	// portion is how many Changes are read at a time: some milliseconds, before another order is taken.
	portion = 100_000
	// tellEvery is how often the picture of a long recording grows while it is read.
	tellEvery = 200 * time.Millisecond
)

// timelineReader reads the whole covered time: what changed when, and hits of a search. Only its worker shares it;
// unshared fields belong to the drawing goroutine.
type timelineReader struct {
	tell func()
	// own and search are a live session's, extended by the drawing goroutine.
	own    *past.Overview
	search *past.Search
	shown  screen.Timeline

	// reviewed is the input of the anomalies and states; nil before the first time.
	reviewed *reviewed

	wake  chan struct{} // capacity 1: there is an order
	mu    sync.Mutex
	order timelineOrder
	found timelineFound
}

// reviewed is the inputs of a review: the run, the number of clock steps, and whether all gaps are known.
type reviewed struct {
	result *infer.Result
	steps  int
	done   bool
}

// timelineOrder is the worker's task; only the newest of each counts.
type timelineOrder struct {
	overview history.History // to be summed up; nil for none
	search   history.History // to be searched for query; nil for none
	query    string
	stop     bool // the search was replaced
}

// timelineFound is the worker's finds since the last fetch.
type timelineFound struct {
	overview *past.Overview
	progress float64
	err      error

	query    string
	hits     []past.Hit
	more     int
	searched float64
	news     bool
}

func newTimelineReader() *timelineReader {
	return &timelineReader{tell: func() {}, wake: make(chan struct{}, 1)}
}

// request changes the worker's next order, and wakes it.
func (p *timelineReader) request(change func(*timelineOrder)) {
	p.mu.Lock()
	change(&p.order)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *timelineReader) take() timelineOrder {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.order
	p.order = timelineOrder{}
	return o
}

// reading is the worker's present task.
type reading struct {
	overview *past.Overview
	of       history.History // nil when it is read to its end
	search   *past.Search
	query    string
	in       history.History
	told     time.Time
}

// work carries out orders until the context ends: a portion at a time, the picture before the search.
func (p *timelineReader) work(ctx context.Context) {
	var r reading
	for {
		if r.of == nil && r.in == nil {
			select {
			case <-ctx.Done():
				return
			case <-p.wake:
			}
		}
		if ctx.Err() != nil {
			return
		}
		r.takeOrder(p.take())
		p.portion(&r)
	}
}

func (r *reading) takeOrder(o timelineOrder) {
	if o.overview != nil {
		r.overview, r.of = &past.Overview{}, o.overview
	}
	if o.stop {
		r.search, r.in = nil, nil
	}
	if o.search != nil {
		r.search, r.query, r.in = past.NewSearch(o.query, topics.Difference), o.query, o.search
	}
}

// portion reads a portion, and reports the finds now and then.
func (p *timelineReader) portion(r *reading) {
	var ended bool
	var overviewErr error
	if r.of != nil {
		done, err := r.overview.Extend(r.of, portion)
		overviewErr, ended = err, done || err != nil
	} else if r.in != nil {
		done, err := r.search.Extend(r.in, portion)
		ended = done || err != nil
	}
	if !ended && time.Since(r.told) < tellEvery {
		return
	}
	r.told = time.Now()
	p.mu.Lock()
	f := &p.found
	f.news = true
	if r.of != nil {
		f.overview, f.err = r.overview.Snapshot(), overviewErr
		f.progress = shareOf(r.of, r.overview.Position(), ended)
		if ended {
			r.of = nil
		}
	} else if r.in != nil {
		f.query, f.hits, f.more = r.query, r.search.Hits(), r.search.More()
		f.searched = shareOf(r.in, r.search.Position(), ended)
		if ended {
			r.in = nil
		}
	}
	p.mu.Unlock()
	p.tell()
}

func shareOf(h history.History, position int, ended bool) float64 {
	first, end := h.Span()
	if ended || end == first {
		return 1
	}
	return min(float64(position-first)/float64(end-first), 0.99)
}

// fetch takes the result, and reports whether there was one.
func (p *timelineReader) fetch() bool {
	p.mu.Lock()
	f := p.found
	p.found = timelineFound{}
	p.mu.Unlock()
	if !f.news {
		return false
	}
	if f.overview != nil {
		p.shown.Overview, p.shown.Progress = f.overview, f.progress
	}
	if f.err != nil {
		p.shown.Problem = "what changed when cannot be read: " + f.err.Error()
	}
	if f.query != "" && f.query == p.shown.Query {
		p.shown.Hits, p.shown.MoreHits, p.shown.Searched = f.hits, f.more, f.searched
	}
	return true
}

// readTimeline sums up a recording in the background, or at once for a single frame.
func (s *Session) readTimeline() {
	if s.runner.judging == InBackground {
		h := s.history.Fork()
		s.timeline.request(func(o *timelineOrder) { o.overview = h })
		return
	}
	o := &past.Overview{}
	if _, err := o.Extend(s.history, 1<<62); err != nil {
		s.timeline.shown.Problem = "what changed when cannot be read: " + err.Error()
		return
	}
	s.timeline.shown.Overview, s.timeline.shown.Progress = o, 1
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
	var r *infer.Result
	if s.runner.shown != nil {
		r = s.runner.shown.Result
	}
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
	p.shown.Query, p.shown.Hits, p.shown.MoreHits, p.shown.Searched = query, nil, 0, 0
	s.touch()
	p.search = nil
	if query == "" || s.history == nil {
		p.shown.Query = ""
		p.request(func(o *timelineOrder) { o.stop, o.search = true, nil })
		return
	}
	if s.live != nil {
		p.search = past.NewSearch(query, topics.Difference)
		s.extendSearch()
		return
	}
	h := s.history.Fork()
	if s.runner.judging == InBackground {
		p.request(func(o *timelineOrder) { o.query, o.search = query, h })
		return
	}
	search := past.NewSearch(query, topics.Difference)
	if _, err := search.Extend(h, 1<<62); err == nil {
		p.shown.Hits, p.shown.MoreHits, p.shown.Searched = search.Hits(), search.More(), 1
	}
}

// NextHit goes to the next hit of the search.
func (s *Session) NextHit() (*past.Hit, bool) {
	for i := range s.timeline.shown.Hits {
		if h := &s.timeline.shown.Hits[i]; h.At > s.at {
			s.Jump(h.At)
			return h, true
		}
	}
	return nil, false
}

// PreviousHit goes to the one before.
func (s *Session) PreviousHit() (*past.Hit, bool) {
	for i := len(s.timeline.shown.Hits) - 1; i >= 0; i-- {
		if h := &s.timeline.shown.Hits[i]; h.At < s.at {
			s.Jump(h.At)
			return h, true
		}
	}
	return nil, false
}

// NextAnomaly goes to the next anomaly.
func (s *Session) NextAnomaly() (*review.Anomaly, bool) {
	return s.toAnomaly((*review.Anomalies).Next)
}

// PreviousAnomaly goes to the one before.
func (s *Session) PreviousAnomaly() (*review.Anomaly, bool) {
	return s.toAnomaly((*review.Anomalies).Previous)
}

func (s *Session) toAnomaly(find func(*review.Anomalies, model.Instant) (*review.Anomaly, bool)) (*review.Anomaly, bool) {
	if s.history == nil {
		return nil, false
	}
	a, ok := find(&s.shownTimeline().Anomalies, s.at)
	if ok {
		s.Jump(a.At)
	}
	return a, ok
}
