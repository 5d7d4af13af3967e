package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// maxAgain limits the cost of repeated drives to find better times of passes; the first one is always made.
const maxAgain = 10_000_000

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

func newRun(h history.History, o Options) (*run, error) {
	r, err := read(h, o)
	if err != nil {
		return nil, err
	}
	r.tell()
	r.eras = r.erasOf(h.Statements())
	r.input.Share(.25, .75)
	r.fit()
	r.contradicted()
	return r, r.err
}

// read is a run with nothing but the evidence of its input.
func read(h history.History, o Options) (r *run, err error) {
	r = &run{logs: logsOf(h), recorded: history.Recorded(h), knows: maxKnown, enough: flags.Enough, o: o, given: o, input: evidence.NewInput(h, o.Progress), coverage: h.Coverage()}
	if o.Mode == Causal && o.Until.Known() {
		r.coverage.Latest = min(r.coverage.Latest, o.Until)
	}
	scope := evidence.Scope{Coverage: r.coverage, Until: model.FarFuture, Period: o.Params.NodeMonitorPeriod.Value, Share: .25, Lasting: o.Lasting}
	if o.Mode == Causal && o.Until.Known() {
		scope.Until = o.Until
	}
	if r.judgeable() {
		scope.Prologue = prologue(&o.Params)
	}
	r.evidence, err = evidence.Read(r.input, scope)
	return r, err
}

// fit infers the flags, places the passes and drives the models.
func (r *run) fit() {
	if !r.fixed {
		o := r.observed()
		o.InferPeriod()
		o.InferRates()
		r.rates = o.Rates
	}
	anchors := r.placePasses()
	if !r.fixed {
		r.observed().InferGrace()
	}
	if r.o.Mode == Causal {
		r.settlePhase()
	}
	r.found = r.choosePhase()
	if r.found.Undone() && !r.fixed && r.o.Params != r.given.Params {
		r.o.Params, r.fixed = r.given.Params, true // intervals between writes prove nothing about an overloaded control plane
		r.fit()
		return
	}
	if r.propose() {
		r.fit()
		return
	}
	r.tries.left, r.undone = r.found.Findings(), r.found.undoneSince()
	r.assume(&r.found, anchors)
	if r.losing() != "" {
		r.keepRequests(&r.found)
	}
	o := r.observed()
	o.Zones = r.threshold(&r.found)
	r.found.Fits = o.Fits()
}

// prologue is how long before a known state the models start: decisions of that time have timestamps in the state.
func prologue(p *model.Params) time.Duration {
	return p.NodeMonitorGracePeriod.Value + 3*p.NodeMonitorPeriod.Value
}

// observed is the evidence for inferring flags.
func (r *run) observed() *flags.Observed {
	return &flags.Observed{Evidence: r.evidence, Passes: r.passes, Starts: r.course().Starts(), Params: &r.o.Params, Enough: r.enough, MoreComes: r.o.Mode == Causal, Rates: r.rates, Since: r.sinceFlags()}
}

// placePasses finds the times of passes, if the input allows it.
func (r *run) placePasses() (anchors int) {
	if !r.judgeable() {
		return 0
	}
	period := r.o.Params.NodeMonitorPeriod.Value
	from := r.coverage.Earliest.Add(-2 * period)
	if r.evidence.KnownStart {
		from = from.Add(-prologue(&r.o.Params))
	}
	r.passes, anchors = passes.Fit(r.evidence, r.course().Starts(), from, r.coverage.Latest, r.rhythmAt)
	r.pausedPasses()
	return anchors
}

// again runs the same input under other assumptions, such as other flags or restarts. It shares no mutable state.
func (r *run) again(change func(*run)) (*run, error) {
	input := r.input.Again()
	c := &run{logs: r.logs, recorded: r.recorded, knows: r.knows, enough: r.enough, evidence: r.evidence.Sharing(), o: r.o, given: r.given, input: input, coverage: r.coverage, rates: r.rates, tries: Tried{times: r.tries.times}, eras: r.eras, otherBefore: r.otherBefore, ended: slices.Clone(r.ended)}
	c.o.Tried, c.given.Tried = Tried{}, Tried{} // tried under other assumptions
	c.tell()
	c.err = r.err
	change(c)
	c.fit()
	r.driven += c.driven
	return c, c.err
}

func (r *run) rhythm() passes.Rhythm {
	return passes.Rhythm{Period: r.o.Params.NodeMonitorPeriod.Value, Nodes: r.evidence.Nodes}
}

// start is the models before the first Change.
func (r *run) start() *drive.Driver {
	p := &drive.Plan{Input: r.input, Evidence: r.evidence, Passes: r.passes, Course: r.course(), Params: r.o.Params, FlagsAt: r.flagsAt, Coverage: r.coverage, Judgeable: r.judgeable()}
	if r.overdue.Known() {
		p.Held = r.overdue.Held
	}
	p.Held = p.Held.Earlier(r.left)
	return p.Start()
}

// course is the known and assumed processes.
func (r *run) course() *processes.Course {
	return &processes.Course{Evidence: r.evidence, Assumed: r.assumed, Standstills: r.standstills(), Grace: r.o.Params.NodeMonitorGracePeriod.Value, Until: r.coverage.Latest}
}

