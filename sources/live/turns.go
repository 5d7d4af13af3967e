package live

import (
	"context"
	"sync"
	"time"

	"kardia/model"
)

// patience is how long a watch waits for those before it.
const patience = 2 * time.Second

// turns is the order in which the watches of a Source start. One opens the connection that the others share: eight at
// once would open eight, and drop seven. Then come the heartbeats, and the slower ones once the first screen is full.
type turns struct {
	mu sync.Mutex
	// connected is closed when the first request was answered, or failed. beating is closed when the first lists of
	// nodes and leases are complete, or failed; open counts the others.
	connected, beating chan struct{}
	open               int
	answered           bool
}

func newTurns(watches []*watcher) *turns {
	t := &turns{connected: make(chan struct{}), beating: make(chan struct{})}
	for _, w := range watches {
		if w.beats() {
			t.open++
		}
	}
	if t.open == 0 {
		close(t.beating)
	}
	return t
}

func (w *watcher) beats() bool { return w.kind == model.KindNode || w.kind == model.KindNodeLease }

func (t *turns) wait(ctx context.Context, w *watcher) {
	if after := t.after(w); after != nil {
		until(ctx, after)
	}
}

// after is closed when it is a watch's turn; nil for the one that starts.
func (t *turns) after(w *watcher) <-chan struct{} {
	switch {
	case w == w.source.watches[0]:
		return nil
	case w.beats(), w.kind == model.KindLeaderLease:
		return t.connected
	}
	return t.beating
}

// until waits for a channel to be closed, at most patience.
func until(ctx context.Context, after <-chan struct{}) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-after:
	}
}

func (t *turns) answer() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.answered {
		t.answered = true
		close(t.connected)
	}
}

// begun notes once that the first list of a watch is complete, or failed.
func (t *turns) begun(w *watcher) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !w.beats() || w.begun {
		return
	}
	w.begun = true
	if t.open--; t.open == 0 {
		close(t.beating)
	}
}
