package infer

import (
	"slices"
	"sort"

	"kardia/model"
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
