package actors

import (
	"time"

	"kardia/model"
)

// Who, Deed, Assumption, HaltedBy and Traced are codes; ui/words has their texts.
type (
	Who  string
	Deed string
	// Assumption is not shown by the traces; "" for none.
	Assumption string
	HaltedBy   string
	Traced     string
)

const (
	// Alert pages a person, and touches no node.
	Alert Who = "alert"
	// HaltedByRefusal: the API server, or a webhook or budget that it asked, refused to evict pods.
	HaltedByRefusal HaltedBy = "refusal"
)

// Halt is what blocks an actor, or blocked it if that is over.
type Halt struct {
	Why HaltedBy
	// Text is another program's own: a message, a state, a phase with its reason.
	Text string
	// For is how long ago the autoscaler wrote its status.
	For time.Duration
	// Answer is the refusal to evict Pods pods, last at At. For a PodDisruptionBudget its name includes the namespace;
	// Code and Words are set only if they add to its By.
	Answer model.Refusal
	Pods   int
	At     model.Instant
}

// Trace is a sign that shows an actor.
type Trace struct {
	Of Traced
	// Name is an object, KEY=VALUE of a taint or label, or a condition as in kubectl describe.
	Name string
	// At is unknown if not shown, or if it adds nothing.
	At model.Interval
	// Text is from the autoscaler's own status.
	Text string
	// Pods are counted by a budget, or were asked to be evicted. Refused counts the refusals, the last with Code.
	Pods, Refused int
	Code          int16
}
