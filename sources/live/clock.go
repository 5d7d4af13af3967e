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
	last  clockReading
}

// clockReading is what the clock shows.
type clockReading struct {
	line model.Instant
	// running is how long the clock has run by the monotonic one, and leaps how often it
	// followed the wall clock ahead: between two, the line went on with the former.
	running time.Duration
	leaps   int
}

func newClock(read func() time.Time) *clock {
	t := read()
	return &clock{read: read, start: t, base: model.At(t)}
}

func (c *clock) now() model.Instant { return c.reading().line }

func (c *clock) reading() clockReading {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.read()
	running := t.Sub(c.start)
	now := c.base.Add(running)
	if wall := model.At(t); wall.Sub(now) > maxLag {
		c.base, now = c.base.Add(wall.Sub(now)), wall
		c.last.leaps++
	}
	c.last.line, c.last.running = max(c.last.line, now), max(c.last.running, running)
	return c.last
}
