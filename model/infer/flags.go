package infer

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"kardia/model"
)

// fits says which values of the flags agree with what was observed.
func (r *run) fits(out map[string]Fit) {
	put := func(flag string, s spans, value float64, unit string) {
		if both, n := s.around(value); n > 0 {
			out[flag] = Fit{Min: both.min, Max: both.max, Unit: unit, Evidence: n}
		}
	}
	p, others := &r.o.Params, r.otherPeriods()
	if fits, n := r.fitGrace(); n > 0 {
		out["node-monitor-grace-period"] = Fit{Min: milli(fits.Earliest), Max: milli(fits.Latest), Unit: "s", Evidence: n, Or: r.undecidedGrace(fits, len(others) > 0)}
	}
	put("node-monitor-period", r.periods(p.NodeMonitorPeriod.Value), p.NodeMonitorPeriod.Value.Seconds(), "s")
	if fit, ok := out["node-monitor-period"]; ok {
		fit.Or = orPeriods(others)
		out["node-monitor-period"] = fit
	}
	r.fitRates(out)
}

// milli is a duration that is kept as an Instant, in seconds to the millisecond.
func milli(i model.Instant) float64 { return time.Duration(i).Round(time.Millisecond).Seconds() }

// digits cuts a number to four digits.
func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return v
}

// span is an interval of values that agrees with one observation.
type span struct{ min, max float64 }

type spans []span

// around is what all observations that agree with a value have in common, and how many they
// are; none where fewer than half of all agree with it.
func (s spans) around(value float64) (both span, evidence int) {
	both = span{0, math.Inf(1)}
	for _, v := range s {
		if v.min <= value && value <= v.max {
			both, evidence = span{max(both.min, v.min), min(both.max, v.max)}, evidence+1
		}
	}
	if evidence*2 < len(s) {
		return span{}, 0
	}
	return span{digits(both.min), digits(both.max)}, evidence
}

// most is what most observations agree on.
func (s spans) most() (both span, evidence int) {
	sorted := slices.Clone(s)
	slices.SortFunc(sorted, func(a, b span) int { return cmp.Compare(a.min, b.min) })
	for i := range sorted { // what most agree on begins where one of them begins
		x := span{sorted[i].min, math.Inf(1)}
		n := 0
		for _, v := range sorted[:i+1] {
			if v.max >= x.min {
				x.max, n = min(x.max, v.max), n+1
			}
		}
		if n > evidence {
			both, evidence = x, n
		}
	}
	return both, evidence
}

// maxSpans bounds the observations that a flag is inferred from: the last are used.
const maxSpans = 1000

func (s spans) last() spans { return s[max(0, len(s)-maxSpans):] }
