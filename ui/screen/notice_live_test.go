package screen

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/sources/feed"
	"kardia/themes"
	"kardia/ui/paint"
)

// TestNoNodesIsSaidOnlyWhereTheListIsComplete: a viewer without rights, or a list that never
// came, shows no node either; that is no fact about the cluster.
func TestNoNodesIsSaidOnlyWhereTheListIsComplete(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	for state, want := range map[feed.State]string{
		feed.Live:         "this cluster has no nodes",
		feed.Forbidden:    "you may list neither nodes nor leases",
		feed.Disconnected: "nothing was received yet: disconnected",
		feed.Expired:      "nothing was received yet: credentials expired",
	} {
		s := &Snapshot{Cluster: model.NewCluster(), Loading: 1, Mode: Live,
			Status: []feed.Status{{Kind: model.KindNode, State: state}, {Kind: model.KindNodeLease, State: state}}}
		if got := EmptyText(s, p); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", state, got, want)
		}
		if Refused(s) != (state == feed.Forbidden) {
			t.Errorf("%s: refused is %v", state, Refused(s))
		}
	}
}

// TestOneOutageIsOneGap: every watch breaks in it, and the notice says so once, over the whole time.
func TestOneOutageIsOneGap(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	s := &Snapshot{At: 15e9, Loading: 1, Blind: true}
	s.Gaps = append(s.Gaps, gap(10, 20, "nodes: connection refused"), gap(11, 22, "pods: connection refused"), gap(30, 40, "another"))
	got := blindNotice(s, p).Text
	if !strings.Contains(got, "00:00:10Z to 00:00:22Z: 2 watches; nodes: connection refused") {
		t.Errorf("got %q", got)
	}
}

func gap(from, to model.Instant, why string) timeline.Gap {
	return timeline.Gap{Interval: model.Interval{Earliest: from * 1e9, Latest: to * 1e9}, Why: why}
}
