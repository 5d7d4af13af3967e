package flags

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// InferGrace replaces a default that enough observations contradict by the roundest value that agrees with them.
func (o *Observed) InferGrace() {
	p := &o.Params.NodeMonitorGracePeriod
	fits, agree := o.agreed(o.silences())
	if p.From != model.FromDefault || len(agree) < o.Enough || fits.Contains(model.Instant(p.Value)) {
		return
	}
	if fits.Earliest > model.Instant(p.Value) && passesOf(agree) < o.Enough {
		return // a delay of these passes is possible too; nothing makes one early
	}
	if longest, ok := Roundest(time.Duration(fits.Earliest), time.Duration(fits.Latest), o.Params.NodeMonitorPeriod.Value); ok {
		*p = model.Param[time.Duration]{Value: longest, From: model.FromInferred}
	}
}

// Roundest is the longest duration in an interval that is a multiple of 5 s, else of 1 s, else of another unit.
func Roundest(shortest, longest time.Duration, units ...time.Duration) (d time.Duration, ok bool) {
	for _, unit := range append([]time.Duration{5 * time.Second, time.Second}, units...) {
		if d = longest.Truncate(unit); d > 0 && d >= shortest {
			return d, true
		}
	}
	return 0, false
}

// silence is the bounds of the grace period by one declaration, and the pass that made it.
type silence struct {
	model.Interval
	pass int
}

// undecidedGrace is why the bounds of the grace period may not hold.
func (o *Observed) undecidedGrace(fits model.Interval, others []time.Duration) Alternative {
	all := o.silences()
	_, agree := o.agreed(all)
	sooner := 0
	for _, v := range all {
		if v.Latest < fits.Latest-(fits.Latest-fits.Earliest)/2 {
			sooner++
		}
	}
	switch longest := o.rhythm().longest; {
	case o.onePass(agree):
		return Alternative{Code: OnePass}
	case sooner > 0: // a declaration may be delayed, but is never early
		return Alternative{Code: Sooner, N: sooner}
	case len(others) > 0 && slices.Max(others) > longest:
		return Alternative{Code: Farther, For: longest}
	}
	return Alternative{}
}

// onePass reports whether only one pass made declarations, and no Events would show a new process.
func (o *Observed) onePass(agree []silence) bool {
	return o.Evidence.Counts[model.KindEvent] == 0 && passesOf(agree) == 1
}

// fitGrace bounds the grace period, as durations. A node is Unknown in the first pass later than the grace period after
// the pass that counted its last renewal. evidence counts the passes that agree.
//
// Late declarations by one pass alone may be those of a paused controller: with MoreComes they prove nothing.
func (o *Observed) fitGrace() (fits model.Interval, evidence int) {
	fits, agree := o.agreed(o.silences())
	used := model.Instant(o.Params.NodeMonitorGracePeriod.Value)
	if o.MoreComes && fits.Earliest > used && passesOf(agree) < 2 {
		return model.Interval{}, 0
	}
	return fits, passesOf(agree)
}

func (o *Observed) silences() (list []silence) {
	for w := range model.Each(o.Evidence.Writes) {
		if w.Kind != model.MarkUnknown || w.Aside || !w.Beat.Known() || w.Time.Earliest < o.Since {
			continue
		}
		if v, ok := o.silence(w); ok {
			list = append(list, v)
		}
	}
	return o.ofOneProcess(list[max(0, len(list)-maxSpans):])
}

// ofOneProcess drops the declarations before a process's start if they and its own need different grace periods.
func (o *Observed) ofOneProcess(list []silence) []silence {
	for _, s := range slices.Backward(o.Starts) {
		first := slices.IndexFunc(list, func(x silence) bool { return o.Passes[x.pass].At >= s.Earliest })
		if s.GoesOn || first < 1 || len(list)-first < o.Enough {
			continue
		}
		before, _ := o.agreed(list[:first])
		after, agree := o.agreed(list[first:])
		if len(agree) >= o.Enough && !before.Overlaps(after) {
			return list[first:]
		}
	}
	return list
}

func (o *Observed) silence(w *evidence.Seen) (v silence, ok bool) {
	k := o.Passes.Of(w.Made())
	if k < 1 {
		return v, false
	}
	v.pass = k
	period := o.Params.NodeMonitorPeriod.Value
	drift := time.Duration(float64(w.Made().Latest.Sub(w.Beat)) / float64(period) * float64(passes.Rhythm{Period: period, Nodes: o.Evidence.Nodes}.Longest()))
	if known := o.rhythm(); known.placed() && drift < period/2 {
		v.Interval, ok = o.betweenPasses(w, k)
	} else {
		v.Interval, ok = o.aboutPasses(w, k)
	}
	return v, ok && o.provesGrace(w, v.Earliest > model.Instant(o.Params.NodeMonitorGracePeriod.Value))
}

