package session

import (
	"context"
	"sync"
	"time"

	"kardia/internal/crash"
	"kardia/model/history"
)

// background runs one function on its own goroutine, and signals the drawing goroutine, not too often, to fetch.
type background struct {
	run   func(context.Context)
	after func(time.Duration) <-chan time.Time

	news   chan struct{} // capacity 1: something is to be fetched
	urgent chan struct{} // capacity 1: and a person waits for it
	done   chan struct{} // closed when run has returned
	once   sync.Once
	cancel context.CancelFunc
}

func newBackground(run func(context.Context)) *background {
	return &background{run: run, after: time.After, news: make(chan struct{}, 1), urgent: make(chan struct{}, 1), done: make(chan struct{})}
}

func (b *background) start(ctx context.Context) {
	b.once.Do(func() {
		ctx, b.cancel = context.WithCancel(ctx)
		go crash.Guarded(func() {
			defer close(b.done)
			b.run(ctx)
		})()
	})
}

// patience is how long a source may take to end: a person who leaves does not wait for one that hangs.
const patience = 2 * time.Second

func (b *background) stop() {
	if b.cancel == nil {
		return
	}
	b.cancel()
	select {
	case <-b.done:
	case <-time.After(patience):
	}
}

// tell notes that there is something to fetch. It never blocks.
func (b *background) tell() {
	select {
	case b.news <- struct{}{}:
	default:
	}
}

// hurry notes that a person waits for it.
func (b *background) hurry() {
	select {
	case b.urgent <- struct{}{}:
	default:
	}
}

// wait returns true when there is something to fetch, but not before the interval is over unless a person waits. It is
// false when run has returned and everything was fetched.
func (b *background) wait(interval time.Duration) bool {
	select {
	case <-b.after(interval):
	case <-b.urgent:
		return true
	case <-b.done:
	}
	select {
	case <-b.news:
		return true
	case <-b.urgent:
		return true
	case <-b.done:
	}
	select {
	case <-b.news:
		return true
	default:
		return false
	}
}

// work runs all background work until the context ends: the models, reading the whole time, and seeking. Seeking reads
// ahead in ahead; nil for nothing.
func (s *Session) work(ctx context.Context, ahead history.History) {
	if s.runner.judging != InBackground {
		return
	}
	var others sync.WaitGroup
	others.Go(crash.Guarded(func() { s.timeline.work(ctx) }))
	others.Go(crash.Guarded(func() { s.seeker.work(ctx, s.background, ahead) }))
	others.Go(crash.Guarded(func() { s.tracks.work(ctx, s.background) }))
	others.Go(crash.Guarded(func() { s.margins.work(ctx, s.background) }))
	others.Go(crash.Guarded(func() { s.supposed.work(ctx, s.background) }))
	others.Go(crash.Guarded(func() { s.branches.work(ctx) }))
	s.runner.work(ctx)
	others.Wait()
}
