package open

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// Nodes that are heard again and have not posted their status yet will most likely be Ready in seconds: the
// consequences of their silence are predicted as possible, and not as certain.
func TestNodesThatAreHeardAgainMayBeReadySoon(t *testing.T) {
	o := playing(t, "scenario 1\nseed 3\nlength 12m\nnodes a-01..a-06 zone=a\nnodes b-01..b-06 zone=b\n"+
		"deployment web/front replicas=36 tolerate=200s\nat 1m partition b-01..b-06\nat 4m30s heal b-01..b-06\n")
	start := o.History.Coverage().Earliest
	deleted := map[model.Key]bool{}
	err := historytest.Walk(o.History, model.FarPast+1, model.FarFuture, func(_ int, ch *model.Change) bool {
		if ch.Kind == model.KindPod && (ch.Op == model.OpDelete || ch.Pod != nil && ch.Pod.Deletion.Known()) {
			deleted[ch.Key] = true
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	perhaps := 0
	for after := 270 * time.Second; after < 290*time.Second; after += time.Second {
		at := start.Add(after)
		res, err := infer.Run(o.History, infer.Options{Params: flags, Mode: infer.Causal, Until: at})
		if err != nil {
			t.Fatal(err)
		}
		s, err := res.Known(at)
		if err != nil {
			t.Fatal(err)
		}
		f := forecast.Run(s, forecast.Options{})
		back := slices.ContainsFunc(f.Assumptions, func(a forecast.Assumption) bool { return a.Code == forecast.MayPost })
		for _, e := range f.Evictions {
			if e.State != forecast.Due || !e.Window.Earliest.Bounded() || forecast.Silent(s, e.Node) {
				continue
			}
			if perhaps++; e.Certain && !deleted[e.Pod] || !back {
				t.Errorf("after %v: %s of %s: certain %v, deleted %v, %s", after, e.Pod, e.Node, e.Certain, deleted[e.Pod], e.Why.Reason)
			}
		}
	}
	if perhaps == 0 {
		t.Error("no deletion was foreseen of a node that was heard again")
	}
}
