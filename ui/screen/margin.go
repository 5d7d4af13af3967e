package screen

import (
	"kardia/model"
	"kardia/model/explain/margin"
)

// Margin is how near nodes came to being declared Unknown, as far as it was worked out.
type Margin struct {
	// Found is the result for Over; nil while there is none.
	Found *margin.Margin
	// Reading reports that more is being read: Found, if any, is of less.
	Reading bool
	// Problem is why it cannot be read; empty if it can.
	Problem string
}

// MarginOver is the time that a Margin is asked for: all that is covered, but nothing later if later events are hidden.
func (s *Snapshot) MarginOver() model.Interval {
	over := s.Coverage
	if s.Curtain {
		over.Latest = min(over.Latest, s.At)
	}
	return over
}
