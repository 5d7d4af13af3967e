package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// Instant is a point in time in nanoseconds since the Unix epoch, UTC. The zero value is "not known": no recording
// reaches back to 1970. It spans the years 1678 to 2261; other times are clamped (see At).
type Instant int64

// The ends of the range; in an Interval they mean "unbounded on this side".
const (
	FarPast   Instant = math.MinInt64
	FarFuture Instant = math.MaxInt64
)

// At converts a time.Time. Go's zero time and year 1 become unknown, years out of range FarPast or FarFuture.
func At(t time.Time) Instant {
	switch {
	case t.Year() <= 1:
		return 0
	case t.Year() < 1678:
		return FarPast
	case t.Year() > 2261:
		return FarFuture
	}
	return Instant(t.UnixNano())
}

// Known reports whether the instant is known.
func (i Instant) Known() bool { return i != 0 }

// Bounded reports whether the instant is a real point in time: known, and neither FarPast nor FarFuture.
func (i Instant) Bounded() bool { return i != 0 && i != FarPast && i != FarFuture }

// Time converts to time.Time in UTC. The unknown Instant becomes Go's zero time.
func (i Instant) Time() time.Time {
	if i == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(i)).UTC()
}

// Add moves the instant by d, clamping at the ends. Unknown stays unknown.
func (i Instant) Add(d time.Duration) Instant {
	if i == 0 || i == FarPast || i == FarFuture {
		return i
	}
	sum := i + Instant(d)
	switch {
	case d > 0 && sum < i:
		return FarFuture
	case d < 0 && sum > i:
		return FarPast
	}
	return sum
}

// Sub is the duration from j to i, clamped. With an unknown instant it has no meaning: ask Known first.
func (i Instant) Sub(j Instant) time.Duration {
	d := i - j
	switch {
	case i >= j && d < 0:
		return math.MaxInt64
	case i < j && d > 0:
		return math.MinInt64
	}
	return time.Duration(d)
}

// Earlier is the earlier of two instants; an unknown one does not count.
func (i Instant) Earlier(j Instant) Instant {
	if i == 0 || j != 0 && j < i {
		return j
	}
	return i
}

// Truncate rounds down to a multiple of d since the epoch.
func (i Instant) Truncate(d time.Duration) Instant {
	if !i.Bounded() || d <= 0 {
		return i
	}
	rest := i % Instant(d)
	if rest < 0 {
		rest += Instant(d)
	}
	return i - rest
}

// String prints RFC 3339 with as many fractional digits as needed; "unknown" for the zero value.
func (i Instant) String() string {
	switch i {
	case 0:
		return "unknown"
	case FarPast:
		return "-∞"
	case FarFuture:
		return "+∞"
	}
	return i.Time().Format(time.RFC3339Nano)
}

// Clock is the time of day in UTC, cut to a second: 23:44:08Z; String if it is not bounded.
func (i Instant) Clock() string {
	if !i.Bounded() {
		return i.String()
	}
	return i.Time().UTC().Format("15:04:05Z")
}

// Interval is when something happened, both ends included; zero is unknown. Open ends are FarPast and FarFuture.
type Interval struct {
	Earliest, Latest Instant
}

// Exactly is the interval of one known instant.
func Exactly(i Instant) Interval { return Interval{i, i} }

// Always is the interval that excludes nothing.
var Always = Interval{FarPast, FarFuture}

// Known reports whether the interval is known.
func (v Interval) Known() bool { return v != Interval{} }

// Bounded reports whether both ends are real points in time.
func (v Interval) Bounded() bool { return v.Earliest.Bounded() && v.Latest.Bounded() }

// Width is the distance between the ends, and the largest Duration if an end is unbounded.
func (v Interval) Width() time.Duration {
	if !v.Bounded() {
		return math.MaxInt64
	}
	return v.Latest.Sub(v.Earliest)
}

// Middle is the time half-way between the ends.
func (v Interval) Middle() Instant { return v.Earliest.Add(v.Width() / 2) }

// Contains reports whether t is in the interval.
func (v Interval) Contains(t Instant) bool { return v.Earliest <= t && t <= v.Latest }

// Overlaps reports whether the two intervals share a time.
func (v Interval) Overlaps(w Interval) bool {
	return v.Earliest <= w.Latest && w.Earliest <= v.Latest
}

// Intersect is the common part; ok is false, and v unchanged, if there is none.
func (v Interval) Intersect(w Interval) (both Interval, ok bool) {
	both = Interval{max(v.Earliest, w.Earliest), min(v.Latest, w.Latest)}
	if both.Earliest > both.Latest {
		return v, false
	}
	return both, true
}

// Around is the least interval that holds both.
func (v Interval) Around(w Interval) Interval {
	return Interval{min(v.Earliest, w.Earliest), max(v.Latest, w.Latest)}
}

// Spanning is the least interval that holds both; an unknown one adds nothing.
func (v Interval) Spanning(w Interval) Interval { return cmp.Or(v, w).Around(cmp.Or(w, v)) }

// Compare orders intervals as lists do: by the earlier start, then by the earlier end.
func (v Interval) Compare(w Interval) int {
	return cmp.Or(cmp.Compare(v.Earliest, w.Earliest), cmp.Compare(v.Latest, w.Latest))
}

// Alike reports whether both ends differ by at most a second: the two intervals read the same.
func (v Interval) Alike(w Interval) bool {
	return v.Earliest.Sub(w.Earliest).Abs() <= time.Second && v.Latest.Sub(w.Latest).Abs() <= time.Second
}

// Maybe is a value that may be unknown. Its zero value is unknown, which is never shown as 0.
type Maybe[T any] struct {
	Value T
	Known bool
}

// Some is a known value.
func Some[T any](v T) Maybe[T] { return Maybe[T]{v, true} }

// Length prints a duration for people: to a tenth of a second below a minute, else to a second.
func Length(d time.Duration) string {
	if d.Abs() < time.Minute {
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + "s"
	}
	return d.Round(time.Second).String()
}

// Clock prints minutes and seconds, with hours if there are any, rounded to the second: 0:48, -0:05, 1:02:09.
func Clock(d time.Duration) string {
	sign := ""
	if d = d.Round(time.Second); d < 0 {
		sign, d = "-", -d
	}
	if d >= time.Hour {
		return fmt.Sprintf("%s%d:%02d:%02d", sign, d/time.Hour, d%time.Hour/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%s%d:%02d", sign, d/time.Minute, d%time.Minute/time.Second)
}

// United merges overlapping intervals, in order.
func United(list []Interval) (out []Interval) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for _, v := range list {
		if n := len(out); n > 0 && v.Earliest <= out[n-1].Latest {
			out[n-1].Latest = max(out[n-1].Latest, v.Latest)
			continue
		}
		out = append(out, v)
	}
	return out
}

// Common is the common part of two lists, each in order and without overlaps.
func Common(a, b []Interval) (out []Interval) {
	for len(a) > 0 && len(b) > 0 {
		if both, ok := a[0].Intersect(b[0]); ok {
			out = append(out, both)
		}
		if a[0].Latest < b[0].Latest {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}
