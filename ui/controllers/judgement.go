package controllers

import (
	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// Judgement is what the models of the controllers make of what is observed. It is worked out
// in the background, so that each part may be missing while facts are on screen already.
type Judgement struct {
	// Progress is how far the models have come through the History: 0 to 1, 1 when done.
	Progress float64
	// Missing says in words for the person why there is no judgement, or only a partial one;
	// empty if there is nothing to say.
	Missing string
	// Result holds the decisions in order of time, those after the Snapshot's instant among
	// them where a recording is replayed; nil while it is not known.
	Result *infer.Result
	// Withdrawn is set instead of Result where a flag given by hand contradicts what was seen: its
	// Contradicted says which and what fits, and its Params are those that fit.
	Withdrawn *infer.Result
	// Index walks the causes of the Result's decisions; nil where Result is.
	Index *why.Index
	// Until is up to where the Result speaks: the end of a recording, or for a live cluster
	// some seconds ago.
	Until model.Instant
	// State is the controllers at the Snapshot's instant, and Forecast what comes from there;
	// nil while they are being worked out. They may be those of a moment before (State.At
	// says which) while time moves.
	State    *infer.State
	Forecast *forecast.Forecast
	// Verdicts are whose fault it is at the State's instant, the most urgent first; none where nothing is
	// wrong.
	Verdicts []verdict.Verdict
	// Marked are the pods that are still not Ready at the State's instant, though their nodes are Ready again: see impact.Marked.
	Marked []*model.Pod
	// Later is what a recording tells of the deletions that were foreseen, by pod; nil where it is not known yet.
	Later map[model.Key]*forecast.Ahead
	// View is what Read says of the State's instant where nothing came since: to read thousands of pods takes longer than a
	// frame may. It is made where State and Forecast are; nil where nobody made it.
	View *View
}

// Decisions are all that are known, in order of time.
func (j *Judgement) Decisions() []model.Decision {
	if j == nil || j.Result == nil {
		return nil
	}
	return j.Result.Decisions
}
