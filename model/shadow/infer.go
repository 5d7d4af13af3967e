package shadow

import (
	"cmp"
	"math"
	"slices"
	"sort"
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
	if fits, n := r.fitGrace(); n > 0 {
		out["node-monitor-grace-period"] = Fit{Min: milli(fits.Earliest), Max: milli(fits.Latest), Unit: "s", Evidence: n}
	}
	p := &r.o.Params
	put("node-monitor-period", r.periods(p.NodeMonitorPeriod.Value), p.NodeMonitorPeriod.Value.Seconds(), "s")
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

// periods are the periods of the monitor that the distance of two passes that left a trace
// allows, if it is about as long as supposed: what lies between them is a whole number of
// periods, and what the passes took.
func (r *run) periods(supposed time.Duration) (out spans) {
	if supposed <= 0 {
		return nil
	}
	took := idle + time.Duration(r.size)*perNode
	since := model.FarPast
	starts := r.starts()
	for i := 0; i <= len(starts); i++ {
		until := model.FarFuture
		if i < len(starts) {
			until = starts[i].Earliest
		}
		found := anchorsIn(r.out, since, until)
		since = until
		for k := 1; k < len(found); k++ {
			a, b := found[k-1], found[k]
			n := max(1, int((middle(b).Sub(middle(a))+supposed/2)/(supposed+usual)))
			if time.Duration(n)*took > supposed/2 {
				continue // how many there were is not known
			}
			wrote := r.wrote(a)
			shortest := (b.Earliest.Sub(a.Latest)-time.Duration(wrote)*perWrite)/time.Duration(n) - took
			out = append(out, span{shortest.Seconds(), (b.Latest.Sub(a.Earliest) / time.Duration(n)).Seconds()})
		}
	}
	return out.last()
}

// wrote counts the writes of a pass.
func (r *run) wrote(pass model.Interval) (n int) {
	from, _ := slices.BinarySearchFunc(r.out, pass.Earliest.Add(-narrow), func(w seen, t model.Instant) int { return cmp.Compare(w.at, t) })
	for i := from; i < len(r.out) && r.out[i].soonest <= pass.Latest.Add(lagBound); i++ {
		if w := &r.out[i]; w.Kind != model.EvictPod && w.Kind != model.CollectPod && w.Time.Latest >= pass.Earliest && w.Time.Earliest <= pass.Latest.Add(lagBound) {
			n++
		}
	}
	return n
}

// inferPeriod replaces a default that the passes contradict by the longest half second that
// agrees with them.
func (r *run) inferPeriod() {
	p := &r.o.Params.NodeMonitorPeriod
	found := r.periods(p.Value)
	if p.From != model.FromDefault || len(found) < r.enough {
		return
	}
	if _, n := found.around(p.Value.Seconds()); n > 0 {
		return
	}
	for value := time.Minute; value >= time.Second; value -= time.Second / 2 {
		other := r.periods(value)
		if _, n := other.around(value.Seconds()); n >= r.enough && n == len(other) {
			*p = model.Param[time.Duration]{Value: value, From: model.FromInferred}
			return
		}
	}
}

// request is when a write was first asked for.
func (w *seen) request() model.Interval {
	v := w.Time
	if w.attempt.Known() {
		v.Earliest = w.attempt
	}
	if w.exact {
		v.Latest = v.Earliest
	}
	return v
}

// enough is how many silences must agree before a default is given up.
const enough = 3

// inferGrace replaces a default that enough observations contradict by the longest multiple
// of the period that agrees with them.
func (r *run) inferGrace() {
	p := &r.o.Params.NodeMonitorGracePeriod
	period := r.o.Params.NodeMonitorPeriod.Value
	fits, n := r.fitGrace()
	if p.From != model.FromDefault || n < r.enough || fits.Contains(model.Instant(p.Value)) {
		return
	}
	if longest := time.Duration(fits.Latest).Truncate(period); longest >= time.Duration(fits.Earliest) {
		*p = model.Param[time.Duration]{Value: longest, From: model.FromInferred}
	}
}

// fitGrace bounds the grace period: a node is Unknown in the first pass that is more than it
// later than the pass that counted its last renewal. Ends are durations; evidence counts the
// nodes that agree.
//
// A declaration proves nothing where something else than the flag may have timed it: see provesGrace.
// Declarations that came late, and all with one pass, may be those of a controller that stood still:
// who can wait for more does not conclude from them.
func (r *run) fitGrace() (fits model.Interval, evidence int) {
	n, used, passes := 0, r.o.Params.NodeMonitorGracePeriod.Value, map[int]bool{}
	for i := range r.out {
		w := &r.out[i]
		if w.Kind != model.MarkUnknown || w.aside {
			continue
		}
		k, beat := r.passOf(w.Time), w.beat
		if k < 1 || !beat.Known() {
			continue
		}
		after := func(t model.Instant) int {
			i, _ := slices.BinarySearchFunc(r.passes, t, func(x pass, t model.Instant) int { return cmp.Compare(x.at, t) })
			return i
		}
		from := after(beat)
		// The pass after one that sees a new status, and no new renewal, counts the lease anew (N10).
		if saw := after(w.posted); w.posted.Known() && saw > from {
			from = saw + 1
		}
		for i := k; i > from; i-- {
			if r.passes[i].first {
				from = i // a new process counts from when it sees the node first
			}
		}
		if from == 0 || from >= k {
			continue
		}
		// Whether a pass came before the renewal or after it may be open.
		soonest, latest := from, from
		if r.passes[from-1].Latest > beat && !r.passes[from].first {
			soonest--
		}
		if r.passes[from].Earliest <= beat.Add(seenWithin) && from+1 < k {
			latest++
		}
		v := model.Interval{Earliest: model.Instant(r.passes[k-1].at.Sub(r.passes[latest].at)), Latest: model.Instant(r.passes[k].at.Sub(r.passes[soonest].at))}
		if !r.provesGrace(w, v.Earliest > model.Instant(used)) {
			continue
		}
		if n > 0 {
			both, ok := fits.Intersect(v)
			if !ok {
				continue
			}
			v = both
		}
		fits, n = v, n+1
		passes[k] = true
	}
	if r.o.Mode == Causal && fits.Earliest > model.Instant(used) && len(passes) < 2 {
		return model.Interval{}, 0
	}
	return fits, n
}

const (
	// renewing is how often a kubelet renews its lease, and a little: a node that was heard so
	// lately is declared by a controller whose cache is behind, whatever its flags are.
	renewing = 15 * time.Second
	// recovering is how long after an outage of the API server the caches of the controller may be
	// behind: its watches are dialled again later and later.
	recovering = time.Minute
)

// provesGrace says whether a declaration can tell of the grace period. An API server that was away
// delays it, and leaves the controller behind; one that came later than the flag says, late, must
// have been seen from the heartbeat on.
func (r *run) provesGrace(w *seen, late bool) bool {
	if w.Time.Latest.Sub(w.beat) < renewing || late && w.across {
		return false
	}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		for _, gap := range r.blind[kind] {
			switch {
			case gap.base && late && w.beat <= gap.Latest, !gap.base && gap.Earliest < w.Time.Latest && w.Time.Earliest < gap.Latest.Add(recovering):
				return false
			}
		}
	}
	return true
}

// behindAt is until when the controllers' caches may be behind at an instant, for our own watch was cut
// off before it: whether theirs was as well is not seen. Unknown where nothing says so.
func (r *run) behindAt(t model.Instant) (until model.Instant) {
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		for _, gap := range r.blind[kind] {
			if end := gap.Latest.Add(recovering); gap.noted && !gap.base && gap.Latest <= t && t < end {
				until = max(until, end)
			}
		}
	}
	return until
}

// passOf is the index of the pass that made a write; -1 if none can have.
func (r *run) passOf(v model.Interval) int {
	i := sort.Search(len(r.passes), func(i int) bool { return v.Earliest <= r.passes[i].Latest.Add(lagBound) })
	if i < len(r.passes) && r.passes[i].Earliest <= v.Latest {
		return i
	}
	return -1
}
