package session

import (
	"context"
	"sync"
	"time"

	"kardia/internal/crash"
)

// background runs a session's source and its tasks. A task hands its findings over as functions, which the drawing
// goroutine calls in fetch; it is signalled, not too often, to do so.
type background struct {
	run   func(context.Context) // the source
	after func(time.Duration) <-chan time.Time

	ctx    context.Context // nil before the start
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	found  chan func()

	news   chan struct{} // capacity 1: something is to be fetched
	urgent chan struct{} // capacity 1: and a person waits for it
	done   chan struct{} // closed when run has returned
}

func newBackground(run func(context.Context)) *background {
	return &background{run: run, after: time.After, found: make(chan func(), 16), news: make(chan struct{}, 1), urgent: make(chan struct{}, 1), done: make(chan struct{})}
}

func (b *background) start(ctx context.Context) {
	if b.ctx != nil {
		return
	}
	b.ctx, b.cancel = context.WithCancel(ctx)
	go crash.Guarded(func() {
		defer close(b.done)
		b.run(b.ctx)
	})()
}

// do starts a task; then runs on the drawing goroutine once it has ended. stop ends the task's context, and stopped
// reports that.
func (b *background) do(task func(context.Context), then func(stopped bool)) (stop func()) {
	ctx, stop := context.WithCancel(b.ctx)
	if ctx.Err() != nil {
		return stop
	}
	b.tasks.Go(crash.Guarded(func() {
		task(ctx)
		b.hand(func() {
			stopped := ctx.Err() != nil
			stop()
			then(stopped)
		})
		b.hurry()
	}))
	return stop
}

// hand has the drawing goroutine call a function, and waits while many are to be called. Other goroutines may use it.
func (b *background) hand(f func()) {
	select {
	case b.found <- f:
	default:
		select {
		case b.found <- f:
		case <-b.ctx.Done():
		}
	}
	b.tell()
}

// fetch calls what was handed over, without being held up by a faster source.
func (b *background) fetch() {
	for range cap(b.found) {
		select {
		case f := <-b.found:
			f()
		default:
			return
		}
	}
}

// patience is how long a source may take to end: a person who leaves does not wait for one that hangs.
const patience = 2 * time.Second

func (b *background) stop() {
	if b.cancel == nil {
		return
	}
	b.cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-b.done
		b.tasks.Wait()
	}()
	select {
	case <-ended:
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

// tellEvery is how often the picture of a long recording grows while it is read.
const tellEvery = 200 * time.Millisecond
