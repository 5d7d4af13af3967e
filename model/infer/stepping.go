package infer

import (
	"cmp"
	"slices"

	"kardia/model"
)

// NextPass is the first pass of the health monitor after an instant that lies in the
// coverage: the point at which the models ran it, and the window within which it began. ok
// is false if none does.
func (r *Result) NextPass(t model.Instant) (at model.Instant, window model.Interval, ok bool) {
	if r.run == nil {
		return 0, window, false
	}
	return r.passFrom(r.run.passIndex(t + 1))
}

// PreviousPass is the last pass before an instant.
func (r *Result) PreviousPass(t model.Instant) (at model.Instant, window model.Interval, ok bool) {
	if r.run == nil {
		return 0, window, false
	}
	return r.passFrom(r.run.passIndex(t) - 1)
}

func (r *Result) passFrom(i int) (at model.Instant, window model.Interval, ok bool) {
	if i < 0 || i >= len(r.run.passes) || !r.Coverage.Contains(r.run.passes[i].at) {
		return 0, model.Interval{}, false
	}
	p := &r.run.passes[i]
	return p.at, p.Interval, true
}

// passIndex is the first pass not before an instant.
func (r *run) passIndex(t model.Instant) int {
	i, _ := slices.BinarySearchFunc(r.passes, t, func(p pass, t model.Instant) int { return cmp.Compare(p.at, t) })
	return i
}
