package phases

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/infer/evidence"
)

const (
	period  = 5 * time.Second
	grace   = 50 * time.Second
	longest = 10 * time.Millisecond
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// passes are those of five minutes: each begins a period after the one before has ended.
func passes(t *rapid.T) (list []model.Instant) {
	at := noon.Add(time.Duration(rapid.Int64Range(0, int64(period)).Draw(t, "first")))
	for at < noon.Add(5*time.Minute) {
		list = append(list, at)
		at = at.Add(period + time.Duration(rapid.Int64Range(int64(shortest), int64(longest)).Draw(t, "takes")))
	}
	return list
}

// after is the first pass after an instant.
func after(passes []model.Instant, t model.Instant) model.Instant {
	for _, p := range passes {
		if p > t {
			return p
		}
	}
	return model.FarFuture
}

// TestANodeIsDeclaredWithinItsBounds: wherever the passes lie, and whenever a silent node was heard last,
// it is declared Unknown within the bounds that were told before; and where more is known of the next
// pass, they are no wider.
func TestANodeIsDeclaredWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		passes := passes(t)
		renewed := noon.Add(20*time.Second + time.Duration(rapid.Int64Range(0, int64(10*time.Second)).Draw(t, "renewed")))
		seen := renewed.Add(time.Duration(rapid.Int64Range(0, int64(evidence.SeenWithin)).Draw(t, "seen")))
		declared := after(passes, after(passes, seen-1).Add(grace))
		now := renewed.Add(2*period + evidence.SeenWithin + time.Duration(rapid.Int64Range(0, int64(35*time.Second)).Draw(t, "now")))
		next := after(passes, now)
		h := evidence.Signs{Lease: evidence.HeardWithin(model.Exactly(renewed), renewed), Judged: true}

		told := func(early, late time.Duration) model.Interval {
			c := &Schedule{At: now, Period: period, Longest: longest, Grace: grace, Startup: time.Minute, Heard: map[string]evidence.Signs{"a": h}, Begun: model.Exactly(model.FarPast), BegunBy: model.FarPast}
			c.Divide([]model.Interval{{Earliest: max(now+1, next.Add(-early)), Latest: min(next.Add(late), now.Add(period+longest))}}, 1)
			w, ok := c.Declared(c.Phases(now, true, 1), h, false)
			if !ok {
				t.Fatal("it is not told when the node is declared")
			}
			return w
		}
		early := time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "early"))
		late := time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "late"))
		wide, exact := told(early, late), told(0, 0)
		if !wide.Contains(declared) || !exact.Contains(declared) {
			t.Fatalf("declared %s, and told within %s to %s, or %s to %s where the next pass is known", declared, wide.Earliest, wide.Latest, exact.Earliest, exact.Latest)
		}
		if exact.Width() > 2*period {
			t.Fatalf("%v wide, though the next pass is known", exact.Width())
		}
	})
}

// TestOfNobodyNothingIsTold: who gave no sign of life is in no Phase counted by a pass.
func TestOfNobodyNothingIsTold(t *testing.T) {
	c := &Schedule{At: noon, Period: period, Longest: longest, Grace: grace, Begun: model.Exactly(model.FarPast)}
	c.Divide([]model.Interval{{Earliest: noon + 1, Latest: noon.Add(period)}}, 1)
	if len(c.Parts) == 0 {
		t.Fatal("no pass is expected")
	}
	if w, ok := c.Declared(c.Phases(noon, true, 1), evidence.Signs{Judged: true}, false); ok {
		t.Fatalf("declared within %s to %s", w.Earliest, w.Latest)
	}
}
