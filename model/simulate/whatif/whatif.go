// Package whatif runs the controllers again from a time in a recording, under other flags, tolerations or faults, and
// finds the differences.
//
// Kubelets and people act as recorded; the controllers' writes are the models', in a closed loop. Races and unobserved
// choices are tried in several ways: the result of all of them is certain, that of some possible, and times are
// windows.
//
// First the unchanged run is compared with the recording. If they disagree, there is no answer.
package whatif

import (
	"errors"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/courses"
)

// Options select the part of a recording.
type Options struct {
	// From is the start of the branch; unknown: as soon as the controllers' state is known.
	From model.Instant
	// For is how far to continue after the end of the recording, with the kubelets as last seen.
	For time.Duration
	// StateAt replaces the function of that name, for a Result that is shared.
	StateAt func(model.Instant) (*infer.State, error)
	// Progress gets the share done of Prepare, and then of each Branch, from 0 to 1; false stops it. May be nil.
	Progress func(share float64) bool
}

// ErrStopped: Options.Progress stopped it.
var ErrStopped = errors.New("the branch was stopped")

// Refusal is why there is no answer: a code with its values. It is an error; ui/topics words it.
type Refusal struct {
	Code    RefusalCode
	Because *infer.Note
	// Fit is the result of the comparison; Stalls are when the API server accepted no write.
	Fit    *Fit
	Stalls []model.Interval
	// Begins is when a branch may start, and Asked when it should.
	Begins model.Interval
	Asked  model.Instant
	// For is how far it should continue, with N nodes; Most limits the events.
	For     time.Duration
	N, Most int
	Within  model.Interval
}

// RefusalCode is the code of a Refusal.
type RefusalCode uint8

const (
	// Unsupported: the input cannot support it, Because. FlagWrong: a given flag contradicts the recording.
	Unsupported RefusalCode = iota + 1
	FlagWrong
	// Outside: the branch does not start in Begins. TooFar: it continues for too long. TooMuch: too many events Within.
	Outside
	TooFar
	TooMuch
	// Disagrees: the unchanged run does not reproduce the recording.
	Disagrees
)

// String is the code.
func (c RefusalCode) String() string {
	return [...]string{"none", "unsupported", "flag-wrong", "outside", "too-far", "too-much", "disagrees"}[min(c, Disagrees)]
}

func (r *Refusal) Error() string { return "no branch: " + r.Code.String() }

// Branch is a set of changes. Its zero value is not usable: start with Base.Unchanged.
type Branch struct {
	Params      model.Params
	Tolerations *Tolerations
	Edits       []Edit
}

// EditKind is a change of a kubelet or node.
type EditKind uint8

const (
	NoEdit EditKind = iota
	// Kill: the kubelet stays silent from then on.
	Kill
	// Return: the kubelet renews from then on, and posts Ready. ReturnUnready: it posts NotReady.
	Return
	ReturnUnready
	// Rezone: the Node's labels name another zone, or none.
	Rezone
)

func (k EditKind) String() string {
	return [...]string{"", "kill", "return", "return-not-ready", "zone"}[min(k, Rezone)]
}

// Edit is one such change, from a time on.
type Edit struct {
	Kind EditKind
	Node string
	At   model.Instant
	// Zone is that of a Rezone; the zero value is without labels.
	Zone model.ZoneKey
}

// String is the edit in words, without its time.
func (e *Edit) String() string {
	if e.Kind != Rezone {
		return e.Kind.String() + " " + e.Node
	}
	return "zone " + e.Node + " " + e.Zone.String()
}

// ParseEdit reads String's form. The error lists the forms.
func ParseEdit(text string) (e Edit, err error) {
	words := strings.Fields(text)
	for _, kind := range [...]EditKind{Kill, Return, ReturnUnready} {
		if len(words) == 2 && words[0] == kind.String() {
			return Edit{Kind: kind, Node: words[1]}, nil
		}
	}
	if len(words) == 3 && words[0] == Rezone.String() {
		return Edit{Kind: Rezone, Node: words[1], Zone: parseZone(words[2])}, nil
	}
	return e, errors.New("wants 'kill NODE', 'return NODE', 'return-not-ready NODE', or 'zone NODE ZONE', where ZONE is region/zone, zone, or none")
}

func parseZone(text string) model.ZoneKey {
	region, zone, both := strings.Cut(text, "/")
	switch {
	case text == (model.ZoneKey{}).String():
		return model.ZoneKey{}
	case both:
		return model.ZoneKey{Region: region, Zone: zone}
	}
	return model.ZoneKey{Zone: text}
}

