package drive

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
	// MaxCheckpoints is how many whole states of a drive are kept, and MaxCheckpointRows how many
	// rows of nodes all of them hold together, at about rowMemory bytes each with the versions of nodes
	// and pods that only they still hold.
	MaxCheckpoints    = 96
	MaxCheckpointRows = 320_000
	rowMemory         = 500
	// minCheckpoint is how many Changes lie between two whole ones at least, and perNode how many for each node: a
	// state takes as many times more memory as it has nodes, and is worth the more Changes that need not be driven
	// again. Sixteen for each of 5,000 nodes are driven in 40 ms.
	minCheckpoint, perNode = 512, 16
	// maxPacked is how many bytes the packed ones may take.
	maxPacked = 96 << 20
)

// Checkpoints are states on the way of a drive. Where the History has keyframes they stand beside
// those, and hold only what a keyframe does not tell; elsewhere they are whole, and evenly spread over
// the Changes: the length is known, so none has to be given up later.
//
// Whole ones alone were measured, over two hours of 5,000 nodes with a zone of 1,000 lost: they take 155 MB
// instead of 4, and of 60 instants anywhere the slowest took 149 ms instead of 47. Over a day they lie twelve
// times as far apart.
type Checkpoints struct {
	history    history.History
	first, end int
	states     []checkpoint

	whole int // how many of the states are
	// size is what the packed ones take, of which there is one at every stride-th keyframe; met is how many
	// keyframes were met since the last. torn: a page was lost, and the keyframes know more than the models.
	size, stride, met int
	torn              bool
}

// checkpoint is the models at a position. The cache, the node-lifecycle controller and the open
// effects of a packed one are not in the driver.
type checkpoint struct {
	*Driver
	packedCache *informer.Packed
	packedNodes *nodelifecycle.Packed
	packedOpen  packedOpen
}

// NewCheckpoints keeps states of a drive over an Input.
func NewCheckpoints(in *evidence.Input) *Checkpoints {
	return &Checkpoints{history: in.History, first: in.First, end: in.End, stride: 1}
}

// offer keeps the state before a page that was read, if the last one lies far enough behind.
func (c *Checkpoints) offer(d *Driver, page *history.Condensed) {
	if c == nil {
		return
	}
	packed := c.offerPacked(d)
	c.torn = c.torn || page.Lost
	if packed {
		return
	}
	room := min(MaxCheckpoints, MaxCheckpointRows/max(1, d.Cache.Rows()))
	apart := max(minCheckpoint, perNode*d.Cache.Rows(), (c.end-c.first)/max(1, room))
	last := c.first
	if n := len(c.states); n > 0 {
		last = c.states[n-1].Position
	}
	if d.Position-last >= apart && c.whole < room {
		c.whole++
		c.states = append(c.states, checkpoint{Driver: d.Clone()})
	}
}

// offerPacked keeps what a keyframe of the History does not tell, if there is one at this position.
func (c *Checkpoints) offerPacked(d *Driver) bool {
	if d.Position == c.first || c.history.StateBefore(d.Position) != d.Position || c.torn || !d.settled() {
		return false
	}
	if c.met++; c.met < c.stride {
		return true
	}
	observed, at, err := c.history.State(d.Position)
	if err != nil || at != d.Position {
		return false
	}
	cache := d.Cache.Pack(observed, d.Nodes.SeenChange())
	if cache == nil {
		return false
	}
	e := d.shell()
	packed := checkpoint{&e, cache, d.Nodes.Pack(d.Cache), d.open.pack()}
	c.states, c.met = append(c.states, packed), 0
	for c.size += packed.size(); c.size > maxPacked; {
		c.thin()
	}
	return true
}

// Memory is what the checkpoints take.
func (c *Checkpoints) Memory() (k history.Kept) {
	if c == nil {
		return k
	}
	k = history.Kept{Bytes: c.size, Most: maxPacked}
	if c.whole > 0 {
		k.Most += MaxCheckpointRows * rowMemory
	}
	for i := range c.states {
		if c.states[i].packedCache == nil {
			k.Bytes += c.states[i].Cache.Rows() * rowMemory
		}
	}
	return k
}

// thin lets every other packed state go.
func (c *Checkpoints) thin() {
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
	return driver + s.packedCache.Size() + s.packedNodes.Size() + countdown*s.Taints.Size() + s.packedOpen.size()
}

// settled says that no version which nobody has seen stands for a Change that is still to come.
func (d *Driver) settled() bool {
	for i := range d.plan.Evidence.Steps {
		x := &d.plan.Evidence.Steps[i]
		if folded := i < d.step; x.Change.Op != model.OpGap && (folded && x.Position >= d.Position || !folded && x.Position < 0) {
			return false
		}
	}
	return true
}

// Before is the index of the last state that no Change after t is part of, which must not be driven;
// −1 if there is none.
func (c *Checkpoints) Before(t model.Instant) int {
	return sort.Search(len(c.states), func(i int) bool { return c.states[i].At > t }) - 1
}

// Kept is how many states are kept, and how many of them are packed.
func (c *Checkpoints) Kept() (states, packed int) { return len(c.states), len(c.states) - c.whole }

// Position is that of a state.
func (c *Checkpoints) Position(i int) int { return c.states[i].Position }

// Take is a state to be driven on from; nil where the keyframe that it needs is there no
// more.
func (c *Checkpoints) Take(i int) (*Driver, error) {
	s := &c.states[i]
	if s.packedCache == nil {
		return s.Clone(), nil
	}
	observed, at, err := c.history.State(s.Position)
	if err != nil || at != s.Position {
		return nil, err
	}
	d := s.shell()
	d.Cache = s.packedCache.Unpack(observed)
	d.Nodes = s.packedNodes.Unpack(d.Cache)
	d.open = s.packedOpen.unpack()
	return &d, nil
}

// Clone is an independent copy of the state, without what was decided on the way.
func (d *Driver) Clone() *Driver {
	e := d.shell()
	e.Cache, e.Nodes = d.Cache.Clone(), d.Nodes.Clone()
	e.open = d.open.clone()
	return &e
}

// shell is a clone without cache, node-lifecycle controller and open effects.
func (d *Driver) shell() Driver {
	e := *d
	e.Cache, e.Nodes, e.open = nil, nil, openEffects{}
	e.Taints, e.Pods = d.Taints.Clone(), d.Pods.Clone()
	e.Seeking, e.Keep, e.Decisions, e.expectations = true, nil, nil, nil
	e.leaseRows = history.LeaseRows{}
	e.armed, e.written, e.said, e.became = map[model.Key]countdown{}, nil, nil, nil
	return e
}
