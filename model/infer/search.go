package infer

import (
	"iter"

	"kardia/model"
)

// Much that the models depend on is not recorded: the end of a process, its flags, the times of passes. A run searches
// for it. Proposers name assumptions that the findings suggest, the models are driven under them, and the run adopts
// those that leave clearly less open.

// propose asks the proposers in turn until one changes an assumption: then the passes are placed again.
func (r *run) propose() (changed bool) {
	return r.tryEnded() || r.tryBefore() || r.tryTimes() || r.tryThreshold()
}

// trial drives the models under a changed assumption. An error of reading ends the search.
func (r *run) trial(change func(*run)) *run {
	c, err := r.again(change)
	r.err = err
	return c
}

// mayAssume reports whether proposers may add assumptions: not to those of a trial.
func (r *run) mayAssume() bool { return r.assumed == nil && !r.quick && r.judgeable() }

// adopt adopts an assumption if the models leave so many fewer findings open under it.
func (r *run) adopt(fewer int, assume func(*run), effort ...func(*run)) (adopted bool) {
	other := r.trial(func(c *run) {
		assume(c)
		for _, set := range effort {
			set(c)
		}
	})
	if other.found.Findings() > r.found.Findings()-fewer {
		return false
	}
	assume(r)
	return true
}

// quickly is a trial with the same flags, and few times of passes.
func (r *run) quickly() { r.fixed, r.quick = true, true }

// Open are the writes that no decision explains.
func (r *Result) Open() iter.Seq[*Write] {
	return model.Where(r.Writes, func(w *Write) bool { return w.Decision == 0 })
}

// Lacking are the decisions whose effect is missing: those of Unobserved.
func (r *Result) Lacking() iter.Seq[*model.Decision] {
	missing := r.Missing()
	return model.Where(r.Decisions, func(d *model.Decision) bool { return missing[d.ID] })
}

// Findings counts the open writes and the missing effects.
func (r *Result) Findings() int {
	n := len(r.Unobserved) + len(r.denied)
	for range r.Open() {
		n++
	}
	return n
}

// Explains are the writes that a Result explains, and another of the same input leaves open.
func (r *Result) Explains(than *Result) (list []*Write) {
	open := map[int]bool{}
	for w := range than.Open() {
		open[w.Number] = true
	}
	for w := range model.Each(r.Writes) {
		if w.Decision != 0 && open[w.Number] {
			list = append(list, w)
		}
	}
	return list
}
