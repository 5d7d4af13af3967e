package forecast_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// When pod garbage collection runs nobody knows before a cycle of it left a trace: whenever that is asked between the deletion of
// a Node and that of its pods, these go within their window.
func TestPodsOfADeletedNodeGoWithinTheirWindow(t *testing.T) {
	for _, from := range []float64{41.2, 47.3, 52.9, 58.8, 131.7, 139.3, 152.1, 163.4} {
		w := newWorld([]int{4}, map[string]float64{"a00": 100})
		w.pods = map[string]*model.Tolerations{"long": tolerating(300), "ever": forever()}
		w.changes = append(w.changes, change{131, func(l *loop.Loop) { l.DeleteNode("a00") }})
		rec := &recording{world: w, from: second(from), by: byWatch}
		w.watch = rec.watch
		w.loop(260)
		i := slices.IndexFunc(w.did, func(d model.Decision) bool { return d.Kind == model.CollectPod })
		if i < 0 {
			t.Fatal("no pod was collected")
		}
		asked, went := 0, w.did[i].Time
		for cut := second(max(132.5, from+1.5)); cut < went; cut = cut.Add(1500 * time.Millisecond) {
			result, err := infer.Run(rec.history(cut), infer.Options{Params: params(), Mode: infer.Causal, Until: cut})
			if err != nil {
				t.Fatal(err)
			}
			s, err := result.Known(cut)
			if err != nil {
				t.Fatal(err)
			}
			f := forecast.Run(s, forecast.Options{})
			for _, e := range f.Evictions {
				if asked++; e.State != forecast.Due || !e.Window.Contains(went) || e.Window.Width() > 82*time.Second {
					t.Errorf("recorded from %v, %v later: %s", from, cut.Sub(second(131)), told(e)+fmt.Sprint(", and it went at ", went.Sub(epoch)))
				}
			}
			for _, c := range f.Coming {
				if c.Decision.Kind == model.CollectPod && !c.Decision.Window.Contains(went) {
					t.Errorf("recorded from %v, %v later: %v comes within %v", from, cut.Sub(second(131)), c.Decision.Pod, c.Decision.Window)
				}
			}
		}
		if asked == 0 {
			t.Error("nothing was foreseen")
		}
	}
}
