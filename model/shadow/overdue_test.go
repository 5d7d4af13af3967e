package shadow

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/timeline"
)

// stopped is what a watch shows of a story whose controllers do nothing from an instant on.
func stopped(t rapid.TB, h *timeline.Memory, from, until model.Instant) *timeline.Memory {
	var changes []model.Change
	err := timeline.Walk(h, model.FarPast+1, until, func(_ int, ch *model.Change) bool {
		mine := ch.Writer == model.WriterNodeLifecycle || ch.Writer == model.WriterTaintEviction || ch.Writer == model.WriterPodGC
		if !mine || ch.Effective() < from {
			changes = append(changes, *ch)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return timeline.NewMemory(changes, model.Interval{Earliest: noon, Latest: until}, nil, h.Sources())
}

// A controller that stands still while nodes fall silent: once they should have been declared, the
// models wait with it. They say of no node that it was declared, count none as lost, have none in
// a queue, and no instant later is told otherwise.
func TestTheModelsWaitForAControllerThatDoesNotAct(t *testing.T) {
	for _, silent := range []int{1, 4, 12} { // of 12 nodes: the zone stays normal, and goes dark
		whole := outage(12, silent).tell(after(390))
		declared := model.FarFuture
		for _, w := range ran(t, whole, Options{}).Writes {
			if w.Kind == model.MarkUnknown {
				declared = min(declared, w.Time.Earliest)
			}
		}
		for _, until := range []model.Instant{declared.Add(-time.Second), declared.Add(12 * time.Second), declared.Add(90 * time.Second), declared.Add(4 * time.Minute)} {
			what := fmt.Sprintf("%d silent, %v after the declaration that did not come", silent, until.Sub(declared))
			res := ran(t, stopped(t, whole, after(70), until), Options{Mode: Causal})
			if late := until > declared; late != res.Overdue.Known() {
				t.Errorf("%s: overdue since %v", what, res.Overdue.Since)
				continue
			} else if !late {
				continue
			}
			if d := res.Overdue.Since.Sub(declared); d < -time.Second || d > 11*time.Second {
				t.Errorf("%s: overdue since %v after it", what, d)
			}
			if len(res.Overdue.Decisions) == 0 || res.Overdue.Decisions[0].Kind != model.MarkUnknown {
				t.Errorf("%s: overdue %v", what, res.Overdue.Decisions)
			}
			for i := range res.Decisions {
				switch d := &res.Decisions[i]; d.Kind {
				case model.MarkUnknown, model.QueueForTaint, model.ZoneState, model.TaintNoExecute, model.EnterMasterDisruption:
					if d.Time > noon.Add(time.Minute) {
						t.Errorf("%s: %s of %s at %s, and nobody acts", what, d.Kind, d.Node, d.Time)
					}
				}
			}
			for _, at := range []model.Instant{until, until.Add(time.Minute)} {
				s, err := res.At(at)
				if err != nil {
					t.Fatal(err)
				}
				if !s.Overdue.Known() || s.Overdue.For(at) != at.Sub(s.Overdue.Since) {
					t.Errorf("%s: the state says nothing of it", what)
				}
				for _, z := range s.Nodes.Zones(s.At, s.Cache) {
					if z.State != model.ZoneNormal || len(z.Waiting) > 0 || z.NotReady > 0 {
						t.Errorf("%s: %v is %v, %d not ready, %d wait", what, z.Place, z.State, z.NotReady, len(z.Waiting))
					}
				}
			}
		}
	}
}

// A countdown that has ended is not carried out by a controller that stands still.
func TestADeletionCanBeOverdue(t *testing.T) {
	whole := outage(12, 2).tell(after(390))
	deleted := model.FarFuture
	for _, w := range ran(t, whole, Options{}).Writes {
		if w.Kind == model.EvictPod {
			deleted = min(deleted, w.Time.Earliest)
		}
	}
	until := deleted.Add(30 * time.Second)
	res := ran(t, stopped(t, whole, deleted.Add(-5*time.Second), until), Options{Mode: Causal})
	if o := res.Overdue; !o.Known() || o.Decisions[0].Kind != model.EvictPod || o.For(until) < 25*time.Second || o.For(until) > 31*time.Second {
		t.Fatalf("overdue: %v for %v", o.Decisions, o.For(until))
	}
	s, err := res.At(until)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Taints.Timers()) == 0 {
		t.Error("the countdown is forgotten, and nobody has deleted the pod")
	}
}

// Controllers that do what they must are never said not to act, whatever is cut off after any instant.
func TestNothingIsOverdueWhereTheControllersAct(t *testing.T) {
	stories := map[int]*timeline.Memory{}
	for _, silent := range []int{2, 9, 12} {
		stories[silent] = outage(12, silent).tell(after(700))
	}
	rapid.Check(t, func(t *rapid.T) {
		silent := rapid.SampledFrom([]int{2, 9, 12}).Draw(t, "silent")
		until := after(float64(rapid.IntRange(1000, 699_000).Draw(t, "until ms")) / 1000)
		res, err := Run(stopped(t, stories[silent], model.FarFuture, until), Options{Params: flags, Mode: Causal})
		if err != nil {
			t.Fatal(err)
		}
		if o := res.Overdue; o.Known() {
			t.Fatalf("%d silent, at %v: overdue for %v: %s %s", silent, until.Sub(noon), o.For(until), o.Decisions[0].Kind, o.Decisions[0].Node)
		}
	})
}
