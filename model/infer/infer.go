// Package infer drives the models of the controllers over what was observed: their effects
// are not applied, the real controllers' writes arrive as Changes and are matched with the
// models' Decisions.
//
// What nobody can see from outside (when a pass ran, which waiting node got the token) is
// an input of the models. Here it is estimated from the observations, and every Decision
// carries the window within which it must have been made.
//
// A History is read page by page, at least twice: once to find what the controllers wrote
// and what that tells of their passes, and once to drive the models. What is kept of it is
// what stood there at first, what was written and decided, where each pod was, and a bounded
// number of states to seek from.
package infer

import (
	"errors"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
	"kardia/model/infer/testimony"
)

// Mode says what an estimate may rest on.
type Mode uint8

const (
	// Calibrated: fitted over the whole input.
	Calibrated Mode = iota
	// Causal: only what was known by then.
	Causal
)

func (m Mode) String() string { return [...]string{"calibrated", "causal"}[min(m, Causal)] }

// Options guide a Run.
type Options struct {
	// Params are the flags with where they came from; those that are FromDefault may be
	// inferred.
	Params model.Params
	Mode   Mode
	// Until ends a Causal run: nothing after it is read. Zero is the end.
	Until model.Instant
	// Standstills are the times in which the controllers were seen not to act, and after which they went on: each
	// from the instant at which Overdue held the models to the first write after it. They may not
	// overlap.
	Standstills []model.Interval
	// Past is what an earlier Result of the same record has of the time before it; nil: it is read.
	Past *Past
	// Tried is what an earlier Result of the same record had tried in vain, or found; zero: all is tried.
	Tried Tried
	// Lasting says that what the History hands out lies in memory as long as the Result, and never changes, as in a
	// live session: it is held, and not copied.
	Lasting bool
	// Watched says that the cluster is watched: a lease of which no renewal is known was not renewed.
	Watched bool
	// LeadersUnwatched is since when leases of leaders are not watched, though all else is: that watch alone is broken.
	// Unknown where it is not.
	LeadersUnwatched model.Instant
	// LeasesRead is up to when leases were read, of a capture; unknown of anything else.
	LeasesRead model.ReadUpTo
	// Progress, if set, is told now and then which share of the work is done, from 0 to 1;
	// false ends the Run with ErrStopped.
	Progress func(share float64) (goOn bool)
}

// ErrStopped says that Options.Progress ended a Run.
var ErrStopped = evidence.ErrStopped

// Write is one semantic effect on one subject by node-lifecycle or taint eviction.
type Write = evidence.Write

// Unexplained is why no decision explains a Write.
type Unexplained = evidence.Unexplained

// Fit is the interval of values of a flag that agree with the observations.
type Fit = flags.Fit

// ErrContradicted says that there is no state under flags that are Contradicted.
var ErrContradicted = errors.New("a flag given by hand contradicts what was seen")

