package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/drive"
	"kardia/model/infer/passes"
)

// choosePhase picks, within the bounds of each pass, times that fit the observations best. Later writes show whether a
// pass came before or after a renewal. Passes that left a trace move only if nothing else helps. Windows stay, and a
// long input gets fewer trials.
func (r *run) choosePhase() (found Result) {
	before := slices.Clone(r.passes)
	if found = r.tryPhases(); !r.overdue.Known() || r.left.Known() || slices.Equal(before, r.passes) {
		return found
	}
	// Other times of passes may resolve what was overdue. After the last leader there are no later passes.
	r.overdue = Overdue{}
	found, r.checkpoints = r.once()
	return found
}

// tryPhases is choosePhase with the overdue decisions of the passes tried first.
func (r *run) tryPhases() (found Result) {
	found, r.checkpoints = r.once()
	least := found.Findings()
	if found.Undone() {
		return found
	}
	if least > 0 {
		grace := func(t model.Instant) time.Duration { return r.flagsAt(t).NodeMonitorGracePeriod.Value }
		r.better(&found, &least, r.passes.Placed(r.evidence.Writes, grace, r.rhythmAt))
	}
	if least > 0 {
		r.afterTaints(&found, &least)
	}
	tried := &r.o.Tried
	quick := r.quick || tried.found() && !r.fixed // the earlier times are tried next
	for i, n := range tried.phases() {
		if least == 0 || quick || tried.enough(least) && (i > 0 || tried.phase == 0) || i > 0 && (i+1)*r.cost > maxAgain {
			break
		}
		r.input.Share(.75+.025*float64(i), .75+.025*float64(i+1))
		moved, left := slices.Clone(r.passes), least
		for k := range moved {
			if p := &moved[k]; !p.Observed || n > 4 {
				p.At = p.Earliest.Add(p.Width() / 4 * shares[n]).Add(time.Duration(k) * time.Microsecond)
			}
		}
		if r.better(&found, &least, moved); least < left {
			r.tries.phase = n + 1
		}
	}
	if r.checkpoints == nil {
		found, r.checkpoints = r.once()
	}
	return found
}

// afterTaints places a pass just before an unexplained taint, if the process's passes left no trace: the next tick
// serves the queue.
func (r *run) afterTaints(found *Result, least *int) {
	var open []model.Instant
	for w := range model.Each(r.evidence.Writes) {
		if w.Kind == model.TaintNoExecute && w.Decision == 0 && w.Exact {
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
			moved := slices.Clone(r.passes)
			into := at.Sub(moved[from+k].Earliest)
			for p := range model.Each(moved[from:to]) {
				p.At = p.Earliest.Add(into)
			}
			r.better(found, least, moved)
		}
	}
}

const (
	// justBefore is how long before the tick that tainted a node the pass is placed.
	justBefore = 60 * time.Millisecond
	// maxTaints is how many taints are tried.
	maxTaints = 3
)

// better runs the models with moved passes, and restores those before if that leaves no fewer findings. The previous
// findings and states are freed first, as two sets take much memory; then none is left.
func (r *run) better(found *Result, least *int, moved passes.List) {
	before := r.passes
	*found, r.checkpoints, r.passes = Result{}, nil, moved
	other, kept := r.once()
	if n := other.Findings(); n < *least {
		*found, r.checkpoints, *least = other, kept, n
	} else {
		r.passes = before
	}
}

// once drives the models once. After an error there are no findings.
func (r *run) once() (Result, *drive.Checkpoints) {
	d := r.start()
	d.Keep = drive.NewCheckpoints(r.input)
	if r.err == nil {
		r.err = d.Drive(model.FarFuture)
	}
	if r.err != nil {
		return Result{}, nil
	}
	r.cost = max(r.input.End-r.input.First, d.Nodes.Evaluated)
	r.driven += r.cost
	d.JudgeZonesBy(r.coverage.Latest)
	res := Result{Params: r.o.Params, Fits: map[string]Fit{}, Coverage: r.coverage, Mode: r.o.Mode, Restarts: r.evidence.Restarts, run: r, logs: r.logs, recorded: r.recorded}
	r.match(d, &res)
	res.shares, res.denied = d.Shares, r.denied(&res)
	late := !r.overdue.Known() && res.Overdue.Known()
	if late {
		r.overdue = res.Overdue
	}
	if r.hold() || late {
		return r.once() // again, up to that time
	}
	res.Overdue = r.overdue
	return res, d.Keep
}
