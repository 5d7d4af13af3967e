// Package testimony compares log statements of controllers with the decisions of the models. For example, the line that
// declares node a-2 confirms a MarkUnknown of a-2 within 250 ms, and contradicts one 5 s later.
package testimony

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// Report is the comparison.
type Report struct {
	// Statements counts log statements about decisions: passes, failures and kubelets are not compared.
	Statements int
	// Sampled is how many of them only samples show.
	Sampled int
	// Confirmed are the decisions that a log contains, each with its statement.
	Confirmed    []Match
	Contradicted []Contradiction
	// NotCompared counts statements at times that the models do not judge.
	NotCompared int
	// Clock is that of the log with most writes; Shifted was subtracted from its times.
	Clock   Clock
	Shifted time.Duration

	clocks Clocks

	// ends is the last write of decisions made together. A pass logs nodes one by one, and zones at its end.
	ends map[model.Interval]model.Instant
}

// Clock is how far a log's clock was ahead of the API server's, by the Writes that follow its lines, if known.
type Clock struct {
	Ahead   model.Maybe[history.Offset]
	Writes  int
	Sampled bool
}

// Shift is the amount to subtract from the log's times: 0 if the clocks may agree.
func (c Clock) Shift() time.Duration {
	if o := c.Ahead.Value; o.Least > 0 || o.Most < 0 {
		return o.Least
	}
	return 0
}

// Clocks are those of logs, by the index of the source.
type Clocks map[int32]Clock

// at is the time of a statement by the API server's clock.
func (c Clocks) at(s *history.Statement) model.Instant {
	return s.At.Add(-c[s.Origin.Source].Shift())
}

// Match is a decision with its log statement.
type Match struct {
	Decision  model.DecisionID
	Statement *history.Statement
}

// Contradiction is a Statement without its Decision, or a Decision that no log contains: then there is no Statement.
type Contradiction struct {
	At       model.Instant
	Kind     model.DecisionKind
	Subject  string
	What     Disagreement
	Decision model.DecisionID
	// State is the zone's state by the models, and Window the time of their decision.
	State     model.DisruptionState
	Window    model.Interval
	Statement *history.Statement
}

// Disagreement is a code for how a log and the models disagree.
type Disagreement string

const (
	OtherState Disagreement = "state" // of a zone: Statement.State, and State
	OtherTime  Disagreement = "time"  // At, and Window
	OnlyLog    Disagreement = "only-log"
	OnlySample Disagreement = "only-sample" // after Statement.Since
	OnlyModels Disagreement = "only-models"
)

const (
	// follows is the longest delay from a line to its write, with retries.
	follows = time.Second
	// Together is the largest distance of a line from its decision, or from others made with it.
	Together = 250 * time.Millisecond
	// otherwise is the largest distance between a statement and a decision of the same act.
	otherwise = 20 * time.Second
)

// Judged says whether the models judge decisions of a kind at a time.
type Judged func(model.DecisionKind, model.Interval) bool

type act struct {
	kind    model.DecisionKind
	subject string
}

func actOf(d *model.Decision) act {
	kind := d.Kind
	if kind == model.DequeueFromTaint {
		kind = model.UntaintNoExecute // one line logs both
	}
	if kind == model.MarkPodsNotReady {
		return act{kind, d.Node} // one line for all pods of a node
	}
	return act{kind, d.Subject()}
}

// Compare makes the Report. covers are the times of the logs, by the API server's clock; untold have no decision.
func Compare(decisions []model.Decision, said []history.Statement, covers []model.Interval, clocks Clocks, judged Judged) (r Report, untold []*history.Statement) {
	r.clocks = clocks
	for _, of := range slices.Sorted(maps.Keys(clocks)) {
		if c := clocks[of]; !c.Sampled && c.Writes > r.Clock.Writes {
			r.Clock, r.Shifted = c, c.Shift()
		}
	}
	r.ends = map[model.Interval]model.Instant{}
	byAct := map[act][]*model.Decision{}
	for d := range model.Each(decisions) {
		if !modelled(d) {
			continue
		}
		byAct[actOf(d)] = append(byAct[actOf(d)], d)
		if d.Observed != nil && d.Observed.Time.Bounded() {
			r.ends[d.Window] = max(r.ends[d.Window], d.Observed.Time.Latest)
		}
	}
	statements := map[act][]*history.Statement{}
	var acts []act
	for s := range model.Each(said) {
		kind := s.Decision()
		if kind == model.DecisionNone {
			continue
		}
		a := act{kind, s.Subject()}
		r.Statements++
		if s.Sampled {
			r.Sampled++
			untold = append(untold, r.sampled(decisions, s, judged)...)
			continue
		}
		if statements[a] == nil {
			acts = append(acts, a)
		}
		statements[a] = append(statements[a], s)
	}
	told := map[model.DecisionID]bool{}
	for _, a := range acts {
		untold = append(untold, r.compare(a, byAct[a], statements[a], judged, told)...)
	}
	r.unsaid(decisions, said, covers, told, judged)
	slices.SortStableFunc(r.Contradicted, func(x, y Contradiction) int { return cmp.Compare(x.At, y.At) })
	slices.SortStableFunc(untold, func(x, y *history.Statement) int { return cmp.Compare(x.At, y.At) })
	return r, untold
}

