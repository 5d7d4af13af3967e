package timeline

import (
	"kardia/model"
)

// Track is one node's past over a window: what its conditions said and when its
// heartbeats came.
type Track struct {
	Window     model.Interval
	Conditions []ConditionTrack
	// Renewals are the instants of lease renewals, in order: arrival where known, else
	// renewTime, or the API server's word where that contradicts renewTime.
	Renewals []model.Instant
	// Reading says that more of it is being read: the Window is then the part that is known, or
	// unknown itself.
	Reading bool
	// Flips is how often Ready changed its status within the window.
	Flips int
}

// ConditionTrack is one condition's past. Spans are in order and do not overlap; where
// there is none, nothing is known.
type ConditionTrack struct {
	Type  string
	Spans []Span
}

// Span is a time during which a condition had one status.
type Span struct {
	From, To model.Instant
	Status   model.Status
}
