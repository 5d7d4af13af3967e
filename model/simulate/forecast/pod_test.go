package forecast_test

import (
	"testing"

	"kardia/model/simulate/forecast"
)

// Each pod is found by its name.
func TestPod(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 103, "a01": 103})
	f := forecast.Run(w.state(w.loop(157), w.next(second(157))), forecast.Options{Silent: w.falls})
	last := f.Evictions[len(f.Evictions)-1].Pod
	for i := range f.Evictions {
		if e := &f.Evictions[i]; f.Pod(e.Pod) != e {
			t.Errorf("%v: found %v", e.Pod, f.Pod(e.Pod))
		}
	}
	if none := (*forecast.Forecast)(nil); none.Pod(last) != nil || none.Pods() != 0 {
		t.Error("something is foreseen by no forecast")
	}
}
