package report

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/ui/topics"
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
		Why: topics.Spared(s, owner, func(i model.Instant) string { return millis(Stamp(i)) }).String(), Decisions: []string{}, lost: s.Lost}
	for _, d := range [...]*model.Decision{s.Queued, s.Tainted, s.Begun, s.Untainted, s.Cancelled, s.Returned} {
		if d != nil && !slices.Contains(out.Decisions, d.ID.String()) {
			out.Decisions = append(out.Decisions, d.ID.String())
		}
	}
	return out
}
