package contract

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/ui/topics"
)

// Spared is why a pod was not deleted when its node failed.
type Spared struct {
	// Lost is the decision with which the outage started, at LostAt; Until is its end.
	Lost   string `json:"outage"`
	LostAt Stamp  `json:"outageAt"`
	Until  Stamp  `json:"until"`
	// By is a code of why.SparedBy.
	By string `json:"by"`
	// Due is when its countdown would have ended; null if it had none.
	Due       Stamp    `json:"due"`
	Why       string   `json:"why"`
	Decisions []string `json:"decisions"`

	lost *model.Decision
}

// SparedOf reports a spared pod.
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
