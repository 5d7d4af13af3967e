package live

import (
	"sync"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// clock gives arrival times: a stream.Line that several goroutines read.
type clock struct {
	read func() time.Time

	mu    sync.Mutex
	start time.Time // with a monotonic reading
	line  stream.Line
	last  clockReading
}

type clockReading struct {
	line model.Instant
	// running is how long the clock has run by the monotonic one. leaps is how often it followed the wall clock ahead.
	running time.Duration
	leaps   int
}

func newClock(read func() time.Time) *clock {
	t := read()
	return &clock{read: read, start: t, line: stream.NewLine(model.At(t), 0)}
}

func (c *clock) now() model.Instant { return c.reading().line }

func (c *clock) reading() clockReading {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.read()
	running := t.Sub(c.start)
	now, leapt := c.line.Follow(model.At(t), running)
	if leapt > 0 {
		c.last.leaps++
	}
	c.last.line, c.last.running = max(c.last.line, now), max(c.last.running, running)
	return c.last
}