// betweenPasses bounds the grace period by a declaration if the passes since the last renewal are known.
func (o *Observed) betweenPasses(w *evidence.Seen, k int) (v model.Interval, ok bool) {
	beat := w.Beat
	from := o.Passes.Index(beat)
	// The pass after one that sees a new status, and no new renewal, counts the lease again (N10).
	if saw := o.Passes.Index(w.Posted); w.Posted.Known() && saw > from {
		from = saw + 1
	}
	for i := k; i > from; i-- {
		if o.Passes[i].First {
			from = i // a new process counts from its first sight of the node
		}
	}
	if from == 0 || from >= k {
		return v, false
	}
	// The pass may have come before the renewal or after it.
	soonest, latest := from, from
	if o.Passes[from-1].Latest > beat && !o.Passes[from].First {
		soonest--
	}
	if o.Passes[from].Earliest <= beat.Add(evidence.SeenWithin) && from+1 < k {
		latest++
	}
	return model.Interval{Earliest: model.Instant(o.Passes[k-1].Earliest.Sub(o.Passes[latest].Latest)), Latest: model.Instant(o.Passes[k].Latest.Sub(o.Passes[soonest].Earliest))}, true
}

// aboutPasses bounds the grace period by a declaration if only the longest distance of passes is known.
func (o *Observed) aboutPasses(w *evidence.Seen, k int) (v model.Interval, ok bool) {
	made := w.Began()
	apart := o.apart()
	counted := model.Interval{Earliest: w.Beat, Latest: w.Beat.Add(evidence.SeenWithin)}
	if w.Posted.Known() && w.Posted > w.Beat { // the pass after the one that sees it counts the lease again (N10)
		counted.Latest = w.Posted.Add(evidence.SeenWithin + apart)
	}
	counted.Latest = counted.Latest.Add(apart)
	for _, s := range o.Starts {
		switch {
		case s.Latest < w.Beat || s.Earliest > made.Latest:
		case s.GoesOn:
			return v, false // how late it came is not known
		default: // a new process counts from its first sight of the node
			counted = model.Interval{Earliest: max(counted.Earliest, s.Earliest), Latest: max(counted.Latest, s.Latest)}
		}
	}
	for i := k; i >= 0 && o.Passes[i].Latest >= w.Beat; i-- {
		if p := &o.Passes[i]; p.Observed { // it may have been writing for a while
			if i == k {
				made.Earliest = min(made.Earliest, p.Earliest)
			} else {
				apart = max(apart, o.apart()+p.Slow())
			}
		}
	}
	v = model.Interval{Earliest: model.Instant(max(0, made.Earliest.Sub(counted.Latest)-apart)), Latest: model.Instant(made.Latest.Sub(counted.Earliest))}
	return v, v.Earliest <= v.Latest
}

// apart is the longest known distance of two passes that wrote little.
func (o *Observed) apart() time.Duration {
	known := o.rhythm()
	return known.longest + passes.Rhythm{Period: known.longest, Nodes: o.Evidence.Nodes}.Longest() + known.excess
}

// agreed is the common bounds of silences, and which agree. If the passes cannot be placed, the shortest counts.
func (o *Observed) agreed(list []silence) (fits model.Interval, agree []silence) {
	if known := o.rhythm(); known.placed() || len(list) == 0 {
		return agreed(list)
	}
	fits = slices.MinFunc(list, func(a, b silence) int { return cmp.Compare(a.Latest, b.Latest) }).Interval
	for _, v := range list {
		if v.Overlaps(fits) {
			fits.Earliest, agree = min(fits.Earliest, v.Earliest), append(agree, v)
		}
	}
	return fits, agree
}

// agreed is the common bounds of most silences, and which agree; of several, the shortest: no declaration is early.
// Silences are nearly whole numbers of periods, and different ones touch: they agree if they overlap by more than half.
func agreed(list []silence) (fits model.Interval, agree []silence) {
	for _, one := range list {
		both, some := one.Interval, []silence(nil)
		for _, v := range list {
			if narrower, ok := both.Intersect(v.Interval); ok && 2*narrower.Width() > min(both.Width(), v.Width()) {
				both, some = narrower, append(some, v)
			}
		}
		if len(some) > len(agree) || len(some) == len(agree) && both.Earliest < fits.Earliest {
			fits, agree = both, some
		}
	}
	return fits, agree
}

func passesOf(list []silence) int {
	passes := map[int]bool{}
	for _, v := range list {
		passes[v.pass] = true
	}
	return len(passes)
}

// provesGrace reports whether a declaration bounds the grace period. An unavailable API server delays it, and leaves
// the controller behind. A late one must have been observed from the heartbeat on.
func (o *Observed) provesGrace(w *evidence.Seen, late bool) bool {
	made := w.Made()
	if made.Latest.Sub(w.Beat) < evidence.RenewsWithin || late && (w.Across || o.Evidence.Stalled(w.Beat, made.Latest)) {
		return false
	}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		for _, gap := range o.Evidence.Gaps[kind] {
			switch {
			case gap.BeforeStart && late && w.Beat <= gap.Latest, !gap.BeforeStart && gap.Earliest < w.Time.Latest && w.Time.Earliest < gap.Latest.Add(evidence.CatchesUp):
				return false
			}
		}
	}
	return true
}