func (r *Report) compare(a act, decisions []*model.Decision, said []*history.Statement, judged Judged, told map[model.DecisionID]bool) (untold []*history.Statement) {
	for _, s := range said {
		at := r.clocks.at(s)
		d, apart := r.nearest(decisions, told, at)
		switch {
		// A log shows the start of a process, and the models its first pass, once its caches are full.
		case d != nil && (apart <= Together || a.kind == model.ControllerStart && at < d.Window.Earliest && apart <= otherwise):
			told[d.ID] = true
			if a.kind == model.ZoneState && d.State.To != s.State {
				r.contradict(Contradiction{At: at, What: OtherState, State: d.State.To, Decision: d.ID, Statement: s}, a)
				continue
			}
			r.Confirmed = append(r.Confirmed, Match{d.ID, s})
		case s.Requested(), !judged(a.kind, model.Exactly(at)), a.kind == model.MarkPodsNotReady && d == nil: // logged for nodes without pods too
			r.NotCompared++
			untold = append(untold, s)
		case d != nil && apart <= otherwise:
			told[d.ID] = true
			r.contradict(Contradiction{At: at, What: OtherTime, Window: d.Window, Decision: d.ID, Statement: s}, a)
		default:
			r.contradict(Contradiction{At: at, What: OnlyLog, Statement: s}, a)
			untold = append(untold, s)
		}
	}
	return untold
}

// sampled compares a statement of samples, which repeats logs and omits changes undone between two samples.
func (r *Report) sampled(decisions []model.Decision, s *history.Statement, judged Judged) (untold []*history.Statement) {
	when, shift := s.When(), r.clocks[s.Origin.Source].Shift()
	when = model.Interval{Earliest: when.Earliest.Add(-shift), Latest: when.Latest.Add(-shift)}
	for d := range model.Each(decisions) {
		same := d.Kind == s.Decision() || s.What == history.SaidTainted && d.Kind == model.SwapNoExecute
		if same && modelled(d) && d.Subject() == s.Subject() && when.Overlaps(model.Interval{Earliest: d.Window.Earliest, Latest: max(d.Window.Latest, r.ends[d.Window])}) {
			r.Confirmed = append(r.Confirmed, Match{d.ID, s})
			return nil
		}
	}
	if judged(s.Decision(), when) {
		r.contradict(Contradiction{At: when.Latest, What: OnlySample, Statement: s}, act{s.Decision(), s.Subject()})
	} else {
		r.NotCompared++
	}
	return []*history.Statement{s}
}

// apart is the distance of a time from a decision and its writes.
func (r *Report) apart(d *model.Decision, at model.Instant) time.Duration {
	return max(0, d.Window.Earliest.Sub(at), at.Sub(max(d.Window.Latest, r.ends[d.Window])))
}

func (r *Report) contradict(c Contradiction, a act) {
	c.Kind, c.Subject = a.kind, a.subject
	r.Contradicted = append(r.Contradicted, c)
}

// nearest is the decision closest to a time, of those without a statement.
func (r *Report) nearest(decisions []*model.Decision, told map[model.DecisionID]bool, at model.Instant) (best *model.Decision, apart time.Duration) {
	for _, d := range decisions {
		if told[d.ID] {
			continue
		}
		if off := r.apart(d, at); best == nil || off < apart {
			best, apart = d, off
		}
	}
	return best, apart
}

// unsaid finds decisions that a log should contain, and does not.
func (r *Report) unsaid(decisions []model.Decision, said []history.Statement, covers []model.Interval, told map[model.DecisionID]bool, judged Judged) {
	wordy := slices.ContainsFunc(said, func(s history.Statement) bool { return detail(s.Decision()) && s.What != history.SaidDeclared })
	silent := map[model.Instant]bool{} // passes that start or end master disruption log no zones
	for i := range decisions {
		if k := decisions[i].Kind; k == model.EnterMasterDisruption || k == model.ExitMasterDisruption {
			silent[decisions[i].Time] = true
		}
	}
	for d := range model.Each(decisions) {
		if told[d.ID] || !modelled(d) || !always(d, wordy) || !judged(d.Kind, d.Window) || d.Kind == model.ZoneState && silent[d.Time] {
			continue
		}
		within := model.Interval{Earliest: d.Window.Earliest.Add(-Together), Latest: d.Window.Latest.Add(Together)}
		if slices.ContainsFunc(covers, func(v model.Interval) bool { return v.Earliest <= within.Earliest && within.Latest <= v.Latest }) {
			r.contradict(Contradiction{At: d.Time, What: OnlyModels, Decision: d.ID}, actOf(d))
		}
	}
}

// detail reports whether a log contains such decisions only from -v=2 on.
func detail(kind model.DecisionKind) bool {
	switch kind {
	case model.MarkUnknown, model.MarkPodsNotReady, model.QueueForTaint, model.UntaintNoExecute:
		return true
	}
	return false
}

