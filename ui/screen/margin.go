package screen

import (
	"kardia/model"
	"kardia/model/explain/margin"
)

// Margin is how near nodes came to being declared Unknown, as far as it was worked out.
type Margin struct {
	// Found is what was found in Over; nil while nothing was.
	Found *margin.Margin
	// Reading reports that more is being read: Found, where there is one, is of less.
	Reading bool
	// Problem says in words for the person why it cannot be read; empty if it can.
	Problem string
}

// MarginOver is the time that a Margin is asked for: all that is covered, but nothing of later where the
// curtain is drawn.
func (s *Snapshot) MarginOver() model.Interval {
	over := s.Coverage
	if s.Curtain {
		over.Latest = min(over.Latest, s.At)
	}
	return over
}
