// Package flags tells which values of the controllers' flags agree with what was observed, and infers those
// that nobody stated.
package flags

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// Enough is how many observations must agree before a default is given up.
const Enough = 3

// Fit is the interval of values of a flag that agree with the observations, both ends
// included, around the value used: of a period, whole parts of it would fit as well.
type Fit struct {
	Min, Max float64
	// Unit is "s" for a duration in seconds, "1/s" for a rate, and "" for a plain number.
	Unit string
	// Evidence is how many observations bound it; what one pass wrote is one.
	Evidence int
	// Or is what else would do, if the observations do not decide.
	Or Alternative
}

// Alternative is what else than the bounds of a flag would do: a code, and the values that the code names.
type Alternative struct {
	Code AlternativeCode
	// N is how many nodes were declared sooner, or a number of nodes, and For how far apart passes are.
	N   int
	For time.Duration
	// Periods are others, and More that there are more of them.
	Periods [4]time.Duration
	More    bool
	// Rate is the secondary rate, and Share the threshold for it.
	Rate  float32
	Share float64
}

// AlternativeCode is a code for an Alternative.
type AlternativeCode uint8

const (
	// Decided: nothing else would do.
	Decided AlternativeCode = iota
	// OnePass: less, for one pass alone shows it. Sooner: less, for N nodes were declared after a shorter silence. Farther: less,
	// if passes are farther apart than For. Delayed: less, or another, by a capture.
	OnePass
	Sooner
	Farther
	Delayed
	// OtherPeriods would have left the same traces.
	OtherPeriods
	// SecondaryRate: it may be the other rate, under a threshold Share and size N; UnknownZones: where zones are partly unhealthy.
	SecondaryRate
	UnknownZones
)

// String is the code.
func (c AlternativeCode) String() string {
	return [...]string{"decided", "one-pass", "sooner", "farther", "delayed", "other-periods", "secondary-rate", "unknown-zones"}[min(c, UnknownZones)]
}

// Observed is what flags are inferred from.
type Observed struct {
	Evidence *evidence.Evidence
	// Passes are those that were fitted; none while the period is inferred.
	Passes passes.List
	// Starts are when passes began anew.
	Starts []processes.Start
	// Params are the flags. Those that are inferred are set in them.
	Params *model.Params
	// Enough is how many observations a default is given up for.
	Enough int
	// MoreComes says that who cannot conclude yet may wait for more.
	MoreComes bool
	// Rates is what InferRates found.
	Rates Rates
	// Zones is what the states of zones tell of unhealthy-zone-threshold.
	Zones Threshold
	// Since is since when the flags are these; what was before tells nothing of them.
	Since model.Instant

	known map[time.Duration]rhythm // by the period used
}

// Fits says which values of the flags agree with what was observed.
func (o *Observed) Fits() map[string]Fit {
	out := map[string]Fit{}
	put := func(flag string, s spans, value float64, unit string) {
		if both, n := s.around(value); n > 0 {
			out[flag] = Fit{Min: both.min, Max: both.max, Unit: unit, Evidence: n}
		}
	}
	p, others := o.Params, o.rhythm().others
	if fits, n := o.fitGrace(); n > 0 {
		out["node-monitor-grace-period"] = Fit{Min: milli(fits.Earliest), Max: milli(fits.Latest), Unit: "s", Evidence: n, Or: o.undecidedGrace(fits, others)}
	}
	put("node-monitor-period", o.periods(p.NodeMonitorPeriod.Value), p.NodeMonitorPeriod.Value.Seconds(), "s")
	if fit, ok := out["node-monitor-period"]; ok {
		fit.Or = otherPeriods(others)
		out["node-monitor-period"] = fit
	} else if n := len(o.lapses(p.NodeMonitorPeriod.Value)); n > 0 { // passes took longer than they must, or it is another
		all := append(slices.Clone(others), p.NodeMonitorPeriod.Value)
		out["node-monitor-period"] = Fit{Min: slices.Min(all).Seconds(), Max: slices.Max(all).Seconds(), Unit: "s", Evidence: n}
	}
	o.fitRates(out)
	o.Zones.fit(out)
	return out
}

// milli is a duration that is kept as an Instant, in seconds to the millisecond.
func milli(i model.Instant) float64 {
	return float64(time.Duration(i).Round(time.Millisecond).Milliseconds()) / 1000
}

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
