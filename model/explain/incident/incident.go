// Package incident collects the facts of a post-mortem: silent nodes, deleted and spared pods, the state at the end,
// and gaps in the data. Example, for a recording in which node b-003 fails:
//
//	Of(...).Silences = [{Node: b-003, declared 53.7 s after its last heartbeat, back after 7m29s}]
//
// It combines the answers of verify, decisions, why, margin and whatif over the time and the nodes of a Scope. It
// returns codes and values; ui/topics has their texts.
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
	// Together is the span of simultaneous events.
	Together = time.Second
	// burst is the span in which nodes count as failed together.
	burst = 15 * time.Second
)

// Input is the source of an Incident.
type Input struct {
	History history.History
	// Found is the models' result, with the hypotheses that count.
	Found *hypotheses.Found
	Marks []past.Bookmark
	Scope Scope
}

// Scope is the time and the nodes of interest. The zero value is everything.
type Scope struct {
	From, To   model.Instant // zero: the ends of the coverage
	Node, Zone string
}

// about reports whether a node is in scope; if no node is named, whether its zone is.
func (s *Scope) about(node string, zone model.Maybe[model.ZoneKey]) bool {
	return (s.Node == "" || node == s.Node) && (s.Zone == "" || zone.Known && zone.Value.Matches(s.Zone))
}

// Incident is the collected facts.
type Incident struct {
	// Scope is the requested one, with both ends set.
	Scope
	Origin Origin
	// Undecided is why the models give no answer, or only part of one.
	Undecided Undecided

	Silences []Silence
	// Pods are those that a controller deleted, in order, then those on nodes declared Unknown. Workloads are their
	// owners, the most deletions first, Reasons why pods were spared, the most frequent first.
	Pods      []Pod
	Workloads []Workload
	Reasons   []Reason
	Deletes   int
	// Events are in order. Two of them may describe one event.
	Events []Event
	// Zones is the controller's state of each zone at each change; ZonesCut: MaxInstants ended it.
	Zones      []Zone
	ZonesCut   bool
	Margin     *margin.Margin
	Countdowns Countdowns
	Times      []Measure
	WhatIf     *WhatIf
	Standing   *Standing
	Verdicts   []Judged
	Removed    []removal.Removal
	// Chain explains why the first pod was deleted or else why the first node was declared Unknown.
	Chain   *Chain
	Unknown []Unknown

	Judgement verify.Report
	Found     *hypotheses.Found
	Result    *infer.Result
	// Decisions are all in scope, in order of time. Decided were seen, or the input would not show them, or were made
	// from unexplained writes. Unseen are the others.
	Decisions, Decided, Unseen []*model.Decision
	// Doubt is when the models' state includes declarations that the input would show and does not. A restart of the
	// controller ends it. Unknown if it never is.
	Doubt     model.Interval
	Aftermath *Aftermath
	// LeaseFailures are from the leader's own log. Unled is since when there is no leader at the end, Undeclared how
	// many nodes are silent then and not declared Unknown.
	LeaseFailures []verdict.LeaseFailure
	Unled         model.Instant
	Undeclared    int
	// Unready are the spans in which nodes were reported NotReady.
	Unready []Unready
	// Existed counts the nodes when the first was declared, InZone those of each zone; 0 if none was, or not all are
	// shown. UnknownBefore counts nodes that were Unknown when first seen.
	Existed, UnknownBefore int
	InZone                 map[model.ZoneKey]int
	// SeesNodes: the input shows nodes or their leases. ShowsPods, ShowsNodes and ShowsLeaders are for pods, nodes and
	// leader leases. PodsListed: it shows all pods. Captured: nothing was watched.
	SeesNodes, ShowsPods, ShowsNodes, ShowsLeaders, PodsListed, Captured bool
	// Requests says that the input names senders of requests, NodeObjects that it shows any Node object.
	Requests, NodeObjects bool

	given    Scope
	losses   []loss.Loss
	ahead    *forecast.Forecast // at the end of the report; nil if unknown
	survival *why.Survival
	judged   model.Instant // where the models end: the end of recorded data, if only a capture follows
	podsLost bool          // recorded data ends before the report, and no later capture shows pods
	scan     *scan
}

// Origin is the zero of relative times.
type Origin struct {
	At model.Instant
	// Is is the event at that time: the last heartbeat or the declaration of Node, the first decision, or the start.
	Is   OriginIs
	Node string
}

type OriginIs string

const (
	OfStart       OriginIs = "start"
	OfHeartbeat   OriginIs = "heartbeat"
	OfDeclaration OriginIs = "declaration"
	OfDecision    OriginIs = "decision"
)

// Undecided is why something is not known: the models' reason, or caveats; zero if it is known.
type Undecided struct {
	Why     *infer.Note
	Caveats caveat.List
}

// Is reports whether there is a reason.
func (u *Undecided) Is() bool { return u.Why != nil || len(u.Caveats) > 0 }

// Judged are the verdicts at a time.
type Judged struct {
	At       model.Instant
	Verdicts []verdict.Verdict
}

// Chain is a decision, and its causes back to the last heartbeat that counted.
type Chain struct {
	Decision *model.Decision
	Links    why.Chain
}

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
	lost := func(d *model.Decision) bool { return d.Kind == model.MarkUnknown }
	if !x.Undecided.Is() && !slices.ContainsFunc(x.Decided, lost) { // to know that no node was declared, it must have been seen
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

// ask gets the models' states. If they are not needed later, it frees them before the History is read, to save memory.
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

func (x *Incident) conclude(in *Input) error {
	x.LeaseFailures = verdict.LeaseFailures(in.History, x.From, x.To)
	end, err := history.StateAt(in.History, x.To)
	if err != nil {
		return err
	}
	lost := x.Lost()
	x.Removed = slices.DeleteFunc(x.scan.removals.List(end), func(r removal.Removal) bool {
		_, is := slices.BinarySearch(lost, r.Node)
		return !is
	})
	x.fates()
	x.events(in)
	x.chain(in)
	x.Margin = x.scan.pauses.Margin()
	x.countdowns()
	x.Standing = x.standing(in.History, end)
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

// inScope are the decisions in scope, in order. Without a requested start, reconstructed earlier ones are included.
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

// begins sets the Origin: the last heartbeat of the node that fell silent first. Else it is the first declaration, the
// first decision, or the start of the scope.
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

// Doubts reports whether a decision rests on doubted declarations: it leaves no trace, and is within Doubt.
func (x *Incident) Doubts(d *model.Decision) bool {
	return x.Doubt.Known() && d.Basis == model.Inferred && x.Doubt.Earliest <= d.Time && d.Time < x.Doubt.Latest
}

// LongAgo reports whether a decision is the start of the process that already led at the start of the record.
func (x *Incident) LongAgo(d *model.Decision) bool {
	return !x.Captured && d.Kind == model.ControllerStart && d.Basis == model.Reconstructed && d.Time < x.From
}

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

// verdicts judges when the first burst of nodes had been declared and, if others followed, when the last had. If none
// was, it judges at the end, and keeps verdicts on nodes or controllers.
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
		if err := look(min(at.Add(time.Second), end)); err != nil { // when it is written
			return nil, err
		}
	}
	return list, nil
}
