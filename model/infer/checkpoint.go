package infer

import (
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

const (
	// maxCheckpoints is how many whole states of a drive are kept, and maxCheckpointRows how many
	// rows of nodes all of them hold together, at about 500 bytes each with the versions of nodes
	// and pods that only they still hold.
	maxCheckpoints    = 96
	maxCheckpointRows = 320_000
	// minCheckpoint is how many Changes lie between two at least.
	minCheckpoint = 512
	// maxPacked is how many bytes the packed ones may take.
	maxPacked = 96 << 20
)

// checkpoints are states on the way of a drive. Where the History has keyframes they stand beside
// those, and hold only what a keyframe does not tell; elsewhere they are whole, and evenly spread over
// the Changes: the length is known, so none has to be given up later.
type checkpoints struct {
	history    history.History
	first, end int
	states     []checkpoint

	whole int // how many of the states are
	// size is what the packed ones take, of which there is one at every stride-th keyframe; met is how many
	// keyframes were met since the last. torn: a page was lost, and the keyframes know more than the models.
	size, stride, met int
	torn              bool
	newest            checkpoint // the newest packed one
}

// checkpoint is the models at a position. The cache, the node-lifecycle controller and the open
// effects of a packed one are not in the driver.
type checkpoint struct {
	*driver
	packedCache *informer.Packed
	packedNodes *nodelifecycle.Packed
	packedOpen  packedOpen
}

func newCheckpoints(in *evidence.Input) *checkpoints {
	return &checkpoints{history: in.History, first: in.First, end: in.End, stride: 1}
}

// offer keeps the state before a page that was read, if the last one lies far enough behind.
func (c *checkpoints) offer(d *driver, page *history.Condensed) {
	if c == nil {
		return
	}
	beside := c.offerPacked(d)
	c.torn = c.torn || page.Lost
	if beside {
		return
	}
	room := min(maxCheckpoints, maxCheckpointRows/max(1, d.cache.Rows()))
	apart := max(minCheckpoint, (c.end-c.first)/max(1, room))
	last := c.first
	if n := len(c.states); n > 0 {
		last = c.states[n-1].position
	}
	if d.position-last >= apart && c.whole < room {
		c.whole++
		c.states = append(c.states, checkpoint{driver: d.clone()})
	}
}

// offerPacked keeps the state beside a keyframe, if there is one at its position.
func (c *checkpoints) offerPacked(d *driver) bool {
	if d.position == c.first || c.history.StateBefore(d.position) != d.position || c.torn || !d.settled() {
		return false
	}
	if c.met++; c.met < c.stride {
		return true
	}
	observed, at, err := c.history.State(d.position)
	if err != nil || at != d.position {
		return false
	}
	cache := d.cache.Pack(observed, d.position, d.nodes.SeenChange(), c.newest.packedCache)
	if cache == nil {
		return false
	}
	e := d.shell()
	c.newest = checkpoint{&e, cache, d.nodes.Pack(d.cache, c.newest.packedNodes), d.open.pack()}
	c.states, c.met = append(c.states, c.newest), 0
	for c.size += c.newest.size(); c.size > maxPacked; {
		c.thin()
	}
	return true
}

// thin lets every other packed state go.
func (c *checkpoints) thin() {
	c.size, c.stride = 0, 2*c.stride
	odd := false
	c.states = slices.DeleteFunc(c.states, func(s checkpoint) bool {
		if s.packedCache == nil {
			return false
		}
		if odd = !odd; odd {
			c.size += s.size()
		}
		return !odd
	})
}

// size is about how many bytes a packed state takes.
func (s *checkpoint) size() int {
	const driver, countdown = 1000, 300
	return driver + s.packedCache.Size() + s.packedNodes.Size() + countdown*s.taints.Size() + s.packedOpen.size()
}

// settled says that no version which nobody has seen stands for a Change that is still to come.
func (d *driver) settled() bool {
	for i := range d.r.evidence.Steps {
		x := &d.r.evidence.Steps[i]
		if folded := i < d.step; x.Change.Op != model.OpGap && (folded && x.Position >= d.position || !folded && x.Position < 0) {
			return false
		}
	}
	return true
}

// before is the index of the last state that no Change after t is part of, which must not be driven;
// −1 if there is none.
func (c *checkpoints) before(t model.Instant) int {
	return sort.Search(len(c.states), func(i int) bool { return c.states[i].at > t }) - 1
}

// take is a state to be driven on from; nil where the keyframe that it stands beside is there no
// more.
func (c *checkpoints) take(i int) (*driver, error) {
	s := &c.states[i]
	if s.packedCache == nil {
		return s.clone(), nil
	}
	observed, at, err := c.history.State(s.position)
	if err != nil || at != s.position {
		return nil, err
	}
	d := s.shell()
	d.cache = s.packedCache.Unpack(observed)
	d.nodes = s.packedNodes.Unpack(d.cache)
	d.open = s.packedOpen.unpack()
	return &d, nil
}

// clone is an independent copy of the state, without what was decided on the way.
func (d *driver) clone() *driver {
	e := d.shell()
	e.cache, e.nodes = d.cache.Clone(), d.nodes.Clone()
	e.open = d.open.clone()
	return &e
}

// shell is a clone without cache, node-lifecycle controller and open effects.
func (d *driver) shell() driver {
	e := *d
	e.cache, e.nodes, e.open = nil, nil, openEffects{}
	e.taints, e.pods = d.taints.Clone(), d.pods.Clone()
	e.seeking, e.keep, e.decisions, e.expectations = true, nil, nil, nil
	e.leaseRows = history.LeaseRows{}
	e.armed, e.written = map[model.Key]countdown{}, nil
	return e
}
