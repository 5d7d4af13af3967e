package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

// settles is how long the unknown events of a gap may have effects: silent nodes are declared, and countdowns end.
func (r *run) settles() time.Duration {
	return r.o.Params.NodeMonitorGracePeriod.Value + r.evidence.Period + admitted
}

// admitted is the toleration that admission adds: the longest that pods get without asking.
const admitted = 5 * time.Minute

// unsettled is an unlisted gap that may hide causes of the controllers' acts at a time.
func (r *run) unsettled(v model.Interval) (in model.Interval, ok bool) {
	for _, gap := range slices.Concat(r.evidence.Gaps[model.KindNode], r.evidence.Gaps[model.KindNodeLease], r.evidence.Gaps[model.KindPod]) {
		if gap.Unlisted && gap.Earliest <= v.Latest && v.Earliest <= gap.End().Add(r.settles()) {
			return gap.Interval, true
		}
	}
	return in, false
}

// guessed reports whether a decision would be a guess: it is in an unlisted gap, or rests on the state before it.
func (r *run) guessed(x *model.Decision) bool {
	if x.Observed != nil {
		return false
	}
	if x.Node != "" {
		if _, ok := r.evidence.Outlived(model.KindNode, model.Key{Name: x.Node}, x.Window.Earliest); ok {
			return true
		}
	}
	settled := r.o.Params.NodeMonitorGracePeriod.Value + r.evidence.Period // by then all silent nodes are declared
	return slices.ContainsFunc(slices.Concat(r.evidence.Gaps[model.KindNode], r.evidence.Gaps[model.KindNodeLease]), func(v evidence.Gap) bool {
		return v.Unlisted && v.Earliest < x.Window.Latest && x.Window.Earliest < v.End().Add(settled) && (x.Node == "" || x.Window.Earliest < v.End())
	})
}

// heardSince reports whether nodes renewed after a time.
func (r *run) heardSince(t model.Instant) bool {
	for _, h := range r.evidence.Heard {
		if h.Lease.Earliest > t {
			return true
		}
	}
	return false
}

// behindAt is until when the controllers' caches may be behind: after a gap of ours, as their watches may have broken
// too, or after a pause. Else unknown.
func (r *run) behindAt(t model.Instant) (until model.Instant) {
	after := func(ended model.Instant) {
		if end := ended.Add(evidence.CatchesUp); ended <= t && t < end {
			until = max(until, end)
		}
	}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		for _, gap := range r.evidence.Gaps[kind] {
			if gap.Noted && !gap.BeforeStart {
				after(gap.Latest)
			}
		}
	}
	for course, i := r.course(), 0; i < len(course.Standstills); i++ {
		if v := course.Standstills[i]; !course.EndedIn(v) {
			after(v.Latest)
		}
	}
	if r.evidence.AllLate && r.heardSince(r.evidence.Begins) {
		after(r.evidence.Begins) // all were silent at the start, and they renew
	}
	return until
}

// keepRequests keeps only findings that are requests in an audit log, as the record loses lines. A missing effect may
// be lost, and so may the version that made a watched state.
func (r *run) keepRequests(found *Result) {
	watched := slices.ContainsFunc(r.input.History.Sources(), func(s history.Source) bool { return s.Losing != "" && s.Format == "watch" })
	kept := map[model.DecisionID]bool{}
	found.Unobserved, found.Decisions = nil, slices.DeleteFunc(found.Decisions, func(d model.Decision) bool {
		kept[d.ID] = d.Basis == model.Observed && !watched
		return !kept[d.ID]
	})
	for w := range model.Each(found.Writes) {
		if w.Decision != 0 && !kept[w.Decision] {
			w.Decision, w.Lag = 0, model.Maybe[time.Duration]{}
		}
	}
}
