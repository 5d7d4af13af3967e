package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// losing is the proof that every source of leases, or of nodes, loses lines at random; else "".
func (r *run) losing() string {
	for _, kind := range [...]model.Kind{model.KindNodeLease, model.KindNode} {
		if why, losing := history.LosingIn(r.input.History, kind); losing {
			return why
		}
	}
	return ""
}

// keepRequests keeps only findings that are requests in an audit log, as the record loses lines. A missing effect may
// be lost, and so may the version that made a watched state.
func (r *run) keepRequests(found *Result) {
	watched := slices.ContainsFunc(r.input.History.Sources(), func(s history.Source) bool { return s.Losing != "" && s.Format == "watch" })
	kept := map[model.DecisionID]bool{}
	found.Unobserved, found.Decisions = nil, slices.DeleteFunc(found.Decisions, func(d model.Decision) bool {
		kept[d.ID] = d.Basis == model.Observed && !watched
		return !kept[d.ID]
	})
	for w := range model.Each(found.Writes) {
		if w.Decision != 0 && !kept[w.Decision] {
			w.Decision, w.Lag = 0, model.Maybe[time.Duration]{}
		}
	}
}
