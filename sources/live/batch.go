package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/sources/read/era"
)

// maxPending is how many Changes wait for a slow reader before the watches are not read any more. Then the connections
// hold back, and in the end the API server.
const maxPending = 1 << 15

// batcher collects what the watches receive, in the order of arrival, and delivers it at most every stream.Interval.
type batcher struct {
	clock *clock
	// limit is maxPending, but in tests.
	limit int

	mu      sync.Mutex
	pending []model.Change
	dirty   bool
	space   chan struct{} // closed when pending has been taken
	watches []*progress
	// contact is the state of the whole source; nil if not asked for.
	contact func() stream.Contact

	wake chan struct{}
}

type progress struct {
	stream.Status
	// name distinguishes watches of one kind in messages to the person.
	name    string
	traffic traffic
}

func newBatcher(c *clock) *batcher {
	return &batcher{clock: c, limit: maxPending, space: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// put gives Changes their arrival and adds them, all or none. It waits for a slow reader; false: the context ended.
func (b *batcher) put(ctx context.Context, changes ...model.Change) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.pending) >= b.limit {
		space := b.space
		b.mu.Unlock()
		select {
		case <-space:
		case <-ctx.Done():
		}
		b.mu.Lock()
		if ctx.Err() != nil {
			return false
		}
	}
	now := b.clock.now()
	for i := range changes {
		stamp(&changes[i], now)
	}
	b.pending = append(b.pending, changes...)
	b.setDirtyLocked()
	return true
}

// stamp gives a Change its arrival, by which it was written. A lower bound by a clock that is ahead of ours is dropped.
func stamp(ch *model.Change, now model.Instant) {
	ch.Arrival, ch.Quality = now, model.ByArrival
	era.Bound(ch)
	ch.Time.Latest = cmp.Or(ch.Time.Latest, now)
	if !ch.Time.Earliest.Known() || ch.Time.Earliest > ch.Time.Latest {
		ch.Time.Earliest = model.FarPast
	}
}

func (b *batcher) update(p *progress, change func(*stream.Status)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := p.State
	change(&p.Status)
	if p.State != before {
		p.Since = b.clock.now()
	}
	b.setDirtyLocked()
}

func (b *batcher) setDirty() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.setDirtyLocked()
}

func (b *batcher) setDirtyLocked() {
	b.dirty = true
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run delivers until the context ends, and then the rest.
func (b *batcher) run(ctx context.Context, deliver func(stream.Batch)) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-b.wake:
		}
		b.flush(deliver)
		until(ctx, stream.Interval, nil)
	}
	b.flush(deliver)
}

func (b *batcher) flush(deliver func(stream.Batch)) {
	b.mu.Lock()
	if !b.dirty {
		b.mu.Unlock()
		return
	}
	batch := stream.Batch{Changes: b.pending, Status: b.status()}
	if b.contact != nil {
		batch.Contact = b.contact()
	}
	b.pending, b.dirty = nil, false
	close(b.space)
	b.space = make(chan struct{})
	b.mu.Unlock()
	deliver(batch)
}

// status is one Status for each watched kind: the worst of its watches. The lock is held.
func (b *batcher) status() []stream.Status {
	out := make([]stream.Status, 0, len(model.Kinds))
	for _, kind := range model.AllKinds {
		s, worst := stream.Status{Kind: kind, Listed: true}, -1
		for _, p := range b.watches {
			if p.Kind != kind {
				continue
			}
			s.Loaded += p.Loaded
			s.Listed = s.Listed && (p.Listed || p.State == stream.Forbidden)
			s.Requests += p.traffic.requests.Load()
			s.Bytes += p.traffic.bytes.Load()
			s.Last = max(s.Last, p.Last)
			switch bad := badness(p.State); {
			case bad > worst:
				worst = bad
				s.State, s.Since, s.Retry, s.Why = p.State, p.Since, p.Retry, b.named(p)
			case bad == worst:
				s.Since = min(s.Since, p.Since)
				if p.Retry.Known() && (!s.Retry.Known() || p.Retry < s.Retry) {
					s.Retry = p.Retry
				}
			}
		}
		if worst >= 0 { // asked for
			out = append(out, s)
		}
	}
	return out
}

// named is why a watch fails, with its name if its kind has several.
func (b *batcher) named(p *progress) string {
	several := slices.ContainsFunc(b.watches, func(q *progress) bool { return q != p && q.Kind == p.Kind })
	if p.Why == "" || !several {
		return p.Why
	}
	return fmt.Sprintf("%s: %s", p.name, p.Why)
}

// badness orders states by how much a person needs to know about them.
func badness(s stream.State) int {
	return slices.Index([]stream.State{stream.Live, stream.Waiting, stream.Loading, stream.Forbidden, stream.Expired, stream.Disconnected}, s)
}
