package infer

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// match pairs what was expected with what was seen: the same effect on the same subject,
// within the decision's window and the time a write may take.
func (r *run) match(d *driver, res *Result) {
	waiting := map[evidence.Effect]int32{} // the first of each effect
	for i := len(d.expectations.list) - 1; i >= 0; i-- {
		e := &d.expectations.list[i]
		of := d.expected(e)
		e.next = -1
		if next, ok := waiting[of]; ok {
			e.next = next
		}
		waiting[of] = int32(i)
	}
	for i := range r.evidence.Writes {
		w := &r.evidence.Writes[i]
		first, ok := waiting[w.Effect]
		if !ok {
			first = -1
		}
		d.explain(w, first)
	}
	res.Writes, res.Overdue, r.unmade = r.judged(res), r.overdueIn(d), r.unmadeIn(d)
	r.miss(d, res)
	r.withhold(d, res)
	// A decision comes no sooner than its causes, wherever its window lets it.
	when := map[model.DecisionID]model.Instant{}
	for i := range d.decisions {
		x := &d.decisions[i]
		for _, id := range x.Causes {
			x.Time = max(x.Time, min(when[id], x.Window.Latest))
		}
		when[x.ID] = x.Time
	}
	slices.SortStableFunc(d.decisions, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	res.Decisions = d.decisions
}

// tell lists the writes that are told: not those of pod garbage collection, and not those that are
// older than the input.
func (r *run) tell() {
	told := func(w *evidence.Seen) bool {
		return w.Kind != model.CollectPod && (w.Time.Latest > r.coverage.Earliest || !r.evidence.KnownStart)
	}
	n := 0
	for i := range r.evidence.Writes {
		if told(&r.evidence.Writes[i]) {
			n++
		}
	}
	r.writes = slices.Grow(r.writes, n)
	for i := range r.evidence.Writes {
		if w := &r.evidence.Writes[i]; told(w) {
			r.writes = append(r.writes, *w.Write)
			w.Write = &r.writes[len(r.writes)-1]
			w.Number = len(r.writes) - 1
		}
	}
}

// early says that what led to a write may have been done just before the input begins.
func (r *run) early(v model.Interval) bool {
	return !r.evidence.KnownStart && v.Earliest <= r.coverage.Earliest.Add(evidence.LagBound)
}

// judged are the writes that can be judged: not those that nothing explains and whose causes may lie
// in a gap, or before the input; those are left to be told apart, with the reason. Nor are those judged
// that somebody else is assumed to have made.
func (r *run) judged(res *Result) (judged []Write) {
	skipped := map[*Write]string{}
	for i := range r.evidence.Writes {
		w := &r.evidence.Writes[i]
		if w.Decision != 0 {
			continue
		}
		if r.othersWrote(w.Write) {
			skipped[w.Write] = ""
			continue
		}
		why := r.hiddenCause(w)
		if why == "" {
			continue
		}
		if why := cmp.Or(w.RuledOut, r.ruledOutByBeat(w)); why != "" {
			w.Unexplained += ": " + why + ", and nothing that was not seen can have led to it"
			continue
		}
		skipped[w.Write] = why
	}
	if len(skipped) == 0 {
		return r.writes
	}
	for i := range r.writes {
		why, ok := skipped[&r.writes[i]]
		if !ok {
			judged = append(judged, r.writes[i])
		} else if why != "" {
			w := r.writes[i]
			w.Unexplained = why
			res.NotJudged = append(res.NotJudged, w)
		}
	}
	return judged
}

// hiddenCause says where what led to a write may have happened without anybody seeing it; empty if nowhere.
func (r *run) hiddenCause(w *evidence.Seen) string {
	if r.early(w.Time) {
		return "what led to it may have happened before the input begins"
	}
	gap, ok := r.unsettled(w.Time)
	if !ok && !w.Hidden {
		return ""
	}
	if !ok {
		return "what led to it may have happened in a gap that nobody saw"
	}
	return fmt.Sprintf("what led to it may have happened between %s and %s, where nothing was seen", gap.Earliest, gap.Latest)
}

// explain finds what of the expectations of its effect, from the first on, a write meets.
func (d *driver) explain(w *evidence.Seen, first int32) {
	w.Decision, w.Lag = 0, model.Maybe[time.Duration]{}
	w.Unexplained = "no decision of the model writes this"
	var nearest *expectation
	// What need not have shown shows after all where a pod that was terminating already still got
	// its condition, but what must have shown comes first.
	for _, traceless := range [...]bool{false, true} {
		for k := first; k >= 0; k = d.expectations.list[k].next {
			e := &d.expectations.list[k]
			if e.met || e.traceless != traceless || !w.Across && d.unput(w, k) {
				continue
			}
			if nearest == nil {
				nearest = e
			}
			if !d.may(e).Overlaps(w.Time) {
				continue
			}
			if again, ok := d.expectations.nextWindows[e.decision]; ok && again.Overlaps(w.Time) {
				d.decisions[e.decision].Window.Latest = again.Latest
			}
			e.met = true
			made(w, &d.decisions[e.decision])
			return
		}
	}
	if nearest != nil {
		window := d.expectations.windows[nearest.decision]
		w.Unexplained = fmt.Sprintf("the model decides it between %s and %s", window.Earliest, window.Latest)
	}
}

// unput says that a decision takes one taint off once it has put another on, and that this was not seen
// though it would have been: a swap ends where putting fails.
// Source: kubernetes: pkg/controller/util/node/controller_utils.go, SwapNodeControllerTaint.
func (d *driver) unput(w *evidence.Seen, k int32) bool {
	e := &d.expectations.list[k]
	if d.expected(e).What != model.WriteUntaint || k == 0 {
		return false
	}
	first := &d.expectations.list[k-1]
	return first.decision == e.decision && !first.met && d.expected(first).What == model.WriteTaint &&
		!d.r.evidence.Gaps.Hides(model.KindNode, model.Interval{Earliest: w.Time.Earliest.Add(-evidence.LagBound), Latest: w.Time.Latest})
}

// made notes that a decision made a write.
func made(w *evidence.Seen, x *model.Decision) {
	w.Decision, w.Unexplained = x.ID, ""
	// What was seen narrows when it was decided: before it was written, and not long before.
	if both, ok := x.Window.Intersect(model.Interval{Earliest: w.Time.Earliest.Add(-evidence.LagBound), Latest: w.Time.Latest}); ok {
		x.Window = both
		x.Time = min(max(x.Time, both.Earliest), both.Latest)
	}
	w.Lag = model.Some(max(0, w.Time.Earliest.Sub(x.Window.Latest)))
	if !w.Across { // a difference shows what was done, and not that it was done so
		x.Basis = model.Observed
	}
	if x.Observed == nil {
		x.Observed = &model.Observation{Time: w.Time}
	}
	if x.Observed.Evidence == nil {
		x.Observed.Evidence = slices.Clip(w.Evidence) // most decisions make one write: it is kept once
		return
	}
	x.Observed.Evidence = append(x.Observed.Evidence, w.Evidence...)
}

// may is when an expected effect may be seen.
func (d *driver) may(e *expectation) model.Interval {
	window := d.expectations.windows[e.decision]
	return model.Interval{Earliest: window.Earliest, Latest: window.Latest.Add(evidence.LagBound)}
}

// miss finds the decisions whose effects were not seen, though they would have been.
func (r *run) miss(d *driver, res *Result) {
	missed := map[int32]bool{} // decisions some effect of which was not seen
	unseen := map[int32]bool{} // and those of which none could be seen, for a gap
	uncollected := 0
	for k := range d.expectations.list {
		e := &d.expectations.list[k]
		x, of := &d.decisions[e.decision], d.expected(e)
		if e.traceless && !e.met {
			x.LeavesTrace = false
			r.repeated(x, d.may(e), of.Pod)
			if r.evidence.Gaps.Hides(of.Kind(), d.may(e)) {
				unseen[e.decision] = true // an API server that was away took no DELETE, and nobody tries again
			}
			continue
		}
		// What may still be under way when the input ends is not missing.
		may := d.may(e)
		over := may.Latest < r.coverage.Latest
		_, unsettled := r.unsettled(may)
		switch {
		case e.met, r.patchedIn(of, may):
		case of.What == model.WriteForceDelete && over:
			unseen[e.decision] = true
			uncollected++
		case r.evidence.Gaps.Hides(of.Kind(), may), unsettled, may.Earliest < r.coverage.Earliest:
			unseen[e.decision] = true
		case over && !missed[e.decision]:
			missed[e.decision] = true
			res.Unobserved = append(res.Unobserved, x.ID)
		}
	}
	if uncollected > 0 {
		res.Assumptions = append(res.Assumptions, model.Counted(uncollected, "pod", "pods")+" that pod garbage collection should have deleted not seen to go: it is not judged")
	}
	if r.evidence.Gaps.AnyUnlisted(model.KindNode) {
		for i := range d.decisions {
			unseen[int32(i)] = unseen[int32(i)] || r.guessed(&d.decisions[i])
		}
		res.Unobserved = slices.DeleteFunc(res.Unobserved, func(id model.DecisionID) bool {
			return slices.ContainsFunc(d.decisions, func(x model.Decision) bool { return x.ID == id && r.guessed(&x) })
		})
	}
	r.forget(d, unseen)
}

// forget leaves out what was decided within a gap, unless some effect of it was seen: it
// would be a guess.
func (r *run) forget(d *driver, unseen map[int32]bool) {
	if len(unseen) == 0 {
		return
	}
	kept := d.decisions[:0]
	for i := range d.decisions {
		if !unseen[int32(i)] || d.decisions[i].Observed != nil {
			kept = append(kept, d.decisions[i])
		}
	}
	d.decisions = kept
}

// patchedIn says that the object of an effect was patched when the effect may have come, and that it is not
// known how: the input shows the request only.
func (r *run) patchedIn(e evidence.Effect, may model.Interval) bool {
	return slices.ContainsFunc(r.evidence.Patched[e.Object()], may.Overlaps)
}

// repeated looks for a second DELETE of a pod that was terminating already, which changes no
// object: an audit log shows it.
func (r *run) repeated(x *model.Decision, may model.Interval, pod model.Key) {
	for _, again := range r.evidence.Repeats[pod] {
		if may.Overlaps(again.Time) {
			x.Basis, x.LeavesTrace = model.Observed, true
			x.Observed = &model.Observation{Time: again.Time, Evidence: []model.Input{again.Evidence}}
			return
		}
	}
}

// othersWrote says that a write is taken to be somebody else's.
func (r *run) othersWrote(w *Write) bool {
	return w.By != "" && slices.ContainsFunc(r.assumed, func(a Assumption) bool { return a.Kind == OthersWrote && a.By == w.By })
}

// ruledOutByBeat says why a node cannot have been declared Unknown: it was heard, and silent for less than the
// grace period since. Of a clock that the controller does not see in its cache yet a moment is granted.
func (r *run) ruledOutByBeat(w *evidence.Seen) string {
	heard := max(w.Beat, w.Posted)
	if w.Kind != model.MarkUnknown || w.Across || !heard.Known() || w.Time.Latest.Sub(heard) >= r.o.Params.NodeMonitorGracePeriod.Value-evidence.FreshCache {
		return ""
	}
	for _, gap := range r.evidence.Gaps[model.KindNodeLease] {
		if gap.Earliest <= w.Time.Latest && heard <= gap.Latest {
			return "" // heard in the gap, or before it
		}
	}
	if heard < r.coverage.Earliest {
		return ""
	}
	return "its kubelet had been heard " + w.Time.Latest.Sub(heard).Round(10*time.Millisecond).String() + " before"
}