// Tolerations set how long pods tolerate not-ready and unreachable.
type Tolerations struct {
	Seconds int64
	// For selects the pods; nil: all.
	For func(*model.Pod) bool
	// made are the changed lists, which pods share.
	made map[*model.Tolerations]*model.Tolerations
}

// on is a pod with these tolerations; the same pod without a change, and if it tolerates the taint forever.
func (t *Tolerations) on(p *model.Pod) *model.Pod {
	if t == nil || t.For != nil && !t.For(p) {
		return p
	}
	list, ok := t.made[p.Tolerations]
	if !ok {
		list = courses.Tolerating(p.Tolerations, model.Some(t.Seconds))
		if t.made == nil {
			t.made = map[*model.Tolerations]*model.Tolerations{}
		}
		t.made[p.Tolerations], t.made[list] = list, list
	}
	if list == p.Tolerations {
		return p
	}
	out := *p
	out.Tolerations = list
	return &out
}

// Base is a recording with its unchanged run, for branches. It belongs to one goroutine.
type Base struct {
	// ShowsPods: the input shows pods; otherwise the effects on them are not known.
	ShowsPods bool
	// From and Until are the span of the run.
	From, Until model.Instant
	Params      model.Params
	Fit         Fit

	recorded      []model.Decision
	recordedUntil model.Instant
	// first is the earliest possible start of a branch.
	first  model.Instant
	state  *infer.State
	world  *world
	passes []infer.Pass
	busy   []time.Duration
	stalls []model.Interval
	// phases are the ways in which the passes may come, if none was observed after From.
	phases    []phases.Phase
	bySubject map[courses.Subject][]int // indexes into recorded
	// tainted are the recorded taints in order.
	tainted []turn
	// going are the pods that are Terminating at From: deleting them again has no effect.
	going map[model.UID]bool
	// liken is the variant of the unchanged run that agrees best with the recording.
	liken     variant
	unchanged *hull
	progress  func(float64) bool
	stopped   bool // by progress
	// under is the share of progress of the current course.
	under struct{ from, to float64 }
}

// goesOn reports the progress of the current course, and whether to continue.
func (b *Base) goesOn(share float64) bool {
	all := b.under.from + share*(b.under.to-b.under.from)
	if !b.stopped && b.progress != nil && !b.progress(min(all, 1)) {
		b.stopped = true
	}
	return !b.stopped
}

// showsPods reports whether a recording shows pods: some exist at its end, or were deleted for a taint.
func showsPods(h history.History, res *infer.Result) (bool, error) {
	end, err := history.StateAt(h, h.Coverage().Latest)
	if err != nil {
		return false, err
	}
	pods := end.PodCount()
	for i := range res.Decisions {
		if d := &res.Decisions[i]; d.Kind == model.EvictPod && d.Outcome == model.Did {
			pods++
		}
	}
	return caveat.Counts(h.Sources(), model.KindPod, pods), nil
}

// begins sets the progress for course i of n.
func (b *Base) begins(i, n int, from, to float64) {
	b.under.from, b.under.to = from+(to-from)*float64(i)/float64(n), from+(to-from)*float64(i+1)/float64(n)
}

type turn struct {
	node string
	nth  int
	zone model.ZoneKey
	at   model.Instant
}

// Prepare compares the unchanged run with the recording; res is the result of a calibrated Run. Errors are those of
// reading, ErrStopped, and a *Refusal.
func Prepare(h history.History, res *infer.Result, o Options) (*Base, error) {
	if o.StateAt == nil {
		o.StateAt = func(at model.Instant) (*infer.State, error) { return StateAt(res, at) }
	}
	b, err := begin(h, res, o, 0)
	if err != nil {
		return nil, err
	}
	if b.ShowsPods, err = showsPods(h, res); err != nil {
		return nil, err
	}
	if b.Fit = b.fit(res); !b.stopped && b.Fit.Writes+len(b.Fit.Extra) == 0 && b.From > b.first {
		// Nothing was recorded after the start of the branch: compare with the time before.
		o.From, o.For = 0, 0
		all, err := begin(h, res, o, b.From)
		if err != nil {
			return nil, err
		}
		b.Fit, b.stopped = all.fit(res), all.stopped
		b.Fit.Since = all.From
	}
	if b.stopped {
		return nil, ErrStopped
	}
	if !b.Fit.agrees() {
		return nil, &Refusal{Code: Disagrees, Fit: &b.Fit, Stalls: slices.DeleteFunc(slices.Clone(b.stalls), func(v model.Interval) bool { return v.Latest <= b.From })}
	}
	if b.unchanged = b.courses(b.Unchanged(), compared); b.stopped {
		return nil, ErrStopped
	}
	return b, nil
}

