package screen

import (
	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/model/explain/why"
)

// Beside is another incident, B, beside the one shown, A, and the comparison of the two.
type Beside struct {
	// Name is the other incident's name.
	Name       string
	Comparison *compare.Comparison
	// A and B find the causes of the compared decisions.
	A, B *why.Index
}

// Other is the time in the other incident as far from its start as at is here; unknown if nothing is compared.
func (b *Beside) Other(at model.Instant) model.Instant {
	c := b.Comparison
	if !c.A.Start.Bounded() || !c.B.Start.Bounded() || !at.Bounded() {
		return 0
	}
	return c.B.Start.Add(at.Sub(c.A.Start))
}

// Stepper is a View with a list of its own that . and , go through, instead of the decisions.
type Stepper interface {
	// Steps is the code of one step (step.what in ui/words); "" if there is nothing to step through.
	Steps(s *Snapshot) string
	// Step moves the cursor to the next or previous step; ok is false if there is none. t is its recorded time, else
	// its earliest possible time.
	Step(forwards bool, s *Snapshot) (t model.Instant, where string, ok bool)
}