// pausedPasses removes the passes in pauses.
func (r *run) pausedPasses() {
	for _, v := range r.course().Idle(processes.NodeLifecycle) {
		r.passes = slices.DeleteFunc(r.passes, func(p passes.Pass) bool { return !p.Begins() && p.At >= v.Earliest && p.At < v.Latest })
	}
	if r.left.Known() {
		if len(r.passes) > 0 { // the last act before the models start follows an earlier pass
			r.left = max(r.left, r.passes[0].At+1)
		}
		r.passes = slices.DeleteFunc(r.passes, func(p passes.Pass) bool { return p.At > r.left })
	}
}

// passAt is a pass, fitted or extrapolated.
func (r *run) passAt(i int) passes.Pass { return r.passes.At(i, r.rhythm()) }

// maxPasses limits the memory of passes: at 5 s each, 36 days.
const maxPasses = 36 * 24 * 720

// judgeable reports whether passes can be placed in the input.
func (r *run) judgeable() bool { return r.unjudgeable().Code == "" }

func (r *run) unjudgeable() Note {
	if !r.coverage.Earliest.Bounded() || !r.coverage.Latest.Bounded() {
		return Note{Code: NoTime}
	}
	if most := maxPasses * r.o.Params.NodeMonitorPeriod.Value; r.coverage.Width() > most {
		return Note{Code: TooLong, For: r.coverage.Width().Round(time.Hour), Most: most}
	}
	if why := r.losing(); why != "" {
		return Note{Code: LosesLines, Name: why}
	}
	return Note{}
}

func (r *run) result() *Result { res := r.found; return &res }

// once drives the models once. After an error there are no findings.
func (r *run) once() (Result, *drive.Checkpoints) {
	d := r.start()
	d.Keep = drive.NewCheckpoints(r.input)
	if r.err == nil {
		r.err = d.Drive(model.FarFuture)
	}
	if r.err != nil {
		return Result{}, nil
	}
	r.cost = max(r.input.End-r.input.First, d.Nodes.Evaluated)
	r.driven += r.cost
	d.JudgeZonesBy(r.coverage.Latest)
	res := Result{Params: r.o.Params, Fits: map[string]Fit{}, Coverage: r.coverage, Mode: r.o.Mode, Restarts: r.evidence.Restarts, run: r, logs: r.logs, recorded: r.recorded}
	r.match(d, &res)
	res.shares, res.denied = d.Shares, r.denied(&res)
	late := !r.overdue.Known() && res.Overdue.Known()
	if late {
		r.overdue = res.Overdue
	}
	if r.hold() || late {
		return r.once() // again, up to that time
	}
	res.Overdue = r.overdue
	return res, d.Keep
}

// assume notes the assumptions of the estimate.
func (r *run) assume(res *Result, anchors int) {
	if anchors == 0 {
		res.rests(Note{Code: PhaseAssumed})
	} else {
		res.rests(Note{Code: PhaseFitted, N: anchors})
	}
	if res.Undone() {
		res.rests(Note{Code: Swamped})
	}
	if n := len(r.evidence.Unseen); n > 0 && r.evidence.Unseen[0] == evidence.OtherNodes {
		res.rests(Note{Code: NodesUnknown})
	} else if n > 0 {
		res.rests(Note{Code: LeasesOnly, N: n})
	}
	if n := len(r.evidence.Restarts) - r.evidence.Begun; n > 0 {
		started := 0
		for i := range r.evidence.Logs {
			started += r.evidence.Logs[i].Starts
		}
		res.rests(Note{Code: RestartsSeen, N: n, Counts: [3]int{r.evidence.Registrations, r.evidence.Elections, min(started, n)}})
	}
	for _, v := range r.course().Leaderless() {
		code := Leaderless
		if v.Latest == r.evidence.First {
			code = NoneBefore
		}
		res.rests(Note{Code: code, Since: v.Earliest, Until: v.Latest})
	}
	for _, v := range r.ended {
		res.rests(Note{Code: ProcessEnded, At: r.actedBefore(v.Earliest), Since: v.Earliest, Until: v.Latest})
	}
	if since := r.unledAt(r.coverage.Latest); since.Known() && r.left.Known() {
		res.rests(Note{Code: LostLeader, Since: since, At: max(r.evidence.Leader.Renewed, r.actedBefore(model.FarFuture))})
	}
	r.assumeLogs(res)
	r.assumeFlags(res)
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		for _, gap := range r.evidence.Gaps[kind] {
			if both, ok := gap.Intersect(r.coverage); ok && both.Width() > 0 && !gap.BeforeStart {
				res.rests(Note{Code: NotSeen, Name: kind.String(), Since: both.Earliest, Until: both.Latest})
			}
		}
	}
	if n := len(r.evidence.Unleased); n > 0 && r.evidence.Counts[model.KindNodeLease] > 0 {
		res.rests(Note{Code: NoLease, N: n})
	}
	if r.evidence.Counts[model.KindPod] == 0 {
		res.rests(Note{Code: NoPods})
	}
	if why := r.unjudgeable(); why.Code != "" {
		res.Unsupported = append(res.Unsupported, why)
	}
	res.Foresees = len(res.Unsupported) == 0 && (r.evidence.Counts[model.KindNodeLease] > 0 || r.leaseless())
	lacks := func(kind model.Kind, listed, missing Code) {
		switch {
		case r.evidence.Counts[kind] > 0:
		case len(history.Listed(r.input.History.Sources(), kind)) > 0:
			res.Unsupported = append(res.Unsupported, Note{Code: listed})
		default:
			res.Unsupported = append(res.Unsupported, Note{Code: missing})
		}
	}
	lacks(model.KindNodeLease, LeasesListed, LeasesMissing)
	lacks(model.KindNode, NodesListed, NodesMissing)
}
