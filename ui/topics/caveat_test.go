package topics_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/ui/topics"
)

// Each reason has a sentence, and what is known of its times and nodes is in it.
func TestCaveat(t *testing.T) {
	noon := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	for want, c := range map[string]caveat.Caveat{
		"no node is known: forbidden":                                               {Reason: caveat.NoNode, Why: "forbidden"},
		"1 node was last seen at 2026-03-14T12:00:00Z":                              {Reason: caveat.NotSeenSince, Since: noon, Nodes: []string{"a"}},
		"2 nodes posted no status when it was due":                                  {Reason: caveat.StatusOverdue, Nodes: []string{"a", "b"}},
		"no lease was seen of 2 nodes":                                              {Reason: caveat.LeaseNotSeen, Nodes: []string{"a", "b"}},
		"the leases of 1 node were last seen at 2026-03-14T12:00:00Z":               {Reason: caveat.LeaseNotSeen, Since: noon, Nodes: []string{"a"}},
		"pods were not listed":                                                      {Reason: caveat.PodsNotListed},
		"pods were not listed before 2026-03-14T12:00:00Z":                          {Reason: caveat.PodsNotListed, Until: noon},
		"pods were last seen at 2026-03-14T12:00:00Z":                               {Reason: caveat.PodsNotListed, Since: noon},
		"gap from 2026-03-14T12:00:00Z to 2026-03-14T12:00:05Z: the watch was lost": {Reason: caveat.Gap, Since: noon, Until: noon.Add(5 * time.Second), Why: "the watch was lost"},
	} {
		if got := topics.Caveat(&c).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for r := caveat.NoNode; r <= caveat.Restarted; r++ {
		if got := topics.Caveat(&caveat.Caveat{Reason: r, Nodes: []string{"a"}}).String(); got == "" || got == "caveat."+r.String() {
			t.Errorf("%s has no sentence", r)
		}
	}
}
