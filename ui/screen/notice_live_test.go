package screen

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/sources/capture/stream"
	"kardia/themes"
	"kardia/ui/paint"
)

// TestNoNodesIsSaidOnlyWhereTheListIsComplete: a viewer without rights, or a list that never
// came, shows no node either; that is no fact about the cluster.
func TestNoNodesIsSaidOnlyWhereTheListIsComplete(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	for state, want := range map[stream.State]string{
		stream.Live:         "this cluster has no nodes",
		stream.Forbidden:    "you may list neither nodes nor leases",
		stream.Disconnected: "nothing was received yet: disconnected",
		stream.Expired:      "nothing was received yet: credentials refused",
	} {
		s := &Snapshot{Cluster: model.NewCluster(), Loading: 1, Mode: Live,
			Status: []stream.Status{{Kind: model.KindNode, State: state}, {Kind: model.KindNodeLease, State: state}}}
		if got := EmptyText(s, p); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", state, got, want)
		}
		if Refused(s) != (state == stream.Forbidden) {
			t.Errorf("%s: refused is %v", state, Refused(s))
		}
	}
}

// An API server that throttles answers: the text is why nothing came, because "disconnected" sounds as if it were gone.
func TestWhyNothingWasReceivedIsSaid(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	s := &Snapshot{Cluster: model.NewCluster(), Loading: 1, Mode: Live,
		Status: []stream.Status{{Kind: model.KindNode, State: stream.Disconnected, Why: "the server has received too many requests"}}}
	if got := EmptyText(s, p); !strings.Contains(got, "nothing was received yet: the server has received too many requests") {
		t.Errorf("%q", got)
	}
}

