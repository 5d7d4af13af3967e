package topics

import (
	"time"

	"kardia/model/infer"
	"kardia/ui/words"
)

// Overdue is for how long the controller has not done what it must have done, and what that is.
func Overdue(o *infer.Overdue, late time.Duration) words.Say {
	return OverdueFor(late, Omits(o.Omits()))
}

// OverdueFor is how long something is overdue, with another statement about it.
func OverdueFor(late time.Duration, what words.Say) words.Say {
	return words.Of("overdue.for", "for", late, "what", what)
}

// Omits is what the controller does not do.
func Omits(o infer.Omission) words.Say { return words.Of("overdue.omits." + string(o)) }
