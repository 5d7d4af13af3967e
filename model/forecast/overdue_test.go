package forecast_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/forecast"
	"kardia/model/shadow"
)

// While the controllers do not act, nothing that is foreseen has an end, and nothing is sure.
func TestNothingHasAnEndWhileTheControllersDoNotAct(t *testing.T) {
	w := newWorld([]int{9}, map[string]float64{"a00": 62, "a01": 66})
	l := w.loop(150)
	s := w.state(l, w.next(second(150)), 0)
	usual := forecast.Run(s, forecast.Options{Silent: w.falls})
	s.Overdue = shadow.Overdue{Since: s.At.Add(-12 * time.Second), Held: s.At.Add(-20 * time.Second)}
	f := forecast.Run(s, forecast.Options{Silent: w.falls})
	if len(f.Evictions) == 0 || len(f.Evictions) != len(usual.Evictions) || len(f.Coming) == 0 {
		t.Fatalf("%d pods, %d decisions", len(f.Evictions), len(f.Coming))
	}
	due := 0
	for i, e := range f.Evictions {
		if e.State != forecast.Due && e.State != forecast.WaitingForTaint {
			continue
		}
		due++
		if e.Window.Latest != model.FarFuture || e.Window.Earliest < s.At || e.Window.Earliest != usual.Evictions[i].Window.Earliest {
			t.Errorf("%s: %s", e.Pod, told(e))
		}
	}
	for _, c := range f.Coming {
		if c.Sure || c.Decision.Window.Latest != model.FarFuture {
			t.Errorf("%s is said to come by %v", c.Decision.Kind, c.Decision.Window.Latest)
		}
	}
	if due == 0 {
		t.Fatal("no pod is due: nothing was tested")
	}
}
