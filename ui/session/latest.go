package session

import (
	"context"
	"sync/atomic"
	"time"
)

// latest keeps the last result of one kind of task. Tasks run one at a time in the background, only while needed.
type latest[E any, T interface {
	*E
	task
}] struct {
	cached  T // the last that was worked out; nil before the first
	running T // nil while none is worked out
	ended   time.Time

	orders chan T // capacity 1
	back   chan T // capacity 1
}

// task is work for the background; carried out, it holds its result.
type task interface {
	carryOut(ctx context.Context)
	common() *outcome
}

// outcome is common to all tasks.
type outcome struct {
	stopped atomic.Bool // no caller needs it any more
	waits   bool        // the one before serves until the next frame
	err     error
	cost    time.Duration
}

func (o *outcome) common() *outcome { return o }

func (l *latest[E, T]) begin() { l.orders, l.back = make(chan T, 1), make(chan T, 1) }

// stop ends the running task: the next frame asks again.
func (l *latest[E, T]) stop() { l.running.common().stopped.Store(true) }

// since is how long ago the cached task ended.
func (l *latest[E, T]) since(now time.Time) time.Duration { return now.Sub(l.ended) }

// order carries a task out, in the background if possible. None may be running.
func (l *latest[E, T]) order(s *Session, t T) {
	if !s.seeker.async {
		carryOut[T](context.Background(), t)
		l.take(s, t)
		return
	}
	l.running = t
	l.orders <- t
}

// take takes a task back, and keeps its result unless it was stopped. A result that can wait draws no frame.
func (l *latest[E, T]) take(s *Session, t T) {
	l.running = nil
	if !t.common().stopped.Load() {
		l.cached, l.ended = t, s.now()
	}
	if !t.common().waits || !s.following() {
		s.touch()
	}
}

// work carries out the tasks, one after the other, and gives each back, until the context ends.
func (l *latest[E, T]) work(ctx context.Context, b *background) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-l.orders:
			carryOut[T](ctx, t)
			l.back <- t
			b.hurry()
		}
	}
}

func carryOut[T task](ctx context.Context, t T) {
	began := time.Now()
	t.carryOut(ctx)
	t.common().cost = time.Since(began)
}
