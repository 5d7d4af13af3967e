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
	"iter"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
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

// Overdue are decisions that the controllers must have made by the end of a Causal run, and did not, without any other
// act. The process is paused, dead or without a leader, its cache is behind, or the flags are wrong. The models wait
// too, as their next decisions would depend on missing writes.
type Overdue struct {
	// Since is when the first of them was due at the latest; unknown if nothing is overdue.
	Since model.Instant
	// Held is where the models stop: just before the first of these decisions.
	Held model.Instant
	// Decisions are the missing ones, in the order decided.
	Decisions []model.Decision
	// Refused says that the API server refused writes about a node of theirs.
	Refused bool
}

// Contradiction is a flag, given by hand or stated by the input, that the observations contradict.
type Contradiction struct {
	// Flag is its name without dashes, Given its value, and Fits a value under which less is open.
	Flag, Given, Fits string
	// Within are all values that fit; unknown without bounds.
	Within model.Maybe[Fit]
	// Findings counts the writes, decisions and log lines that disagree with Given, Left those that disagree with Fits.
	Findings, Left int
}

// Undeleted are due deletions for taints that are missing, if none came at all: taint eviction may not run
// (--controllers=-taint-eviction-controller), or another component deletes instead. Zero without evidence.
type Undeleted struct {
	Pods, Nodes int
	// Since is when the first of them was due at the latest.
	Since model.Instant
}

// Offset is how much earlier, and later, something may come.
type Offset struct{ Earlier, Later time.Duration }

// Assumption is an unrecorded fact that a drive assumes.
type Assumption = processes.Assumption

// Missing is the set of Unobserved.
func (r *Result) Missing() map[model.DecisionID]bool {
	missing := make(map[model.DecisionID]bool, len(r.Unobserved))
	for _, id := range r.Unobserved {
		missing[id] = true
	}
	return missing
}

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

// maxNearMisses is how many nodes with a last-moment renewal may seem silent.
const maxNearMisses = 1000

// Undone reports whether too much is missing for other times of passes to settle it: the control plane cannot keep up.
// A wrong time leaves an open write for each missing effect, or takes a last-moment renewal for silence.
func (r *Result) Undone() bool { return len(r.Unobserved) > 2*len(r.Writes)+maxNearMisses }

// undoneSince is the first missing decision; unknown if the controllers keep up.
func (r *Result) undoneSince() (since model.Instant) {
	if !r.Undone() {
		return 0
	}
	for d := range r.Lacking() {
		since = since.Earlier(d.Time)
	}
	return since
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

func (res *Result) rests(n Note) { res.Assumptions = append(res.Assumptions, n) }

// Known reports whether a decision is overdue.
func (o *Overdue) Known() bool { return o.Since.Known() }

// For is how long something has been overdue at a time; 0 if nothing is.
func (o *Overdue) For(at model.Instant) time.Duration {
	if !o.Known() {
		return 0
	}
	return max(0, at.Sub(o.Since))
}

// lacks notes a missing effect that was due by a time: the models stop at held.
func (o *Overdue) lacks(by, held model.Instant) {
	if !o.Known() {
		o.Since, o.Held = by, held
	}
	o.Since, o.Held = min(o.Since, by), min(o.Held, held)
}

// run is an input and its estimates.
type run struct {
	evidence    *evidence.Evidence
	o           Options
	input       *evidence.Input
	err         error // the first one of reading in fit: nothing is driven after it
	coverage    model.Interval
	passes      passes.List
	checkpoints *drive.Checkpoints // of the drive whose passes these are
	knows       int                // see maxKnown
	enough      int                // observations that override a default
	assumed     []Assumption
	ended       []model.Interval // from the end of a process to the next recorded start
	quick       bool             // few pass instants are tried
	fixed       bool             // the flags are those of Options, and none is inferred
	tries       Tried            // for the next run of the same record
	eras        []era
	otherBefore bool // a process that listed no flags had the defaults
	cost        int  // of the last drive: the larger of Changes read and nodes evaluated
	driven      int  // cost of all drives, also under other assumptions
	rates       flags.Rates
	writes      []Write       // those of the input that are reported
	overdue     Overdue       // the models stop at its Held
	undone      model.Instant // see State.Undone
	left        model.Instant // the models stop at the last act of the last leader, if there is no leader; else unknown
	stands      *run          // this run if the leader with an unrenewed lease is paused; nil until needed
	pending     pending
	concluded   bool // a search found all assumptions
	supposed    *run // this run, or one with restarts known only by their traces; nil until needed
	found       Result
	logs        logs           // statements of components
	recorded    model.Interval // when the input was recorded
	zonesTold   bool           // the zone threshold follows logs
	given       Options        // before any inference
	within      map[model.DecisionID]model.Interval
	evicted     map[model.Key]model.Interval // pods → their last deletion
	scheduled   map[model.Key]model.Interval // pods → the last start of their countdown
}

// era is the time of a process whose start is in a log.
type era struct {
	from model.Instant
	// flags are the listed ones; nil if it listed none.
	flags *model.Params
}

// pending are the decisions of a Causal run without an observed effect at its end. The pass or tick may come later than
// the models ran it, so a forecast starts without them.
type pending struct {
	// from is when the models restart; unknown if nothing is pending.
	from model.Instant
	// Nodes are not declared Unknown, and Zones give no token without an observed taint.
	drive.Undecided
	// open are decisions of all kinds with possible effects; fired are those that delete a pod for an observed cause.
	open  map[model.DecisionID]bool
	fired []model.Decision
}

// logs are the statements of components, and when the controller manager's logs are complete, by their clocks.
type logs struct {
	said   []history.Statement
	covers map[int32][]model.Interval // by the index of the source
}

// Past is the evidence for decisions before the record, from captures and first lists.
type Past struct {
	decisions []model.Decision
	// recorded are the kinds that were recorded, and not only listed.
	recorded [model.LastKind + 1]bool
}

// captured is a History with captures beside which nothing was recorded.
type captured struct {
	history  history.History
	captures []history.Capture
	recorded model.Interval
	o        Options
	overdue  Overdue // at the last capture
	arrived  *run    // at the last capture asked for
	at       model.Instant
}

// Tried is how an earlier run of the same record searched for better explanations. A live session keeps it, to avoid
// repeated drives. The zero value has tried nothing.
type Tried struct {
	left  int         // findings after all trials
	phase int         // of the passes that left fewest findings, counted from 1 in shares; 0 if none was better
	times flags.Times // those that left clearly fewer findings, else zero
}

// found reports whether other times left clearly fewer findings.
func (t *Tried) found() bool { return t.times != flags.Times{} }

// enough reports whether hardly more findings are left than before: new ones do not justify another trial.
func (t *Tried) enough(left int) bool {
	return t.left > 0 && left-t.left < max(flags.Enough, t.left/2)
}

// noMore reports whether no more findings are left than before: trials need no repetition.
func (t *Tried) noMore(left int) bool { return t.left > 0 && left <= t.left }
