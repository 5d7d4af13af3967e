package why_test

import (
	"testing"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/infer"
)

// TestSpared: what spared the pod of a node that was lost, by what the controllers decide in a cluster of one
// zone: of one node that is lost, of seven, and of all.
func TestSpared(t *testing.T) {
	forever := &model.Tolerations{{Operator: "Exists"}}
	for _, c := range []struct {
		what  string
		dark  int
		until float64
		node  string
		pod   model.Pod
		want  why.SparedBy
		rate  float32
		state model.DisruptionState
	}{
		{"its countdown runs", 1, 400, "n00", model.Pod{}, why.SparedPending, 0, 0},
		{"its countdown ran out", 1, 460, "n00", model.Pod{}, why.SparedEnded, 0, 0}, // of a pod that is there nobody can say that it had not
		{"it tolerates everything", 1, 400, "n00", model.Pod{Key: model.Key{Name: "other"}, Tolerations: forever}, why.SparedTolerates, 0, 0},
		{"nobody knows", 1, 400, "n00", model.Pod{Key: model.Key{Name: "other"}}, why.SparedUnknown, 0, 0},
		{"its zone is halted", 7, 400, "n06", model.Pod{}, why.SparedHalted, 0, model.ZonePartial},
		{"all is dark", 12, 400, "n06", model.Pod{}, why.SparedHalted, 0, model.ZoneFull},
		{"its node waits for a token", 4, 170, "n03", model.Pod{}, why.SparedWaiting, 0, model.ZoneNormal},
	} {
		s, decisions := run(c.dark, c.until)
		x := why.SurvivalOf(&infer.Result{Decisions: decisions, Params: s.Params})
		if c.want == why.SparedWaiting { // which of them waits is a race
			for _, d := range decisions {
				if d.Kind == model.QueueForTaint {
					c.node = d.Node
				}
			}
		}
		c.pod.Node = c.node
		if c.pod.Name == "" {
			c.pod.Key = model.Key{Namespace: "shop", Name: "p-" + c.node}
		}
		losses := x.Losses(c.node, second(c.until))
		if len(losses) != 1 || losses[0].Kind != model.MarkUnknown {
			t.Fatalf("%s: %d losses", c.what, len(losses))
		}
		got := x.Of(&c.pod, losses[0], second(c.until))
		if got.By != c.want || got.State != c.state || got.Rate.Value != c.rate || got.Master != (c.dark == 12) {
			t.Errorf("%s: by %s, %s at %v/s, master disruption %v", c.what, got.By, got.State, got.Rate, got.Master)
		}
		if (c.want == why.SparedPending || c.want == why.SparedEnded) && got.Due.Sub(second(455)).Abs().Seconds() > 1 {
			t.Errorf("%s: due %s", c.what, got.Due)
		}
	}
}

// TestLosses: each has its own reason, and ends where the next begins.
func TestLosses(t *testing.T) {
	pod := model.Key{Namespace: "shop", Name: "p"}
	at := func(s float64, kind model.DecisionKind, d model.Decision) model.Decision {
		d.Node, d.Kind, d.Time, d.Zone = "n", kind, second(s), model.Some(zone)
		d.ID = d.Identify()
		return d
	}
	countdown := model.Decision{Pod: pod, Checks: []model.Check{{Left: model.DurationOperand(60e9)}}}
	x := why.SurvivalOf(&infer.Result{Decisions: []model.Decision{
		at(100, model.MarkUnknown, model.Decision{}),
		at(101, model.RemoveNoSchedule, model.Decision{Writes: []model.Write{{Kind: model.WriteUntaint, Taint: model.Taint{Key: model.TaintUnreachable}}}}), // back before the pass that would have queued it
		at(200, model.QueueForTaint, model.Decision{}), // its kubelet says that it is not ready
		at(201, model.TaintNoExecute, model.Decision{}),
		at(201.1, model.ScheduleEviction, countdown),
		at(251, model.UntaintNoExecute, model.Decision{}),
		at(251.1, model.CancelEviction, model.Decision{Pod: pod, Outcome: model.Cancelled}),
		at(300, model.MarkUnknown, model.Decision{}),
		at(300, model.QueueForTaint, model.Decision{}),
		at(300, model.SetRate, model.Decision{Rate: model.Shift[float32]{From: 0, To: 0.01}}),
		at(310, model.DequeueFromTaint, model.Decision{Outcome: model.Cancelled}),
		at(400, model.MarkUnknown, model.Decision{Outcome: model.Failed}),
	}})
	losses := x.Losses("n", second(500))
	if len(losses) != 3 || len(x.Losses("n", second(299))) != 2 {
		t.Fatalf("%d losses", len(losses))
	}
	p := model.Pod{Key: pod, Node: "n"}
	for i, want := range []why.SparedBy{why.SparedUnqueued, why.SparedCancelled, why.SparedWaiting} {
		got := x.Of(&p, losses[i], second(500))
		if got.By != want || got.Returned == nil || got.Over(losses[i].Time) || !got.Over(got.Returned.Time+1) {
			t.Errorf("loss %d: %s, %+v", i, got.By, got.Returned)
		}
		switch want {
		case why.SparedCancelled:
			if got.Due != second(261.1) || got.Until != second(300) {
				t.Errorf("due %s, until %s", got.Due, got.Until)
			}
		case why.SparedWaiting:
			if got.Rate != model.Some(float32(0.01)) || got.Waited != (model.Interval{Earliest: second(300), Latest: second(310)}) {
				t.Errorf("%+v, %v", got.Rate, got.Waited)
			}
		}
	}
}
