package topics_test

import (
	"testing"

	"kardia/model/explain/compare"
	"kardia/ui/topics"
)

func TestCompare(t *testing.T) {
	for want, s := range map[string]compare.Side{
		"begins 12:00:00Z with a":                          {Start: noon, Node: "a"},
		"no node was declared Unknown":                     {},
		"whether a node was declared Unknown is not known": {Untold: true},
	} {
		if got := topics.Begins(&s, "12:00:00Z").String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for want, c := range map[string]compare.Comparison{
		"both count from the first silence": {ByHeartbeat: true, ByName: true},
		"both count from the first declaration: one has no known heartbeat; the names differ: first beside first": {},
	} {
		if got := topics.AlignedShort(&c).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got, want := topics.Aligned(&compare.Comparison{}).String(), "Times count from the first declaration: one has no known heartbeat before it; "+
		"the subjects differ, so the first of one is beside the first of the other."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, d := range []compare.Delay{{Step: "heartbeat-unknown"}, {Step: "unknown-tainted"}, {Step: "tainted-deleted"}, {Step: "heartbeat-deleted"}, {Step: "unknown-untainted"}} {
		if got := topics.Step(&d).String(); len(got) < 20 || got[:8] == "compare." {
			t.Errorf("%s is %q", d.Step, got)
		}
	}
}
