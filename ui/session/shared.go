package session

import (
	"sync"

	"kardia/model"
	"kardia/model/timeline"
)

// shared is a History that several goroutines read, each through a shared of its own.
type shared struct {
	timeline.History
	mu *sync.Mutex
	// watch is asked before each page is read, and may forbid it; nil for nobody.
	watch func(timeline.Page) error
}

// allow asks whoever watches whether a page may be read.
func (h *shared) allow(p timeline.Page) error {
	if h.watch == nil {
		return nil
	}
	return h.watch(p)
}

func (h *shared) Read(p timeline.Page) ([]model.Change, error) {
	if err := h.allow(p); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.Read(p)
}

// Clocks implements timeline.Clocked.
func (h *shared) Clocks() []timeline.ClockReading {
	h.mu.Lock()
	defer h.mu.Unlock()
	return timeline.ClocksOf(h.History)
}

// Anew implements timeline.Seamed.
func (h *shared) Anew(position int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.History.(timeline.Seamed)
	return ok && s.Anew(position)
}

// based is a History that has forgotten its start.
type based interface{ Base() *model.Cluster }

type sharedBase struct{ *shared }

func (h sharedBase) Base() *model.Cluster {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.(based).Base()
}

// sharedKeyframes is a shared History that holds states.
type sharedKeyframes struct{ *shared }

func (h sharedKeyframes) KeyframeBefore(position int) (at int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.(timeline.Keyframed).KeyframeBefore(position)
}

func (h sharedKeyframes) Keyframe(before int) (*model.Cluster, int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.(timeline.Keyframed).Keyframe(before)
}

func (h sharedKeyframes) Lost(p timeline.Page) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.(timeline.Keyframed).Lost(p)
}

// ReadCondensed implements timeline.Condenser, also where the History condenses nothing.
func (h sharedKeyframes) ReadCondensed(p timeline.Page, into *timeline.Condensed) error {
	c, ok := h.History.(timeline.Condenser)
	if !ok {
		changes, err := h.Read(p)
		into.Fill(p, changes)
		return err
	}
	if err := h.allow(p); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return c.ReadCondensed(p, into)
}

// as is a shared as what its History is.
func (h *shared) as() timeline.History {
	switch h.History.(type) {
	case timeline.Keyframed:
		return sharedKeyframes{h}
	case based:
		return sharedBase{h}
	}
	return h
}
