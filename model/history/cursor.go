package history

import (
	"slices"
	"sort"

	"kardia/model"
)

// Keyframes are copies of the state from which a Cursor folds on. There are at most
// maxKeyframes, and fewer of a large state; when there would be more, every other one is dropped
// and the distance between them doubles. Of a History that has keyframes itself those are kept
// that steps back have come by.
const (
	maxKeyframes  = 64
	minKeyframes  = 4
	firstDistance = 1024 // Changes between keyframes of a short History
	// Of a History that has keyframes itself, a state is kept nearDistance Changes before a
	// position that was stepped back to, for more steps back; and maxNear such states.
	nearDistance = 4096
	maxNear      = 8
	// keyframeMemory is how many bytes keyframes may take together, by what a row and a pod
	// take in one.
	keyframeMemory = 128 << 20
	rowMemory      = 360
	podMemory      = 56
)

// Cursor stands at one instant of a History and holds the state there. The same
// instant gives the same state, whether reached by seeking or by playing.
//
// It belongs to one goroutine.
type Cursor struct {
	history   History
	keyframed Keyframed // history, if it has keyframes; else nil
	condenses bool      // history is a Condenser
	// pages are those that were read last, the newest at the end. A large one is some megabytes,
	// which nobody has to collect when its memory serves for the next.
	pages    [2]Condensed
	state    *model.Cluster
	rows     LeaseRows // of state
	position int       // Changes folded into state: those before this position
	at       model.Instant
	// torn: the state was folded across a page that is lost, and holds up to the next keyframe
	// of the History.
	torn bool

	keyframes []keyframe
	distance  int
}

type keyframe struct {
	position int
	state    *model.Cluster
	torn     bool
}

// readPage reads a page, condensed where the History can. It is good until two others were read.
func (c *Cursor) readPage(p Page) (*Condensed, error) {
	page := &c.pages[1]
	if !c.condenses {
		return page, ReadPage(c.history, p, page)
	}
	for k := range c.pages {
		if c.pages[k].Page == p {
			return &c.pages[k], nil
		}
	}
	c.pages[0], c.pages[1] = c.pages[1], c.pages[0]
	return page, ReadPage(c.history, p, page)
}

// Based is a History whose first positions were forgotten.
type Based interface{ Base() *model.Cluster }

// NewCursor stands before the first Change.
func NewCursor(h History) *Cursor {
	c := &Cursor{history: h, distance: firstDistance}
	c.keyframed, _ = h.(Keyframed)
	_, c.condenses = h.(Condenser)
	c.restart()
	return c
}

// restart goes to the state before the first readable position.
func (c *Cursor) restart() {
	first, _ := c.history.Span()
	if b, ok := c.history.(Based); ok {
		c.stand(b.Base(), first, false)
	} else {
		c.stand(model.NewCluster(), first, false)
	}
}

// stand takes another state than the one that was folded.
func (c *Cursor) stand(state *model.Cluster, position int, torn bool) {
	if c.state == nil || c.state.Names() != state.Names() {
		c.rows.Forget()
	}
	c.state, c.position, c.torn = state, position, torn
}

// History is what the Cursor moves in.
func (c *Cursor) History() History { return c.history }

// State is the state at At. It is valid until the Cursor moves, and must not be
// folded into.
func (c *Cursor) State() *model.Cluster { return c.state }

// At is the instant the Cursor stands at; unknown before the first Seek.
func (c *Cursor) At() model.Instant { return c.at }

// Position is how many Changes, counted from the start of the History, are part of the state.
func (c *Cursor) Position() int { return c.position }

// Seek moves to an instant: the state then holds every Change effective at or before it.
func (c *Cursor) Seek(t model.Instant) error {
	first, end := c.history.Span()
	if first == end {
		c.at = t
		return nil
	}
	target, err := c.positionAfter(t)
	if err != nil {
		return err
	}
	if err := c.seekPosition(target); err != nil {
		return err
	}
	c.at = t
	return nil
}

// positionAfter is the number of Changes effective at or before t.
func (c *Cursor) positionAfter(t model.Instant) (int, error) {
	page, err := c.readPage(c.history.PageBefore(t))
	if err != nil {
		return 0, err
	}
	return page.Start + page.until(t), nil
}

func (c *Cursor) seekPosition(target int) error {
	first, _ := c.history.Span()
	back := target < c.position && target > c.position-nearDistance
	if target < c.position || c.position < first {
		c.rewind(target)
	} else if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position > c.position+c.distance {
		c.rewind(target)
	}
	if err := c.leap(target); err != nil {
		return err
	}
	near := -1
	if back && c.keyframed != nil {
		near = c.near(target)
	}
	if near == c.position {
		c.keepNear() // a keyframe of the History, which takes long to read again for every step
	}
	for {
		if c.torn {
			if err := c.mend(); err != nil {
				return err
			}
		}
		if c.position >= target {
			return nil
		}
		page, err := c.readPage(c.history.PageAt(c.position))
		if err != nil {
			return err
		}
		if s, ok := c.history.(Seamed); ok && s.Anew(c.position) {
			c.stand(model.NewCluster(), c.position, false)
		}
		c.torn = c.torn || c.keyframed != nil && c.keyframed.Lost(page.Page)
		stop := min(page.End, target)
		if c.position < near {
			stop = min(stop, near)
		}
		c.rows.Fold(page, c.position-page.Start, stop-page.Start, c.state)
		c.position = stop
		if c.keyframed == nil {
			c.keep()
		} else if c.position == near {
			c.keepNear()
		}
	}
}

