package session

import (
	"context"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/screen"
	"kardia/ui/words"
)

const (
	// grace is how long the drawing goroutine waits for a requested time: a ready one needs no frame in between.
	grace = 30 * time.Millisecond
	// nearby is how many Changes it folds itself while the time moves: some ten milliseconds.
	nearby = 30_000
)

func (e *seekJob) halt() {
	e.stopped = true
	e.stop()
}

// readAhead reads a recording while there is no job.
func (s *Session) readAhead(ahead history.History) {
	s.do(func(ctx context.Context) {
		for more := true; more && ctx.Err() == nil; {
			s.seeker.reading.Lock()
			more = ahead.ReadAhead()
			s.seeker.reading.Unlock()
		}
	}, func(bool) {})
}

func (e *seekJob) run(ctx context.Context, tell func()) {
	e.viewpoint.reader.watch = func(p history.Page) error {
		e.reached.Store(int64(p.First))
		if now := time.Now(); now.Sub(e.lastTold) >= tellEvery {
			e.lastTold = now
			tell()
		}
		return ctx.Err()
	}
	if e.find != nil {
		e.err = e.find(e.viewpoint)
	} else {
		e.err = e.viewpoint.cursor.Seek(e.to)
	}
	e.viewpoint.reader.watch = nil
}

// submit starts a job, and waits a little for it. The newest target ends a search; a search starts at a job's target.
func (s *Session) submit(e *seekJob) {
	w := &s.seeker
	if e.find == nil {
		w.queue = w.queue[:0]
	} else {
		w.queue = slices.DeleteFunc(w.queue, func(q *seekJob) bool { return q.find != nil })
	}
	if r := w.running; r != nil && r.find != nil {
		r.halt()
	}
	w.queue = append(w.queue, e)
	s.dispatch()
	if !s.async || s.moving && e.find == nil {
		return
	}
	patience := time.NewTimer(grace)
	defer patience.Stop()
	for w.running != nil {
		select {
		case f := <-s.background.found:
			f()
		case <-patience.C:
			s.touch() // there is a sign that it is under way
			return
		}
	}
}

// dispatch starts the next job, if none is running.
func (s *Session) dispatch() {
	w := &s.seeker
	if w.running != nil || len(w.queue) == 0 {
		return
	}
	e := w.queue[0]
	w.queue = w.queue[1:]
	if w.spare == nil {
		of := s.history
		if s.live == nil {
			of = of.Fork()
		}
		w.spare = newViewpoint(of)
	}
	e.viewpoint, w.spare, w.running = w.spare, nil, e
	if e.onStart != nil {
		e.onStart()
	}
	if s.live != nil && s.async {
		e.viewpoint.reader.History = s.live.memory.Fork()
	}
	e.stop = s.do(func(ctx context.Context) {
		w.reading.Lock()
		defer w.reading.Unlock()
		e.run(ctx, s.background.tell)
	}, func(stopped bool) { s.finish(e, stopped) })
}

func (s *Session) finish(e *seekJob, stopped bool) {
	w := &s.seeker
	w.running, w.spare = nil, e.viewpoint
	if s.live != nil {
		e.viewpoint.reader.History = s.live.memory // it holds on to nothing that is forgotten
	}
	switch {
	case stopped:
	case e.find != nil:
		e.onDone(e.err)
	case e.err != nil:
		s.fail(e.err)
		s.at = s.drawn
	default:
		w.spare = s.viewpoint
		s.show(e.viewpoint, e.to)
		if len(w.queue) == 0 {
			s.at = e.to
		}
	}
	s.touch()
	if s.dispatch(); s.async && w.running == nil {
		s.runner.garbage.collect()
	}
}

func (s *Session) show(at *viewpoint, t model.Instant) {
	s.viewpoint, s.cursor, s.drawn = at, at.cursor, t
}

// fail holds the session at its time, with an error.
func (s *Session) fail(err error) {
	if s.err == nil || s.err.Error() != err.Error() {
		s.err = err
	}
	s.moving, s.rewound = false, false
	s.touch()
}

// elsewhere reports whether the time shown is not the target.
func (s *Session) elsewhere() bool { return s.at != s.drawn }

// Cancel ends the running job at the time shown; false without one.
func (s *Session) Cancel() bool {
	w := &s.seeker
	if len(w.queue) == 0 && (w.running == nil || w.running.stopped) {
		return false
	}
	if w.running != nil {
		w.running.halt()
	}
	w.queue = w.queue[:0]
	s.at = s.drawn
	s.touch()
	return true
}

// searching reports whether a search runs, or is queued.
func (s *Session) searching() bool {
	w := &s.seeker
	wanted := func(e *seekJob) bool { return e != nil && e.find != nil && !e.stopped }
	return wanted(w.running) || slices.ContainsFunc(w.queue, wanted)
}

func (s *Session) underway() screen.Underway {
	w := &s.seeker
	for _, e := range append(slices.Clone(w.queue), w.running) {
		if e != nil && e.find != nil && !e.stopped {
			return screen.Underway{What: words.Of("session.seeks."+e.what, "of", e.of).String(), At: model.Instant(e.reached.Load())}
		}
	}
	if s.elsewhere() {
		return screen.Underway{At: s.at}
	}
	return screen.Underway{}
}

// near reports whether a moving time is only a little later than the one shown.
func (s *Session) near(t model.Instant) bool {
	if !s.moving || t < s.drawn || !s.drawn.Known() {
		return false
	}
	first, end := s.history.Span()
	return first == end || s.history.PageBefore(t).Start-s.cursor.Position() <= nearby
}
