package session

import (
	"context"
	"time"
)

// latest keeps the last result of one kind of task. One at a time is worked out, and only while it is asked for: each
// reads much of the past.
type latest[T any] struct {
	cached  *T // the last that was worked out; nil before the first
	running *T // nil while none is worked out
	stop    func()
	cost    time.Duration // of cached
	ended   time.Time
	// waits reports that cached serves until the next frame.
	waits bool
}

// since is how long ago the cached task ended.
func (l *latest[T]) since(now time.Time) time.Duration { return now.Sub(l.ended) }

// order has a task worked out, and keeps it with its result unless it is stopped. None may be running. A result that can
// wait for the next frame draws none if one is due anyway.
func (l *latest[T]) order(s *Session, t *T, work func(context.Context)) {
	var cost time.Duration
	l.running = t
	l.stop = s.do(func(ctx context.Context) {
		began := time.Now()
		work(ctx)
		cost = time.Since(began)
	}, func(stopped bool) {
		l.running = nil
		if !stopped {
			l.cached, l.cost, l.ended = t, cost, s.now()
		}
		if !l.waits || !s.following() {
			s.touch()
		}
	})
}
