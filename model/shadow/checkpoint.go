package shadow

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/podgc"
)

const (
	// maxCheckpoints is how many states of a drive are kept, and maxCheckpointRows how many
	// rows of nodes all of them hold together, at about 320 bytes each. Pods are shared.
	maxCheckpoints    = 128
	maxCheckpointRows = 640_000
	// minCheckpoint is how many Changes lie between two at least.
	minCheckpoint = 512
)

// checkpoints are states on the way of a drive, evenly spread over its Changes: the length is
// known, so none has to be given up later.
type checkpoints struct {
	first, end int
	states     []*driver
}

func newCheckpoints(first, end int) *checkpoints { return &checkpoints{first: first, end: end} }

// offer keeps a copy of the state if the last one lies far enough behind.
func (c *checkpoints) offer(d *driver) {
	if c == nil {
		return
	}
	room := min(maxCheckpoints, maxCheckpointRows/max(1, d.cache.Rows()))
	apart := max(minCheckpoint, (c.end-c.first)/max(1, room))
	last := c.first
	if n := len(c.states); n > 0 {
		last = c.states[n-1].position
	}
	if d.position-last >= apart && len(c.states) < maxCheckpoints {
		c.states = append(c.states, d.clone())
	}
}

// before is a copy of the last state that no Change after t is part of; nil if there is none.
func (c *checkpoints) before(t model.Instant) *driver {
	i := sort.Search(len(c.states), func(i int) bool { return c.states[i].at > t })
	if i == 0 {
		return nil
	}
	return c.states[i-1].clone()
}

// clone is an independent copy of the state, without what was decided on the way.
func (d *driver) clone() *driver {
	e := *d
	e.cache, e.nodes, e.taints = d.cache.Clone(), d.nodes.Clone(), d.taints.Clone()
	e.open = maps.Clone(d.open)
	e.seeking, e.keep, e.decisions, e.expectations = true, nil, nil, nil
	e.armed, e.written = map[model.Key]countdown{}, nil
	return &e
}

// at drives the models up to an instant, from the last state kept before it.
func (r *run) at(t model.Instant) (*State, error) {
	d := r.kept.before(t)
	if d == nil {
		d = r.start()
		d.seeking = true
	}
	return r.stateOf(d, t)
}

// stateOf goes on to t and takes the state that is reached.
func (r *run) stateOf(d *driver, t model.Instant) (*State, error) {
	if err := d.drive(t); err != nil {
		return nil, err
	}
	p := r.o.Params
	period := p.NodeMonitorPeriod.Value
	s := &State{At: t, Cache: d.cache, Nodes: d.nodes, Taints: d.taints, Pods: podgc.New(p), Params: p, Slack: period / 2}
	s.Clock = closedloop.StartingAt(t, period, 5*time.Millisecond)
	if i, _ := slices.BinarySearchFunc(r.passes, t, func(x pass, t model.Instant) int { return cmp.Compare(x.at, t) }); i < len(r.passes) {
		if r.passes[i].at == t && i+1 < len(r.passes) {
			i++
		}
		s.Clock.Pass, s.Slack = max(r.passes[i].at, t), r.passes[i].Width()/2
	} else if n := len(r.passes); n > 0 {
		last := r.passes[n-1]
		behind := t.Sub(last.at) / period
		s.Clock.Pass, s.Slack = last.at.Add((behind+1)*period), last.Width()/2
	}
	return s, nil
}
