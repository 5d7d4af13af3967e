package history

import (
	"slices"
	"sort"

	"kardia/model"
)

// Bounds of keyframes: copies of the state from which a Cursor folds on. When there would be too many, every other one
// is dropped and the distance between them doubles. If the History has keyframes, only those near steps back stay.
const (
	maxKeyframes  = 64
	minKeyframes  = 4
	firstDistance = 1024 // Changes between keyframes of a short History
	// nearDistance is how many Changes before the target of a step back a state is kept, for more steps back.
	nearDistance = 4096
	maxNear      = 8
	// ownNear is how many Changes may be folded from the History's own keyframe: a tenth of a second.
	ownNear = 1 << 18
	// keyframeMemory is how many bytes keyframes may take together, rowMemory and podMemory what a row and a pod take.
	keyframeMemory = 32 << 20
	rowMemory      = 360
	podMemory      = 56
)

// Cursor is at one time of a History and holds the state there. The same time gives the same state, whether by seeking
// or by playing. It belongs to one goroutine.
type Cursor struct {
	history History
	// pages are those read last, the newest at the end. A large one takes megabytes, so its memory is reused.
	pages    [2]Condensed
	state    *model.Cluster
	rows     LeaseRows // of state
	position int       // Changes folded into state: those before this position
	// torn: the state was folded across a lost page, and holds up to the next state of the History.
	torn bool

	keyframes []keyframe
	distance  int
}

type keyframe struct {
	position int
	state    *model.Cluster
	torn     bool
	near     bool // kept for steps back
}

// readPage reads a page, valid until two others were read.
func (c *Cursor) readPage(p Page) (*Condensed, error) {
	for k := range c.pages {
		if c.pages[k].Page == p && p.End > p.Start {
			return &c.pages[k], nil
		}
	}
	c.pages[0], c.pages[1] = c.pages[1], c.pages[0]
	page := &c.pages[1]
	if err := c.history.Read(p, page); err != nil {
		page.Page = Page{}
		return nil, err
	}
	return page, nil
}

// NewCursor is before the first Change.
func NewCursor(h History) *Cursor {
	c := &Cursor{history: h, distance: firstDistance}
	if c.restart() != nil {
		c.stand(model.NewCluster(), -1, false) // Seek retries, and returns the error
	}
	return c
}

func (c *Cursor) restart() error {
	first, _ := c.history.Span()
	state, at, err := c.history.State(first)
	if err == nil {
		c.stand(state, at, false)
	}
	return err
}

// stand replaces the state.
func (c *Cursor) stand(state *model.Cluster, position int, torn bool) {
	if c.state == nil || c.state.Names() != state.Names() {
		c.rows = LeaseRows{} // another state has other rows
	}
	c.state, c.position, c.torn = state, position, torn
}

// StateAt is the state of a History at a time.
func StateAt(h History, at model.Instant) (*model.Cluster, error) {
	c := NewCursor(h)
	err := c.Seek(at)
	return c.state, err
}

func (c *Cursor) History() History { return c.history }

// State is the state at the time of the last Seek. It is valid until the Cursor moves, and must not be folded into.
func (c *Cursor) State() *model.Cluster { return c.state }

// Position counts the Changes that are part of the state, from the start of the History.
func (c *Cursor) Position() int { return c.position }

// Torn reports whether the state was folded across a lost page, whose writes are unknown.
func (c *Cursor) Torn() bool { return c.torn }

// Seek moves to a time: the state then holds every Change effective by then. Before the coverage it is the state before
// the first Change, since the initial lists show only a part until they end.
func (c *Cursor) Seek(t model.Instant) error {
	first, end := c.history.Span()
	if first == end {
		return nil
	}
	target := first
	if covered := c.history.Coverage(); !covered.Known() || !covered.Bounded() || t >= covered.Earliest {
		var err error
		if target, err = c.positionAfter(t); err != nil {
			return err
		}
	}
	return c.seekPosition(target)
}

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
	if i := c.keyframeBefore(target); target < c.position || c.position < first || i >= 0 && c.keyframes[i].position > c.position+c.distance {
		if err := c.rewind(target); err != nil {
			return err
		}
	}
	if c.history.StateBefore(target) >= c.position+nearDistance+2*c.state.RowCount() { // it saves much folding
		if err := c.adopt(target); err != nil {
			return err
		}
	}
	near := -1
	if back {
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
		if page.StartsFresh && c.position == page.Start {
			c.stand(model.NewCluster(), c.position, false)
		}
		c.torn = c.torn || page.Lost
		stop := min(page.End, target)
		if c.position < near {
			stop = min(stop, near)
		}
		c.rows.Fold(page, c.position-page.Start, stop-page.Start, c.state)
		c.position = stop
		if c.position == near {
			c.keepNear()
		} else {
			c.keep()
		}
	}
}

