package session

import (
	"context"
	"time"
)

// latest keeps the last result of one kind of task. Tasks run one at a time in the background, only while needed.
type latest[T any] struct {
	cached  *T // the last result; nil before the first
	running *T // nil if none runs
	stop    func()
	cost    time.Duration // of cached
	ended   time.Time
	waits   bool // a new result may wait for the next frame
}

// since is how long ago the cached task ended.
func (l *latest[T]) since(now time.Time) time.Duration { return now.Sub(l.ended) }

// order runs a task, and keeps it with its result unless it is stopped. None may be running. A result that can wait
// draws no frame.
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
