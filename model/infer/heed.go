package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/testimony"
)

// heed adopts the controller's log for zone states and master disruption, which no object shows.
func (r *Result) heed(decisions []model.Decision, report *testimony.Report) []model.Decision {
	_, dated, _ := r.models().dated()
	gone := map[model.DecisionID]bool{}
	for _, c := range report.Contradicted {
		switch c.Kind {
		case model.ZoneState, model.EnterMasterDisruption, model.ExitMasterDisruption:
		default:
			continue
		}
		if s := c.Statement; len(dated) == 0 || s != nil && (s.Sampled || dated[s.Origin.Source].Writes == 0) {
			continue
		}
		r.heeded, r.heededMaster = true, r.heededMaster || c.Kind != model.ZoneState
		i := slices.IndexFunc(decisions, func(d model.Decision) bool { return d.ID == c.Decision })
		if i < 0 {
			continue
		}
		gone[c.Decision] = true // the models' decision, and the rate that followed
		if c.Statement != nil {
			told := testimony.Told(c.Statement)
			told.Time, told.Window = c.At, model.Exactly(c.At)
			told.State.From = decisions[i].State.From
			decisions[i] = told
		}
	}
	if len(gone) == 0 {
		return decisions
	}
	return slices.DeleteFunc(decisions, func(d model.Decision) bool {
		return gone[d.ID] || d.Kind == model.SetRate && slices.ContainsFunc(d.Causes, func(id model.DecisionID) bool { return gone[id] })
	})
}

// heededAt gives a State the zones of the Decisions, if the log contradicts the models.
func (r *Result) heededAt(s *State) {
	if !r.heeded || s == nil {
		return
	}
	s.heeded, s.heededMaster = map[model.ZoneKey]model.DisruptionState{}, model.Maybe[bool]{Known: r.heededMaster}
	for d := range model.Each(r.Decisions) {
		switch {
		case d.Time > s.At:
			return
		case d.Kind == model.EnterMasterDisruption, d.Kind == model.ExitMasterDisruption, d.Kind == model.ControllerStart:
			s.heededMaster = model.Some(d.Kind == model.EnterMasterDisruption)
		case d.Kind == model.ZoneState && d.Outcome == model.Did && d.Zone.Known:
			s.heeded[d.Zone.Value] = d.State.To
		}
	}
}

// heed gives a zone the state in the controller's log, and the rate for it.
func (s *State) heed(z *nodelifecycle.ZoneView) {
	is, ok := s.heeded[z.Zone]
	if by, _ := s.Nodes.MasterDisruption(); !ok || is == z.State && (!s.heededMaster.Known || by == s.heededMaster.Value) {
		return
	}
	if z.State, z.Rate = is, 0; !s.MasterDisruption() {
		z.Rate = s.Nodes.RateFor(z.Zone, is)
	}
	if z.NextToken = model.FarFuture; z.Rate > 0 {
		z.NextToken = s.At
	}
}
