package infer

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/infer/passes"
)

const (
	// maxRecent is how many states that were asked for are kept besides the checkpoints: those that lie
	// farther from the last than recentApart Changes, and where the way is as long as that another
	// recentLead before them, for steps back.
	maxRecent   = 6
	recentApart = 1 << 17
	recentLead  = 20 * time.Second
)

// beyond is how far past the end of coverage a state may lie; what is asked for later is
// answered as of then.
const beyond = time.Hour

// recent is a state that was asked for, driven up to an instant.
type recent struct {
	until model.Instant
	*driver
}

// at drives the models up to an instant, from the last state kept before it.
func (r *run) at(t model.Instant) (*State, error) {
	d, err := r.from(t)
	if err != nil {
		return nil, err
	}
	if err := r.remember(d, t.Add(-recentLead)); err != nil {
		return nil, err
	}
	if err := r.remember(d, t); err != nil {
		return nil, err
	}
	return r.stateOf(d, t)
}

// from is a copy of the last state that nothing after t is part of.
func (r *run) from(t model.Instant) (*driver, error) {
	best := -1
	for k, s := range r.recent {
		if s.until <= t && (best < 0 || s.position > r.recent[best].position) {
			best = k
		}
	}
	for i := r.checkpoints.before(t); i >= 0 && (best < 0 || r.checkpoints.states[i].position > r.recent[best].position); i-- {
		if d, err := r.checkpoints.take(i); d != nil || err != nil {
			return d, err
		}
	}
	if best < 0 {
		return r.seek(), nil
	}
	s := r.recent[best]
	r.recent = append(slices.Delete(r.recent, best, best+1), s) // the one used last stands last
	return s.clone(), nil
}

// remember drives up to an instant, and keeps a copy if that is far.
func (r *run) remember(d *driver, until model.Instant) error {
	from := d.position
	if d.at >= until {
		return nil
	}
	if err := d.drive(until); err != nil || d.position-from < r.apart || d.beyond {
		return err
	}
	r.recent = append(r.recent, recent{until, d.clone()})
	if len(r.recent) > maxRecent {
		r.recent = slices.Delete(r.recent, 0, 1)
	}
	return nil
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
	s := &State{At: t, Cache: d.cache, Nodes: d.nodes, Taints: d.taints, Pods: d.pods, Params: p, Unseen: len(r.evidence.Unseen)}
	if t >= r.overdue.Since {
		s.Overdue = r.overdue
	}
	for _, a := range r.assumed {
		s.SupposedRestarts = append(s.SupposedRestarts, a.At)
	}
	i := sort.Search(len(r.passes), func(i int) bool { return r.passes[i].At > t })
	if behind := t.Sub(r.passAt(i).At); behind >= 0 {
		i += int(behind/(p.NodeMonitorPeriod.Value+passes.Usual)) + 1
	}
	next := r.passAt(i)
	s.Clock = loop.StartingAt(t, p.NodeMonitorPeriod.Value, 5*time.Millisecond)
	s.Clock.Pass = max(next.At, t)
	s.Clock.Collect = max(d.cycle, t)
	s.Behind = r.behindAt(t)
	r.phasesAt(s)
	s.decided, s.evicting, s.tokens = r.windowsOf, r.evictingOf, r.tokensAt(s)
	s.outlived = func(kind model.Kind, key model.Key) (model.Interval, bool) { return r.evidence.Outlived(kind, key, t) }
	return s, nil
}
