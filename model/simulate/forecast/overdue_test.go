package forecast_test

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// While the controllers do not act, or nobody leads them, nothing that is foreseen has an end, and nothing is sure.
func TestNothingHasAnEndWhileTheControllersDoNotAct(t *testing.T) {
	for says, wait := range map[forecast.Assumed]func(*infer.State){
		forecast.NotActing: func(s *infer.State) {
			s.Overdue = infer.Overdue{Since: s.At.Add(-12 * time.Second), Held: s.At.Add(-20 * time.Second)}
		},
		forecast.Leaderless: func(s *infer.State) {
			s.Overdue, s.Unled = infer.Overdue{Since: s.At.Add(-12 * time.Second), Held: s.At.Add(-20 * time.Second)}, s.At.Add(-40*time.Second)
		},
		forecast.PossiblyLeaderless: func(s *infer.State) { s.Unrenewed = s.At.Add(-14 * time.Second) },
		forecast.Lagging:            func(s *infer.State) { s.Undone = s.At.Add(-12 * time.Second) },
	} {
		t.Run(says.String(), func(t *testing.T) { testNothingHasAnEnd(t, says, wait) })
	}
}

func testNothingHasAnEnd(t *testing.T, says forecast.Assumed, wait func(*infer.State)) {
	w := newWorld([]int{9}, map[string]float64{"a00": 62, "a01": 66})
	l := w.loop(150)
	s := w.state(l, w.next(second(150)))
	old := s.Cache.Find("a01").Pods()[0]
	deleted := *old
	deleted.Deletion = second(140)
	s.Cache.SetPod(old, &deleted)
	usual := forecast.Run(s, forecast.Options{Silent: w.falls})
	wait(s)
	f := forecast.Run(s, forecast.Options{Silent: w.falls})
	if !slices.ContainsFunc(f.Assumptions, func(a forecast.Assumption) bool { return a.Code == says }) {
		t.Errorf("nothing says %s: %v", says, f.Assumptions)
	}
	if len(f.Evictions) == 0 || len(f.Evictions) != len(usual.Evictions) || len(f.Coming) == 0 {
		t.Fatalf("%d pods, %d decisions", len(f.Evictions), len(f.Coming))
	}
	due := 0
	for i, e := range f.Evictions {
		if e.Window.Earliest.Bounded() && e.Window.Latest != model.FarFuture || e.Certain {
			t.Errorf("%s, certain %v: %s", e.Pod, e.Certain, told(e))
		}
		if e.State != forecast.Due && e.State != forecast.WaitingForTaint {
			continue
		}
		due++
		earliest := usual.Evictions[i].Window.Earliest
		if s.Unled.Known() { // no countdown of the last leader counts
			if f.IfResumed > earliest {
				t.Errorf("%s may come from %v on, if the last leader goes on; it says from %v on", e.Pod, earliest, f.IfResumed)
			}
			earliest = s.At.Add(time.Duration(e.Seconds.Value) * time.Second)
		}
		if e.Window.Latest != model.FarFuture || e.Window.Earliest < s.At || e.Window.Earliest != earliest {
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

// A deletion that the controller tried and lost is tried by nobody again: the pod is stuck, and not
// held back by anything that could end.
func TestALostDeletionIsStuck(t *testing.T) {
	w := newWorld([]int{3}, map[string]float64{"a00": 103})
	l := w.loop(200)
	s := w.state(l, w.next(second(200)))
	for _, p := range s.Cache.Find("a00").Pods() {
		if p.Key.Name == "short-a00" {
			lost := *p
			lost.Deletion, lost.Disrupted, lost.DisruptionReason = 0, 0, ""
			s.Cache.SetPod(p, &lost)
			break
		}
	}
	for _, e := range forecast.Run(s, forecast.Options{Silent: w.falls}).Evictions {
		if e.Pod.Name != "short-a00" {
			continue
		}
		if e.State != forecast.Stuck || e.Window.Earliest != model.FarFuture || e.Why.Reason != forecast.LostDeletion {
			t.Errorf("%s", told(e))
		}
		return
	}
	t.Error("nothing is said of it")
}

// A zone that is declared late since the controller has not looked lately does not make the healthy
// nodes silent: what it will find is their leases as they stand.
func TestHealthyNodesAreNotSilentBecauseTheControllerIs(t *testing.T) {
	w := newWorld([]int{9}, map[string]float64{"a00": 62, "a01": 66})
	s := w.state(w.loop(105), w.next(second(105)))
	s.At = second(180)
	for i := range int32(s.Cache.Rows()) {
		if row := s.Cache.Row(i); row.Node != nil && row.Name != "a00" && row.Name != "a01" {
			s.Cache.SetLease(row.Name, second(178), row.Lease.Version+1000, 0)
		}
	}
	s.Overdue = infer.Overdue{Since: second(120), Held: second(110)}
	for i := range int32(s.Cache.Rows()) {
		name := s.Cache.Row(i).Name
		if silent := name == "a00" || name == "a01"; forecast.Silent(s, name) != silent {
			t.Errorf("%s: silent is %v", name, !silent)
		}
	}
}
