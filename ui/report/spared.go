package report

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/why"
)

// Spared is why a pod was not deleted when its node was lost.
type Spared struct {
	// Lost is the decision with which the loss began, at LostAt, and Until when it was over.
	Lost   string `json:"outage"`
	LostAt Stamp  `json:"outageAt"`
	Until  Stamp  `json:"until"`
	// By is unknown, countdown-cancelled, countdown-pending, countdown-ended, tolerated-for-ever, zone-halted, no-token or not-queued.
	By string `json:"by"`
	// Due is when its countdown would have ended; null if it had none.
	Due Stamp  `json:"due"`
	Why string `json:"why"`
	// Decisions are those on which that rests.
	Decisions []string `json:"decisions"`

	lost *model.Decision
}

// SparedOf reports it.
func SparedOf(s *why.Spared, owner *model.Owner) Spared {
	out := Spared{Lost: s.Lost.ID.String(), LostAt: Stamp(s.Lost.Time), Until: Stamp(s.Until), By: s.By.String(), Due: Stamp(s.Due),
		Why: SparedWords(s, owner, func(i model.Instant) string { return millis(Stamp(i)) }), Decisions: []string{}, lost: s.Lost}
	for _, d := range [...]*model.Decision{s.Queued, s.Tainted, s.Begun, s.Untainted, s.Cancelled, s.Returned} {
		if d != nil && !slices.Contains(out.Decisions, d.ID.String()) {
			out.Decisions = append(out.Decisions, d.ID.String())
		}
	}
	return out
}

// SparedWords is why a pod was spared. owner is its owner, or nil; clock prints an instant.
func SparedWords(s *why.Spared, owner *model.Owner, clock func(model.Instant) string) string {
	switch s.By {
	case why.SparedCancelled:
		return sparedByCancelling(s, clock)
	case why.SparedPending:
		text := "its countdown, started at " + clock(s.Begun.Time) + ", had not run out by " + clock(s.Ended())
		if s.Due.Known() {
			text += ": it was due at " + clock(s.Due)
		}
		return text
	case why.SparedEnded:
		return "not known: its countdown, started at " + clock(s.Begun.Time) + ", ran out at " + clock(s.Due) + ", and no decision to delete it is known"
	case why.SparedTolerates:
		what := s.Tolerates.Key
		if what == "" {
			what = "all taints"
		}
		text := "it tolerates " + what + " forever"
		if owner != nil && owner.Kind == "DaemonSet" {
			text += ", as pods of DaemonSets do"
		}
		return text
	case why.SparedHalted, why.SparedWaiting:
		return sparedByWaiting(s, clock)
	case why.SparedUnqueued:
		if s.Returned != nil {
			return "its node was well again at " + clock(s.Returned.Time) + ", before a pass would have had it wait for a NoExecute taint"
		}
		return "its node had no NoExecute taint by " + clock(s.Until) + ", and did not wait for one"
	}
	return "not known"
}

func sparedByCancelling(s *why.Spared, clock func(model.Instant) string) string {
	text := "its countdown was cancelled at " + clock(s.Cancelled.Time)
	if s.Due.Known() && s.Due > s.Cancelled.Time {
		text += ", " + model.Length(s.Due.Sub(s.Cancelled.Time)) + " before its end"
	}
	text += ": " + s.Cancelled.Why
	if s.Untainted != nil && s.Cancelled.Rule == model.RuleTaintsGone && s.Untainted.Why != "" {
		text += " (" + s.Untainted.Why + ")"
	}
	return text
}

func sparedByWaiting(s *why.Spared, clock func(model.Instant) string) string {
	text := "its node waited for a NoExecute taint from " + clock(s.Waited.Earliest) + " to " + clock(s.Waited.Latest) + ", and got none"
	zone, rate := s.Queued.Zone.Value.String(), model.Number(s.Rate.Value).String()+"/s at most"
	switch {
	case !s.Rate.Known:
		return text
	case s.Halted == 0:
		return text + ": the rate of its zone " + zone + " was " + rate + ", and others got the tokens"
	case s.Halted == s.Waited.Width():
		text += ": the rate of its zone " + zone + " was 0"
	default:
		text += ": for " + model.Length(s.Halted) + " of that the rate of its zone " + zone + " was 0 (else " + rate + ")"
	}
	if s.Master {
		return text + ", in master disruption, when no zone has a Ready node"
	}
	return text + ", in " + s.State.String()
}
