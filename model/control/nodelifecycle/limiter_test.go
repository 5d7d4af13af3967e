package nodelifecycle

import (
	"testing"
	"time"

	"golang.org/x/time/rate"
	"pgregory.net/rapid"

	"kardia/model"
)

// The bucket gives and refuses exactly when the real one does, at any rate and any
// sequence of instants, also when the clock steps back.
func TestLimiterIsTheRealOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		qps := rapid.OneOf(rapid.SampledFrom([]float32{0, 0.01, 0.1, 1, 3, -1}), rapid.Float32Range(1e-6, 50)).Draw(t, "rate")
		ours, real := newLimiter(qps), rate.NewLimiter(rate.Limit(qps), 1)
		now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
		step := rapid.OneOf(
			rapid.Just(int64(100*time.Millisecond)), rapid.Int64Range(-int64(time.Second), int64(10*time.Second)),
			rapid.Just(int64(10*time.Second)), rapid.Just(int64(100*time.Second)), rapid.Int64Range(0, 5))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(step.Draw(t, "step")))
			if want, got := real.AllowN(now.Time(), 1), ours.accept(now); got != want {
				t.Fatalf("at %v with rate %v: accept is %v, the real one %v", now, qps, got, want)
			}
		}
		// next is the first instant at which a token is there, to the nanosecond.
		at := ours.next(now)
		if at == model.FarFuture {
			return
		}
		early := ours
		if at > now && early.accept(at-1) {
			t.Fatalf("next is %v, but there is a token a nanosecond before", at)
		}
		if !ours.accept(at) {
			t.Fatalf("next is %v, but there is no token", at)
		}
	})
}

// With ticks every 100 ms, 0.1/s gives every 10 s and 0.01/s every 100.1 s: the flag is a
// float32, and 0.01 is a little less when widened (L2, L4).
func TestTokensFallOnTicks(t *testing.T) {
	start := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		rate float32
		want time.Duration
	}{{0.1, 10 * time.Second}, {0.01, 100*time.Second + 100*time.Millisecond}} {
		l := newLimiter(c.rate)
		var given []time.Duration
		for at := time.Duration(0); len(given) < 4; at += TickPeriod {
			if l.accept(start.Add(at)) {
				given = append(given, at)
			}
		}
		for i, at := range given {
			if at != time.Duration(i)*c.want {
				t.Errorf("rate %v: token %d after %v, want %v", c.rate, i, at, time.Duration(i)*c.want)
			}
		}
	}
}

// A swap keeps a full bucket full and an empty one empty; the limiter that never gives
// says it gives 1, so that a swap to 1 is taken for no change (L5–L7).
func TestSwap(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	full := newLimiter(0.1)
	full.swap(at, 0.01)
	if !full.accept(at) {
		t.Error("a full bucket stays full")
	}
	never := newLimiter(0.1)
	never.swap(at, 0)
	if never.accept(at.Add(time.Hour)) || never.next(at) != model.FarFuture {
		t.Error("rate 0 gives nothing")
	}
	if one := never; one.swap(at, 1) || one.rate() != 0 {
		t.Error("a swap from never to 1 is mistaken for no change")
	}
	if !never.swap(at, 0.1) || never.accept(at) || !never.accept(at.Add(10*time.Second)) {
		t.Error("after never the bucket starts empty")
	}
	zero := newLimiter(0)
	if !zero.accept(at) || zero.accept(at.Add(time.Hour)) {
		t.Error("a zone created at rate 0 has exactly one token")
	}
}
