// Package postmortem makes a report of an incident from a recording and what the models found in it:
// what happened, to whom, why, how near it came, and what nobody can tell.
//
// It states what other commands state, in the order of a post-mortem, and finds out nothing of its own:
// its figures are those of verify, decisions, why and get. One chapter is one file, which works out the
// data (for JSON) and tells it (for people).
package postmortem

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
	"kardia/ui/report"
)

// Input is what a report is made of.
type Input struct {
	// Name is what was opened, for the title.
	Name    string
	History history.History
	// Found is what the models make of it, with the hypotheses that count.
	Found         *hypotheses.Found
	ServerVersion string
	// Skipped are files that nobody recognised.
	Skipped []string
	Marks   []past.Bookmark
	Scope   Scope
	// Command is the command line up to the paths, Paths those; for the commands that reproduce it.
	Command string
	Paths   []string
	// Redaction is the level at which names were replaced; "" where they were not.
	Redaction string
}

// Scope is what the report is about. The zero value is everything.
type Scope struct {
	From, To   model.Instant // zero: the ends of the coverage
	Node, Zone string
}

// Report is the report as data.
type Report struct {
	SchemaVersion int          `json:"schemaVersion"`
	Name          string       `json:"name"`
	Redaction     *string      `json:"redaction"`
	From          report.Stamp `json:"from"`
	To            report.Stamp `json:"to"`
	Node          *string      `json:"node"`
	Zone          *string      `json:"zone"`
	Input         report.Info  `json:"input"`
	// Zero is the instant that relative times count from, ZeroIs what it is.
	Zero   report.Stamp `json:"zero"`
	ZeroIs string       `json:"zeroIs"`

	Summary      []string            `json:"summary"`
	Verdicts     []report.Verdicts   `json:"verdicts"`
	Impact       Impact              `json:"impact"`
	Silences     []Silence           `json:"silences"`
	Timeline     []Row               `json:"timeline"`
	Zones        []ZoneRow           `json:"zones"`
	Chain        *Chain              `json:"chain"`
	Margin       Margin              `json:"margin"`
	Times        []Measure           `json:"times"`
	WhatIf       *WhatIf             `json:"whatIf"`
	Standing     *Standing           `json:"standing"`
	Verification report.Verification `json:"verification"`
	Unknown      []Unknown           `json:"unknown"`
	Commands     []string            `json:"commands"`
	// Decisions are filled in where they are written.
	Decisions []report.Decision `json:"decisions"`

	zero      model.Instant
	zeroHeard bool // it is a last heartbeat
	params    map[string]verify.Param
	scan      *scan
	decided   []*model.Decision // those in scope, in order of time
	aftermath *report.Aftermath
	judgement *verify.Report
	undecided string // why the models say nothing, or not all; empty where they do
	result    *infer.Result
	survival  *why.Survival
	captured  bool // nobody watched: what is told is reconstructed
	pods      bool // the input shows pods
	nodes     bool // it shows nodes
	leaders   bool // it shows leader leases
}

// schemaVersion changes when a key changes its meaning or goes.
const schemaVersion = 1

// Of makes a report. Errors are those of reading the History.
func Of(in *Input) (*Report, error) {
	coverage := in.History.Coverage()
	scope := in.Scope
	scope.From, scope.To = cmp.Or(scope.From, coverage.Earliest), cmp.Or(scope.To, coverage.Latest)
	judgement := verify.Evaluate(in.Found)
	result := in.Found.Result
	sources := in.History.Sources()
	r := &Report{SchemaVersion: schemaVersion, Name: in.Name, Redaction: text(in.Redaction), From: report.Stamp(scope.From), To: report.Stamp(scope.To),
		Node: text(scope.Node), Zone: text(scope.Zone), Verification: report.VerificationOf(&judgement),
		params: judgement.Params, judgement: &judgement, result: result, captured: result.Instants != "",
		pods: report.Shows(sources, model.KindPod), nodes: report.Shows(sources, model.KindNode), leaders: report.Shows(sources, model.KindLeaderLease)}
	if len(result.Unsupported) > 0 {
		r.undecided = result.Unsupported[0]
	} else if r.captured {
		r.undecided = result.Instants
	}
	r.decided = inScope(result, &scope, in.Scope)
	r.zero, r.ZeroIs, r.zeroHeard = zeroOf(r.decided, scope.From)
	r.Zero = report.Stamp(r.zero)
	aftermath, err := report.AftermathOf(in.History, result)
	if err != nil {
		return nil, err
	}
	r.aftermath = aftermath
	s, err := scanOf(in, r, scope)
	if err != nil {
		return nil, err
	}
	r.scan = s
	return r, r.chapters(in, scope)
}

