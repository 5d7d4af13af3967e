package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
)

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

// Forget frees the kept states, which may take 100 MB. At and Along then run from the start.
func (r *Result) Forget() {
	r.models().letGo()
}

// A Run for a time reads at most so many Changes before it, but at least those of leastKnown. It starts like an
// observer who started to watch then.
const (
	maxKnown   = 150_000
	leastKnown = 2 * time.Minute
)

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

// propose asks the proposers in turn until one changes an assumption: then the passes are placed again.
func (r *run) propose() (changed bool) {
	return r.tryEnded() || r.tryBefore() || r.tryTimes() || r.tryThreshold()
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

func (r *run) result() *Result { res := r.found; return &res }

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
