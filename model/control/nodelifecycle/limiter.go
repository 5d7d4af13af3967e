package nodelifecycle

import (
	"math"
	"time"

	"kardia/model"
)

// limiter is the token bucket of a zone, float for float: it holds one token and starts full. A refusal stores nothing
// (L3).
// Source: golang.org/x/time/rate, Limiter.reserveN; client-go/util/flowcontrol.
type limiter struct {
	// qps is what the limiter reports as its rate. The one that never gives a token reports 1 (L6).
	qps   float32
	never bool

	tokens float64
	last   model.Instant
	used   bool // last is set; until then the bucket is full
}

func newLimiter(qps float32) limiter { return limiter{qps: qps, tokens: 1} }

func neverLimiter() limiter { return limiter{qps: 1, never: true} }

// rate is the true rate.
func (l *limiter) rate() float32 {
	if l.never {
		return 0
	}
	return l.qps
}

// after is what the bucket would hold after giving a token at t; ok is false if it has none.
func (l *limiter) after(t model.Instant) (tokens float64, ok bool) {
	if l.never {
		return 0, false
	}
	tokens = l.tokens
	if l.used && t > l.last && l.qps > 0 {
		tokens += t.Sub(l.last).Seconds() * float64(l.qps)
	}
	tokens = min(tokens, 1) - 1
	if tokens >= 0 {
		return tokens, true
	}
	if l.qps <= 0 {
		return 0, false
	}
	wait := -tokens / float64(l.qps) * float64(time.Second)
	return tokens, wait <= math.MaxInt64 && time.Duration(wait) <= 0
}

func (l *limiter) accept(t model.Instant) bool {
	tokens, ok := l.after(t)
	if ok {
		l.tokens, l.last, l.used = tokens, t, true
	}
	return ok
}

// next is the earliest time of a token, not before t; FarFuture for none.
func (l *limiter) next(t model.Instant) model.Instant {
	if _, ok := l.after(t); ok {
		return t
	}
	if l.never || l.qps <= 0 {
		return model.FarFuture
	}
	wait := (1 - l.tokens) / float64(l.qps) * float64(time.Second)
	if wait > math.MaxInt64/2 {
		return model.FarFuture
	}
	// The estimate is exact to a few nanoseconds; the bucket's own arithmetic decides.
	estimate := l.last.Add(time.Duration(wait))
	low, high := t, max(t, estimate).Add(time.Microsecond)
	if near := estimate.Add(-time.Microsecond); near > t {
		if _, ok := l.after(near); !ok {
			low = near
		}
	}
	for low+1 < high {
		mid := low + (high-low)/2
		if _, ok := l.after(mid); ok {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// swap changes the limiter's rate as the controller does at t (L5, L6), and reports whether it changed.
// Source: kubernetes: RateLimitedTimedQueue.SwapLimiter.
func (l *limiter) swap(t model.Instant, qps float32) bool {
	if l.qps == qps {
		return false // also if the limiter that never gives a token, and reports 1, should get rate 1
	}
	if qps <= 0 {
		*l = neverLimiter()
		return true
	}
	next := newLimiter(qps)
	if !l.accept(t) {
		next.accept(t)
	}
	*l = next
	return true
}

// since is the earliest time from which the token of t was available. A bucket that was never used does not know its
// creation: it returns t, and is not sure.
func (l *limiter) since(t model.Instant) (since model.Instant, sure bool) {
	if !l.used {
		return t, false
	}
	return l.next(l.last), true
}
