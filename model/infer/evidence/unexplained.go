package evidence

import (
	"time"

	"kardia/model"
)

// Unexplained is why no decision explains a write: a code, and the values that the code names. It is comparable; the zero
// value gives no reason.
type Unexplained struct {
	Code UnexplainedCode
	// When is the window of the model's decision, or what the cause may lie in.
	When model.Interval
	// RuledOut is why a cause that was not seen is ruled out, and Heard how long before the write the kubelet had been heard.
	RuledOut RuledOut
	Heard    time.Duration
	// Flag is a flag that was given, with its value.
	Flag string
}

// UnexplainedCode is a code for why no decision explains a write, or why it cannot be judged.
type UnexplainedCode uint8

const (
	// NotDecided: no decision of the models writes this. OtherTime: they decide it within When.
	NotDecided UnexplainedCode = iota + 1
	OtherTime
	// FlagContradicted: nothing is judged under Flag.
	FlagContradicted
	// The cause may lie before the input starts; the write has no upper bound in time; the cause may lie after the last Node,
	// at When; the shares of zones decide, and are not known; the cause may lie in a time that was not watched, or in When.
	BeforeInput
	NoUpperBound
	AfterNodes
	SharesUnknown
	Unwatched
	UnwatchedIn
)

// String is the code.
func (c UnexplainedCode) String() string {
	return [...]string{"none", "not-decided", "other-time", "flag-contradicted", "before-input", "no-upper-bound", "after-nodes", "shares-unknown", "unwatched",
		"unwatched-in"}[min(c, UnwatchedIn)]
}

// RuledOut is a code for why nothing that is hidden can have led to a write.
type RuledOut uint8

const (
	// NotRuledOut: something may have.
	NotRuledOut RuledOut = iota
	// NeverAsked: nothing in the node had asked for the taint. AlwaysAsked: it had all the time.
	NeverAsked
	AlwaysAsked
	// NeverReady: the node had not been Ready, and another had. AlwaysReady: it had been.
	NeverReady
	AlwaysReady
	// NeverTainted: the node had had no NoExecute taint. Tolerates: the pod tolerates those it had forever.
	NeverTainted
	Tolerates
	// HeardBefore: its kubelet had been heard.
	HeardBefore
)

// String is the code.
func (r RuledOut) String() string {
	return [...]string{"none", "never-asked", "always-asked", "never-ready", "always-ready", "never-tainted", "tolerates", "heard-before"}[min(r, HeardBefore)]
}
