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

// stepped is the decision stepped to, and the time shown for it.
type stepped struct {
	decision *model.Decision
	at       model.Instant
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

// NextDecision steps to the next decision in scope, and holds there; several of one time one by one. Without a known
// one it returns nil, and nothing moves.
func (s *Session) NextDecision(in DecisionScope) *model.Decision {
	all := s.runner.shown.Decisions()
	from := s.at
	if s.Stepped() == nil {
		from = model.FarPast
	}
	since := s.Reach().Earliest
	for i := s.nextIndex(all); i < len(all); i++ {
		if d := &all[i]; stops(in, since, d) {
			s.stepTo(d, max(screen.Stands(d), from)) // an effect that came late does not turn time back
			return d
		}
	}
	s.readOn() // there may be more by now
	return nil
}

// PreviousDecision steps back.
func (s *Session) PreviousDecision(in DecisionScope) *model.Decision {
	all := s.runner.shown.Decisions()
	since := s.Reach().Earliest
	for i := s.previousIndex(all); i >= 0; i-- {
		if d := &all[i]; stops(in, since, d) {
			s.StepTo(d)
			return d
		}
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

func (s *Session) nextIndex(all []model.Decision) int {
	if i := s.steppedIndex(all); i >= 0 {
		return i + 1
	}
	return firstAfter(all, s.at)
}

func (s *Session) previousIndex(all []model.Decision) int {
	if i := s.steppedIndex(all); i >= 0 {
		return i - 1
	}
	return firstAfter(all, s.at-1) - 1
}

func (s *Session) steppedIndex(all []model.Decision) int {
	d := s.Stepped()
	if d == nil {
		return -1
	}
	return slices.IndexFunc(all, func(x model.Decision) bool { return x.ID == d.ID })
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

// NextPass goes to the next monitor pass, as well as it is known, and holds there; window bounds when it ran. Without a
// known one nothing moves.
func (s *Session) NextPass() (window model.Interval, ok bool) {
	r := s.runner.shown.Result
	if r == nil {
		return window, false
	}
	at, window, ok := r.NextPass(s.at)
	return window, ok && s.land(at, nil)
}

// PreviousPass steps back.
func (s *Session) PreviousPass() (window model.Interval, ok bool) {
	r := s.runner.shown.Result
	if r == nil {
		return window, false
	}
	at, window, ok := r.PreviousPass(s.at)
	return window, ok && s.land(at, nil)
}
