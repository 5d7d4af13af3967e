package session

import (
	"sync"

	"kardia/model"
	"kardia/model/history"
)

// shared is a History that several goroutines read, each through a shared of its own.
type shared struct {
	history.History
	mu *sync.Mutex
	// watch is asked before each page is read, and may forbid it; nil for nobody.
	watch func(history.Page) error
}

// allow asks whoever watches whether a page may be read.
func (h *shared) allow(p history.Page) error {
	if h.watch == nil {
		return nil
	}
	return h.watch(p)
}

func (h *shared) Read(p history.Page) ([]model.Change, error) {
	if err := h.allow(p); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.Read(p)
}

// Clocks implements history.Clocked.
func (h *shared) Clocks() []history.ClockReading {
	h.mu.Lock()
	defer h.mu.Unlock()
	return history.ClocksOf(h.History)
}

// Anew implements history.Seamed.
func (h *shared) Anew(position int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.History.(history.Seamed)
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
	return h.History.(history.Keyframed).KeyframeBefore(position)
}

func (h sharedKeyframes) Keyframe(before int) (*model.Cluster, int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.(history.Keyframed).Keyframe(before)
}

func (h sharedKeyframes) Lost(p history.Page) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.History.(history.Keyframed).Lost(p)
}

// ReadCondensed implements history.Condenser, also where the History condenses nothing.
func (h sharedKeyframes) ReadCondensed(p history.Page, into *history.Condensed) error {
	c, ok := h.History.(history.Condenser)
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
func (h *shared) as() history.History {
	switch h.History.(type) {
	case history.Keyframed:
		return sharedKeyframes{h}
	case based:
		return sharedBase{h}
	}
	return h
}