// modelled reports whether the models made a decision that was carried out.
func modelled(d *model.Decision) bool {
	return (d.Outcome == model.Did || d.Kind == model.DequeueFromTaint) && (d.Basis == model.Observed || d.Basis == model.Inferred)
}

// always reports whether the controllers log a decision whenever they make it. They do not log the changes of master
// disruption to zones and taints, or removals of taints that this process had not added.
// Source: kubernetes v1.36.3: pkg/controller/nodelifecycle, handleDisruption and processTaintBaseEviction.
func always(d *model.Decision, wordy bool) bool {
	switch d.Kind {
	case model.MarkUnknown, model.MarkPodsNotReady, model.QueueForTaint:
		return wordy
	case model.UntaintNoExecute:
		return wordy && d.Rule == model.RuleReadyAgain && len(d.Causes) > 0
	case model.ZoneState:
		return d.Rule == model.RuleZoneState
	case model.EnterMasterDisruption, model.ExitMasterDisruption, model.EvictPod:
		return true
	}
	return false
}

// Told is a decision that only a log shows.
func Told(s *history.Statement) model.Decision {
	d := model.Decision{Time: s.At, Window: s.When(), Controller: s.Decision().Controller(), Kind: s.Decision(), Node: s.Node, Zone: s.Zone, Pod: s.Pod,
		Why: model.Because(model.WhyLogged), Basis: model.Observed, ZoneAssumed: s.ZoneAssumed}
	if d.Kind == model.ZoneState {
		d.State.To, d.Why.Code = s.State, model.WhyLoggedState
	}
	if s.Requested() {
		d.Why.Code = model.WhyRequested
	}
	if s.What == history.SaidLost && s.Silence > 0 { // the line has no grace period
		d.Checks = []model.Check{{What: model.ComparedSilence, Left: model.DurationOperand(s.Silence), Op: model.Greater, Right: model.Text("its grace period"), Holds: true}}
	}
	if s.Times > 1 && s.Until > s.At && !s.Sampled {
		d.Why.Times, d.Why.Until = int32(s.Times), s.Until
	}
	where := model.Input{What: model.InputLogLine, N: s.Origin.Line, Key: subjectKey(s), At: s.At}
	if s.Sampled {
		d.Why = model.Reason{Code: model.WhySampled, Name: s.By}
		where.What, where.N, where.Of = model.InputSample, 0, s.By+": "+s.Text
	}
	d.Observed = &model.Observation{Time: s.When(), Evidence: []model.Input{where}}
	d.ID = d.Identify()
	return d
}

// ByItsLog reports whether the log of its own controller shows a decision: then that controller made it.
func ByItsLog(d *model.Decision) bool {
	return d.Observed != nil && slices.ContainsFunc(d.Observed.Evidence, func(in model.Input) bool {
		return in.What == model.InputLogLine
	})
}

// Observe sets a decision that leaves no object to Observed, by its log statement.
func (r *Report) Observe(d *model.Decision, s *history.Statement) {
	at := model.Exactly(s.At)
	if c := r.clocks[s.Origin.Source].Ahead; c.Known {
		at = model.Interval{Earliest: s.At.Add(-c.Value.Most), Latest: s.At.Add(-c.Value.Least)}
	}
	d.Basis, d.Observed = model.Observed, Told(s).Observed
	d.Observed.Time = at
	if both, ok := d.Window.Intersect(model.Interval{Earliest: at.Earliest.Add(-Together), Latest: at.Latest}); ok {
		d.Window = both
		d.Time = min(max(d.Time, both.Earliest), both.Latest)
	}
}

func subjectKey(s *history.Statement) model.Key {
	if (s.Pod != model.Key{}) {
		return s.Pod
	}
	return model.Key{Name: s.Node}
}

// Known reports whether samples may show one of the decisions.
func Known(decisions []model.Decision, s *history.Statement) bool {
	return s.Sampled && slices.ContainsFunc(decisions, func(d model.Decision) bool {
		return d.Kind == s.Decision() && d.Subject() == s.Subject() && d.Window.Overlaps(s.When())
	})
}

// Remembered is the index of the reconstructed decision that a statement is about; -1 for none.
func Remembered(decisions []model.Decision, s *history.Statement) int {
	for i := range decisions {
		d := &decisions[i]
		if d.Basis == model.Reconstructed && d.Kind == s.Decision() && d.Subject() == s.Subject() &&
			d.Window.Earliest.Add(-follows) <= s.At && s.At <= d.Window.Latest.Add(follows) {
			return i
		}
	}
	return -1
}

// Sharpen gives a reconstructed decision the time of its log statement.
func Sharpen(d *model.Decision, s *history.Statement) {
	told := Told(s)
	d.Time, d.Window, d.Basis, d.Observed = told.Time, told.Window, told.Basis, told.Observed
	if len(d.Checks) == 0 {
		d.Checks = told.Checks
	}
	d.Why = told.Why.Then(d.Why)
}
