package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// losing says how it is known that all that tells of leases, or of nodes, loses lines at random; "" where
// it does not.
func (r *run) losing() string {
	for _, kind := range [...]model.Kind{model.KindNodeLease, model.KindNode} {
		if why, losing := history.LosingIn(r.input.History, kind); losing {
			return why
		}
	}
	return ""
}

// keepRequests takes back of what was found in a record that loses lines all that is no request which stands
// in an audit log: what is not seen there may be what was lost, and a state that a watch shows may have
// come with a version that is not there.
func (r *run) keepRequests(found *Result) {
	watched := slices.ContainsFunc(r.input.History.Sources(), func(s history.Source) bool { return s.Losing != "" && s.Format == "watch" })
	kept := map[model.DecisionID]bool{}
	found.Unobserved, found.Decisions = nil, slices.DeleteFunc(found.Decisions, func(d model.Decision) bool {
		kept[d.ID] = d.Basis == model.Observed && !watched
		return !kept[d.ID]
	})
	for i := range found.Writes {
		if w := &found.Writes[i]; w.Decision != 0 && !kept[w.Decision] {
			w.Decision, w.Lag = 0, model.Maybe[time.Duration]{}
		}
	}
}
