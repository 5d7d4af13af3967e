package infer

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// What contradicts the models is explained where what nobody tells of is assumed, and only then.
func TestWhatIsAssumedExplains(t *testing.T) {
	stall := model.Interval{Earliest: after(100), Latest: after(150)}
	for what, c := range map[string]struct {
		happens func(s *story)
		assume  func(r *Result) Assumption
	}{
		"a stall": {func(s *story) { s.stop(stall.Earliest, stall.Latest) }, func(r *Result) Assumption {
			late := model.FarFuture
			for i := range r.Writes {
				if w := &r.Writes[i]; w.Time.Earliest >= stall.Earliest {
					late = min(late, w.Time.Latest)
				}
			}
			return Assumption{Kind: Stalled, Who: processes.ControllerManager, Stopped: stall.Earliest, At: model.Interval{Earliest: late.Add(-250 * time.Millisecond), Latest: late}}
		}},
		"a burnt token": {burnOne, func(r *Result) Assumption {
			for _, id := range r.Unobserved {
				for i := range r.Decisions {
					if d := &r.Decisions[i]; d.ID == id && d.Kind == model.TaintNoExecute {
						return Assumption{Kind: Burnt, Node: d.Node, At: model.Interval{Earliest: d.Window.Earliest.Add(-passes.Usual), Latest: d.Window.Latest.Add(passes.Usual)}}
					}
				}
			}
			return Assumption{Kind: SetAside}
		}},
	} {
		s := outage(12, 4)
		c.happens(s)
		res := ran(t, s.tell(after(300)), Options{})
		before := res.Findings()
		if before == 0 {
			t.Errorf("%s contradicts nothing", what)
		}
		with, err := res.Assuming([]Assumption{c.assume(res)})
		if err != nil {
			t.Fatal(err)
		}
		if n := with.Findings(); n > 0 || res.Findings() != before {
			t.Errorf("%s leaves %d findings, and %d of %d without it", what, n, res.Findings(), before)
			clean(t, with)
		}
	}
}

// burnOne lets a tick that has a token read its node in a cache that is behind: the second one, for the
// tick right after the pass may as well come before the pass has written.
func burnOne(s *story) {
	ticks := 0
	s.loop.Hidden.Behind = func(string) bool {
		ticks++
		return ticks == 2
	}
}
