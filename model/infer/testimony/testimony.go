// Package testimony compares what controllers said in their own logs with what the models say that they
// decided: what is confirmed, what is contradicted, and what cannot be compared.
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
	// Statements counts what the logs say of decisions: what they say of the course of things (passes,
	// failures, what a kubelet says) is not compared.
	Statements int
	// Sampled is how many of them samples show, and no log says.
	Sampled int
	// Confirmed are the decisions that a log tells of, each with its statement.
	Confirmed []Match
	// Contradicted are statements and decisions that do not agree.
	Contradicted []Contradiction
	// NotCompared counts the statements of times that the models do not judge.
	NotCompared int
	// Clock is how the clock of the log stands of which most writes tell, and Shifted what was taken off its times
	// before comparing.
	Clock   Clock
	Shifted time.Duration

	clocks Clocks

	// ends is when the last write of what was decided together was seen. A pass of the monitor says what it does
	// as it comes to each node, and of zones when it is through with all.
	ends map[model.Interval]model.Instant
}

// Clock is how far the clock of a log was ahead of the API server's, by so many Writes that follow what it says;
// unknown where they do not tell.
type Clock struct {
	Ahead  model.Maybe[history.Offset]
	Writes int
	// Sampled: it is that of samples, and of no log.
	Sampled bool
}

// Shift is what is to be taken off the log's times: nothing where the clocks may agree.
func (c Clock) Shift() time.Duration {
	if o := c.Ahead.Value; o.Least > 0 || o.Most < 0 {
		return o.Least
	}
	return 0
}

// Clocks are those of logs, by the index of the source.
type Clocks map[int32]Clock

// at is when something was said, by the API server's clock.
func (c Clocks) at(s *history.Statement) model.Instant {
	return s.At.Add(-c[s.Origin.Source].Shift())
}

// Match is a decision that a log tells of.
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
	// State is what the models say of a zone, and Window when they decide it.
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
	// follows is how long after a controller says what it does the write is there at most: a request, with
	// its retries.
	follows = time.Second
	// Together is how far a statement may lie outside the time of a decision and of what was decided with
	// it: the line is written a moment after the decision, behind others.
	Together = 250 * time.Millisecond
	// otherwise is how far a statement and a decision of one act may be apart to be of the same act at all.
	otherwise = 20 * time.Second
)

// Judged says whether the models judge decisions of a kind at a time.
type Judged func(model.DecisionKind, model.Interval) bool

// act is what is done to whom.
type act struct {
	kind    model.DecisionKind
	subject string
}

func actOf(d *model.Decision) act {
	kind := d.Kind
	if kind == model.DequeueFromTaint {
		kind = model.UntaintNoExecute // a log tells of both in one line
	}
	if kind == model.MarkPodsNotReady {
		return act{kind, d.Node} // and of all pods of a node, be it one
	}
	return act{kind, d.Subject()}
}