// A first list that hangs is no list that is on its way: the API server is asked for a sign of life after some seconds.
func TestAnAPIServerThatHasNotAnsweredIsNamed(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	s := &Snapshot{Cluster: model.NewCluster(), Loading: 1, Mode: Live, Status: []stream.Status{{Kind: model.KindNode, State: stream.Loading}}}
	for lost, want := range map[string]string{"": "waiting for the first list", "no answer within 2s": "the API server has not answered (no answer within 2s)"} {
		s.Lost = lost
		if got := EmptyText(s, p); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

func gapNotice(s *Snapshot, p *paint.Painter) string {
	n := &notices{s: s, p: p}
	n.blind()
	return n.list[0].Text
}

// TestOneOutageIsOneGap: every watch breaks in it, and the notice says so once, over the whole time.
func TestOneOutageIsOneGap(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	s := &Snapshot{At: 15e9, Loading: 1, Blind: true}
	s.Gaps = append(s.Gaps, gap(10, 20, "nodes: connection refused"), gap(11, 22, "pods: connection refused"), gap(30, 40, "another"))
	got := gapNotice(s, p)
	if !strings.Contains(got, "00:00:10Z to 00:00:22Z: 2 watches; nodes: connection refused") {
		t.Errorf("got %q", got)
	}
	s.Gaps = []history.Gap{gap(10, 20, "nothing was recorded between a.mcap and b.mcap"), gap(10, 20, "nothing was recorded between a.mcap and b.mcap")}
	if got := gapNotice(s, p); !strings.Contains(got, "00:00:10Z to 00:00:20Z: nothing was recorded") {
		t.Errorf("of one reason the watches are counted: %q", got)
	}
}

func gap(from, to model.Instant, why string) history.Gap {
	return history.Gap{Interval: model.Interval{Earliest: from * 1e9, Latest: to * 1e9}, Why: why}
}

// TestOneLineSaysThatAllFellSilentAtOnce: it comes first, and fits what matters into 80 columns.
func TestOneLineSaysThatAllFellSilentAtOnce(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	s := &Snapshot{At: 75e9, AsOf: 63e9, Lost: "connection refused", Loading: 1, Mode: Live, Blind: true, Cluster: model.NewCluster(),
		Status: []stream.Status{{Kind: model.KindNode, State: stream.Live}, {Kind: model.KindNodeLease, State: stream.Live}}}
	got := Notices(s, p)[0].Text
	if want := "all silent since 00:01:03Z (12s): API server or network, no news of nodes"; !strings.Contains(got, want) || strings.Index(got, want)+len(want) > 79 {
		t.Errorf("%q does not say %q at its beginning", got, want)
	}
	if !strings.Contains(got, "connection refused") {
		t.Errorf("%q does not say how", got)
	}
}

// TestAControllerThatDoesNotActIsSaid before everything else that the models say.
func TestAControllerThatDoesNotActIsSaid(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	late := model.Decision{Kind: model.MarkUnknown, Node: "b-001"}
	s := &Snapshot{At: 75e9, Loading: 1, Mode: Live, Cluster: model.NewCluster(), Status: []stream.Status{{Kind: model.KindNode, State: stream.Live}},
		Judged: &outlook.Judgement{State: &infer.State{Overdue: infer.Overdue{Since: 63e9, Decisions: []model.Decision{late, late, late}}}}}
	got := Notices(s, p)[0].Text
	if want := "overdue 12s: the controller does not act, required by 00:01:03Z: MarkUnknown b-001, and 2 more"; !strings.HasPrefix(got, want) || !strings.Contains(got, "flags") {
		t.Errorf("%q does not begin with %q", got, want)
	}
	late.Kind = model.TaintNoExecute // what it declares was seen: all that is not is taints
	s.Judged.State.Overdue.Decisions = []model.Decision{late, late}
	got = Notices(s, p)[0].Text
	if want := "overdue 12s: the controller taints no node, required by 00:01:03Z: TaintNoExecute b-001, and 1 more"; !strings.HasPrefix(got, want) || !strings.Contains(got, "node-eviction-rate") {
		t.Errorf("%q does not begin with %q", got, want)
	}
}

// TestAViewerWithoutRightsReadsOfNoHeartbeats: where leases may not be read either, none count.
func TestAViewerWithoutRightsReadsOfNoHeartbeats(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	for _, leases := range []stream.State{stream.Forbidden, stream.Live} {
		s := &Snapshot{At: 75e9, Loading: 1, Mode: Live, Cluster: model.NewCluster(), Kinds: map[model.Kind]bool{model.KindNodeLease: leases == stream.Live},
			Status: []stream.Status{{Kind: model.KindNode, State: stream.Forbidden}, {Kind: model.KindNodeLease, State: leases}, {Kind: model.KindPod, State: stream.Forbidden}}}
		all := ""
		for _, n := range Notices(s, p) {
			all += n.Text + "\n"
		}
		if strings.Contains(all, "heartbeats count") != (leases == stream.Live) || strings.Contains(all, "ages from node status") || strings.Contains(all, "are exact") {
			t.Errorf("leases %v:\n%s", leases, all)
		}
	}
}

// That there is no leader, or possibly none, comes before overdue actions, which need no other reason then.
func TestThatNobodyLeadsIsSaid(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	for _, x := range []struct {
		unled, unrenewed, overdue model.Instant
		want                      []string
	}{
		{unled: 63e9, want: []string{"no leader since 00:01:03Z: countdowns and grace periods restart with the next   by the lease of kube-controller-manager"}},
		{unled: 63e9, overdue: 70e9, want: []string{"no leader since 00:01:03Z: ", "overdue 20s: the controller does not act"}},
		{unrenewed: 76e9, want: []string{"leader's lease is 14s old: if the leader exited, every countdown restarts   grace periods too; renewed every 2s, given up after 12s"}},
		{overdue: 70e9, want: []string{"overdue 20s: the controller does not act   stalled, dead, without a leader"}},
	} {
		j := &outlook.Judgement{Until: 90e9, State: &infer.State{At: 90e9, Arrived: true, Unled: x.unled, Unrenewed: x.unrenewed, Overdue: infer.Overdue{Since: x.overdue}}}
		s := &Snapshot{At: 90e9, Loading: 1, Mode: Live, Cluster: model.NewCluster(), Judged: j, Status: []stream.Status{{Kind: model.KindNode, State: stream.Live}}}
		got := Notices(s, p)
		for i, want := range x.want {
			if i >= len(got) || !strings.HasPrefix(got[i].Text, want) {
				t.Errorf("unled %v, unrenewed %v, overdue %v: %v, want %q", x.unled, x.unrenewed, x.overdue, got, want)
			}
		}
		if len(x.want) > 1 && strings.Contains(got[1].Text, "stalled") {
			t.Errorf("why is said twice: %s", got[1].Text)
		}
	}
}

// TestAControllerThatStoodStillIsSaid for some minutes after it acts again.
func TestAControllerThatStoodStillIsSaid(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	want := "the controller did not act from 00:01:03Z to 00:02:00Z: due actions came late"
	for at, says := range map[model.Instant]bool{62e9: false, 100e9: false, 121e9: true, 400e9: true, 500e9: false} {
		s := &Snapshot{At: at, Loading: 1, Mode: Live, Cluster: model.NewCluster(), Status: []stream.Status{{Kind: model.KindNode, State: stream.Live}},
			Standstills: []model.Interval{{Earliest: 63e9, Latest: 120e9}, {Earliest: 600e9, Latest: model.FarFuture}}}
		if got := Notices(s, p)[0].Text; strings.Contains(got, want) != says {
			t.Errorf("at %v: %q", at, got)
		}
	}
}
