package infer

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer/drive"
	"kardia/model/infer/phases"
)

// lastJudged is the last pass before an instant, counted from 1, if it left no trace and the models have it
// change how a zone stands; else 0. When it came is known to a period, and so is what it saw.
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

// orUnseen is a state, with the same instant beside it if what kubelets said since the pass before the last has not
// been seen by any: which of the two it is, the Phases tell apart.
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
	// Where some was seen and some was not, it is either.
	other.Phases = slices.DeleteFunc(other.Phases, func(p phases.Phase) bool { return all(p) && !none(p) })
	s.Phases = slices.DeleteFunc(s.Phases, func(p phases.Phase) bool { return none(p) && !all(p) })
	if len(s.Phases) == 0 {
		return other, nil
	}
	s.Otherwise = other
	return s, nil
}

// judgedWithin is when the pass came that made a decision about a zone. One that left no trace is the first after what
// kubelets had said, and that may be the one before it.
func (r *run) judgedWithin(s *State, d *model.Decision) model.Interval {
	i := r.passes.Index(d.Time+1) - 1
	if i < 1 || i >= len(r.passes) || r.passes[i].Observed || r.passes[i].Begins() {
		return d.Window
	}
	first := r.passes[i-1].Earliest
	said := model.Interval{Earliest: model.FarFuture, Latest: model.FarPast}
	for _, v := range r.saidSince(s, first) {
		if v.Latest <= d.Window.Latest {
			said = model.Interval{Earliest: min(said.Earliest, v.Earliest), Latest: max(said.Latest, v.Latest)}
		}
	}
	if said.Earliest > said.Latest {
		return d.Window
	}
	longest := r.o.Params.NodeMonitorPeriod.Value + r.rhythm().Longest()
	return model.Interval{Earliest: min(max(first, said.Earliest), d.Window.Earliest), Latest: max(d.Window.Earliest, min(said.Latest.Add(longest), d.Window.Latest))}
}

// saidSince is when kubelets said that they became ready, or not ready, since an instant.
func (r *run) saidSince(s *State, since model.Instant) (list []model.Interval) {
	for i := range int32(s.Cache.Rows()) {
		row := s.Cache.Row(i)
		if row.Node == nil {
			continue
		}
		ready, h := row.Node.Ready(), r.evidence.Heard[row.Name]
		if ready == nil || ready.Status == model.StatusUnknown || !h.Status.Known() || ready.Transition.Add(time.Second) < since {
			continue
		}
		said := h.Status
		if h.Before.Known() && h.Before.Latest >= ready.Transition {
			said = h.Before // it said so twice
		}
		list = append(list, said)
	}
	return list
}
