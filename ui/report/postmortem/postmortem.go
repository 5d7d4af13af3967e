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
	"kardia/model/caveat"
	"kardia/model/explain/loss"
	"kardia/model/explain/verdict"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
	"kardia/model/simulate/forecast"
	"kardia/ui/report"
	"kardia/ui/topics"
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
	Removed      []report.Removed    `json:"removed"`
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
	losses    []loss.Loss
	params    map[string]verify.Param
	scan      *scan
	ahead     *forecast.Forecast // where the report ends; nil where it is not known
	// unled is since when nobody leads the controllers where the report ends, and undeclared how many nodes are silent there
	// that are not declared Unknown; unknown where somebody leads, or may.
	unled      model.Instant
	undeclared int
	// leaseFailures are what the leader's own log says of its lease.
	leaseFailures []verdict.LeaseFailure
	inScope       []*model.Decision // all decisions in scope, in order of time
	decided       []*model.Decision // those of them that were seen, or that the input would not show; and what was written unexplained
	unseen        []*model.Decision // the others: the input would show them, and does not
	doubt         model.Interval    // see doubted
	aftermath     *report.Aftermath
	judgement     *verify.Report
	supposed      []hypotheses.Hypothesis // those that count
	undecided     string                  // why the models say nothing, or not all; empty where they do
	result        *infer.Result
	survival      *why.Survival
	judged        model.Instant // up to when the models run: what was recorded ends where a capture alone tells more
	podsLost      bool          // what was recorded ends before the report, and no capture shows pods since
	captured      bool          // nobody watched: what is told is reconstructed
	pods          bool          // the input shows pods
	nodes         bool          // it shows nodes
	leaders       bool          // it shows leader leases
}

// schemaVersion changes when a key changes its meaning or goes.
const schemaVersion = 1

// Of makes a report. Errors are those of reading the History.
func Of(in *Input) (*Report, error) {
	coverage := in.History.Coverage()
	scope := in.Scope
	scope.From, scope.To = cmp.Or(scope.From, coverage.Earliest), cmp.Or(scope.To, coverage.Latest)
	judgement := verify.Evaluate(in.Found)
	if err := judgement.Bound(in.Found); err != nil {
		return nil, err
	}
	result := in.Found.Result
	sources := in.History.Sources()
	r := &Report{SchemaVersion: schemaVersion, Name: in.Name, Redaction: text(in.Redaction), From: report.Stamp(scope.From), To: report.Stamp(scope.To),
		Node: text(scope.Node), Zone: text(scope.Zone), Verification: report.VerificationOf(&judgement),
		params: judgement.Params, judgement: &judgement, supposed: in.Found.Leading(), result: result, captured: result.Instants != nil,
		pods: caveat.Reads(sources, model.KindPod), nodes: caveat.Reads(sources, model.KindNode), leaders: caveat.Reads(sources, model.KindLeaderLease)}
	if len(result.Unsupported) > 0 {
		r.undecided = topics.Note(&result.Unsupported[0]).String()
	} else if r.captured {
		r.undecided = topics.Note(result.Instants).String()
	}
	r.judged = scope.To
	if recorded := history.Recorded(in.History); recorded.Bounded() {
		r.judged = min(r.judged, recorded.Latest)
	}
	r.podsLost = r.judged < scope.To && !slices.ContainsFunc(sources, func(s history.Source) bool {
		return s.Captured != nil && s.Captured.At > r.judged && s.Kinds[model.KindPod] > 0
	})
	r.inScope = inScope(pointers(result.Decisions), &scope, in.Scope)
	r.decided = inScope(result.Done(), &scope, in.Scope)
	if r.undecided == "" && len(r.decided) == 0 { // that nothing was decided must have been seen
		v, err := caveat.At(in.History, scope.To)
		if err != nil {
			return nil, err
		}
		r.undecided = report.CaveatsOf(caveat.Of(v).Forbids(caveat.Decided)).Says()
	}
	r.unseen = inScope(judgement.Unobserved, &scope, in.Scope)
	r.doubt = r.doubted()
	var err error
	if r.losses, err = loss.Of(in.History, r.decided); err != nil {
		return nil, err
	}
	r.begins(scope.From)
	r.aftermath = report.BeginAftermath(result)
	if err := r.ask(in, scope); err != nil {
		return nil, err
	}
	s, err := scanOf(in, r, scope)
	if err != nil {
		return nil, err
	}
	r.scan = s
	return r, r.chapters(in, scope)
}

// Judgement is what 'verify' says of the same input.
func (r *Report) Judgement() *verify.Report { return r.judgement }

