package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/flags"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// flagsAt are the flags of the process at a time: those given by hand or listed. Without a list, they are the last
// process's or, with otherBefore, the defaults.
func (r *run) flagsAt(t model.Instant) model.Params {
	p := r.o.Params
	last := len(r.eras) - 1
	if last < 0 || t >= r.eras[last].from {
		return p
	}
	var own *model.Params
	if i := slices.IndexFunc(r.eras, func(e era) bool { return e.from > t }); i > 0 {
		own = r.eras[i-1].flags
	}
	if own == nil && !r.otherBefore {
		return p
	}
	standard := model.Defaults(p.Version)
	for f := range model.Each(model.Flags) {
		switch given := f.From(&p); {
		case given > model.FromFile:
		case own != nil && f.From(own) == model.FromFile:
			f.Copy(&p, own)
		case given == model.FromFile, given == model.FromInferred:
			f.Copy(&p, &standard)
		}
	}
	return p
}

func (r *run) rhythmAt(t model.Instant) passes.Rhythm {
	p := r.flagsAt(t)
	return passes.Rhythm{Period: p.NodeMonitorPeriod.Value, Nodes: r.evidence.Nodes}
}

// sinceFlags is since when the final flags apply: earlier events prove nothing about them.
func (r *run) sinceFlags() model.Instant {
	for i := len(r.eras) - 1; i >= 0; i-- {
		if before := r.flagsAt(r.eras[i].from - 1); len(Differing(&before, &r.o.Params)) > 0 {
			return r.eras[i].from
		}
	}
	return model.FarPast
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

// actedBefore is the last known act of the controllers before a time, by their writes and logs.
func (r *run) actedBefore(t model.Instant) model.Instant {
	last := model.FarPast
	for w := range model.Each(r.evidence.Writes) {
		if !w.Across && !w.Aside && w.Time.Latest < t {
			last = max(last, w.Time.Earliest)
		}
	}
	for _, told := range r.evidence.Told {
		if told.Latest < t {
			last = max(last, told.Earliest)
		}
	}
	return last
}

// standstills are the observed pauses, and the times between processes, in order.
func (r *run) standstills() []model.Interval {
	list := slices.Concat(r.o.Standstills, r.ended)
	slices.SortFunc(list, model.Interval.Compare)
	return list
}

// losing is the proof that every source of leases, or of nodes, loses lines at random; else "".
func (r *run) losing() string {
	for _, kind := range [...]model.Kind{model.KindNodeLease, model.KindNode} {
		if why, losing := history.LosingIn(r.input.History, kind); losing {
			return why
		}
	}
	return ""
}