// begin reads what the unchanged run needs, up to the end of the recording, or to until if known.
func begin(h history.History, res *infer.Result, o Options, until model.Instant) (*Base, error) {
	b := &Base{Params: res.Params, progress: o.Progress}
	err := b.span(res, o)
	if err != nil {
		return nil, err
	}
	if until.Known() {
		b.Until, b.recordedUntil = until, until
	}
	if b.state, err = o.StateAt(b.From); err != nil {
		return nil, err
	}
	if b.passes = passesAfter(res, b.From); len(b.passes) == 0 {
		b.phases = b.state.Phases
	}
	if b.world, err = observe(h, b.state.Cache, b.From, min(b.Until, b.recordedUntil)); err != nil {
		return nil, err
	}
	if n := b.state.Cache.NodeCount(); int(o.For/(10*time.Second))*n > maxEvents {
		return nil, &Refusal{Code: TooFar, For: o.For, N: n, Most: maxEvents}
	}
	b.going, b.stalls, b.busy = goingIn(b.state), res.Stalls(), busy(b.passes, b.Params.NodeMonitorPeriod.Value)
	b.record(res)
	return b, nil
}

// StateAt is the controllers' state at the start of a branch. Without a later observed pass, it is what was known by
// then.
func StateAt(res *infer.Result, at model.Instant) (*infer.State, error) {
	if len(passesAfter(res, at)) == 0 {
		return res.Known(at)
	}
	return res.At(at)
}

func goingIn(s *infer.State) map[model.UID]bool {
	is := map[model.UID]bool{}
	for _, row := range s.Cache.All() {
		for _, p := range row.Pods() {
			if p.Deletion.Known() && p.UID.Known() {
				is[p.UID] = true
			}
		}
	}
	return is
}

// passesAfter are the recorded passes after a time. A Result of a live cluster has one more, in the future.
func passesAfter(res *infer.Result, at model.Instant) []infer.Pass {
	return slices.DeleteFunc(res.PassesAfter(at), func(p infer.Pass) bool { return p.At > res.Coverage.Latest })
}

// span sets the span of the run.
func (b *Base) span(res *infer.Result, o Options) error {
	switch {
	case len(res.Unsupported) > 0:
		return &Refusal{Code: Unsupported, Because: &res.Unsupported[0]}
	case len(res.Contradicted) > 0:
		return &Refusal{Code: FlagWrong}
	case res.Instants != nil:
		return &Refusal{Code: Unsupported, Because: res.Instants}
	}
	coverage := res.Coverage
	// The state is known once a pass has evaluated every node.
	first := coverage.Earliest
	for _, p := range res.PassesAfter(coverage.Earliest) {
		first = p.Latest.Add(time.Millisecond).Truncate(time.Millisecond)
		break
	}
	b.first, b.From, b.recordedUntil = first, o.From, coverage.Latest
	if !b.From.Known() {
		b.From = first
	}
	begins := model.Interval{Earliest: first, Latest: coverage.Latest - 1}
	if o.For > 0 {
		begins.Latest = coverage.Latest // it continues from there
	}
	if !begins.Contains(b.From) {
		return &Refusal{Code: Outside, Begins: begins, Asked: b.From, Within: coverage}
	}
	b.Until = coverage.Latest.Add(o.For)
	return nil
}

func (b *Base) record(res *infer.Result) {
	met := map[string]int{}
	b.bySubject = map[courses.Subject][]int{}
	for i := range res.Decisions {
		d := &res.Decisions[i]
		if d.Time <= b.From || d.Basis == model.Reconstructed {
			continue
		}
		if told(d) {
			s := courses.SubjectOf(d, false)
			b.bySubject[s] = append(b.bySubject[s], len(b.recorded))
			b.recorded = append(b.recorded, *d)
		}
		if d.Kind == model.TaintNoExecute && d.Outcome == model.Did {
			b.tainted = append(b.tainted, turn{d.Node, met[d.Node], d.Zone.Value, d.Time})
			met[d.Node]++
		}
	}
}

// told reports whether a decision is compared: it was made, and is no internal one of the controller.
func told(d *model.Decision) bool {
	switch d.Kind {
	case model.RegisterNode, model.ForgetNode, model.ControllerStart:
		return false
	}
	return d.Outcome != model.Declined
}

// Unchanged is the branch without changes.
func (b *Base) Unchanged() *Branch { return &Branch{Params: b.Params} }
