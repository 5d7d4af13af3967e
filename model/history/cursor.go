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
	// ownNear is how many Changes a state of the History's own may lie behind: to fold as many takes a
	// tenth of a second.
	ownNear = 1 << 18
	// keyframeMemory is how many bytes keyframes may take together, by what a row and a pod
	// take in one.
	keyframeMemory = 32 << 20
	rowMemory      = 360
	podMemory      = 56
)

// Cursor stands at one instant of a History and holds the state there. The same
// instant gives the same state, whether reached by seeking or by playing.
//
// It belongs to one goroutine.
type Cursor struct {
	history History
	// pages are those that were read last, the newest at the end. A large one is some megabytes,
	// which nobody has to collect when its memory serves for the next.
	pages    [2]Condensed
	state    *model.Cluster
	rows     LeaseRows // of state
	position int       // Changes folded into state: those before this position
	at       model.Instant
	// torn: the state was folded across a page that is lost, and holds up to the next state of the
	// History.
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

// readPage reads a page. It is good until two others were read.
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

// NewCursor stands before the first Change.
func NewCursor(h History) *Cursor {
	c := &Cursor{history: h, distance: firstDistance}
	if c.restart() != nil {
		c.stand(model.NewCluster(), -1, false) // Seek tries again, and says why
	}
	return c
}

// restart goes to the state before the first readable position.
func (c *Cursor) restart() error {
	first, _ := c.history.Span()
	state, at, err := c.history.State(first)
	if err == nil {
		c.stand(state, at, false)
	}
	return err
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

// Torn says that the state was folded across a page that is lost: nobody knows what was done in it.
func (c *Cursor) Torn() bool { return c.torn }

// Seek moves to an instant: the state then holds every Change effective at or before it. Before the coverage it holds what
// stood before the first Change: the lists that come then are a part of what there was until they have come to their end.
func (c *Cursor) Seek(t model.Instant) error {
	first, end := c.history.Span()
	if first == end {
		c.at = t
		return nil
	}
	target := first
	if covered := c.history.Coverage(); !covered.Known() || !covered.Bounded() || t >= covered.Earliest {
		var err error
		if target, err = c.positionAfter(t); err != nil {
			return err
		}
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
	if i := c.keyframeBefore(target); target < c.position || c.position < first || i >= 0 && c.keyframes[i].position > c.position+c.distance {
		if err := c.rewind(target); err != nil {
			return err
		}
	}
	if err := c.leap(target); err != nil {
		return err
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

// near is where on the way to a position a state should be kept, for steps back from there; -1 where
// one is near already.
func (c *Cursor) near(target int) int {
	at := target - nearDistance
	if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position > at-nearDistance {
		return -1
	}
	return max(at, c.position)
}

// leap goes to the History's own state before a position, where that saves much folding.
func (c *Cursor) leap(target int) error {
	if c.history.StateBefore(target) < c.position+c.worth() {
		return nil
	}
	return c.adopt(target)
}

// worth is how many Changes are folded in the time it takes to read a state.
func (c *Cursor) worth() int { return nearDistance + 2*c.state.RowCount() }

// adopt takes the History's last state at or before a position, unless it is behind.
func (c *Cursor) adopt(before int) error {
	state, at, err := c.history.State(before)
	if err != nil || at < c.position {
		return err
	}
	c.stand(state, at, false)
	return nil
}

// mend replaces a state that was folded across a lost page, where the History tells the true one.
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

// rewind goes to the last keyframe at or before a position, or to the start.
func (c *Cursor) rewind(target int) error {
	first, _ := c.history.Span()
	if i := c.keyframeBefore(target); i >= 0 && c.keyframes[i].position >= first {
		k := c.keyframes[i]
		c.stand(k.state.CloneInto(c.state), k.position, k.torn)
		return nil
	}
	return c.restart()
}

// keep takes a keyframe where the last one is far enough behind. A large state is copied
// less often, so that copies cost neither more time than folding nor more than half the memory of
// the Changes; those from before what the History remembers are let go.
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

// insert takes a keyframe, and says how many there are of its sort.
func (c *Cursor) insert(near bool) (n int) {
	c.keyframes = slices.Insert(c.keyframes, c.keyframeBefore(c.position)+1, keyframe{c.position, c.state.Clone(), c.torn, near})
	for i := range c.keyframes {
		if c.keyframes[i].near == near {
			n++
		}
	}
	return n
}

// room is how many keyframes of a state like this one may be kept.
func (c *Cursor) room() int {
	return max(minKeyframes, min(maxKeyframes, keyframeMemory/(1+memoryOf(c.state))))
}

// keepNear takes a keyframe, and lets the farthest one such go when there are too many.
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

// WalkCondensed calls visit for the Changes effective in [from, to], in order, until it returns false. A Change is
// good until visit returns. By whom a lease was renewed, and where that was read, is left out: it takes less time.
func WalkCondensed(h History, from, to model.Instant, visit func(position int, ch *model.Change) bool) error {
	return walk(h, from, to, &Condensed{}, visit)
}

// WalkOthers is WalkCondensed without renewals of leases: most of the time goes into them. Some may come all the same.
func WalkOthers(h History, from, to model.Instant, visit func(position int, ch *model.Change) bool) error {
	return walk(h, from, to, &Condensed{WithoutRenewals: true}, visit)
}

// WalkFull is WalkCondensed with all that is known of each Change.
func WalkFull(h History, from, to model.Instant, visit func(position int, ch *model.Change) bool) error {
	return walk(h, from, to, &Condensed{Full: true}, visit)
}

func walk(h History, from, to model.Instant, page *Condensed, visit func(position int, ch *model.Change) bool) error {
	first, end := h.Span()
	if first == end {
		return nil
	}
	for at := h.PageBefore(max(from, model.FarPast+1) - 1); at.First <= to; at = h.PageAt(at.End) {
		if err := h.Read(at, page); err != nil {
			return err
		}
		ended := false
		page.EachChange(0, at.End-at.Start, func(slot int, ch *model.Change) bool {
			t := ch.Effective()
			ended = t > to || t >= from && !visit(at.Start+slot, ch)
			return !ended
		})
		if ended || at.End >= end {
			break
		}
	}
	return nil
}
