package topics_test

import (
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/whatif"
	"kardia/ui/topics"
)

// TestLosses: "at most" is of what may come to each by itself; where nodes compete for one token not all can.
func TestLosses(t *testing.T) {
	for want, o := range map[string]alternative.Losses{
		"4":            {Certain: 4},
		"1, at most 4": {Certain: 1, Possible: 3, Most: 3},
		"2 of 4":       {Possible: 4, Least: 2, Most: 2},
		"1 to 2 of 11": {Possible: 11, Least: 1, Most: 2},
		"5 to 6 of 15": {Certain: 4, Possible: 11, Least: 1, Most: 2},
		"0 to 1 of 10": {Possible: 10, Most: 1},
	} {
		if got := topics.Losses(&o).String(); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
}

// Where a race decides whose pods are deleted as things stand, and all of them are otherwise, it is said how many more: spared
// are others.
func TestMoreAreDeleted(t *testing.T) {
	stands := alternative.Losses{Possible: 21, Least: 3, Most: 12}
	for want, a := range map[string]alternative.Alternative{
		"6 to 15 more are deleted than if unchanged; 2 pods are spared": {Losses: alternative.Losses{Certain: 18}, Spared: make([]model.Key, 2)},
		"2 pods that would stay are deleted":                            {Losses: alternative.Losses{Certain: 14}, Lost: make([]model.Key, 2)},
		"2 pods are spared":                                             {Losses: alternative.Losses{Certain: 3, Possible: 16, Most: 9}, Spared: make([]model.Key, 2)},
	} {
		if got := topics.OptionEffect(&a, &stands).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if fewer := topics.OptionEffect(&alternative.Alternative{}, &stands).String(); strings.Contains(fewer, "more") {
		t.Errorf("of none: %q", fewer)
	}
}

// Each option, and each reason for which one cannot be simulated, has its words; what a branch rests on, too.
func TestOptions(t *testing.T) {
	for _, kind := range alternative.Kinds {
		if name := topics.OptionName(&alternative.Alternative{Kind: kind}, "").String(); strings.HasPrefix(name, "option.") {
			t.Errorf("%s is called %s", kind, name)
		}
	}
	for want, a := range map[string]alternative.Alternative{
		"it is cordoned already": {Kind: alternative.Cordon, Missing: "cordoned"},
		"no other node of its zone renews; in a branch (b) any node may fail": {Kind: alternative.OneMore, Missing: "no-other"},
	} {
		if got := topics.OptionMissing(&a).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	key := model.Key{Namespace: "shop", Name: "web-0"}
	a := alternative.Alternative{Now: []model.Key{key}, Lost: []model.Key{key}, Zone: model.ZoneNormal, AsIs: model.ZoneNormal}
	if got, want := topics.OptionEffect(&a, &alternative.Losses{}).String(), "1 pod is deleted at once, and would stay unchanged (shop/web-0)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBranchAssumes(t *testing.T) {
	a := whatif.Answer{Assumptions: []whatif.Assumption{{What: "goes-on", At: noon}, {What: "return-not-ready", Node: "a", At: noon}, {What: "open-recorded", N: 4, At: noon, Pods: []string{"x/a", "x/b", "x/c", "x/d"}}}}
	want := []string{"the recording ends at 2026-11-20T12:00:00Z; after that kubelets continue as last seen, and no other actor does anything",
		"the kubelet of a is back at 2026-11-20T12:00:00Z, renews its lease every 10.2 s and posts that it is not ready, and ends no pods but those that were deleted",
		"4 pods that were recorded as deleted may not be by 2026-11-20T12:00:00Z, and are still threatened then (x/a, x/b, x/c and 1 more): they are not counted as spared"}
	for i, say := range topics.BranchAssumes(&a) {
		if say.String() != want[i] {
			t.Errorf("got  %s\nwant %s", say, want[i])
		}
	}
}
