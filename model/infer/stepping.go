package infer

import (
	"kardia/model"
)

// NextPass is the first pass of the health monitor after an instant that lies in the
// coverage: the point at which the models ran it, and the window within which it began. ok
// is false if none does.
func (r *Result) NextPass(t model.Instant) (at model.Instant, window model.Interval, ok bool) {
	if r.run == nil {
		return 0, window, false
	}
	return r.passFrom(r.run.passes.Index(t + 1))
}

// PreviousPass is the last pass before an instant.
func (r *Result) PreviousPass(t model.Instant) (at model.Instant, window model.Interval, ok bool) {
	if r.run == nil {
		return 0, window, false
	}
	return r.passFrom(r.run.passes.Index(t) - 1)
}

func (r *Result) passFrom(i int) (at model.Instant, window model.Interval, ok bool) {
	if i < 0 || i >= len(r.run.passes) || !r.Coverage.Contains(r.run.passes[i].At) {
		return 0, model.Interval{}, false
	}
	p := &r.run.passes[i]
	return p.At, p.Interval, true
}

// Pass is one run of the health monitor as it was fitted to what was observed.
type Pass struct {
	// Within is when it began, and At the point in it at which the models ran, to some microseconds:
	// they run more than a period apart from each other.
	Within model.Interval
	At     model.Instant
	// First says that a new process made it; Alone that taint eviction went on all the same.
	First, Alone bool
}

// PassesAfter are the passes after an instant, in order, up to the last that was fitted; none where
// none was placed.
func (r *Result) PassesAfter(t model.Instant) (list []Pass) {
	if r.run == nil {
		return nil
	}
	for _, p := range r.run.passes {
		if p.At > t {
			list = append(list, Pass{p.Interval, p.At, p.First, p.First && p.Alone})
		}
	}
	return list
}
