package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"kardia/model"
)

// patience is how long a watch waits for those before it.
const patience = 2 * time.Second

// turns is the order in which the watches of a Source start. One opens the connection that the others share: eight at
// once would open eight, and drop seven. Then come the heartbeats, and the slower ones once the first screen is full.
type turns struct {
	// connected is closed when the first request was answered, or failed. beating is closed when the first lists of
	// nodes and leases are complete, or failed.
	connected, beating chan struct{}
	// answer closes connected.
	answer func()
}

func newTurns(watches []*watcher) *turns {
	t := &turns{connected: make(chan struct{}), beating: make(chan struct{})}
	t.answer = sync.OnceFunc(func() { close(t.connected) })
	var open atomic.Int32 // lists, and this function
	open.Store(1)
	begun := func() {
		if open.Add(-1) == 0 {
			close(t.beating)
		}
	}
	for _, w := range watches {
		if w.beats() {
			open.Add(1)
			w.begun = sync.OnceFunc(begun)
		}
	}
	begun()
	return t
}

func (w *watcher) beats() bool { return w.kind == model.KindNode || w.kind == model.KindNodeLease }

func (t *turns) wait(ctx context.Context, w *watcher) {
	if after := t.after(w); after != nil {
		until(ctx, patience, after)
	}
}

// after is closed when it is a watch's turn; nil for the one that starts.
func (t *turns) after(w *watcher) <-chan struct{} {
	switch {
	case w == w.source.watches[0], w.kind.Related():
		return nil
	case w.beats(), w.kind == model.KindLeaderLease:
		return t.connected
	}
	return t.beating
}

// until waits for a channel, if there is one, at most for a time.
func until(ctx context.Context, most time.Duration, after <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-time.After(most):
	case <-after:
	}
}
