package infer

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
)

// TestAProcessHadEndedBeforeTheNextBegan: where no lease tells of leaders, a restart that Events tell of does not say when the process before
// it ended. What fell due meanwhile, and did not come, does: nobody is said to have done it, and the next begins anew.
func TestAProcessHadEndedBeforeTheNextBegan(t *testing.T) {
	for i := range 20 {
		died := after(115 + 2.3*float64(i))
		next := died.Add(70 * time.Second)
		s := outage(8, 4)
		s.loop.At(died, func(l *loop.Loop) { l.Stop(next.Add(time.Second)) })
		s.restart(next, true, false)
		res := ran(t, s.tell(after(390)), Options{})
		if n := res.Findings(); n > 0 {
			t.Errorf("died at %v: %d findings", died.Sub(noon), n)
			clean(t, res)
		}
		for k := range res.Decisions {
			if d := &res.Decisions[k]; d.LeavesTrace && d.Window.Earliest > died.Add(time.Second) && d.Window.Latest < next.Add(-time.Second) && d.Controller != model.PodGC {
				t.Errorf("died at %v: %s %s at %v, when nobody acted", died.Sub(noon), d.Kind, d.Subject(), d.Time.Sub(noon))
			}
		}
	}
}
