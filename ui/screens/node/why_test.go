package node

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// decided is the incident with these decisions and writes, and nothing else, behind it.
func decided(decisions []model.Decision, writes []infer.Write) *screen.Snapshot {
	s := screentest.WithModels(screentest.Incident())
	for i := range decisions {
		d := &decisions[i]
		d.Controller, d.Node, d.Window, d.Basis = model.NodeLifecycle, screentest.Victim, model.Exactly(d.Time), model.Observed
		d.ID = d.Identify()
	}
	s.Judged.Result = &infer.Result{Decisions: decisions, Writes: writes}
	s.Judged.Index = why.New(decisions, nil, nil)
	return s
}

// A decision explains the present state only if it is not of an earlier time.
func TestAnEarlierDecisionExplainsNothing(t *testing.T) {
	since := screentest.Now.Add(-171 * time.Second) // the victim is Unknown, and tainted
	silent := model.Check{What: model.ComparedSilence, Left: model.DurationOperand(51 * time.Second), Op: model.Greater, Right: model.DurationOperand(50 * time.Second), Holds: true}
	at := func(t model.Instant) *screen.Snapshot {
		return decided([]model.Decision{{Kind: model.MarkUnknown, Time: t, Checks: []model.Check{silent}}, {Kind: model.TaintNoExecute, Time: t, Why: model.Because(model.WhyTokenCame)}},
			[]infer.Write{{Kind: model.TaintNoExecute, Node: screentest.Victim, Taint: model.TaintUnreachable, Time: model.Exactly(t), Writer: model.WriterNodeLifecycle},
				{Kind: model.AddNoSchedule, Node: screentest.Victim, Taint: model.TaintUnreachable, Time: model.Exactly(t), Decision: 7}})
	}
	for what, c := range map[string]struct {
		at          model.Instant
		want, never []string
	}{
		"then":     {since, []string{"● got the zone's taint token", "heartbeat last seen in the pass of 13:59:45.0Z", "● node-lifecycle", "○ node-lifecycle"}, []string{"not in the data", "not known"}},
		"the last": {since.Add(-time.Hour), []string{"● declared Unknown 14:00:36Z; why is not in the data", "● tainted unreachable:NoExecute 14:00:36Z", "○ node-lifecycle"}, []string{"a token", "● node-lifecycle"}},
		"later":    {screentest.Now.Add(time.Minute), []string{"why is not in the data", "○ node-lifecycle"}, []string{"a token", "● node-lifecycle"}}, // by the key
	} {
		frame := draw(show(screentest.Victim), at(c.at), 200, 60)
		for _, w := range c.want {
			if !strings.Contains(frame, w) {
				t.Errorf("%s: want %q in\n%s", what, w, frame)
			}
		}
		for _, w := range c.never {
			if strings.Contains(frame, w) {
				t.Errorf("%s: %q in\n%s", what, w, frame)
			}
		}
	}
}

// A declaration without a watch is shown as far as the objects show it.
func TestADeclarationThatNobodyWatched(t *testing.T) {
	since := screentest.Now.Add(-171 * time.Second)
	s := decided([]model.Decision{{Kind: model.MarkUnknown, Time: since, Why: model.Because(model.WhyUnknownSince)}}, nil)
	s.Judged.Result.Decisions[0].Basis = model.Reconstructed
	frame := draw(show(screentest.Victim), s, 200, 60)
	if want := "declared Unknown 14:00:36.0Z: Ready is Unknown since then"; !strings.Contains(frame, want) || strings.Contains(frame, "not in the data") {
		t.Errorf("want %q in\n%s", want, frame)
	}
}

// A taint that is not the controller's own is not explained as one, and Ready does not end it.
func TestForeignTaint(t *testing.T) {
	s := screentest.Incident()
	row := s.Cluster.Node("ip-10-1-40-17")
	n := *row.Node
	n.Taints = []model.Taint{{Key: "example.com/drill", Effect: model.NoExecute, Added: screentest.Now.Add(-time.Minute)}}
	s.Cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: row.Name}, Version: 9, Time: model.Exactly(screentest.Now), Node: &n})
	pod := *row.Pods()[0]
	seconds := model.Tolerations{{Key: "example.com/drill", Operator: "Exists", Seconds: model.Some[int64](90)}}
	pod.Tolerations = &seconds
	s.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpModify, Key: pod.Key, Version: 9, Time: model.Exactly(screentest.Now), Pod: &pod})
	frame := draw(show(row.Name), screentest.WithModels(s), 200, 60)
	for _, want := range []string{"Why are its pods evicted?", "● tainted example.com/drill:NoExecute 14:02:27Z", "◌ 1 pod tolerates 90s → deleted in 1:30", "would stop if the taint is removed before 14:04:57Z"} {
		if !strings.Contains(frame, want) {
			t.Errorf("want %q in\n%s", want, frame)
		}
	}
}

// Pods that no taint deletes have one line, however long each tolerates it: it would be the same sentence twice.
func TestPodsOfOneFateAreOneStep(t *testing.T) {
	pod := func(state forecast.State, tolerates int64, reason forecast.Reason) *forecast.Eviction {
		return &forecast.Eviction{State: state, Seconds: model.Some(tolerates), Why: forecast.Why{Reason: reason}}
	}
	for _, k := range []struct {
		a, b *forecast.Eviction
		want bool
	}{
		{pod(forecast.Halted, 90, forecast.RateZero), pod(forecast.Halted, 300, forecast.RateZero), true},
		{pod(forecast.Halted, 90, forecast.RateZero), pod(forecast.Halted, 90, forecast.WillBeCancelled), false},
		{pod(forecast.Due, 90, 0), pod(forecast.Due, 300, 0), false},
	} {
		if got := alike(k.a, k.b); got != k.want {
			t.Errorf("%v and %v: %v", k.a, k.b, got)
		}
	}
}

// The causes that keep new pods off a Ready node are on its screen, with since when and by whom: a cordon, and taints
// of others than the control plane.
func TestWhatKeepsPodsAway(t *testing.T) {
	s := screentest.Incident()
	row := s.Cluster.Node("ip-10-1-3-18")
	n := *row.Node
	n.Unschedulable = true
	n.Details = model.PackNode(model.Detail{Name: model.DetailCordoned, Value: "kubectl-cordon " + screentest.Now.Add(-time.Hour).Time().UTC().Format(time.RFC3339)})
	n.Taints = []model.Taint{{Key: model.TaintUnschedulable, Effect: model.NoSchedule}, {Key: "dedicated", Value: "gpu", Effect: model.NoSchedule, Added: screentest.Now.Add(-time.Minute)}, {Key: "soft", Effect: model.PreferNoSchedule}}
	s.Cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: row.Name}, Version: 9, Time: model.Exactly(screentest.Now), Node: &n})
	frame := draw(show(row.Name), screentest.WithModels(s), 200, 60)
	for _, want := range []string{"What keeps new pods away?", "● cordoned by kubectl-cordon (managedFields, last write 1h00m ago)", "● tainted dedicated=gpu:NoSchedule 1m00s ago, by whom is not known: only pods"} {
		if !strings.Contains(frame, want) {
			t.Errorf("want %q in\n%s", want, frame)
		}
	}
	if strings.Contains(frame, "tainted soft") {
		t.Errorf("a taint that keeps nobody away is told:\n%s", frame)
	}
}
