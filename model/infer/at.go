package infer

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/passes"
)

// at is the state at a time, from the last state kept before it.
func (r *run) at(t model.Instant) (*State, error) {
	d, err := r.from(t)
	if err != nil {
		return nil, err
	}
	return r.stateOf(d, t)
}

func (r *run) letGo() {
	r.checkpoints = drive.NewCheckpoints(r.input)
	if s := r.supposed; s != nil && s != r {
		s.letGo()
	}
}

// along is at for several times, in order.
func (r *run) along(instants []model.Instant, visit func(*State)) error {
	var on *drive.Driver
	for _, t := range instants {
		if i := r.checkpoints.Before(t); on == nil || i >= 0 && r.checkpoints.Position(i) > on.Position {
			var err error
			if on, err = r.from(t); err != nil {
				return err
			}
		}
		if err := on.Drive(t); err != nil {
			return err
		}
		s, err := r.stateOf(on.Clone(), t)
		if err != nil {
			return err
		}
		visit(s)
	}
	return nil
}

// from is a copy of the last kept state that includes nothing after t.
func (r *run) from(t model.Instant) (*drive.Driver, error) {
	for i := r.checkpoints.Before(t); i >= 0; i-- {
		if d, err := r.checkpoints.Take(i); d != nil || err != nil {
			return d, err
		}
	}
	return r.seek(), nil
}

func (r *run) seek() *drive.Driver {
	d := r.start()
	d.Seeking = true
	return d
}

// stateOf drives to t, and makes its State.
func (r *run) stateOf(d *drive.Driver, t model.Instant) (*State, error) {
	if err := d.Drive(t); err != nil {
		return nil, err
	}
	d.JudgeZonesBy(t)
	p := r.o.Params
	s := &State{At: t, Cache: d.Cache, Nodes: d.Nodes, Taints: d.Taints, Pods: d.Pods, Params: p, Unseen: len(r.evidence.Unseen), Doubts: d.Doubts(t)}
	s.NodesUntold = r.evidence.Counts[model.KindNode] == 0 &&
		!slices.ContainsFunc(r.input.History.Sources(), func(s history.Source) bool { return s.WritesOnly() })
	if t >= r.overdue.Since {
		s.Overdue = r.overdue
	}
	s.SupposedRestarts = r.supposedRestarts()
	s.Continued, _ = r.course().StandstillBefore(t)
	i := sort.Search(len(r.passes), func(i int) bool { return r.passes[i].At > t })
	if behind := t.Sub(r.passAt(i).At); behind >= 0 {
		i += int(behind/(p.NodeMonitorPeriod.Value+passes.Usual)) + 1
	}
	next := r.passAt(i)
	s.Clock = loop.StartingAt(t, p.NodeMonitorPeriod.Value, 5*time.Millisecond)
	s.Clock.Pass = max(next.At, t)
	s.Clock.Collect = max(d.Cycle, t)
	s.Behind, s.Unled, s.Unrenewed = r.behindAt(t), r.unledAt(t), r.unrenewedAt(t)
	r.leaveUndone(s)
	s.Supposed = r.o.Watched && !r.evidence.Leader.Renewed.Known() && r.lastWrite() < r.coverage.Earliest
	// A gap at the end of the input has not ended: the recording may be cut in it.
	if gap, ok := r.evidence.Gaps.At(model.KindNodeLease, t); ok && (t < gap.Latest || !gap.BeforeStart && gap.Latest >= r.coverage.Latest) {
		s.Unwatched = gap.Earliest
	}
	r.phasesAt(s, d.Unjudged)
	s.of, s.tokens = r, r.tokensAt(s, max(d.Unjudged, d.NotCome))
	return s, nil
}

// wentBy bounds the last removal of a node's object. One that no list showed was removed before the list, or before its
// youngest pod came: a garbage collection may have missed it. ok is false if it is unknown, or cycles left traces.
func (r *run) wentBy(node string, cache *informer.Cache, t model.Instant) (went model.Interval, ok bool) {
	if at, ok := r.evidence.LastDeleted[node]; ok {
		return model.Exactly(at), at <= t && len(r.evidence.Cycles) == 0
	}
	row := cache.Find(node)
	if row == nil || row.Node != nil || r.evidence.Listed > t {
		return went, false
	}
	went = model.Interval{Earliest: model.FarPast, Latest: r.evidence.Listed}
	for _, p := range row.Pods() {
		if p.Created > r.evidence.Listed {
			went.Latest = max(went.Latest, p.Created)
		}
	}
	return went, true
}
