// Package infer runs the models of the controllers over observations. Their effects are not applied: the real
// controllers' writes arrive as Changes and are matched with the models' Decisions. For example, a Node that becomes
// Unknown matches a MarkUnknown, whose window is that of the monitor pass before the write.
//
// Hidden inputs of the models, such as the times of passes and the node that gets a token, are estimated from the
// observations. Each Decision has the window in which it was made.
//
// A History is read page by page, at least twice: to find the controllers' writes, and to run the models. In memory
// stay the first state, writes, decisions, the node of each pod, and a limited number of states to seek from.
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

// Mode is the evidence for an estimate.
type Mode uint8

const (
	// Calibrated: the whole input.
	Calibrated Mode = iota
	// Causal: the evidence up to that time.
	Causal
)

func (m Mode) String() string { return [...]string{"calibrated", "causal"}[min(m, Causal)] }

// Options guide a Run.
type Options struct {
	// Params are the flags with their sources; those that are FromDefault may be inferred.
	Params model.Params
	Mode   Mode
	// Until ends a Causal run: later Changes are not read. Zero is the end.
	Until model.Instant
	// Standstills are the observed pauses: from Overdue.Held to the first write after it. They may not overlap.
	Standstills []model.Interval
	// Past is the Past of an earlier Result of this record; if nil, it is read.
	Past *Past
	// Tried is that of an earlier Result of this record; zero: everything is tried.
	Tried Tried
	// Lasting says that the objects of the History outlive the Result unchanged: they are not copied.
	Lasting bool
	// Watched says that the cluster is watched: a lease without a known renewal was not renewed.
	Watched bool
	// LeadersUnwatched is since when only the watch of leader leases is broken; else unknown.
	LeadersUnwatched model.Instant
	// LeasesRead is when the leases of a capture were read; else unknown.
	LeasesRead model.ReadUpTo
	// Progress, if set, receives the share of the work done, from 0 to 1; false ends the Run with ErrStopped.
	Progress func(share float64) (goOn bool)
}

// ErrStopped says that Options.Progress ended a Run.
var ErrStopped = evidence.ErrStopped

// Write is an observed write of a controller.
type Write = evidence.Write

// Unexplained is why no decision explains a Write.
type Unexplained = evidence.Unexplained

// Fit is the interval of a flag's values that agree with the observations.
type Fit = flags.Fit

// ErrContradicted says that flags are Contradicted, so that there is no state.
var ErrContradicted = errors.New("a flag given by hand contradicts what was seen")

// Result is the outcome of a Run. It must not be modified.
type Result struct {
	// Decisions are sorted by time. Their Basis is Observed, Inferred or, before the record, Reconstructed.
	Decisions []model.Decision
	// Writes are the controllers' observed writes, by time.
	Writes []Write
	// NotJudged are open writes whose cause may be unseen. Unexplained says where.
	NotJudged []Write
	// Unobserved are decisions whose effect is missing, though the input would show it.
	Unobserved []model.DecisionID
	// Params are the flags in use.
	Params model.Params
	// Fits are the values of flags that agree with the observations, for flags that these bound.
	Fits        map[string]Fit
	Assumptions []Note
	Coverage    model.Interval
	Mode        Mode
	// Restarts bound the first passes of new processes, by time.
	Restarts []model.Interval
	// Overdue are the decisions that are missing at the end of a Causal run.
	Overdue Overdue
	// Unsupported is why nothing can be judged; empty if it can.
	Unsupported []Note
	// Foresees says that a forecast is possible: silence can be judged, even if no write can.
	Foresees bool
	// Instants is why all Decisions are Reconstructed, with captures only; else nil. Forecasts are possible.
	Instants *Note
	// Contradicted are given flags that the observations contradict. There are no Decisions then, and Params fit.
	Contradicted []Contradiction
	// Testimony compares component logs with the Decisions; nil without such a log.
	Testimony *testimony.Report

	shares []drive.Share             // of zones, as passes counted them
	denied []testimony.Contradiction // contradictions of logs without another finding of that kind
	logs   logs
	told   map[model.DecisionID]bool // decisions that only logs show
	heeded bool                      // logs decide the states of zones
	// heededMaster says that logs also decide master disruption.
	heededMaster bool
	run          *run // nil if there are only captures
	captured     *captured
	past         *Past
	recorded     model.Interval
}

// Run runs the models over a History that does not change: pass a Fork. Errors are those of reading, and ErrStopped.
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

// At is the controllers' state at a time. After the end of coverage, passes and countdowns continue in silence.
//
// It reads the History again, and may be called from any goroutine, but not concurrently. Errors are those of reading,
// and ErrContradicted.
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

// models are the run of the Result; without a record, one that saw nothing.
func (r *Result) models() *run {
	if r.run == nil {
		return &run{evidence: &evidence.Evidence{}, input: &evidence.Input{}}
	}
	return r.run
}

// judges reports whether the models judge the input.
func (r *Result) judges() bool { return r.run != nil && len(r.Unsupported) == 0 && r.Instants == nil }

// Missing is the set of Unobserved.
func (r *Result) Missing() map[model.DecisionID]bool {
	missing := make(map[model.DecisionID]bool, len(r.Unobserved))
	for _, id := range r.Unobserved {
		missing[id] = true
	}
	return missing
}

// Forget frees the kept states, which may take 100 MB. At and Along then run from the start.
func (r *Result) Forget() {
	r.models().letGo()
}

// Along visits the states At some times, in order. It is faster than At for each, as the models continue.
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