// chapters works out what each chapter tells.
func (r *Report) chapters(in *Input, scope Scope) (err error) {
	end := history.NewCursor(in.History)
	if err := end.Seek(in.History.Coverage().Latest); err != nil {
		return err
	}
	r.Input = report.InfoOf(in.History, end.State(), in.Skipped, in.ServerVersion)
	r.Silences = r.scan.silences
	r.Impact = r.impact()
	r.Timeline = r.rows(in, scope)
	if r.Zones, err = r.zonesOf(in, scope); err != nil {
		return err
	}
	r.Chain = r.chainOf(in)
	r.Margin = r.marginOf(in)
	if r.Standing, err = r.standing(in, scope); err != nil {
		return err
	}
	r.Times = r.times()
	if r.WhatIf, err = r.whatIf(in); err != nil {
		return err
	}
	if r.Verdicts, err = r.verdictsOf(in); err != nil {
		return err
	}
	r.Unknown = r.unknowns(in)
	r.Commands = r.commands(in)
	r.Summary = r.summary()
	return nil
}

// inScope are the decisions that the report tells of, in order of time. given is the scope as it was
// asked for: without --from nothing is cut off before the coverage, which is where what was
// reconstructed lies.
func inScope(result *infer.Result, scope *Scope, given Scope) (list []*model.Decision) {
	for i := range result.Decisions {
		d := &result.Decisions[i]
		switch {
		case d.Outcome == model.Declined || d.Kind == model.RegisterNode || d.Kind == model.ForgetNode:
		case given.From.Known() && d.Time < given.From, given.To.Known() && d.Time > given.To:
		case !scope.about(d.Node, d.Zone):
		default:
			list = append(list, d)
		}
	}
	return list
}

// about says whether a node, or a zone where no node is named, is in scope.
func (s *Scope) about(node string, zone model.Maybe[model.ZoneKey]) bool {
	return (s.Node == "" || node == s.Node) && (s.Zone == "" || zone.Known && zone.Value.Matches(s.Zone))
}

// lastBeat is the sign of life that a declaration counted from, as far as it says. Of what was
// reconstructed, stamps of other kinds are what it was reconstructed from.
func lastBeat(d *model.Decision) (in model.Input, ok bool) {
	i := slices.IndexFunc(d.Inputs, func(in model.Input) bool {
		return in.At.Bounded() && (in.Kind == model.KindNodeLease || in.Kind == model.KindNode && d.Basis != model.Reconstructed)
	})
	if i < 0 {
		return in, false
	}
	return d.Inputs[i], true
}

// zeroOf is where an incident begins: with the first last heartbeat, else with the first decision,
// else where the report begins.
func zeroOf(decided []*model.Decision, from model.Instant) (zero model.Instant, is string, heard bool) {
	for _, d := range decided {
		if d.Kind != model.MarkUnknown || d.Outcome != model.Did {
			continue
		}
		if in, ok := lastBeat(d); ok && (zero == 0 || in.At < zero) {
			zero, is = in.At, "the last heartbeat of "+d.Node+", which fell silent first"
		}
	}
	switch {
	case zero != 0:
		return zero, is, true
	case len(decided) > 0 && decided[0].Time.Bounded():
		return decided[0].Time, "the first decision", false
	}
	return from, "the start of what the report covers", false
}

// verdictsOf is whose fault it was when the first nodes that were lost together had been declared and,
// where others followed, when the last had.
func (r *Report) verdictsOf(in *Input) ([]report.Verdicts, error) {
	list := []report.Verdicts{}
	if len(r.Silences) == 0 || r.Silences[0].Basis == model.Reconstructed.String() {
		return list, nil
	}
	first := model.Instant(r.Silences[0].Declared)
	early, late := first, first
	for i := range r.Silences {
		at := model.Instant(r.Silences[i].Declared)
		if late = max(late, at); at.Sub(first) <= burst {
			early = max(early, at)
		}
	}
	instants := []model.Instant{early}
	if late > early {
		instants = append(instants, late)
	}
	cursor := history.NewCursor(in.History)
	for _, at := range instants {
		at = min(at.Add(time.Second), in.History.Coverage().Latest) // until it is written
		evidence, err := verdict.Look(cursor, at)
		if err != nil {
			return nil, err
		}
		list = append(list, report.VerdictsOf(at, verdict.Of(evidence)))
	}
	return list, nil
}
