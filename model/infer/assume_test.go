package infer

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
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
			return Assumption{Kind: processes.Stalled, Who: processes.ControllerManager, Stopped: stall.Earliest, At: model.Interval{Earliest: late.Add(-250 * time.Millisecond), Latest: late}}
		}},
		"a burnt token": {burnOne, func(r *Result) Assumption {
			for _, id := range r.Unobserved {
				for i := range r.Decisions {
					if d := &r.Decisions[i]; d.ID == id && d.Kind == model.TaintNoExecute {
						return Assumption{Kind: processes.Burnt, Node: d.Node, At: model.Interval{Earliest: d.Window.Earliest.Add(-passes.Usual), Latest: d.Window.Latest.Add(passes.Usual)}}
					}
				}
			}
			return Assumption{Kind: processes.SetAside}
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

// byWatches is a History as watch files tell it: nobody says who wrote, and what was written is dated to about a second,
// in the order in which it came.
func byWatches(t *testing.T, h *history.Memory) *history.Memory {
	t.Helper()
	var out []model.Change
	last := model.FarPast
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		if ch.Op != model.OpBaseline {
			ch.Writer, ch.Quality = model.WriterUnknown, model.ByStamp
			second := ch.Time.Earliest.Truncate(time.Second)
			ch.Time = model.Interval{Earliest: max(second, ch.Lease.Renewed), Latest: second.Add(1100 * time.Millisecond)}
			ch.At = max(ch.Time.Earliest, last)
			ch.Time.Earliest, ch.Time.Latest = ch.At, max(ch.Time.Latest, ch.At)
			last = ch.At
		}
		out = append(out, *ch)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return history.NewMemory(out, h.Coverage(), nil, h.Sources())
}

// A stall of the API server, after which nodes are declared that beat, and one is tainted that says that it is Ready
// again: who has watch files alone is told of it as well as who has an audit log.
func TestAStallIsSeenByWatchesAlone(t *testing.T) {
	stall := model.Interval{Earliest: after(90.3), Latest: after(150.3)}
	behind := []string{"b00", "b01", "b02", "a11"}
	s := outage(12, 4)
	s.stop(stall.Earliest, stall.Latest)
	s.behind(behind...)
	for i, node := range behind {
		s.status(node, stall.Latest.Add(time.Duration(400+i)*time.Millisecond), model.StatusTrue)
	}
	told := s.tell(after(390))
	for by, h := range map[string]*history.Memory{"an audit log": told, "watches": byWatches(t, told)} {
		res := ran(t, h, Options{})
		if res.Findings() < 5 {
			t.Errorf("by %s a stall contradicts little: %d findings", by, res.Findings())
		}
		late := model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}
		for i := range res.Writes {
			if w := &res.Writes[i]; w.Kind == model.MarkUnknown && w.Time.Latest >= stall.Latest && w.Time.Latest < late.Latest {
				late = w.Time
			}
		}
		with, err := res.Assuming([]Assumption{{Kind: processes.Stalled, Who: processes.ControllerManager, Stopped: stall.Earliest, At: model.Interval{Earliest: late.Earliest.Add(-250 * time.Millisecond), Latest: late.Latest}}})
		if err != nil {
			t.Fatal(err)
		}
		if n := with.Findings(); n > 0 {
			t.Errorf("by %s a stall leaves %d findings", by, n)
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