// Result is what a Run found. It must not be modified.
type Result struct {
	// Decisions are in order of time; their Basis is Observed, Inferred or, for what came before
	// anybody watched, Reconstructed.
	Decisions []model.Decision
	// Writes are the controllers' writes that were seen, in order of time.
	Writes []Write
	// NotJudged are writes that nothing explains and that cannot be judged: what led to them may have
	// happened where nobody saw it. Unexplained says where.
	NotJudged []Write
	// Unobserved are decisions whose effect was not seen though the input would show it.
	Unobserved []model.DecisionID
	// Params are the flags as used.
	Params model.Params
	// Fits says which values of a flag agree with what was observed; flags that the input
	// does not determine are absent.
	Fits        map[string]Fit
	Assumptions []Note
	Coverage    model.Interval
	Mode        Mode
	// Restarts are within when the controller made its first pass as a new process, in order.
	Restarts []model.Interval
	// Overdue is what must have come by the end of a Causal run, and has not.
	Overdue Overdue
	// Unsupported is why the input cannot support a judgement; empty if it can.
	Unsupported []Note
	// Foresees says that what comes can be said all the same: silence can be judged, if no write can.
	Foresees bool
	// Instants is why there are no Decisions but Reconstructed ones, and nothing to verify, where all that is known are
	// captures; nil elsewhere. Later events can be predicted all the same.
	Instants *Note
	// Contradicted are flags given by hand that what was seen contradicts. Where there are any,
	// there are no decisions, nothing is explained, and At has no answer; Params are those that fit.
	Contradicted []Contradiction
	// Testimony is how far what components said in their own logs agrees with the Decisions; nil where no such
	// log was read.
	Testimony *testimony.Report

	shares []drive.Share             // what passes counted in zones
	denied []testimony.Contradiction // where logs say otherwise, and nothing else is open of it
	logs   logs
	told   map[model.DecisionID]bool // decisions that nothing tells of but logs
	heeded bool                      // zones are as logs say, and the models do not
	// heededMaster says that the same is so of master disruption.
	heededMaster bool
	run          *run // nil where nothing was recorded
	captured     *captured
	past         *Past
	recorded     model.Interval
}

// Run drives the models over a History, which must not change meanwhile; of one that grows
// hand over a Fork. Errors are those of reading, and ErrStopped.
func Run(h history.History, o Options) (*Result, error) {
	res, err := runRecorded(h, o)
	if err != nil || len(res.Contradicted) > 0 {
		return res, err
	}
	if res.past = o.Past; res.past == nil {
		if res.past, err = readPast(h); err != nil {
			return res, err
		}
	}
	res.recorded, res.logs = history.Recorded(h), logsOf(h)
	res.complete()
	return res, nil
}

func runRecorded(h history.History, o Options) (*Result, error) {
	if captures := history.Captures(h.Sources()); len(captures) > 0 {
		return runCaptured(h, captures, o)
	}
	r, err := newRun(h, o)
	if err != nil {
		return nil, err
	}
	res := r.result()
	if captures := history.Listed(h.Sources(), model.KindNode); len(captures) > 0 {
		res.captured, res.Foresees = &captured{history: h, captures: captures, o: o}, true
	}
	return res, nil
}

// At is the controllers' state at an instant: the same as a drive from the start gives,
// from a state kept on the way. Beyond the end of coverage passes and countdowns go on, and
// nothing more is heard.
//
// It reads the History again, and may be called from any goroutine, by one at a time. Errors are
// those of reading, and ErrContradicted.
func (r *Result) At(t model.Instant) (*State, error) {
	if len(r.Contradicted) > 0 {
		return nil, ErrContradicted
	}
	if r.captured != nil && (r.run == nil || !r.captured.recorded.Contains(t)) {
		return r.captured.state(t)
	}
	s, err := r.run.at(t)
	r.heededAt(s)
	return s, err
}

// Missing are the Unobserved, to be asked by their ids.
func (r *Result) Missing() map[model.DecisionID]bool {
	missing := make(map[model.DecisionID]bool, len(r.Unobserved))
	for _, id := range r.Unobserved {
		missing[id] = true
	}
	return missing
}

// Forget lets the states go that were kept on the way: where many were, they take a hundred megabytes. At and
// Along drive from the start then.
func (r *Result) Forget() {
	if r.run != nil {
		r.run.letGo()
	}
}

// Along is At at each of some instants, which come in order. It takes less time than to ask for one after the
// other: the models go on from each to the next.
func (r *Result) Along(instants []model.Instant, visit func(*State)) error {
	if r.run != nil && r.captured == nil && len(r.Contradicted) == 0 {
		return r.run.along(instants, func(s *State) {
			r.heededAt(s)
			visit(s)
		})
	}
	for _, t := range instants {
		s, err := r.At(t)
		if err != nil {
			return err
		}
		visit(s)
	}
	return nil
}
