package drive

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Match pairs expected effects with observed writes: the same effect on the same subject, within the decision's window
// and the time a write may take. Each write gets its decision, or why it has none, and each decision its observation.
func (d *Driver) Match() {
	waiting := map[evidence.Effect][]int32{}
	for i := range d.expectations {
		of := d.Expected(&d.expectations[i])
		waiting[of] = append(waiting[of], int32(i))
	}
	for w := range model.Each(d.plan.Evidence.Writes) {
		d.explain(w, waiting[w.Effect])
	}
}

// explain finds the expectation that a write meets, among those of its effect.
func (d *Driver) explain(w *evidence.Seen, waiting []int32) {
	w.Decision, w.Lag = 0, model.Maybe[time.Duration]{}
	w.Unexplained = evidence.Unexplained{Code: evidence.NotDecided}
	var nearest *Expectation
	// Expectations that must show come first. A pod that was terminating may still get its condition.
	for _, traceless := range [...]bool{false, true} {
		for _, k := range waiting {
			e, is := &d.expectations[k], &d.dues[d.expectations[k].Decision]
			if e.Met || e.Traceless != traceless || !w.Across && d.unput(w, k) {
				continue
			}
			if nearest == nil {
				nearest = e
			}
			if !d.May(e).Overlaps(w.Tried()) {
				continue
			}
			if is.next.Known() && is.next.Overlaps(w.Tried()) {
				d.Decisions[e.Decision].Window.Latest = is.next.Latest
			}
			e.Met = true
			made(w, &d.Decisions[e.Decision], is.lag())
			return
		}
	}
	if nearest != nil {
		w.Unexplained = evidence.Unexplained{Code: evidence.OtherTime, When: d.Window(nearest)}
	}
}

// unput reports whether a decision removes one taint after setting another that left no trace. A swap ends if
// the first write fails.
// Source: kubernetes: pkg/controller/util/node/controller_utils.go, SwapNodeControllerTaint.
func (d *Driver) unput(w *evidence.Seen, k int32) bool {
	e := &d.expectations[k]
	if d.Expected(e).What != model.WriteUntaint || k == 0 {
		return false
	}
	first := &d.expectations[k-1]
	return first.Decision == e.Decision && !first.Met && d.Expected(first).What == model.WriteTaint &&
		!d.plan.Evidence.Gaps.Hides(model.KindNode, model.Interval{Earliest: w.Time.Earliest.Add(-evidence.LagBound), Latest: w.Time.Latest})
}

// made notes that a decision made a write, at most lag later.
func made(w *evidence.Seen, x *model.Decision, lag time.Duration) {
	w.Decision, w.Unexplained = x.ID, evidence.Unexplained{}
	// The first try bounds the time of the decision: before it, by at most lag.
	if both, ok := x.Window.Intersect(model.Interval{Earliest: w.Tried().Earliest.Add(-lag), Latest: w.Time.Latest}); ok {
		x.Window = both
		x.Time = min(max(x.Time, both.Earliest), both.Latest)
	}
	if w.Kind == model.TaintNoExecute && !w.Anew && !w.Across {
		putOn(x)
	}
	w.Lag = model.Some(max(0, w.Time.Earliest.Sub(x.Window.Latest)))
	if !w.Across { // a difference shows the result, not the act
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

// putOn makes a decision set a taint that it refreshes, because the taint was seen before the model's tick.
func putOn(x *model.Decision) {
	for i := range x.Writes {
		if x.Writes[i].RefreshesTime {
			x.Writes = slices.Clone(x.Writes)
			x.Writes[i].RefreshesTime, x.Why = false, model.Because(model.WhyTokenCame)
		}
	}
}
