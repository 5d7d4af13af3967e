package forecast_test

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// A pod's deletion is told twice, among what comes and among the evictions: within the same window, or a reader is
// given an exact time by one screen that another knows better.
func TestWhatComesAgreesWithTheEvictions(t *testing.T) {
	compared := 0
	for n := range uint64(*worlds/2 + 1) {
		t.Run(fmt.Sprint(*first+n), func(t *testing.T) {
			f := forecast.Run(randomWorld(*first+n).state(t), forecast.Options{})
			due := map[model.Key]*forecast.Eviction{}
			for i := range f.Evictions {
				if e := &f.Evictions[i]; e.State == forecast.Due && e.Window.Bounded() {
					due[e.Pod] = e
				}
			}
			for i := range f.Coming {
				c := &f.Coming[i]
				e := due[c.Decision.Pod]
				if c.Decision.Kind != model.EvictPod || e == nil {
					continue
				}
				compared++
				if w := c.Decision.Window; w.Earliest > e.Window.Earliest || w.Latest < e.Window.Latest {
					t.Errorf("%s: comes within %s, and is due within %s", c.Decision.Pod, said(w, true), said(e.Window, true))
				}
				if c.Sure && !e.Certain {
					t.Errorf("%s: surely comes, and is due perhaps", c.Decision.Pod)
				}
			}
		})
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}
