package branch

import (
	"testing"

	"kardia/model/simulate/alternative"
)

// TestCounted: "at most" is of what may come to each by itself; where nodes compete for one token not all can.
func TestCounted(t *testing.T) {
	for want, o := range map[string]alternative.Losses{
		"4":            {Certain: 4},
		"1, at most 4": {Certain: 1, Possible: 3, Most: 3},
		"2 of 4":       {Possible: 4, Least: 2, Most: 2},
		"1 to 2 of 11": {Possible: 11, Least: 1, Most: 2},
		"5 to 6 of 15": {Certain: 4, Possible: 11, Least: 1, Most: 2},
		"0 to 1 of 10": {Possible: 10, Most: 1},
	} {
		if got := counted(&o); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
}
