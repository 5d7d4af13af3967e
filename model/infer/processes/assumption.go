package processes

import "kardia/model"

// Assumed is the kind of an Assumption.
type Assumed uint8

const (
	// Restarted: the process restarted, or another became the leader: its memory is lost.
	Restarted Assumed = iota
	// SetAside: a write is not what it seems, and no pass is placed by it.
	SetAside
	// Stalled: the process or its API server paused, and continued with its memory: due writes came then, all together.
	Stalled
	// Burnt: a tick read a node in an old cache, and burnt the token.
	Burnt
	// OthersWrote: a person or another controller made the writes with its By.
	OthersWrote
	// Differs: a flag differs from its stated or default value: fewer observations override it.
	Differs
	// Absent: a controller does not run, so none of its due writes comes. It changes only the forecast.
	Absent
)

// String is the word for it in an output.
func (a Assumed) String() string {
	return [...]string{"restart", "aside", "stall", "token", "other", "flag", "absence"}[min(a, Absent)]
}

// Assumption is an unrecorded fact that a drive assumes.
type Assumption struct {
	Kind Assumed
	// Who restarted or stalled; a stall is always of the ControllerManager.
	Who Set
	// At bounds the restart, for node-lifecycle that of a pass, or the burning of a token.
	At model.Interval
	// Stopped is since when the process did nothing; unknown: it worked until At.
	Stopped model.Instant
	// Write is the Number of the write that is SetAside.
	Write int
	// Node is the one whose token was Burnt.
	Node string
	// By is the Write.By of OthersWrote.
	By string
	// Flag is the name of a stated flag that Differs; "" for all that were not stated.
	Flag string

	// Within is At, after a search with all equally good times. Since is since when enough writes support it, after a
	// search: earlier forecasts do not use it.
	Within model.Interval
	Since  model.Instant
}
