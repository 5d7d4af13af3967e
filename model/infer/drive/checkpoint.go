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
	// MaxCheckpoints limits the whole states, MaxCheckpointRows their nodes' rows together, of about rowMemory bytes
	// each with the versions that only they still hold.
	MaxCheckpoints    = 96
	MaxCheckpointRows = 320_000
	rowMemory         = 500
	// At least minCheckpoint Changes lie between two whole states, and perNode for each node: a larger state is worth
	// more Changes to drive again. Sixteen for each of 5,000 nodes are driven in 40 ms.
	minCheckpoint, perNode = 512, 16
	// maxPacked is the limit of the packed states in bytes.
	maxPacked = 96 << 20
)

// Checkpoints are states along a drive. Beside a keyframe of the History they are packed: they hold only what the
// keyframe does not. Elsewhere they are whole, and evenly spread over the Changes, whose number is known.
type Checkpoints struct {
	history    history.History
	first, end int
	states     []checkpoint

	whole int // how many states are whole
	// size is the bytes of the packed states. There is one at every stride-th keyframe; met counts the keyframes since
	// the last. torn: a page was lost, and the keyframes know more than the models.
	size, stride, met int
	torn              bool
}

// checkpoint is the models at a position. A packed one has the cache, nodes and open effects outside of its Driver.
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

// offer keeps the state before a page if the last one is far enough behind.
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

// offerPacked keeps a packed state if the History has a keyframe at this position.
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

// Memory is what the states take.
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

// size is roughly the bytes of a packed state.
func (s *checkpoint) size() int {
	const driver, countdown = 1000, 300
	return driver + s.packedCache.Size() + s.packedNodes.Size() + countdown*s.Taints.Size() + s.packedOpen.size()
}

// settled reports whether no inferred version in the cache stands for a later Change, or the reverse.
func (d *Driver) settled() bool {
	for i := range d.plan.Evidence.Steps {
		x := &d.plan.Evidence.Steps[i]
		if folded := i < d.step; x.Change.Op != model.OpGap && (folded && x.Position >= d.Position || !folded && x.Position < 0) {
			return false
		}
	}
	return true
}

// Before is the index of the last state without a Change after t; −1 if there is none.
func (c *Checkpoints) Before(t model.Instant) int {
	return sort.Search(len(c.states), func(i int) bool { return c.states[i].At > t }) - 1
}

// Kept is the number of states, and how many of them are packed.
func (c *Checkpoints) Kept() (states, packed int) { return len(c.states), len(c.states) - c.whole }

// Position is that of a state.
func (c *Checkpoints) Position(i int) int { return c.states[i].Position }

// Take is a state to continue from; nil if the keyframe that it needs no longer exists.
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

// Clone is an independent copy of the state, without the decisions so far.
func (d *Driver) Clone() *Driver {
	e := d.shell()
	e.Cache, e.Nodes = d.Cache.Clone(), d.Nodes.Clone()
	e.open = d.open.clone()
	return &e
}

func (d *Driver) shell() Driver {
	e := *d
	e.Cache, e.Nodes, e.open = nil, nil, openEffects{}
	e.Taints, e.Pods = d.Taints.Clone(), d.Pods.Clone()
	e.Seeking, e.Keep, e.Decisions, e.expectations, e.dues = true, nil, nil, nil, nil
	e.leaseRows = history.LeaseRows{}
	e.armed, e.written, e.said, e.became = map[model.Key]countdown{}, nil, nil, nil
	return e
}
