package evidence

import (
	"time"

	"kardia/model"
)

// Unexplained is why no decision explains a write: a code and its values. It is comparable; zero gives no reason.
type Unexplained struct {
	Code UnexplainedCode
	// When is the window of the model's decision, or the time that may hide the cause.
	When model.Interval
	// RuledOut is why an unseen cause is ruled out; Heard is the age of the kubelet's last sign of life at the write.
	RuledOut RuledOut
	Heard    time.Duration
	// Flag is a flag given by hand, with its value.
	Flag string
}

// UnexplainedCode is why a write is not explained, or cannot be judged.
type UnexplainedCode uint8

const (
	// NotDecided: the models do not decide this write. OtherTime: they decide it within When.
	NotDecided UnexplainedCode = iota + 1
	OtherTime
	// FlagContradicted: nothing is judged under Flag.
	FlagContradicted
	// BeforeInput: the cause may lie before the input starts. NoUpperBound: the write has no latest time.
	// AfterNodes: the cause may lie after the last Node, at When. SharesUnknown: the shares of zones decide.
	// Unwatched, UnwatchedIn: the cause may lie in a time that was not watched, or in When.
	BeforeInput
	NoUpperBound
	AfterNodes
	SharesUnknown
	Unwatched
	UnwatchedIn
)

func (c UnexplainedCode) String() string {
	return [...]string{"none", "not-decided", "other-time", "flag-contradicted", "before-input", "no-upper-bound", "after-nodes", "shares-unknown", "unwatched",
		"unwatched-in"}[min(c, UnwatchedIn)]
}

// RuledOut is why no unseen cause can have led to a write.
type RuledOut uint8

const (
	// NotRuledOut: an unseen cause is possible.
	NotRuledOut RuledOut = iota
	// NeverAsked: the node had not asked for the taint. AlwaysAsked: it had asked all the time.
	NeverAsked
	AlwaysAsked
	// NeverReady: the node had not been Ready, and another had. AlwaysReady: it had been Ready.
	NeverReady
	AlwaysReady
	// NeverTainted: the node had no NoExecute taint. Tolerates: the pod tolerates its taints forever.
	NeverTainted
	Tolerates
	// HeardBefore: its kubelet had given a sign of life.
	HeardBefore
)

func (r RuledOut) String() string {
	return [...]string{"none", "never-asked", "always-asked", "never-ready", "always-ready", "never-tainted", "tolerates", "heard-before"}[min(r, HeardBefore)]
}
