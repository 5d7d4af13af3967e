// Package incident finds out what a post-mortem tells: who fell silent and when, what became of which pods and why, what
// held back or hastened it, how it stood at the end, and what is not known. Of a recording in which node b-003 is lost:
//
//	Of(...).Silences = [{Node: b-003, declared 53.7 s after its last heartbeat, back after 7m29s}]
//
// It states what verify, decisions, why, margin and whatif state, over the time and the nodes of a Scope. It returns codes
// and values: ui/topics words them.
package incident

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/loss"
	"kardia/model/explain/margin"
	"kardia/model/explain/removal"
	"kardia/model/explain/verdict"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
	"kardia/model/simulate/forecast"
)

const (
	// Together is within what time things happened at once.
	Together = time.Second
	// burst is within what time nodes were lost together.
	burst = 15 * time.Second
)

// Input is what an incident is read from.
type Input struct {
	History history.History
	// Found is what the models make of it, with the hypotheses that count.
	Found *hypotheses.Found
	Marks []past.Bookmark
	Scope Scope
}

// Scope is the time and the nodes that are looked at. The zero value is everything.
type Scope struct {
	From, To   model.Instant // zero: the ends of the coverage
	Node, Zone string
}

// about says whether a node, or a zone where no node is named, is in scope.
func (s *Scope) about(node string, zone model.Maybe[model.ZoneKey]) bool {
	return (s.Node == "" || node == s.Node) && (s.Zone == "" || zone.Known && zone.Value.Matches(s.Zone))
}

// Incident is what was found.
type Incident struct {
	// Scope is what was looked at, with both its ends.
	Scope
	Origin Origin
	// Undecided is why the models say nothing, or not all.
	Undecided Undecided

	Silences []Silence
	// Pods are those that a controller deleted, in order, then those that were on nodes that were declared Unknown;
	// Workloads are theirs, those that lost most first; Reasons are why pods were spared, the commonest first.
	Pods      []Pod
	Workloads []Workload
	Reasons   []Reason
	// Deletes counts the decisions to delete a pod.
	Deletes int
	// Events are all that happened, in order; two of them may be one for a reader.
	Events []Event
	// Zones are what the controller thought of each zone whenever that changed; ZonesCut: up to MaxInstants.
	Zones      []Zone
	ZonesCut   bool
	Margin     *margin.Margin
	Countdowns Countdowns
	Times      []Measure
	WhatIf     *WhatIf
	Standing   *Standing
	Verdicts   []Judged
	Removed    []removal.Removal
	// Chain is why the first pod was deleted or, where none was, why the first node was declared Unknown; nil for neither.
	Chain   *Chain
	Unknown []Unknown

	Judgement verify.Report
	Found     *hypotheses.Found
	Result    *infer.Result
	// Decisions are all in scope, in order of time. Decided are those of them that were seen, or that the input would not
	// show, and what was written unexplained; Unseen are the others.
	Decisions, Decided, Unseen []*model.Decision
	// Doubt is when the models' state rests on declarations that the input would show, and does not: until the controller
	// restarted, if it did. Unknown where it never does.
	Doubt     model.Interval
	Aftermath *Aftermath
	// LeaseFailures are what the leader's own log says of its lease. Unled is since when nobody leads the controllers where
	// the report ends, unknown where somebody may; Undeclared is how many nodes are silent there and not declared Unknown.
	LeaseFailures []verdict.LeaseFailure
	Unled         model.Instant
	Undeclared    int
	// Unready are the times in which somebody said that a node was not ready.
	Unready []Unready
	// Existed is how many nodes there were when the first was declared, InZone how many of each zone; 0 where none was or
	// not all are shown. UnknownBefore counts the nodes that were Unknown when they were first seen.
	Existed, UnknownBefore int
	InZone                 map[model.ZoneKey]int
	// SeesNodes says that the input shows nodes, or their leases; ShowsPods, ShowsNodes and ShowsLeaders say that it shows
	// pods, nodes and leader leases; PodsListed that it shows all pods there were. Captured: nobody watched.
	SeesNodes, ShowsPods, ShowsNodes, ShowsLeaders, PodsListed, Captured bool

	given    Scope
	losses   []loss.Loss
	ahead    *forecast.Forecast // where the report ends; nil where it is not known
	survival *why.Survival
	judged   model.Instant // up to when the models run: what was recorded ends where a capture alone tells more
	podsLost bool          // what was recorded ends before the report, and no capture shows pods since
	scan     *scan
}

// Origin is the instant that relative times count from.
type Origin struct {
	At model.Instant
	// Is is what it is: the last heartbeat or the declaration of a Node, the first decision, or the start of the scope.
	Is   OriginIs
	Node string
}

// OriginIs is a code.
type OriginIs string

