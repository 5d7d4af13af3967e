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

// monitor makes the passes of five minutes: each begins a period after the one before has ended. Some of those before
// an instant write, which takes them longer, and leave a trace.
func monitor(t *rapid.T, writeBefore model.Instant) (list []model.Instant, traces []Trace) {
	most := rapid.SampledFrom([]time.Duration{0, 400 * time.Millisecond, 12 * time.Second}).Draw(t, "writing takes at most")
	at := noon.Add(time.Duration(rapid.Int64Range(0, int64(period)).Draw(t, "first")))
	for at < noon.Add(5*time.Minute) {
		list = append(list, at)
		took := time.Duration(rapid.Int64Range(int64(shortest), int64(longest)).Draw(t, "takes"))
		if most > 0 && at.Add(most) < writeBefore && rapid.IntRange(0, 3).Draw(t, "writes") == 0 {
			known := time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "known to"))
			began := at.Add(-time.Duration(rapid.Int64Range(0, int64(known)).Draw(t, "of which before")))
			writing := time.Duration(rapid.Int64Range(0, int64(most)).Draw(t, "writing"))
			traces = append(traces, Trace{Interval: model.Interval{Earliest: began, Latest: began.Add(known)}, Slow: writing + time.Duration(rapid.Int64Range(0, int64(most/4)).Draw(t, "less than thought"))})
			took += writing
		}
		at = at.Add(period + took)
	}
	return list, traces
}

// after is the first pass after an instant.
func after(began []model.Instant, t model.Instant) model.Instant {
	for _, p := range began {
		if p > t {
			return p
		}
	}
	return model.FarFuture
}

// counted is the last pass that counted a node: that which first saw its lease, or its status. A pass that sees a new
// status and no renewal forgets the lease, so that the next one counts it again (N10).
func counted(began []model.Instant, lease, status model.Instant) model.Instant {
	at := after(began, lease-1)
	if !status.Known() || after(began, status-1) == at {
		return at
	}
	return max(at, after(began, after(began, status-1)))
}

// TestANodeIsDeclaredWithinItsBounds: wherever the passes lie, and whenever a silent node was heard last,
// it is declared Unknown within the bounds that were told before; and where more is known of the next
// pass, they are no wider.
func TestANodeIsDeclaredWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		renewed := noon.Add(20*time.Second + time.Duration(rapid.Int64Range(0, int64(10*time.Second)).Draw(t, "renewed")))
		seen := renewed.Add(time.Duration(rapid.Int64Range(0, int64(evidence.SeenWithin)).Draw(t, "seen")))
		h := evidence.Signs{Lease: evidence.HeardWithin(model.Exactly(renewed), renewed), Judged: true}
		last := renewed
		posted, statusSeen := model.Instant(0), model.Instant(0)
		if rapid.Bool().Draw(t, "posts") {
			posted = renewed.Add(time.Duration(rapid.Int64Range(-int64(8*time.Second), int64(8*time.Second)).Draw(t, "posted")))
			statusSeen = posted.Add(time.Duration(rapid.Int64Range(0, int64(evidence.SeenWithin)).Draw(t, "status seen")))
			h.Status = evidence.HeardWithin(model.Exactly(posted), posted)
			last = max(last, posted)
		}
		now := last.Add(2*period + evidence.SeenWithin + time.Duration(rapid.Int64Range(0, int64(30*time.Second)).Draw(t, "now")))
		began, traces := monitor(t, now)
		declared := after(began, counted(began, seen, statusSeen).Add(grace))
		if declared <= now {
			t.Skip("it is declared already")
		}
		next := after(began, now)

		told := func(early, late time.Duration) model.Interval {
			c := &Schedule{At: now, Period: period, Longest: longest, Grace: grace, Startup: time.Minute, Heard: map[string]evidence.Signs{"a": h}, Begun: model.Exactly(model.FarPast), BegunBy: model.FarPast, Traces: traces}
			c.Divide([]model.Interval{{Earliest: max(now+1, next.Add(-early)), Latest: min(next.Add(late), now.Add(period+longest))}}, 1)
			w, ok := c.Declared(c.Phases(now, true, 1), h, false)
			if !ok {
				t.Fatal("it is not told when the node is declared")
			}
			return c.Narrowed(w, h, false, 0)
		}
		early := time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "early"))
		late := time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "late"))
		wide, exact := told(early, late), told(0, 0)
		if !wide.Contains(declared) || !exact.Contains(declared) {
			t.Fatalf("declared %s, and told within %s to %s, or %s to %s where the next pass is known", declared, wide.Earliest, wide.Latest, exact.Earliest, exact.Latest)
		}
		most := 2 * period
		if h.Status.Known() { // which came first, the renewal or the status, makes a pass more
			most += period
		}
		if exact.Width() > most && len(traces) == 0 {
			t.Fatalf("%v wide, though the next pass is known", exact.Width())
		}
	})
}

// TestANodeThatNeverPosted: a node without any sign of life has the startup grace period, from its creation (N12).
func TestANodeThatNeverPosted(t *testing.T) {
	const startup = time.Minute
	rapid.Check(t, func(t *rapid.T) {
		made := noon.Add(20*time.Second + time.Duration(rapid.Int64Range(0, int64(10*time.Second)).Draw(t, "made")))
		now := made.Add(time.Duration(rapid.Int64Range(int64(period), int64(startup)-1).Draw(t, "now")))
		began, traces := monitor(t, now)
		declared, next := after(began, made.Add(startup)), after(began, now)
		c := &Schedule{At: now, Period: period, Longest: longest, Grace: grace, Startup: startup, Heard: map[string]evidence.Signs{"a": {Made: made, Judged: true, New: true}}, Begun: model.Exactly(model.FarPast), BegunBy: model.FarPast, Traces: traces}
		early := time.Duration(rapid.Int64Range(0, int64(2*time.Second)).Draw(t, "early"))
		c.Divide([]model.Interval{{Earliest: max(now+1, next.Add(-early)), Latest: min(next.Add(time.Second), now.Add(period+longest))}}, 1)
		w, ok := c.Declared(c.Phases(now, true, 1), c.Heard["a"], true)
		if !ok || !w.Contains(declared) {
			t.Fatalf("declared %s, and told within %s to %s", declared, w.Earliest, w.Latest)
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