// near is where on the way to a position a state should be kept, for steps back from there; -1 where
// one is near already.
func (c *Cursor) near(target int) int {
	at := target - nearDistance
	if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position > at-nearDistance {
		return -1
	}
	return max(at, c.position)
}

// leap goes to the History's own keyframe before a position, where that saves much folding.
func (c *Cursor) leap(target int) error {
	if c.keyframed == nil {
		return nil
	}
	if at, ok := c.keyframed.KeyframeBefore(target); !ok || at < c.position+c.worth() {
		return nil
	}
	return c.adopt(target)
}

// worth is how many Changes are folded in the time it takes to read a keyframe.
func (c *Cursor) worth() int { return nearDistance + 2*c.state.RowCount() }

// adopt takes the state of the History's last keyframe at or before a position, unless it is
// behind.
func (c *Cursor) adopt(before int) error {
	state, at, err := c.keyframed.Keyframe(before)
	if err != nil || state == nil || at < c.position {
		return err
	}
	c.stand(state, at, false)
	return nil
}

// mend replaces a state that was folded across a lost page, where a keyframe tells the true one.
func (c *Cursor) mend() error {
	if at, ok := c.keyframed.KeyframeBefore(c.position); !ok || at != c.position {
		return nil
	}
	return c.adopt(c.position)
}

// keyframeBefore is the index of the last keyframe at or before a position, or -1.
func (c *Cursor) keyframeBefore(position int) int {
	return sort.Search(len(c.keyframes), func(i int) bool { return c.keyframes[i].position > position }) - 1
}

// rewind goes to the last keyframe at or before a position, or to the start.
func (c *Cursor) rewind(target int) {
	first, _ := c.history.Span()
	if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position >= first {
		k := c.keyframes[i]
		c.stand(k.state.CloneInto(c.state), k.position, k.torn)
		return
	}
	c.restart()
}

// keep takes a keyframe where the last one is far enough behind. A large state is copied
// less often, so that copies cost neither more time than folding nor more memory than
// the Changes; those from before what the History remembers are let go.
func (c *Cursor) keep() {
	first, _ := c.history.Span()
	forgotten := sort.Search(len(c.keyframes), func(i int) bool { return c.keyframes[i].position >= first })
	c.keyframes = slices.Delete(c.keyframes, 0, forgotten)
	last := first
	if n := len(c.keyframes); n > 0 {
		last = c.keyframes[n-1].position
	}
	if c.position < last+max(c.distance, (c.state.NodeCount()+c.state.PodCount())/4) {
		return
	}
	c.keyframes = append(c.keyframes, keyframe{c.position, c.state.Clone(), c.torn})
	if len(c.keyframes) < c.room() {
		return
	}
	kept := c.keyframes[:0]
	for i, k := range c.keyframes {
		if i%2 == 1 {
			kept = append(kept, k)
		}
	}
	clear(c.keyframes[len(kept):])
	c.keyframes = kept
	c.distance *= 2
}

// room is how many keyframes of a state like this one may be kept.
func (c *Cursor) room() int {
	return max(minKeyframes, min(maxKeyframes, keyframeMemory/(1+rowMemory*c.state.RowCount()+podMemory*c.state.Listed())))
}

// keepNear takes a keyframe, and lets the farthest one go when there are too many.
func (c *Cursor) keepNear() {
	i := c.keyframeBefore(c.position) + 1
	c.keyframes = slices.Insert(c.keyframes, i, keyframe{c.position, c.state.Clone(), c.torn})
	if n := len(c.keyframes); n > min(c.room(), maxNear) {
		far := 0
		if c.keyframes[n-1].position-c.position > c.position-c.keyframes[0].position {
			far = n - 1
		}
		c.keyframes = slices.Delete(c.keyframes, far, far+1)
	}
}

// Walk calls visit for the Changes effective in [from, to], in order, until it
// returns false. It does not move the Cursor.
func Walk(h History, from, to model.Instant, visit func(position int, ch *model.Change) bool) error {
	first, end := h.Span()
	if first == end {
		return nil
	}
	for page := h.PageBefore(from - 1); ; page = h.PageAt(page.End) {
		changes, err := h.Read(page)
		if err != nil {
			return err
		}
		for i := range changes {
			t := changes[i].Effective()
			if t > to {
				return nil
			}
			if t >= from && !visit(page.Start+i, &changes[i]) {
				return nil
			}
		}
		if page.End >= end {
			return nil
		}
	}
}