const (
	OfStart       OriginIs = "start"
	OfHeartbeat   OriginIs = "heartbeat"
	OfDeclaration OriginIs = "declaration"
	OfDecision    OriginIs = "decision"
)

// Undecided is why something is not known: the reason of the models, or caveats. The zero value is that it is.
type Undecided struct {
	Why     *infer.Note
	Caveats caveat.List
}

// Is says that there is a reason.
func (u *Undecided) Is() bool { return u.Why != nil || len(u.Caveats) > 0 }

// Judged is whose fault it was at an instant.
type Judged struct {
	At       model.Instant
	Verdicts []verdict.Verdict
}

// Chain is a decision, and what led to it, back to the last heartbeat that counted.
type Chain struct {
	Decision *model.Decision
	Links    why.Chain
}

// Of finds out. Errors are those of reading the History.
func Of(in *Input) (*Incident, error) {
	coverage, scope, sources := in.History.Coverage(), in.Scope, in.History.Sources()
	scope.From, scope.To = cmp.Or(scope.From, coverage.Earliest), cmp.Or(scope.To, coverage.Latest)
	x := &Incident{Scope: scope, given: in.Scope, Found: in.Found, Result: in.Found.Result, Judgement: verify.Evaluate(in.Found), InZone: map[model.ZoneKey]int{},
		ShowsPods: caveat.Reads(sources, model.KindPod), ShowsNodes: caveat.Reads(sources, model.KindNode), ShowsLeaders: caveat.Reads(sources, model.KindLeaderLease)}
	if err := x.Judgement.Bound(in.Found); err != nil {
		return nil, err
	}
	result := x.Result
	x.Captured = result.Instants != nil
	if len(result.Unsupported) > 0 {
		x.Undecided.Why = &result.Unsupported[0]
	} else {
		x.Undecided.Why = result.Instants
	}
	x.judged = scope.To
	if recorded := history.Recorded(in.History); recorded.Bounded() {
		x.judged = min(x.judged, recorded.Latest)
	}
	x.podsLost = x.judged < scope.To && !slices.ContainsFunc(sources, func(s history.Source) bool {
		return s.Captured != nil && s.Captured.At > x.judged && s.Kinds[model.KindPod] > 0
	})
	all := make([]*model.Decision, len(result.Decisions))
	for i := range all {
		all[i] = &result.Decisions[i]
	}
	x.Decisions, x.Decided, x.Unseen = x.inScope(all), x.inScope(result.Done()), x.inScope(x.Judgement.Unobserved)
	if !x.Undecided.Is() && len(x.Decided) == 0 { // that nothing was decided must have been seen
		v, err := caveat.At(in.History, scope.To)
		if err != nil {
			return nil, err
		}
		x.Undecided.Caveats = caveat.Of(v).Forbids(caveat.Decided)
	}
	x.Doubt = x.doubted()
	var err error
	if x.losses, err = loss.Of(in.History, x.Decided); err != nil {
		return nil, err
	}
	x.begins()
	x.Aftermath = Begin(result)
	if err := x.ask(in); err != nil {
		return nil, err
	}
	if err := x.read(in); err != nil {
		return nil, err
	}
	return x, x.conclude(in)
}

// ask asks the models for their states, which are let go before the History is read where nobody asks for them
// after that: to both at once there is much in memory.
func (x *Incident) ask(in *Input) (err error) {
	if err = x.askZones(); err != nil {
		return err
	}
	if err = x.foresee(); err != nil {
		return err
	}
	if x.TooManyToPlay() {
		in.Found.Result.Forget()
		in.Found.Base.Forget()
	}
	return nil
}

// conclude finds out what rests on the reading.
func (x *Incident) conclude(in *Input) (err error) {
	x.LeaseFailures = verdict.LeaseFailures(in.History, x.From, x.To)
	if x.Removed, err = x.removed(in.History); err != nil {
		return err
	}
	x.fates()
	x.events(in)
	x.chain(in)
	x.Margin = x.scan.pauses.Margin()
	x.countdowns()
	if x.Standing, err = x.standing(in.History); err != nil {
		return err
	}
	x.times()
	if x.WhatIf, err = x.whatIf(in.History); err != nil {
		return err
	}
	if x.Verdicts, err = x.verdicts(in.History); err != nil {
		return err
	}
	x.Unknown = x.unknowns(in.History)
	return nil
}

// inScope are the decisions in scope, in order of time. Without a start that was asked for nothing is cut off before the
// coverage, which is where what was reconstructed lies.
func (x *Incident) inScope(all []*model.Decision) (list []*model.Decision) {
	for _, d := range all {
		switch {
		case d.Outcome == model.Declined || d.Kind == model.RegisterNode || d.Kind == model.ForgetNode:
		case x.given.From.Known() && d.Time < x.given.From, x.given.To.Known() && d.Time > x.given.To:
		case !x.about(d.Node, d.Zone):
		default:
			list = append(list, d)
		}
	}
	return list
}

