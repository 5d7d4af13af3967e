package session

import (
	"slices"

	"kardia/model"
	"kardia/ui/screen"
)

// DecisionScope selects the decisions at which a search stops. nil stops at every one.
type DecisionScope func(*model.Decision) bool

// AboutNode stops at decisions about a node and the pods on it.
func AboutNode(name string) DecisionScope {
	return func(d *model.Decision) bool { return d.Node == name }
}

// AboutZone stops at decisions about a zone and its nodes and pods, and about the whole cluster.
func AboutZone(zone model.Maybe[model.ZoneKey]) DecisionScope {
	return func(d *model.Decision) bool {
		return d.Zone == zone || !d.Zone.Known && d.Node == "" && d.Pod == model.Key{}
	}
}

// ZoneChanges stops where a zone is judged again, and at the ends of master disruption.
func ZoneChanges(d *model.Decision) bool {
	switch d.Kind {
	case model.ZoneState, model.EnterMasterDisruption, model.ExitMasterDisruption:
		return true
	}
	return false
}

// Stepped is the decision stepped to; nil once another time is shown.
func (s *Session) Stepped() *model.Decision {
	if s.moving || s.stepped.decision == nil || s.stepped.at != s.at {
		return nil
	}
	return s.stepped.decision
}

// StepTo shows the time of a decision, and holds there. If its effect was seen, that is when the objects show it, so
// that text and objects agree.
func (s *Session) StepTo(d *model.Decision) { s.stepTo(d, screen.Stands(d)) }

func (s *Session) stepTo(d *model.Decision, at model.Instant) {
	s.Pause()
	s.Seek(at)
	s.stepped = stepped{d, s.at}
}

// StepDecision steps to the next decision in scope, or the one before, and holds there; several of one time one by one.
// Without a known one it returns nil, and nothing moves.
func (s *Session) StepDecision(forwards bool, in DecisionScope) *model.Decision {
	all, since, from := s.runner.shown.Decisions(), s.Reach().Earliest, model.FarPast
	i, by := s.index(all, forwards), -1
	if forwards {
		by = 1
		if s.Stepped() != nil {
			from = s.at
		}
	}
	for ; i >= 0 && i < len(all); i += by {
		if d := &all[i]; stops(in, since, d) {
			s.stepTo(d, max(screen.Stands(d), from)) // an effect that came late does not turn time back
			return d
		}
	}
	if forwards {
		s.readOn() // there may be more by now
	}
	return nil
}

// stops reports whether a decision is stepped to: those before all reachable times are only listed.
func stops(in DecisionScope, since model.Instant, d *model.Decision) bool {
	return d.Outcome != model.Declined && d.Time.Bounded() && d.Window.Latest >= since && (in == nil || in(d))
}

// Number is which decision in scope the one given is, from 1, and of how many.
func (s *Session) Number(d *model.Decision, in DecisionScope) (i, n int) {
	all := s.runner.shown.Decisions()
	since := s.Reach().Earliest
	for k := range all {
		if !stops(in, since, &all[k]) {
			continue
		}
		if n++; all[k].ID == d.ID {
			i = n
		}
	}
	return i, n
}

// index is the decision after the one stepped to, or after the time shown; else the one before.
func (s *Session) index(all []model.Decision, forwards bool) int {
	first := firstAfter(all, s.at-1)
	end := firstAfter(all, s.at)
	if d := s.Stepped(); d != nil {
		if i := slices.IndexFunc(all, func(x model.Decision) bool { return x.ID == d.ID }); i >= 0 {
			first, end = i, i+1
		}
	}
	if forwards {
		return end
	}
	return first - 1
}

func firstAfter(all []model.Decision, t model.Instant) int {
	i, _ := slices.BinarySearchFunc(all, t, func(d model.Decision, t model.Instant) int {
		if d.Time <= t {
			return -1
		}
		return 1
	})
	return i
}

// StepPass goes to the next pass of the health monitor, or the one before, as far as known, and holds there. window
// bounds when it ran. ok is false, and nothing moves, if none is known.
func (s *Session) StepPass(forwards bool) (window model.Interval, ok bool) {
	r := s.runner.shown.Result
	if r == nil {
		return window, false
	}
	at, window, ok := r.StepPass(s.at, forwards)
	return window, ok && s.land(at, nil)
}
