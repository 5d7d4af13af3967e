package session

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// capturedOutage is a capture of two nodes, taken at second 600: a is Unknown since second 500, and was
// tainted at 505; b became Unknown two days before.
func capturedOutage() history.History {
	unknown := func(name string, since float64, taints ...model.Taint) model.Change {
		ch := node(600, name, "Unknown")
		ch.Op, ch.At = model.OpBaseline, sec(600)
		ch.Node.Conditions[0].Transition, ch.Node.Conditions[0].Reason = sec(since), "NodeStatusUnknown"
		ch.Node.Taints = taints
		return ch
	}
	changes := []model.Change{
		unknown("a", 500, model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: sec(505)}),
		unknown("b", -2*86400),
	}
	at := &history.Captured{At: sec(600), Taken: model.Exactly(sec(600))}
	return history.NewMemory(changes, model.Exactly(sec(600)), nil,
		[]history.Source{{Kinds: map[model.Kind]int{model.KindNode: 2}, Coverage: model.Exactly(sec(600)), Captured: at}})
}

// TestBeforeAnybodyWatched: time reaches back to the reconstructed part, an hour at most. The decisions there are
// stepped through, no states are shown, and the time without a watch is a gap.
func TestBeforeAnybodyWatched(t *testing.T) {
	s := Replay(capturedOutage(), Options{Now: newClock().now, Judging: AtOnce})
	s.Snapshot() // has the models run
	sn := s.Snapshot()
	if sn.Reach() != (model.Interval{Earliest: sec(500), Latest: sec(600)}) || sn.Coverage != model.Exactly(sec(600)) {
		t.Fatalf("covered is %v, reached %v", sn.Coverage, sn.Reach())
	}
	if len(sn.Gaps) != 1 || sn.Gaps[0].Earliest != sec(500) || sn.Gaps[0].Hides(sec(600)) || sn.Blind {
		t.Errorf("gaps %v, blind %v", sn.Gaps, sn.Blind)
	}
	for _, want := range []struct {
		kind model.DecisionKind
		at   float64
	}{{model.TaintNoExecute, 505}, {model.MarkUnknown, 500}} {
		d := s.StepDecision(false, nil)
		if d == nil || d.Kind != want.kind || d.Basis != model.Reconstructed || s.At() != sec(want.at) {
			t.Fatalf("stepped to %v at %v", d, at(s))
		}
		sn = s.Snapshot()
		if !sn.Blind || sn.Cluster.NodeCount() != 0 || sn.Judged.State != nil || sn.Judged.Missing.Reason == "" {
			t.Errorf("at %v: blind %v, %d nodes, state %v, %q", at(s), sn.Blind, sn.Cluster.NodeCount(), sn.Judged.State, sn.Judged.Missing.Reason)
		}
	}
	if moved := s.Seek(sec(-2 * 86400)); !moved || s.At() != sec(500) {
		t.Errorf("two days before: at %v", at(s))
	}
	if s.Seek(sec(600)); s.Snapshot().Judged.State == nil {
		t.Error("the capture itself is judged")
	}
	if w := s.Reach().Width(); w > memorable+time.Second {
		t.Errorf("time reaches %v back", w)
	}
}
