package flags

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
)

// Silences that differ by a whole pass share a moment only, and are of different lengths all the same.
func TestSilencesThatTouchDoNotAgree(t *testing.T) {
	seconds := func(from, to float64, pass int) silence {
		at := func(s float64) model.Instant { return model.Instant(s * float64(time.Second)) }
		return silence{model.Interval{Earliest: at(from), Latest: at(to)}, pass}
	}
	sooner, later := seconds(45, 50.1, 1), seconds(50.04, 55.1, 2)
	for what, c := range map[string]struct {
		list  []silence
		least float64
		agree int
	}{
		"most":        {[]silence{sooner, later, sooner}, 45, 2},
		"the shorter": {[]silence{later, sooner}, 45, 1},
		"delayed":     {[]silence{later, later, sooner}, 50.04, 2},
		"both":        {[]silence{seconds(45, 55.1, 3), sooner}, 45, 2},
	} {
		slices.Reverse(c.list)
		if fits, agree := agreed(c.list); time.Duration(fits.Earliest).Seconds() != c.least || len(agree) != c.agree {
			t.Errorf("%s: from %v, %d agree", what, time.Duration(fits.Earliest), len(agree))
		}
	}
}
