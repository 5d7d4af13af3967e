package outlook

import (
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// Judgement is the models' result for one time. It is computed in the background, so that each part may be absent while
// the observed facts are shown.
type Judgement struct {
	// Missing is why there is no judgement, or only a partial one.
	Missing Missing
	// Result has the decisions in order of time, of a recording also those after the time shown; nil if it is not known.
	Result *infer.Result
	// Index finds the causes of the Result's decisions; nil if Result is.
	Index *why.Index
	// Until is the end of what the Result covers: the end of a recording, or some seconds ago in a live cluster.
	Until model.Instant
	// State is the controllers at the time shown, and Forecast starts there; nil while they are computed. While time
	// moves, they may be of a moment before: State.At has their time.
	State    *infer.State
	Forecast *forecast.Forecast
	// Verdicts are the fault domains at the State's time, the most urgent first; none if nothing is wrong.
	Verdicts []verdict.Verdict
	// Marked are the pods that are not Ready at the State's time, though their nodes are Ready again: see impact.Marked.
	Marked []*model.Pod
	// Later is what a recording shows of the predicted deletions, by pod; nil if it is not known.
	Later map[model.Key]*forecast.Ahead
	// Outlook is the one of State and Forecast: reading thousands of pods takes longer than a frame may. It may be nil.
	Outlook *Outlook
}

// Decisions are all that are known, in order of time.
func (j *Judgement) Decisions() []model.Decision {
	if j == nil || j.Result == nil {
		return nil
	}
	return j.Result.Decisions
}

// Withdrawn is the result under a flag given by hand that the observation contradicts; nil if there is none. Its
// Contradicted names the flag and the value that fits, and its Params have that value.
func (j *Judgement) Withdrawn() *infer.Result {
	if j == nil {
		return nil
	}
	return j.Missing.Withdrawn()
}

// Missing is why there is no judgement, or only a partial one; the zero Missing if there is a whole one.
type Missing struct {
	Reason Reason
	// Percent is how far the models have read: of ReadingChanges, ReadingRecording.
	Percent int
	// Limit is the time that the models had: of Overlong.
	Limit time.Duration
	// Cause is the text of an error: of Unreadable, Failed.
	Cause string
	// Result has the contradicted flag, or the notes on the unsupported input: of Contradicted, Unsupported.
	Result *infer.Result
}

// Reason is the kind of a Missing.
type Reason string

const (
	NoModels         Reason = "models"       // no models run
	ReadingLists     Reason = "lists"        // the first lists of a live session are not complete
	ReadingChanges   Reason = "changes"      // the models read a live session for the first time
	ReadingRecording Reason = "recording"    // the models read a recording
	Computing        Reason = "computing"    // the result for this time is not there yet
	Overlong         Reason = "overlong"     // the models did not end within the Limit
	Unreadable       Reason = "unreadable"   // the input cannot be read
	Contradicted     Reason = "contradicted" // the observation contradicts a flag given by hand
	Unsupported      Reason = "unsupported"  // the input lacks what a judgement needs
	Unwatched        Reason = "unwatched"    // the time is before the coverage
	Failed           Reason = "failed"       // the models have a bug
)

// Pending reports that the missing part is being computed.
func (m Missing) Pending() bool {
	switch m.Reason {
	case ReadingLists, ReadingChanges, ReadingRecording, Computing:
		return true
	}
	return false
}

// Withdrawn is the result that a contradicted flag makes void; nil if there is none.
func (m Missing) Withdrawn() *infer.Result {
	if m.Reason != Contradicted {
		return nil
	}
	return m.Result
}
