package screen

import (
	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/model/explain/why"
)

// Beside is another incident, B, beside the one shown, A, and the comparison of the two.
type Beside struct {
	// Name is what the other one is called.
	Name       string
	Comparison *compare.Comparison
	// A and B find the causes of the decisions that are compared.
	A, B *why.Index
}

// Other is the time in the other incident that is as long after its beginning as a time of the incident shown;
// unknown if nothing is compared.
func (b *Beside) Other(at model.Instant) model.Instant {
	c := b.Comparison
	if !c.A.Start.Bounded() || !c.B.Start.Bounded() || !at.Bounded() {
		return 0
	}
	return c.B.Start.Add(at.Sub(c.A.Start))
}

// Stepper is a View with a list of its own that . and , go through, instead of the decisions.
type Stepper interface {
	// Steps is the name of one step; "" if there is nothing to step through now.
	Steps(s *Snapshot) string
	// Step moves the cursor to the next or previous one; ok is false if there is none. t is when it was recorded or, if
	// it was not, when it comes at the earliest.
	Step(forwards bool, s *Snapshot) (t model.Instant, where string, ok bool)
}
