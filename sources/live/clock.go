package live

import (
	"sync"
	"time"

	"kardia/model"
)

// maxLag is how far the wall clock may run ahead of ours before we follow it.
const maxLag = 250 * time.Millisecond

// clock gives arrival times that never run backwards: the wall clock at the start plus
// monotonic time since. A wall clock set back is not followed. One that leaps ahead
// is, since monotonic time stands still while a machine sleeps.
type clock struct {
	read func() time.Time

	mu    sync.Mutex
	start time.Time // with a monotonic reading
	base  model.Instant
	last  model.Instant
}

func newClock(read func() time.Time) *clock {
	t := read()
	return &clock{read: read, start: t, base: model.At(t)}
}

func (c *clock) now() model.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.read()
	now := c.base.Add(t.Sub(c.start))
	if wall := model.At(t); wall.Sub(now) > maxLag {
		c.start, c.base, now = t, wall, wall
	}
	c.last = max(c.last, now)
	return c.last
}