// Compare compares. covers are the times of which logs tell, by the API server's clock.
func Compare(decisions []model.Decision, said []history.Statement, covers []model.Interval, clocks Clocks, judged Judged) (r Report, untold []*history.Statement) {
	r.clocks = clocks
	for _, of := range slices.Sorted(maps.Keys(clocks)) {
		if c := clocks[of]; !c.Sampled && c.Writes > r.Clock.Writes {
			r.Clock, r.Shifted = c, c.Shift()
		}
	}
	r.ends = map[model.Interval]model.Instant{}
	byAct := map[act][]*model.Decision{}
	for i := range decisions {
		d := &decisions[i]
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
	for i := range said {
		s := &said[i]
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

// compare compares the statements about one act with the decisions, and tells which of them are in no decision.
func (r *Report) compare(a act, decisions []*model.Decision, said []*history.Statement, judged Judged, told map[model.DecisionID]bool) (untold []*history.Statement) {
	for _, s := range said {
		at := r.clocks.at(s)
		d, apart := r.nearest(decisions, told, at)
		switch {
		// A log says when a process starts, and the models when its first pass runs, once its caches are full.
		case d != nil && (apart <= Together || a.kind == model.ControllerStart && at < d.Window.Earliest && apart <= otherwise):
			told[d.ID] = true
			if a.kind == model.ZoneState && d.State.To != s.State {
				r.contradict(Contradiction{At: at, What: OtherState, State: d.State.To, Decision: d.ID, Statement: s}, a)
				continue
			}
			r.Confirmed = append(r.Confirmed, Match{d.ID, s})
		case !judged(a.kind, model.Exactly(at)), a.kind == model.MarkPodsNotReady && d == nil: // said of nodes without pods too
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

// sampled compares what samples show to have come about within a window. They tell of it beside what a log says;
// and of what came and went between two of them they show nothing.
func (r *Report) sampled(decisions []model.Decision, s *history.Statement, judged Judged) (untold []*history.Statement) {
	when, shift := s.When(), r.clocks[s.Origin.Source].Shift()
	when = model.Interval{Earliest: when.Earliest.Add(-shift), Latest: when.Latest.Add(-shift)}
	for i := range decisions {
		d := &decisions[i]
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

// apart is how far an instant lies from when a decision was made and written.
func (r *Report) apart(d *model.Decision, at model.Instant) time.Duration {
	return max(0, d.Window.Earliest.Sub(at), at.Sub(max(d.Window.Latest, r.ends[d.Window])))
}

func (r *Report) contradict(c Contradiction, a act) {
	c.Kind, c.Subject = a.kind, a.subject
	r.Contradicted = append(r.Contradicted, c)
}

// nearest is the decision whose window lies nearest to an instant, of those that no statement tells of yet.
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

// unsaid are decisions that a log would tell of, and does not.
func (r *Report) unsaid(decisions []model.Decision, said []history.Statement, covers []model.Interval, told map[model.DecisionID]bool, judged Judged) {
	wordy := slices.ContainsFunc(said, func(s history.Statement) bool { return detail(s.Decision()) && s.What != history.SaidDeclared })
	silent := map[model.Instant]bool{} // passes that begin or end master disruption say nothing of zones
	for i := range decisions {
		if k := decisions[i].Kind; k == model.EnterMasterDisruption || k == model.ExitMasterDisruption {
			silent[decisions[i].Time] = true
		}
	}
	for i := range decisions {
		d := &decisions[i]
		if told[d.ID] || !modelled(d) || !always(d, wordy) || !judged(d.Kind, d.Window) || d.Kind == model.ZoneState && silent[d.Time] {
			continue
		}
		within := model.Interval{Earliest: d.Window.Earliest.Add(-Together), Latest: d.Window.Latest.Add(Together)}
		if slices.ContainsFunc(covers, func(v model.Interval) bool { return v.Earliest <= within.Earliest && within.Latest <= v.Latest }) {
			r.contradict(Contradiction{At: d.Time, What: OnlyModels, Decision: d.ID}, actOf(d))
		}
	}
}

// detail says whether a log tells of such decisions only from -v=2 on.
func detail(kind model.DecisionKind) bool {
	switch kind {
	case model.MarkUnknown, model.MarkPodsNotReady, model.QueueForTaint, model.UntaintNoExecute:
		return true
	}
	return false
}

// modelled says whether a decision is one that the models made, and that was carried out.
func modelled(d *model.Decision) bool {
	return (d.Outcome == model.Did || d.Kind == model.DequeueFromTaint) && (d.Basis == model.Observed || d.Basis == model.Inferred)
}

// always says whether the controllers tell of a decision whenever they make it.
// Source: kubernetes v1.36.3: pkg/controller/nodelifecycle, handleDisruption and processTaintBaseEviction. What
// master disruption does to zones and taints, and what a new process takes off, is not said; nor is a taint that
// this process had not put on, from its queue.
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

// Told is a decision that nothing tells of but a log.
func Told(s *history.Statement) model.Decision {
	d := model.Decision{Time: s.At, Window: s.When(), Controller: model.NodeLifecycle, Kind: s.Decision(), Node: s.Node, Zone: s.Zone, Pod: s.Pod,
		Why: model.Because(model.WhyLogged), Basis: model.Observed, ZoneAssumed: s.ZoneAssumed}
	if d.Kind == model.EvictPod {
		d.Controller = model.TaintEviction
	}
	if d.Kind == model.ZoneState {
		d.State.To, d.Why.Code = s.State, model.WhyLoggedState
	}
	if s.What == history.SaidLost && s.Silence > 0 { // the grace period itself is not said
		d.Checks = []model.Check{{What: model.ComparedSilence, Left: model.DurationOperand(s.Silence), Op: model.Greater, Right: model.Text("its grace period"), Holds: true}}
	}
	if s.Times > 1 && s.Until > s.At && !s.Sampled {
		d.Why.Times, d.Why.Until = int32(s.Times), s.Until
	}
	where := model.Input{What: model.InputLogLine, N: int32(s.Origin.Line), Key: subjectKey(s), At: s.At}
	if s.Sampled {
		d.Why = model.Reason{Code: model.WhySampled, Name: s.By}
		where.What, where.N, where.Of = model.InputSample, 0, s.By+": "+s.Text
	}
	d.Observed = &model.Observation{Time: s.When(), Evidence: []model.Input{where}}
	d.ID = d.Identify()
	return d
}

// ByItsLog says whether a decision was seen by a line in the log of its own controller: then that one made it.
func ByItsLog(d *model.Decision) bool {
	return d.Observed != nil && slices.ContainsFunc(d.Observed.Evidence, func(in model.Input) bool {
		return in.What == model.InputLogLine
	})
}

// Observe lets a decision that leaves no object behind be observed, for a log tells of it.
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

// Known says whether one of the decisions may be what samples show.
func Known(decisions []model.Decision, s *history.Statement) bool {
	return s.Sampled && slices.ContainsFunc(decisions, func(d model.Decision) bool {
		return d.Kind == s.Decision() && d.Subject() == s.Subject() && d.Window.Overlaps(s.When())
	})
}

// Remembered is which of the decisions that stamps and Events tell of a statement speaks of; -1 for none.
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

// Sharpen gives a decision that was reconstructed the time at which a log tells of it.
func Sharpen(d *model.Decision, s *history.Statement) {
	told := Told(s)
	d.Time, d.Window, d.Basis, d.Observed = told.Time, told.Window, told.Basis, told.Observed
	if len(d.Checks) == 0 {
		d.Checks = told.Checks
	}
	d.Why = told.Why.Then(d.Why)
}
