package infer

import (
	"kardia/model"
)

// StepPass is the first monitor pass after a time within coverage, or the last before it: when the models ran it, and its
// window.
func (r *Result) StepPass(from model.Instant, forwards bool) (at model.Instant, window model.Interval, ok bool) {
	if r.run == nil {
		return 0, window, false
	}
	i := r.run.passes.Index(from) - 1
	if forwards {
		i = r.run.passes.Index(from + 1)
	}
	if i < 0 || i >= len(r.run.passes) || !r.Coverage.Contains(r.run.passes[i].At) {
		return 0, model.Interval{}, false
	}
	p := &r.run.passes[i]
	return p.At, p.Interval, true
}

// Pass is a monitor pass, as fitted to the observations.
type Pass struct {
	// Within bounds its start; At is the time of the models' run, more than a period from those of other passes.
	Within model.Interval
	At     model.Instant
	// First says that a new process made it; Alone that taint eviction did not restart with it.
	First, Alone bool
}

// PassesAfter are the fitted passes after a time.
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
