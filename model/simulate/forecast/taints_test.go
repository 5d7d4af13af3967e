package forecast_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/simulate/forecast"
)

// evictionOf forecasts from a second and finds a pod of namespace shop, after holding all
// that is forecast against what then happens: from all that is so, or from what was seen of it.
func evictionOf(t *testing.T, w *world, until float64, seen bool, pod string) forecast.Eviction {
	t.Helper()
	var f *forecast.Forecast
	var l *loop.Loop
	if seen {
		rec := &recording{world: w, from: second(30), by: byAudit, events: true}
		w.watch = rec.watch
		l = w.loop(until)
		f = forecast.Run((&judged{world: w, loop: l, seen: rec}).state(t), forecast.Options{Silent: w.falls})
	} else {
		l = w.loop(until)
		f = forecast.Run(w.state(l, w.next(second(until))), forecast.Options{Silent: w.falls})
	}
	end := f.Until.Add(-time.Minute)
	contained(t, f, l.Run(end), end)
	for _, e := range f.Evictions {
		if e.Pod.Name == pod {
			return e
		}
	}
	t.Fatalf("nothing is said of %s", pod)
	return forecast.Eviction{}
}

func saysNotReady(name string, at float64) change {
	return change{at, func(l *loop.Loop) {
		l.EditNode(name, func(n *model.Node) {
			n.Conditions[0].Status, n.Conditions[0].Heartbeat = model.StatusFalse, l.Now()
		})
	}}
}

// A kubelet says that it is not ready, and falls silent: not-ready becomes unreachable, which
// a pod need not tolerate even if it tolerates not-ready for ever.
func TestNotReadyBecomesUnreachable(t *testing.T) {
	w := newWorld([]int{5}, map[string]float64{"a00": 80})
	w.pods, w.changes = allKinds, []change{saysNotReady("a00", 70)}
	e := evictionOf(t, w, 100, false, "other-a00")
	if e.State != forecast.WaitingForTaint || e.Window.Earliest < second(125) || e.Window.Latest > second(136) {
		t.Errorf("foreseen %s", told(e))
	}
	if e = evictionOf(t, w, 100, false, "ever-a00"); e.State != forecast.Forever {
		t.Errorf("foreseen %s", told(e))
	}
}

// A node with somebody's NoExecute taint falls silent: what tolerates that taint alone is
// deleted once the node gets the controller's.
func TestTaintedAlready(t *testing.T) {
	w := newWorld([]int{5}, map[string]float64{"a00": 80})
	w.pods = map[string]*model.Tolerations{"kept": {{Key: maintenance, Operator: "Exists"}}}
	w.changes = []change{{30, func(l *loop.Loop) {
		l.EditNode("a00", func(n *model.Node) {
			n.Taints = append(n.Taints, model.Taint{Key: maintenance, Effect: model.NoExecute})
		})
	}}}
	if e := evictionOf(t, w, 100, false, "kept-a00"); e.State != forecast.WaitingForTaint || e.Window.Earliest < second(130) || e.Window.Latest > second(136) {
		t.Errorf("foreseen %s", told(e))
	}
}

// The last node falls silent while countdowns run: master disruption ends those that it finds.
func TestCountdownsEndInTheDark(t *testing.T) {
	w := newWorld([]int{2}, map[string]float64{"a00": 80, "a01": 100})
	if e := evictionOf(t, w, 110, false, "long-a00"); e.State != forecast.Halted || e.Rule != model.RuleMasterDisruption {
		t.Errorf("300 s: foreseen %s", told(e))
	}
	if e := evictionOf(t, w, 110, false, "none-a00"); e.State != forecast.WaitingForTaint || e.Window.Latest > second(136) {
		t.Errorf("no time: foreseen %s", told(e))
	}
	w.silent = map[string]float64{"a00": 70, "a01": 98}
	e := evictionOf(t, w, 110, true, "short-a00")
	if e.State != forecast.WaitingForTaint || e.Certain || e.Window.Latest > second(160) || !e.Why.Dark.Known() {
		t.Errorf("30 s, as master disruption begins: foreseen %s", told(e))
	}
}

// A zone's rate falls about when a token comes: at the old rate or at the new, and a zone of
// which too much is dark may give no token at all.
func TestRateChangesAboutAToken(t *testing.T) {
	w := newWorld([]int{8}, map[string]float64{"a00": 70, "a01": 70, "a02": 70, "a03": 70, "a04": 92})
	e := evictionOf(t, w, 143, true, "none-a03")
	if e.Certain {
		t.Errorf("small zone: foreseen %s", told(e))
	}
	w.params.LargeClusterSizeThreshold.Value, w.params.SecondaryNodeEvictionRate.Value = 4, 0.05
	e = evictionOf(t, w, 143, true, "none-a03")
	if e.Window.Latest == model.FarFuture || e.Window.Latest < second(185) {
		t.Errorf("large zone: foreseen %s", told(e))
	}
}

// Most of a zone is declared Unknown in one pass, which stops its tokens: one may slip through while
// that pass judges, and none is promised.
func TestHaltedFromTheFirst(t *testing.T) {
	w := newWorld([]int{5, 3}, map[string]float64{"a00": 70, "a01": 70, "a02": 70, "a03": 70})
	if e := evictionOf(t, w, 110, true, "short-a00"); e.Certain || e.Window.Latest > second(160) {
		t.Errorf("foreseen %s", told(e))
	}
}
