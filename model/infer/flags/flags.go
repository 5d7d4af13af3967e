// Package flags finds the values of the controllers' flags that agree with the observation, and infers unknown ones.
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

// Enough is how many observations must agree to replace a default.
const Enough = 3

// Fit is the interval of a flag's values around the one used, ends included, that agree with the observation. A
// period's whole parts fit as well.
type Fit struct {
	Min, Max float64
	// Unit is "s" for a duration in seconds, "1/s" for a rate, and "" for a plain number.
	Unit string
	// Evidence is how many observations bound it; all writes of one pass are one.
	Evidence int
	// Or is an alternative if the observation does not decide.
	Or Alternative
}

// Alternative is a possible value outside the bounds: a code, and the code's values.
type Alternative struct {
	Code AlternativeCode
	// N is how many nodes were declared sooner, or a number of nodes; For is the distance of passes.
	N   int
	For time.Duration
	// More: there are more Periods.
	Periods [4]time.Duration
	More    bool
	Rate    float32
	Share   float64
}

// AlternativeCode is a code for an Alternative.
type AlternativeCode uint8

const (
	// Decided: no alternative.
	Decided AlternativeCode = iota
	// OnePass: less, because only one pass shows it. Sooner: less, because N nodes were declared after a shorter
	// silence. Farther: less, if passes are farther apart than For. Delayed: less, or another value, by a capture.
	OnePass
	Sooner
	Farther
	Delayed
	OtherPeriods
	// SecondaryRate: it may be that rate, under a threshold Share and size N; UnknownZones: zones are not known.
	SecondaryRate
	UnknownZones
)

// String is the code.
func (c AlternativeCode) String() string {
	return [...]string{"decided", "one-pass", "sooner", "farther", "delayed", "other-periods", "secondary-rate", "unknown-zones"}[min(c, UnknownZones)]
}

// Observed is the evidence for flags.
type Observed struct {
	Evidence *evidence.Evidence
	// Passes are the fitted ones; none while the period is inferred.
	Passes passes.List
	// Starts are when new processes began to run passes, or old ones continued.
	Starts []processes.Start
	// Params are the flags; inferred ones are set in them.
	Params *model.Params
	Enough int
	// MoreComes: more evidence may come, so do not conclude yet.
	MoreComes bool
	Rates     Rates
	// Zones are the bounds of unhealthy-zone-threshold by the states of zones.
	Zones Threshold
	// Since is since when the flags are these: earlier evidence does not count.
	Since model.Instant

	known map[time.Duration]rhythm // by the period used
}

// Fits are the values of the flags that agree with the observation.
func (o *Observed) Fits() map[string]Fit {
	out := map[string]Fit{}
	period, others := o.Params.NodeMonitorPeriod.Value, o.rhythm().others
	if fits, n := o.fitGrace(); n > 0 {
		out["node-monitor-grace-period"] = Fit{Min: milli(fits.Earliest), Max: milli(fits.Latest), Unit: "s", Evidence: n, Or: o.undecidedGrace(fits, others)}
	}
	if both, n := o.periods(period).around(period.Seconds()); n > 0 {
		out["node-monitor-period"] = Fit{Min: both.min, Max: both.max, Unit: "s", Evidence: n, Or: otherPeriods(others)}
	} else if n := len(o.lapses(period)); n > 0 { // passes took longer than they must, or it is another
		all := append(slices.Clone(others), period)
		out["node-monitor-period"] = Fit{Min: slices.Min(all).Seconds(), Max: slices.Max(all).Seconds(), Unit: "s", Evidence: n}
	}
	o.fitRates(out)
	o.Zones.fit(out)
	return out
}

// milli is a duration kept as an Instant, in seconds to the millisecond.
func milli(i model.Instant) float64 {
	return float64(time.Duration(i).Round(time.Millisecond).Milliseconds()) / 1000
}

func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return v
}

type span struct{ min, max float64 }

type spans []span

// around is the intersection of all spans that contain a value, and their number; none if fewer than half of all do.
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

// most is the intersection that most spans share.
func (s spans) most() (both span, evidence int) {
	sorted := slices.Clone(s)
	slices.SortFunc(sorted, func(a, b span) int { return cmp.Compare(a.min, b.min) })
	for i := range sorted { // it begins where a span begins
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

// maxSpans limits the observations for a flag: the last are used.
const maxSpans = 1000

func (s spans) last() spans { return s[max(0, len(s)-maxSpans):] }