// near is where a state should be kept for steps back from a position; -1 if there is one.
func (c *Cursor) near(target int) int {
	at := target - nearDistance
	if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position > at-nearDistance {
		return -1
	}
	return max(at, c.position)
}

// adopt takes the History's last state at or before a position, unless it is behind.
func (c *Cursor) adopt(before int) error {
	state, at, err := c.history.State(before)
	if err != nil || at < c.position {
		return err
	}
	c.stand(state, at, false)
	return nil
}

// mend replaces a torn state by the History's, if it has one here.
func (c *Cursor) mend() error {
	if c.history.StateBefore(c.position) != c.position {
		return nil
	}
	return c.adopt(c.position)
}

// keyframeBefore is the index of the last keyframe at or before a position, or -1.
func (c *Cursor) keyframeBefore(position int) int {
	return sort.Search(len(c.keyframes), func(i int) bool { return c.keyframes[i].position > position }) - 1
}

func (c *Cursor) rewind(target int) error {
	first, _ := c.history.Span()
	if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position >= first {
		k := c.keyframes[i]
		c.stand(k.state.CloneInto(c.state), k.position, k.torn)
		return nil
	}
	return c.restart()
}

// keep makes a keyframe if the last one is far enough behind, and drops those before the History's start. A large state
// is copied less often: copies take at most the time of folding, and half the memory of the Changes.
func (c *Cursor) keep() {
	first, _ := c.history.Span()
	forgotten := sort.Search(len(c.keyframes), func(i int) bool { return c.keyframes[i].position >= first })
	c.keyframes = slices.Delete(c.keyframes, 0, forgotten)
	last := first
	if at := c.history.StateBefore(c.position); at > first && c.position-at < ownNear {
		return
	}
	if i := c.keyframeBefore(c.position); i >= 0 {
		last = c.keyframes[i].position
	}
	if c.position < last+max(c.distance, 2*(c.state.NodeCount()+c.state.PodCount())) {
		return
	}
	if c.insert(false) < c.room() {
		return
	}
	odd := false
	c.keyframes = slices.DeleteFunc(c.keyframes, func(k keyframe) bool {
		odd = odd != !k.near
		return !k.near && odd
	})
	c.distance *= 2
}

// insert makes a keyframe, and counts those of its sort.
func (c *Cursor) insert(near bool) (n int) {
	c.keyframes = slices.Insert(c.keyframes, c.keyframeBefore(c.position)+1, keyframe{c.position, c.state.Clone(), c.torn, near})
	for i := range c.keyframes {
		if c.keyframes[i].near == near {
			n++
		}
	}
	return n
}

func (c *Cursor) room() int {
	return max(minKeyframes, min(maxKeyframes, keyframeMemory/(1+memoryOf(c.state))))
}

// keepNear makes a keyframe for steps back, and drops the farthest if there are too many.
func (c *Cursor) keepNear() {
	if c.insert(true) <= min(c.room(), maxNear) {
		return
	}
	far, most := -1, -1
	for i, k := range c.keyframes {
		if d := max(k.position-c.position, c.position-k.position); k.near && d > most {
			far, most = i, d
		}
	}
	c.keyframes = slices.Delete(c.keyframes, far, far+1)
}

// Kept is about how many bytes a store of states takes, and how many it may take. The zero value keeps none.
type Kept struct{ Bytes, Most int }

// And adds another store.
func (k Kept) And(other Kept) Kept { return Kept{k.Bytes + other.Bytes, k.Most + other.Most} }

// Kept is the memory of the Cursor's keyframes.
func (c *Cursor) Kept() Kept {
	k := Kept{Most: keyframeMemory}
	for i := range c.keyframes {
		k.Bytes += memoryOf(c.keyframes[i].state)
	}
	return k
}

func memoryOf(state *model.Cluster) int {
	return rowMemory*state.RowCount() + podMemory*state.Listed()
}
