package infer

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// choosePhase keeps, of the pass instants that the bounds allow, some that fit what was
// observed best: whether a pass came before or after a renewal or a status can be open, and
// what follows tells. Those that left a trace are moved only where nothing else helps. Bounds
// and windows stay as they are. Of a long input fewer are tried.
func (r *run) choosePhase() (found Result, err error) {
	if found, r.checkpoints, err = r.once(); err != nil {
		return found, err
	}
	least := found.findings()
	if least > 0 {
		before := r.passes
		r.passes = r.rooms()
		if err = r.better(&found, &least, before); err != nil {
			return found, err
		}
	}
	if least > 0 {
		if err = r.afterTaints(&found, &least); err != nil {
			return found, err
		}
	}
	for i, share := range [...]time.Duration{2, 0, 1, 3, 4, 0, 1, 3, 4} {
		if least == 0 || r.quick || i > 0 && (i+1)*(r.input.End-r.input.First) > maxAgain {
			break
		}
		r.input.Share(.75+.025*float64(i), .75+.025*float64(i+1))
		before := slices.Clone(r.passes)
		for k := range r.passes {
			if p := &r.passes[k]; !p.observed || i > 4 {
				p.at = p.Earliest.Add(p.Width() / 4 * share).Add(time.Duration(k) * time.Microsecond)
			}
		}
		if err = r.better(&found, &least, before); err != nil {
			return found, err
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
		for next < len(r.passes) && !r.passes[next].first {
			next++
		}
		from, to := first, next
		first = next
		if slices.ContainsFunc(r.passes[from:to], func(p pass) bool { return p.observed }) {
			continue
		}
		for tried, at := range open {
			k := slices.IndexFunc(r.passes[from:to], func(p pass) bool { return p.Contains(at) })
			if k < 0 || tried == maxTaints || *least == 0 {
				break
			}
			before := slices.Clone(r.passes)
			into := at.Sub(r.passes[from+k].Earliest)
			for i := range r.passes[from:to] {
				p := &r.passes[from+i]
				p.at = p.Earliest.Add(into)
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

// better drives the models again, and goes back to the passes before if that leaves no fewer
// findings. What the drive before found and kept is let go meanwhile, for two sets of it take
// much memory; none is left where the passes before are better.
func (r *run) better(found *Result, least *int, before []pass) error {
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
	n := len(r.Unobserved)
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			n++
		}
	}
	return n
}

// rooms are the passes, run within their bounds where what they wrote says which renewals and
// statuses they had seen. Bounds stay as they are.
func (r *run) rooms() []pass {
	out, rooms := slices.Clone(r.passes), slices.Clone(r.passes)
	for i := range r.evidence.Writes {
		w := &r.evidence.Writes[i]
		m := r.passOf(w.Time)
		if w.Across || w.Aside || m < 1 {
			continue
		}
		switch {
		case w.Kind == model.MarkUnknown && w.Beat.Known():
			r.counted(rooms, m, w)
		case w.Kind == model.UntaintNoExecute && w.Posted.Known():
			rooms[m].ran(w.Posted, true)
			rooms[m-1].ran(w.Posted, false)
		}
	}
	for first := 0; first < len(rooms); {
		next := first + 1
		for next < len(rooms) && !rooms[next].first {
			next++
		}
		r.placeIn(rooms[first:next], out[first:next])
		first = next
	}
	return out
}

// counted is what a pass that marked a node tells of those before it: the last that counted a sign
// of life is the last more than the grace period before. It saw the last renewal, alone or
// together with a new status; or the one before it saw a new status and no new renewal, after
// which the lease counts anew (N10).
func (r *run) counted(rooms []pass, marked int, w *evidence.Seen) {
	grace := r.o.Params.NodeMonitorGracePeriod.Value
	k := sort.Search(marked, func(k int) bool { return r.passes[marked].at.Sub(r.passes[k].at) <= grace }) - 1
	if k < 2 {
		return
	}
	rooms[k].ran(w.Beat, true)
	rooms[k].ran(w.Posted, true)
	switch {
	case w.Posted <= r.passes[k-2].Earliest, w.Posted > r.passes[k-1].Latest:
		rooms[k-1].ran(w.Beat, false)
	case w.Beat <= r.passes[k-1].Earliest:
		rooms[k-1].ran(w.Posted, true)
		rooms[k-2].ran(w.Posted, false)
	}
}

// ran narrows where a pass ran to after an instant or before it, if it can have been either.
func (p *pass) ran(t model.Instant, after bool) {
	if t <= p.Earliest || t > p.Latest {
		return
	}
	p.observed = true
	if after {
		p.Earliest = t
	} else {
		p.Latest = t - 1
	}
}

// placeIn puts the passes of one process into the middle of their rooms, from the first to the
// last that is known by what it did or counted; the others keep the usual distance from those.
func (r *run) placeIn(rooms, out []pass) {
	known := func(p pass) bool { return p.observed }
	from := slices.IndexFunc(rooms, known)
	if from < 0 {
		return
	}
	to := len(rooms) - 1
	for !rooms[to].observed {
		to--
	}
	// More than a period apart, for what is silent as long as n periods is marked by the nth pass.
	period := r.o.Params.NodeMonitorPeriod.Value
	propagate(rooms, period+time.Microsecond, r.evidence.Nodes)
	for i := from; i <= to; i++ {
		out[i].at = min(max(rooms[i].Interval.Middle(), out[i].Earliest), out[i].Latest)
	}
	for i := from - 1; i >= 0; i-- {
		out[i].at = out[i+1].at.Add(-period - usual)
	}
	for i := to + 1; i < len(out); i++ {
		out[i].at = min(max(out[i-1].at.Add(period+usual), out[i].Earliest), out[i].Latest)
	}
}
