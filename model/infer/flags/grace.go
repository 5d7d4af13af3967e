package flags

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// InferGrace replaces a default that enough observations contradict by the longest multiple
// of the period that agrees with them.
func (o *Observed) InferGrace() {
	p := &o.Params.NodeMonitorGracePeriod
	period := o.Params.NodeMonitorPeriod.Value
	fits, agree := agreed(o.silences())
	if p.From != model.FromDefault || len(agree) < o.Enough || fits.Contains(model.Instant(p.Value)) {
		return
	}
	if fits.Earliest > model.Instant(p.Value) && o.Enough > 1 && o.onePass(agree) {
		return // whatever delayed that pass would do as well
	}
	if longest := time.Duration(fits.Latest).Truncate(period); longest >= time.Duration(fits.Earliest) {
		*p = model.Param[time.Duration]{Value: longest, From: model.FromInferred}
	}
}

// silence is between which bounds the grace period lies by one declaration, and which pass made it.
type silence struct {
	model.Interval
	pass int
}

// undecidedGrace says in words why the bounds of the grace period are not known to hold; empty if they
// are.
func (o *Observed) undecidedGrace(fits model.Interval, otherPeriods bool) string {
	all := o.silences()
	_, agree := agreed(all)
	sooner := 0
	for _, v := range all {
		if v.Latest < fits.Latest-(fits.Latest-fits.Earliest)/2 {
			sooner++
		}
	}
	switch {
	case o.onePass(agree):
		return "less, if the controller started anew in that silence, or stood still: one pass alone tells of it"
	case sooner > 0: // much may delay a declaration, and nothing hastens it
		return "less: " + model.Counted(sooner, "node was", "nodes were") + " declared Unknown after a shorter silence"
	case otherPeriods:
		return fmt.Sprintf("another, if passes are not %v apart, which is not decided", o.Params.NodeMonitorPeriod.Value)
	}
	return ""
}

// onePass says that one pass alone made declarations, and that nobody would tell of a new process.
func (o *Observed) onePass(agree []silence) bool {
	return o.Evidence.Counts[model.KindEvent] == 0 && passesOf(agree) == 1
}

// fitGrace bounds the grace period: a node is Unknown in the first pass that is more than it
// later than the pass that counted its last renewal. Ends are durations; evidence counts the
// nodes that agree.
//
// A declaration proves nothing where something else than the flag may have timed it: see provesGrace.
// Declarations that came late, and all with one pass, may be those of a controller that stood still:
// who can wait for more does not conclude from them.
func (o *Observed) fitGrace() (fits model.Interval, evidence int) {
	fits, agree := agreed(o.silences())
	used := model.Instant(o.Params.NodeMonitorGracePeriod.Value)
	if o.MoreComes && fits.Earliest > used && passesOf(agree) < 2 {
		return model.Interval{}, 0
	}
	return fits, len(agree)
}

// silences are the bounds that the declarations give.
func (o *Observed) silences() (list []silence) {
	for i := range o.Evidence.Writes {
		w := &o.Evidence.Writes[i]
		if w.Kind != model.MarkUnknown || w.Aside || !w.Beat.Known() {
			continue
		}
		if v, ok := o.silence(w); ok {
			list = append(list, v)
		}
	}
	return list[max(0, len(list)-maxSpans):]
}

// silence is what a declaration tells, if it can.
func (o *Observed) silence(w *evidence.Seen) (v silence, ok bool) {
	k, beat := o.Passes.Of(w.Time), w.Beat
	if k < 1 {
		return v, false
	}
	from := o.Passes.Index(beat)
	// The pass after one that sees a new status, and no new renewal, counts the lease anew (N10).
	if saw := o.Passes.Index(w.Posted); w.Posted.Known() && saw > from {
		from = saw + 1
	}
	for i := k; i > from; i-- {
		if o.Passes[i].First {
			from = i // a new process counts from when it sees the node first
		}
	}
	if from == 0 || from >= k {
		return v, false
	}
	// Whether a pass came before the renewal or after it may be open.
	soonest, latest := from, from
	if o.Passes[from-1].Latest > beat && !o.Passes[from].First {
		soonest--
	}
	if o.Passes[from].Earliest <= beat.Add(evidence.SeenWithin) && from+1 < k {
		latest++
	}
	v = silence{model.Interval{Earliest: model.Instant(o.Passes[k-1].Earliest.Sub(o.Passes[latest].Latest)), Latest: model.Instant(o.Passes[k].Latest.Sub(o.Passes[soonest].Earliest))}, k}
	return v, o.provesGrace(w, v.Earliest > model.Instant(o.Params.NodeMonitorGracePeriod.Value))
}

// agreed is what most silences have in common, and which they are; of several, the shortest: much may
// delay a declaration, and nothing hastens it. All are about a whole number of periods long, so that the
// bounds of those that differ by one touch: only where more than half of them overlaps, they agree.
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

// passesOf counts the passes that made declarations.
func passesOf(list []silence) int {
	passes := map[int]bool{}
	for _, v := range list {
		passes[v.pass] = true
	}
	return len(passes)
}

// provesGrace says whether a declaration can tell of the grace period. An API server that was away
// delays it, and leaves the controller behind; one that came later than the flag says, late, must
// have been seen from the heartbeat on.
func (o *Observed) provesGrace(w *evidence.Seen, late bool) bool {
	if w.Time.Latest.Sub(w.Beat) < evidence.RenewsWithin || late && w.Across {
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
