package screen

import (
	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/verify"
)

// Sought is an answer that is found in the background, while it is on screen.
type Sought[T any] struct {
	// Found is the answer; nil while there is none.
	Found *T
	// Searching reports that more is being read: Found, if any, is of less.
	Searching bool
	// Problem is why there cannot be any; empty if there can.
	Problem string
}

type (
	// Margin is how near nodes came to being declared Unknown.
	Margin = Sought[margin.Margin]
	// Hypotheses is the verdict of verify with what would explain the writes that nothing explains.
	Hypotheses = Sought[verify.Report]
)

// MarginOver is the time that a Margin is asked for: all that is covered, but nothing later if later events are hidden.
func (s *Snapshot) MarginOver() model.Interval {
	over := s.Coverage
	if s.Curtain {
		over.Latest = min(over.Latest, s.At)
	}
	return over
}
