package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/passes"
)

// choosePhase keeps, of the pass instants that the bounds allow, some that fit what was
// observed best: whether a pass came before or after a renewal or a status can be open, and
// what follows tells. Those that left a trace are moved only where nothing else helps. Bounds
// and windows stay as they are. Of a long input fewer are tried.
func (r *run) choosePhase() (found Result, err error) {
	before := slices.Clone(r.passes)
	if found, err = r.tryPhases(); err != nil || !r.overdue.Known() || r.left.Known() || slices.Equal(before, r.passes) {
		return found, err
	}
	// What was overdue by the passes as they were need not be by these: a pass just later has seen one node more silent, and
	// decided otherwise. Where whoever led is gone, there are no later passes.
	r.overdue = Overdue{}
	found, r.checkpoints, err = r.once()
	return found, err
}

// tryPhases is choosePhase, with what is overdue by the passes that are tried first.
func (r *run) tryPhases() (found Result, err error) {
	if found, r.checkpoints, err = r.once(); err != nil {
		return found, err
	}
	least := found.findings()
	if found.Undone() {
		return found, nil
	}
	if least > 0 {
		before := r.passes
		r.passes = r.passes.Placed(r.evidence.Writes, func(t model.Instant) time.Duration {
			p := r.flagsAt(t)
			return p.NodeMonitorGracePeriod.Value
		}, r.rhythmAt)
		if err = r.better(&found, &least, before); err != nil {
			return found, err
		}
	}
	if least > 0 {
		if err = r.afterTaints(&found, &least); err != nil {
			return found, err
		}
	}
	tried := &r.o.Tried
	quick := r.quick || tried.found() && !r.fixed // the times that were found then come next
	for i, n := range tried.phases() {
		if least == 0 || quick || tried.enough(least) && (i > 0 || tried.phase == 0) || i > 0 && (i+1)*r.cost > maxAgain {
			break
		}
		r.input.Share(.75+.025*float64(i), .75+.025*float64(i+1))
		before, left := slices.Clone(r.passes), least
		for k := range r.passes {
			if p := &r.passes[k]; !p.Observed || n > 4 {
				p.At = p.Earliest.Add(p.Width() / 4 * shares[n]).Add(time.Duration(k) * time.Microsecond)
			}
		}
		if err = r.better(&found, &least, before); err != nil {
			return found, err
		}
		if least < left {
			r.tries.phase = n + 1
		}
	}
	if r.checkpoints == nil {
		found, r.checkpoints, err = r.once()
	}
	return found, err
}

// afterTaints lets, where no pass of a process has left a trace of its own, one come just before a taint
// that nothing explains: a queue is served by the tick after the pass, if there is a token.
func (r *run) afterTaints(found *Result, least *int) error {
	var open []model.Instant
	for i := range r.evidence.Writes {
		if w := &r.evidence.Writes[i]; w.Kind == model.TaintNoExecute && w.Decision == 0 && w.Exact {
			open = append(open, w.Time.Earliest.Add(-justBefore))
		}
	}
	for first := 0; first < len(r.passes) && len(open) > 0; {
		next := first + 1
		for next < len(r.passes) && !r.passes[next].First {
			next++
		}
		from, to := first, next
		first = next
		if slices.ContainsFunc(r.passes[from:to], func(p passes.Pass) bool { return p.Observed }) {
			continue
		}
		for tried, at := range open {
			k := slices.IndexFunc(r.passes[from:to], func(p passes.Pass) bool { return p.Contains(at) })
			if k < 0 || tried == maxTaints || *least == 0 {
				break
			}
			before := slices.Clone(r.passes)
			into := at.Sub(r.passes[from+k].Earliest)
			for i := range r.passes[from:to] {
				p := &r.passes[from+i]
				p.At = p.Earliest.Add(into)
			}
			if err := r.better(found, least, before); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	// justBefore is how long before the tick that tainted a node a pass is let come.
	justBefore = 60 * time.Millisecond
	// maxTaints is before how many of them that is tried.
	maxTaints = 3
)

// shares are how many fourths into its window each pass is tried; the first five where a pass left no trace, then
// wherever it did.
var shares = [...]time.Duration{2, 0, 1, 3, 4, 0, 1, 3, 4}

// better drives the models again, and goes back to the passes before if that leaves no fewer
// findings. What the drive before found and kept is let go meanwhile, for two sets of it take
// much memory; none is left where the passes before are better.
func (r *run) better(found *Result, least *int, before passes.List) error {
	*found, r.checkpoints = Result{}, nil
	other, kept, err := r.once()
	if err != nil {
		return err
	}
	n := other.findings()
	if n >= *least {
		r.passes = before
		return nil
	}
	*found, r.checkpoints, *least = other, kept, n
	return nil
}

// findings counts what does not agree.
func (r *Result) findings() int {
	n := len(r.Unobserved) + len(r.denied)
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			n++
		}
	}
	return n
}
