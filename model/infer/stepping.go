package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/infer/passes"
)

// StepPass is the first monitor pass after a time within coverage, or the last before it: when the models ran it, and its
// window.
func (r *Result) StepPass(from model.Instant, forwards bool) (at model.Instant, window model.Interval, ok bool) {
	all := r.models().passes
	i := all.Index(from) - 1
	if forwards {
		i = all.Index(from + 1)
	}
	if i < 0 || i >= len(all) || !r.Coverage.Contains(all[i].At) {
		return 0, window, false
	}
	return all[i].At, all[i].Interval, true
}

// Pass is a monitor pass, as fitted to the observations. Its At is more than a period from those of other passes.
type Pass = passes.Pass

// PassesAfter are the fitted passes after a time.
func (r *Result) PassesAfter(t model.Instant) []Pass {
	return slices.DeleteFunc(slices.Clone(r.models().passes), func(p Pass) bool { return p.At <= t })
}
