package actors

import (
	"time"

	"kardia/model"
)

// Who, Deed, Assumption, HaltedBy and Traced are codes: ui/words has what each says.
type (
	// Who is an actor.
	Who string
	// Deed is what an actor does.
	Deed string
	// Assumption is what traces leave open; "" for nothing.
	Assumption string
	// HaltedBy is the reason of a Halt.
	HaltedBy string
	// Traced is the kind of a Trace.
	Traced string
)

const (
	// Alert pages a person, and touches no node.
	Alert Who = "alert"
	// HaltedByRefusal: the API server, or a webhook or budget that it asked, refused to evict pods.
	HaltedByRefusal HaltedBy = "refusal"
)

// Halt is what keeps an actor from acting, or kept it if that is over.
type Halt struct {
	Why HaltedBy
	// Text is what another program says: a message, a state, a phase with its reason.
	Text string
	// For is how long ago the autoscaler wrote its status.
	For time.Duration
	// Answer is what refused to evict so many Pods, At when last. Of a PodDisruptionBudget it has the name with its
	// namespace; Code and Words are there only if they say more than who refused.
	Answer model.Refusal
	Pods   int
	At     model.Instant
}

// Trace is what shows an actor.
type Trace struct {
	Of Traced
	// Name is of an object, or KEY=VALUE of a taint or label, or a condition as kubectl describe has it.
	Name string
	// At is when; unknown where that is not shown or adds nothing.
	At model.Interval
	// Text is what the autoscaler says of itself.
	Text string
	// Pods are those that a budget counts, or that clients asked to evict. They were refused so many times, last with Code.
	Pods, Refused int
	Code          int16
}
