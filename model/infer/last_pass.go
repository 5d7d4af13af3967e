package infer

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
	"kardia/model/infer/phases"
)

// lastPass is the last pass before a time, counted from 1, if it may be unfinished: it wrote shortly before. Else 0.
func (r *run) lastPass(t model.Instant) int {
	last := sort.Search(len(r.passes), func(i int) bool { return r.passes[i].Earliest > t })
	if last == 0 || !r.passes[last-1].Observed {
		return 0
	}
	wrote := r.evidence.LastWrite(func(w *evidence.Seen) bool { return w.Time.Latest >= r.passes[last-1].Earliest && byPass(w) })
	if wrote.Add(evidence.LagBound) < t {
		return 0
	}
	return last
}

// byPass reports whether only passes make such a write.
func byPass(w *evidence.Seen) bool {
	return !w.Aside && !w.Across && (w.Kind == model.MarkUnknown || w.Kind == model.MarkPodsNotReady || w.Kind == model.UntaintNoExecute)
}

// restOf is the rest of an unfinished pass, counted from 1: the pods of the nodes that it declared.
func (r *run) restOf(last int, s *State) (rest phases.Rest) {
	p := &r.passes[last-1]
	rest.Began = model.Interval{Earliest: p.Earliest, Latest: min(p.Latest, s.At)}
	for w := range model.Each(r.evidence.Writes) {
		if w.Time.Latest < p.Earliest || !byPass(w) {
			continue
		}
		rest.Written++
		if row := s.Cache.Find(w.Node); w.Kind == model.MarkUnknown && row != nil {
			for _, pod := range row.Pods() {
				if pod.Ready == model.StatusTrue {
					rest.Writes++
				}
			}
		}
	}
	return rest
}

// orGoesOn is the state if the last pass is over, with the unfinished pass as Otherwise. It is only the latter if the
// pass must have declared nodes that are not Unknown.
func (s *State) orGoesOn() *State {
	over := slices.DeleteFunc(slices.Clone(s.Phases), func(p phases.Phase) bool { return p.Writes })
	if len(s.Phases) == 0 || len(s.Otherwise.Phases) == 0 {
		s.Otherwise = nil
		return s
	}
	if len(over) == 0 {
		on := s.Otherwise
		on.Doubted = s.Doubted
		return on
	}
	s.Phases = over
	return s
}

// lastJudged is the last pass before a time, counted from 1, if it left no trace and changed a zone in the models; else
// 0. Its time, and the statuses it saw, are known to a period.
func (r *run) lastJudged(t model.Instant) int {
	last := sort.Search(len(r.passes), func(i int) bool { return r.passes[i].At > t })
	if last < 2 || r.passes[last-1].Observed || r.passes[last-1].Begins() {
		return 0
	}
	for i := len(r.found.Decisions) - 1; i >= 0 && r.found.Decisions[i].Time >= r.passes[last-1].At; i-- {
		switch d := &r.found.Decisions[i]; d.Kind {
		case model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption:
			if d.Time <= t && d.Outcome == model.Did {
				return last
			}
		}
	}
	return 0
}

// orUnseen is a state, with Otherwise if no pass has seen the statuses since the last pass but one. The Phases decide.
func (r *run) orUnseen(s *State, last int) (*State, error) {
	said := r.saidSince(s, r.passes[last-2].Earliest)
	all := func(p phases.Phase) bool { // seen
		return !slices.ContainsFunc(said, func(v model.Interval) bool { return s.passes.SeenBy(&p, v)[1] < 1 })
	}
	none := func(p phases.Phase) bool {
		return !slices.ContainsFunc(said, func(v model.Interval) bool { return s.passes.SeenBy(&p, v)[0] > 0 })
	}
	if len(said) == 0 || !slices.ContainsFunc(s.Phases, none) {
		return s, nil
	}
	other, err := r.otherwise(s.At, r.passes[last-1].At-1, func(d *drive.Driver) { d.NotCome = last })
	if err != nil {
		return nil, err
	}
	other.Doubted = s.Doubted
	// If some statuses were seen, both are possible.
	other.Phases = slices.DeleteFunc(other.Phases, func(p phases.Phase) bool { return all(p) && !none(p) })
	s.Phases = slices.DeleteFunc(s.Phases, func(p phases.Phase) bool { return none(p) && !all(p) })
	if len(s.Phases) == 0 {
		return other, nil
	}
	s.Otherwise = other
	return s, nil
}

// judgedWithin bounds the pass of a decision about a zone. A pass without a trace is the first after the statuses of
// kubelets, which may be the one before.
func (r *run) judgedWithin(s *State, d *model.Decision) model.Interval {
	i := r.passes.Index(d.Time+1) - 1
	if i < 1 || i >= len(r.passes) || r.passes[i].Observed || r.passes[i].Begins() {
		return d.Window
	}
	first := r.passes[i-1].Earliest
	var said model.Interval
	for _, v := range r.saidSince(s, first) {
		if v.Latest <= d.Window.Latest {
			said = said.Spanning(v)
		}
	}
	if !said.Known() {
		return d.Window
	}
	longest := r.o.Params.NodeMonitorPeriod.Value + r.rhythm().Longest()
	return model.Interval{Earliest: min(max(first, said.Earliest), d.Window.Earliest), Latest: max(d.Window.Earliest, min(said.Latest.Add(longest), d.Window.Latest))}
}

// saidSince is when kubelets posted that they became ready, or not ready, since a time.
func (r *run) saidSince(s *State, since model.Instant) (list []model.Interval) {
	for row := range s.Cache.Nodes() {
		ready, h := row.Node.Ready(), r.evidence.Heard[row.Name]
		if ready == nil || ready.Status == model.StatusUnknown || !h.Status.Known() || ready.Transition.Add(time.Second) < since {
			continue
		}
		said := h.Status
		if h.Before.Known() && h.Before.Latest >= ready.Transition {
			said = h.Before // posted twice
		}
		list = append(list, said)
	}
	return list
}