// First is the first decision of a kind; nil for none.
func (x *Incident) First(is func(*model.Decision) bool) *model.Decision {
	if i := slices.IndexFunc(x.Decided, is); i >= 0 {
		return x.Decided[i]
	}
	return nil
}

// begins finds where the incident begins: with the loss of the node that fell silent first where it is known when that
// was heard last, else with the first declaration, else with the first decision, else where the scope begins.
func (x *Incident) begins() {
	x.Origin = Origin{At: x.From, Is: OfStart}
	if first, ok := loss.Begin(x.losses); ok {
		x.Origin = Origin{first.Last.At(), OfHeartbeat, first.Declared.Node}
	} else if len(x.losses) > 0 && x.losses[0].Declared.Time.Bounded() {
		x.Origin = Origin{x.losses[0].Declared.Time, OfDeclaration, x.losses[0].Declared.Node}
	} else if d := x.First(func(d *model.Decision) bool { return !x.LongAgo(d) }); d != nil && d.Time.Bounded() {
		x.Origin = Origin{At: d.Time, Is: OfDecision}
	}
}

func (x *Incident) doubted() (v model.Interval) {
	for _, d := range x.Unseen {
		if d.Kind == model.MarkUnknown {
			v = model.Interval{Earliest: d.Time, Latest: model.FarFuture}
			break
		}
	}
	for _, d := range x.Decided {
		if v.Known() && d.Kind == model.ControllerStart && d.Controller == model.NodeLifecycle && d.Time > v.Earliest {
			v.Latest = d.Time
			break
		}
	}
	return v
}

// Doubts says that a decision rests on such declarations: it leaves no trace, and was made while they stood.
func (x *Incident) Doubts(d *model.Decision) bool {
	return x.Doubt.Known() && d.Basis == model.Inferred && x.Doubt.Earliest <= d.Time && d.Time < x.Doubt.Latest
}

// LongAgo says that a decision is that whoever led at the start had begun, which is no part of the incident.
func (x *Incident) LongAgo(d *model.Decision) bool {
	return !x.Captured && d.Kind == model.ControllerStart && d.Basis == model.Reconstructed && d.Time < x.From
}

// IsDelete says that a decision deletes a pod.
func IsDelete(d *model.Decision) bool {
	return (d.Kind == model.EvictPod || d.Kind == model.CollectPod) && d.Outcome == model.Did
}

func (x *Incident) chain(in *Input) {
	first := x.First(func(d *model.Decision) bool { return d.ID != 0 && IsDelete(d) })
	if first == nil {
		first = x.First(func(d *model.Decision) bool {
			return d.ID != 0 && d.Kind == model.MarkUnknown && d.Outcome == model.Did
		})
	}
	if first == nil || len(x.Result.Unsupported) > 0 && !first.Told() {
		return
	}
	if links, ok := why.Of(in.Found.Result, in.History).Why(first.ID); ok {
		x.Chain = &Chain{first, links}
	}
}

// verdicts is whose fault it was when the first nodes that were lost together had been declared and,
// where others followed, when the last had; where none was declared, and nodes are not well at the end, then.
func (x *Incident) verdicts(h history.History) (list []Judged, err error) {
	cursor := history.NewCursor(h)
	look := func(at model.Instant) error {
		evidence, err := verdict.Look(cursor, at, verdict.View{})
		if err == nil {
			list = append(list, Judged{at, verdict.Of(evidence)})
		}
		return err
	}
	end := h.Coverage().Latest
	if len(x.Silences) == 0 {
		if err := look(end); err != nil || slices.ContainsFunc(list[0].Verdicts, func(v verdict.Verdict) bool { return v.Rule != verdict.OwnView }) {
			return list, err
		}
		return nil, nil
	}
	if x.Silences[0].Reconstructed() {
		return nil, nil
	}
	first := x.Silences[0].At()
	early, late := first, first
	for i := range x.Silences {
		at := x.Silences[i].At()
		if late = max(late, at); at.Sub(first) <= burst {
			early = max(early, at)
		}
	}
	instants := []model.Instant{early}
	if late > early {
		instants = append(instants, late)
	}
	for _, at := range instants {
		if err := look(min(at.Add(time.Second), end)); err != nil { // until it is written
			return nil, err
		}
	}
	return list, nil
}

// removed are the nodes that were lost and then removed, as far as the input shows it by the end of the scope.
func (x *Incident) removed(h history.History) ([]removal.Removal, error) {
	cursor := history.NewCursor(h)
	if err := cursor.Seek(x.To); err != nil {
		return nil, err
	}
	list, err := removal.Of(h, cursor.State(), model.FarPast+1, x.To)
	lost := x.Lost()
	return slices.DeleteFunc(list, func(r removal.Removal) bool {
		_, is := slices.BinarySearch(lost, r.Node)
		return !is
	}), err
}
