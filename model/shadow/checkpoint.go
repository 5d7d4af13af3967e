package shadow

import (
	"maps"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
)

const (
	// maxCheckpoints is how many states of a drive are kept, and maxCheckpointRows how many
	// rows of nodes all of them hold together, at about 320 bytes each. Pods are shared.
	maxCheckpoints    = 96
	maxCheckpointRows = 480_000
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
	e.cache, e.nodes, e.taints, e.pods = d.cache.Clone(), d.nodes.Clone(), d.taints.Clone(), d.pods.Clone()
	e.open = maps.Clone(d.open)
	e.seeking, e.keep, e.decisions, e.expectations = true, nil, nil, nil
	e.armed, e.written = map[model.Key]countdown{}, nil
	return &e
}

// beyond is how far past the end of coverage a state may lie; what is asked for later is
// answered as of then.
const beyond = time.Hour

// at drives the models up to an instant, from the last state kept before it.
func (r *run) at(t model.Instant) (*State, error) {
	if d := r.kept.before(t); d != nil {
		return r.stateOf(d, t)
	}
	return r.stateOf(r.seek(), t)
}

// seek is the models before the first Change, on their way to a state.
func (r *run) seek() *driver {
	d := r.start()
	d.seeking = true
	return d
}

// stateOf goes on to t and takes the state that is reached.
func (r *run) stateOf(d *driver, t model.Instant) (*State, error) {
	if err := d.drive(t); err != nil {
		return nil, err
	}
	if d.judging && max(d.zonesAt, d.zonesIn.Earliest) < t {
		d.judgeZones() // the pass has come so far, by the time that its decisions have
	}
	p := r.o.Params
	s := &State{At: t, Cache: d.cache, Nodes: d.nodes, Taints: d.taints, Pods: d.pods, Params: p}
	i := sort.Search(len(r.passes), func(i int) bool { return r.passes[i].at > t })
	if behind := t.Sub(r.passAt(i).at); behind >= 0 {
		i += int(behind/(p.NodeMonitorPeriod.Value+usual)) + 1
	}
	next := r.passAt(i)
	s.Clock = closedloop.StartingAt(t, p.NodeMonitorPeriod.Value, 5*time.Millisecond)
	s.Clock.Pass, s.Slack = max(next.at, t), next.Width()/2
	s.Clock.Collect = max(d.cycle, t)
	return s, nil
}

// passAt is a pass, also one after the last that was fitted: it comes at the usual distance,
// within a window that grows.
func (r *run) passAt(i int) pass {
	n := len(r.passes)
	if i < n {
		return r.passes[i]
	}
	if n == 0 { // the time cannot be judged
		return pass{Interval: model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}, at: model.FarFuture}
	}
	period, more := r.o.Params.NodeMonitorPeriod.Value, time.Duration(i-n+1)
	p := r.passes[n-1]
	p.observed, p.first, p.writes = false, false, 0
	p.at = p.at.Add(more * (period + usual))
	p.Earliest = p.Earliest.Add(more * period)
	p.Latest = max(p.at, p.Latest.Add(more*(period+idle+time.Duration(r.size)*perNode)))
	return p
}