// ask asks the models for their states, which are let go before the History is read where nobody asks for them
// after that: to both at once there is much in memory.
func (r *Report) ask(in *Input, scope Scope) (err error) {
	if r.Zones, err = r.zonesOf(in, scope); err != nil {
		return err
	}
	if r.ahead, err = r.forecast(in, scope); err != nil {
		return err
	}
	if tooManyToPlay(in) {
		in.Found.Result.Forget()
		in.Found.Base.Forget()
	}
	return nil
}

// chapters works out what each chapter tells.
func (r *Report) chapters(in *Input, scope Scope) (err error) {
	end := history.NewCursor(in.History)
	if err := end.Seek(in.History.Coverage().Latest); err != nil {
		return err
	}
	r.Input = report.InfoOf(in.History, end.State(), in.Skipped, in.ServerVersion)
	r.Silences = r.scan.silences
	r.leaseFailures = verdict.LeaseFailures(in.History, model.Instant(r.From), model.Instant(r.To))
	if r.Removed, err = r.removed(in); err != nil {
		return err
	}
	r.Impact = r.impact()
	r.Timeline = r.rows(in, scope)
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

// doubted is when the models' state rests on declarations that the input would show, and does not: until the controller
// began anew, if it did. Unknown where it never does.
func (r *Report) doubted() (v model.Interval) {
	for _, d := range r.unseen {
		if d.Kind == model.MarkUnknown {
			v = model.Interval{Earliest: d.Time, Latest: model.FarFuture}
			break
		}
	}
	for _, d := range r.decided {
		if v.Known() && d.Kind == model.ControllerStart && d.Controller == model.NodeLifecycle && d.Time > v.Earliest {
			v.Latest = d.Time
			break
		}
	}
	return v
}

// isDoubted says that a decision rests on such declarations: it leaves no trace, and was made while they stood.
func (r *Report) isDoubted(d *model.Decision) bool {
	return r.doubt.Known() && d.Basis == model.Inferred && r.doubt.Earliest <= d.Time && d.Time < r.doubt.Latest
}

// inScope are the decisions that the report tells of, in order of time. given is the scope as it was
// asked for: without --from nothing is cut off before the coverage, which is where what was
// reconstructed lies.
func inScope(all []*model.Decision, scope *Scope, given Scope) (list []*model.Decision) {
	for _, d := range all {
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

func pointers(all []model.Decision) []*model.Decision {
	list := make([]*model.Decision, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	return list
}

// about says whether a node, or a zone where no node is named, is in scope.
func (s *Scope) about(node string, zone model.Maybe[model.ZoneKey]) bool {
	return (s.Node == "" || node == s.Node) && (s.Zone == "" || zone.Known && zone.Value.Matches(s.Zone))
}

// begins finds where the incident begins: with the loss of the node that fell silent first where it is known when that
// was heard last, else with the first declaration, else with the first decision, else where the report begins.
func (r *Report) begins(from model.Instant) {
	r.zero, r.ZeroIs = from, "the start of what the report covers"
	if first, ok := loss.Begin(r.losses); ok {
		r.zero, r.ZeroIs, r.zeroHeard = first.Last.At(), "the last heartbeat of "+first.Declared.Node+", which fell silent first", true
	} else if len(r.losses) > 0 && r.losses[0].Declared.Time.Bounded() {
		r.zero, r.ZeroIs = r.losses[0].Declared.Time, "the declaration of "+r.losses[0].Declared.Node+", the first that was declared Unknown"
	} else if d := r.first(func(d *model.Decision) bool { return !r.longAgo(d) }); d != nil && d.Time.Bounded() {
		r.zero, r.ZeroIs = d.Time, "the first decision"
	}
	r.Zero = report.Stamp(r.zero)
}

// verdictsOf is whose fault it was when the first nodes that were lost together had been declared and,
// where others followed, when the last had; where none was declared, and nodes are not well at the end, then.
func (r *Report) verdictsOf(in *Input) ([]report.Verdicts, error) {
	list, cursor := []report.Verdicts{}, history.NewCursor(in.History)
	look := func(at model.Instant) (bool, error) {
		evidence, err := verdict.Look(cursor, at, verdict.View{})
		if err != nil {
			return false, err
		}
		of := verdict.Of(evidence)
		list = append(list, report.VerdictsOf(at, of))
		return slices.ContainsFunc(of, func(v verdict.Verdict) bool { return v.Rule != verdict.OwnView }), nil
	}
	if len(r.Silences) == 0 {
		if wrong, err := look(in.History.Coverage().Latest); err != nil || wrong {
			return list, err
		}
		return list[:0], nil
	}
	if r.Silences[0].Basis == model.Reconstructed.String() {
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
	for _, at := range instants {
		if _, err := look(min(at.Add(time.Second), in.History.Coverage().Latest)); err != nil { // until it is written
			return nil, err
		}
	}
	return list, nil
}
