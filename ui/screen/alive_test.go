package screen_test

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
)

// The signs that the controller is alive are its leader's lease, its writes, and overdue actions: in as many words as
// there is room for. Without any sign the text reports that.
func TestWhetherTheControllerIsAlive(t *testing.T) {
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	s := &screen.Snapshot{At: now, Mode: screen.Live, Cluster: model.NewCluster()}
	says := func(ill bool, want ...string) {
		t.Helper()
		if texts, is := s.Alive(); !slices.Equal(texts, want) || is != ill {
			t.Errorf("%q, ill %v, want %q, %v", texts, is, want, ill)
		}
	}
	says(false, "no sign of it yet", "no sign yet")
	// Without a leader's lease nothing shows whether it runs, and its Events, and timestamps, are signs of it.
	s.Status = []stream.Status{{Kind: model.KindLeaderLease, State: stream.Live, Listed: true}}
	event := func(ago time.Duration, by string) {
		at := now.Add(-ago)
		s.Cluster.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "default", Name: "n." + by}, Time: model.Exactly(at),
			Event: &model.Event{Reason: "RegisteredNode", Component: by, First: at, Last: at, Count: 1, Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "n"}}}})
	}
	s.Cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: "n"}, Time: model.Exactly(now), Node: &model.Node{}})
	event(time.Minute, "kubelet")
	says(false, "no sign of it yet; no leader's lease is known: whether it runs is not known while nothing is due", "no sign yet, no leader's lease", "no sign yet")
	event(8*time.Minute, "node-controller")
	says(false, "last sign of it 8m00s ago; no leader's lease is known: whether it runs is not known while nothing is due", "last sign 8m00s ago, no leader's lease", "last sign 8m00s ago")
	s.Coverage = model.Interval{Earliest: now.Add(-time.Minute), Latest: now}
	s.Judged = &outlook.Judgement{Until: now, Result: &infer.Result{Decisions: []model.Decision{
		{Kind: model.EvictPod, Basis: model.Reconstructed, Time: now.Add(-6 * time.Minute), Window: model.Exactly(now.Add(-6 * time.Minute))}}}}
	says(false, "last sign of it 6m00s ago; no leader's lease is known: whether it runs is not known while nothing is due", "last sign 6m00s ago, no leader's lease", "last sign 6m00s ago")
	renewed := now.Add(-3 * time.Second)
	lead := func() {
		s.Cluster.Fold(&model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
			Time: model.Exactly(renewed), Arrival: renewed, Lease: model.Lease{Holder: "cp-1", Renewed: renewed, Seconds: 15}})
	}
	lead() // its renewals are signs of it: an earlier write is not the last
	says(false, "leader renewed 3s ago, last known write 6m00s ago", "leader renewed 3s ago, wrote 6m00s ago", "leader renewed 3s ago")
	s.Cluster, s.Judged, s.Status = model.NewCluster(), nil, nil
	lead()
	says(false, "leader renewed 3s ago", "leader renewed 3s ago")
	write := func(ago, width time.Duration) infer.Write {
		return infer.Write{Time: model.Interval{Earliest: now.Add(-ago - width), Latest: now.Add(-ago)}}
	}
	s.Judged = &outlook.Judgement{Until: now, Result: &infer.Result{Writes: []infer.Write{
		write(time.Hour, 0), write(40*time.Second, time.Second), write(5*time.Second, time.Minute), write(-time.Minute, 0)}}}
	says(false, "leader renewed 3s ago, last write 40s ago", "leader renewed 3s ago, wrote 40s ago", "leader renewed 3s ago")
	late := *s.Judged
	late.State = &infer.State{At: now, Arrived: true, Overdue: infer.Overdue{Since: now.Add(-12 * time.Second)}}
	s.Judged = &late
	says(true, "overdue 12s, leader renewed 3s ago, last write 40s ago", "overdue 12s, leader renewed 3s ago, wrote 40s ago", "overdue 12s, leader renewed 3s ago", "overdue 12s")
	// The text reports a recent restart.
	anew := *s.Judged.Result
	for _, ago := range []time.Duration{time.Hour, 50 * time.Second, -time.Hour} {
		anew.Decisions = append(anew.Decisions, model.Decision{Kind: model.ControllerStart, Time: now.Add(-ago), Window: model.Exactly(now.Add(-ago))})
	}
	s.Judged = &outlook.Judgement{Until: now, Result: &anew, State: &infer.State{At: now, Arrived: true}}
	says(false, "leader renewed 3s ago, restarted 50s ago, last write 40s ago", "leader renewed 3s ago, restarted 50s ago, wrote 40s ago",
		"leader renewed 3s ago, restarted 50s ago", "leader renewed 3s ago")
	// A leader that does not renew is none, even before anything is overdue.
	s.At, s.Judged = now.Add(20*time.Second), nil
	says(true, "leader last renewed 23s ago", "leader last renewed 23s ago")
	// While nothing arrives it is not known whether it goes on: the text has when it was heard last, and not as if it
	// were now.
	s.Blind, s.AsOf = true, now
	says(false, "leader last seen 23s ago", "leader last seen 23s ago")
}
