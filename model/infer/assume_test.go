package infer

import (
	"slices"
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

// Silences that differ by a whole pass share a moment only, and are of different lengths all the same.
func TestSilencesThatTouchDoNotAgree(t *testing.T) {
	seconds := func(from, to float64, pass int) silence {
		at := func(s float64) model.Instant { return model.Instant(s * float64(time.Second)) }
		return silence{model.Interval{Earliest: at(from), Latest: at(to)}, pass}
	}
	sooner, later := seconds(45, 50.1, 1), seconds(50.04, 55.1, 2)
	for what, c := range map[string]struct {
		list  []silence
		least float64
		agree int
	}{
		"most":        {[]silence{sooner, later, sooner}, 45, 2},
		"the shorter": {[]silence{later, sooner}, 45, 1},
		"delayed":     {[]silence{later, later, sooner}, 50.04, 2},
		"both":        {[]silence{seconds(45, 55.1, 3), sooner}, 45, 2},
	} {
		slices.Reverse(c.list)
		if fits, agree := agreed(c.list); time.Duration(fits.Earliest).Seconds() != c.least || len(agree) != c.agree {
			t.Errorf("%s: from %v, %d agree", what, time.Duration(fits.Earliest), len(agree))
		}
	}
}
