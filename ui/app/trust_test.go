package app

import (
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/session"
)

// Two nodes that beat are declared Unknown: no rule explains it, and Trust says so first, and looks for what
// would.
func TestTrustSaysWhatNothingExplains(t *testing.T) {
	var changes []model.Change
	declared := func(second float64, name string) {
		ch := nodeIn(second, name, "z", "Unknown")
		ch.Node.Conditions[0].Reason, ch.Node.Conditions[0].Message = model.ReasonUnknown, "Kubelet stopped posting node status."
		changes = append(changes, ch)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		changes = append(changes, nodeIn(0, name, "z", "True"))
	}
	for s := 10.0; s <= 200; s += 10 {
		for _, name := range []string{"a", "b", "c", "d"} {
			changes = append(changes, lease(s, name))
		}
		switch s {
		case 100:
			declared(105, "a")
		case 150:
			declared(153, "b")
		}
	}
	forged := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(200)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 6, model.KindNodeLease: 80}}})
	s := newClock()
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Replay(forged, session.Options{Now: s.time, Start: sec(190), Judging: session.AtOnce})}, 120, 36)
	s.keys("!").shows("IN SHORT", "2 writes of the controllers unexplained").keys("G").shows("HYPOTHESES", "unexplained", "MarkUnknown of a")
}
