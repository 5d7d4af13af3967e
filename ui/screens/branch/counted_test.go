package branch

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/simulate/alternative"
	"kardia/themes"
	"kardia/ui/paint"
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

// If a race decides whose pods are deleted in the unchanged run, and all of them are otherwise, the text is how many
// more: spared are others.
func TestMoreAreDeleted(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.ASCII(), time.UTC)
	stands := alternative.Losses{Possible: 21, Least: 3, Most: 12}
	for want, a := range map[string]alternative.Alternative{
		"6-15 more are deleted than if unchanged; 2 pods are spared": {Losses: alternative.Losses{Certain: 18}, Spared: make([]model.Key, 2)},
		"2 pods that would stay are deleted":                         {Losses: alternative.Losses{Certain: 14}, Lost: make([]model.Key, 2)},
		"2 pods are spared":                                          {Losses: alternative.Losses{Certain: 3, Possible: 16, Most: 9}, Spared: make([]model.Key, 2)},
	} {
		if got := otherwise(p, &a, &stands); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if fewer := otherwise(p, &alternative.Alternative{}, &stands); strings.Contains(fewer, "more") {
		t.Errorf("of none: %q", fewer)
	}
}
