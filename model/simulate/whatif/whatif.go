// Package whatif runs the controllers again from an instant of a recording, under other flags,
// tolerations or faults, and says what would have been otherwise.
//
// Kubelets and people do what they were recorded to do; the controllers' writes are those of the
// models, in a closed loop. What a race decides, and what nobody saw, is tried in several ways: what
// all of them lead to is certain, what some do is possible, and times are windows around all.
//
// Before anything else, the unchanged run is compared with what was recorded. Where it does not
// fit, there is no answer.
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

// Options say which part of a recording is run again.
type Options struct {
	// From is where the branch begins; unknown for as soon as the controllers' state is known.
	From model.Instant
	// For is how far to go on beyond the end of the recording, with the kubelets as they were last
	// seen; 0 ends with it.
	For time.Duration
	// StateAt asks the Result for the controllers' state from which a branch begins, where others ask it at
	// the same time; nil is the function of that name.
	StateAt func(model.Instant) (*infer.State, error)
	// Progress is told how much of Prepare, and then of each Branch, is done, 0 to 1, and stops it by
	// saying false. nil is nobody.
	Progress func(share float64) bool
}

// ErrStopped says that Options.Progress ended it.
var ErrStopped = errors.New("the branch was stopped")

// Refusal is why there is no answer: a code, and the values that the code names. It is an error; ui/topics words it.
type Refusal struct {
	Code RefusalCode
	// Because is what the input lacks.
	Because *infer.Note
	// Fit is what the comparison found, and Stalls are when the API server took no write.
	Fit    *Fit
	Stalls []model.Interval
	// Begins is where a branch of the recording may begin, and Asked where it was to.
	Begins model.Interval
	Asked  model.Instant
	// For is how far it was to go beyond the recording, with N nodes; at most Most events are played.
	For     time.Duration
	N, Most int
	// Within is the time of the recording, or of too many Changes.
	Within model.Interval
}

// RefusalCode is a code for why there is no answer.
type RefusalCode uint8

const (
	// Unsupported: the input cannot support it, Because. FlagWrong: a flag that was given contradicts what was seen.
	Unsupported RefusalCode = iota + 1
	FlagWrong
	// Outside: the branch does not start in Begins. TooFar: it goes on for too long. TooMuch: too much happened Within.
	Outside
	TooFar
	TooMuch
	// Disagrees: with nothing changed, the models do not reproduce what was recorded.
	Disagrees
)

// String is the code.
func (c RefusalCode) String() string {
	return [...]string{"none", "unsupported", "flag-wrong", "outside", "too-far", "too-much", "disagrees"}[min(c, Disagrees)]
}

func (r *Refusal) Error() string { return "no branch: " + r.Code.String() }

// Branch is what is otherwise. Its zero value is not usable; begin with Base.Unchanged.
type Branch struct {
	Params      model.Params
	Tolerations *Tolerations
	// Edits are in order of time.
	Edits []Edit
}

// EditKind says what is done to a kubelet.
type EditKind uint8

const (
	NoEdit EditKind = iota
	// Kill: the kubelet falls silent, and stays so.
	Kill
	// Return: the kubelet beats from then on, and says that it is Ready. ReturnUnready: it says that it is not.
	Return
	ReturnUnready
	// Rezone: the labels of the Node say that it is in another zone, or in none.
	Rezone
)

func (k EditKind) String() string {
	return [...]string{"", "kill", "return", "return-not-ready", "zone"}[min(k, Rezone)]
}

// Edit is a change of what a kubelet does, or of the zone that its Node says it is in, from an instant on.
type Edit struct {
	Kind EditKind
	Node string
	At   model.Instant
	// Zone is where a Rezone puts it; the zero value is without labels.
	Zone model.ZoneKey
}

// String is the edit in words, without its time.
func (e *Edit) String() string {
	if e.Kind != Rezone {
		return e.Kind.String() + " " + e.Node
	}
	return "zone " + e.Node + " " + e.Zone.String()
}

// ParseEdit reads what String writes. The error says what is wanted.
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

// parseZone reads what ZoneKey.String writes.
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

// Tolerations are other tolerations of pods: how long they tolerate not-ready and unreachable.
type Tolerations struct {
	Seconds int64
	// For says which pods they are of; nil is all.
	For func(*model.Pod) bool
	// made are the lists that were changed, so that pods go on sharing them.
	made map[*model.Tolerations]*model.Tolerations
}

// on is a pod with these tolerations: itself where they change nothing. Pods that tolerate a taint
// for ever go on doing so.
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

// Base is a recording that can be branched from, with what its unchanged run says of it. It belongs
// to one goroutine.
type Base struct {
	// ShowsPods says that the input shows pods: else what becomes of them is not known.
	ShowsPods bool
	// From and Until are between which instants the controllers run.
	From, Until model.Instant
	// Params are the flags of the recorded cluster.
	Params model.Params
	Fit    Fit

	// recorded are the decisions that were recorded in that time.
	recorded []model.Decision
	// recordedUntil is the end of the recording.
	recordedUntil model.Instant
	// first is the earliest instant at which a branch could begin.
	first  model.Instant
	state  *infer.State
	world  *world
	passes []infer.Pass
	busy   []time.Duration
	// stalls are when the API server took no write.
	stalls []model.Interval
	// phases are the ways in which the passes may come, where none was seen after the begin.
	phases    []phases.Phase
	bySubject map[courses.Subject][]int // places in recorded
	// tainted is the order in which nodes were recorded to be tainted.
	tainted []turn
	// going are the pods that were Terminating when the branch begins: to delete them again changes nothing.
	going map[model.UID]bool
	// liken is the variant of the unchanged run that agrees best with the recording.
	liken variant
	// unchanged is what the courses of the unchanged run have in common.
	unchanged *hull
	progress  func(float64) bool
	stopped   bool // progress said so
	// under is from which share of all to which the course under way goes.
	under struct{ from, to float64 }
}

// goesOn tells how much of the course under way is done, and says whether to go on.
func (b *Base) goesOn(share float64) bool {
	all := b.under.from + share*(b.under.to-b.under.from)
	if !b.stopped && b.progress != nil && !b.progress(min(all, 1)) {
		b.stopped = true
	}
	return !b.stopped
}

// showsPods says that a recording shows pods: those that are left at its end, or that were deleted for a taint.
func showsPods(h history.History, res *infer.Result) (bool, error) {
	cursor := history.NewCursor(h)
	if err := cursor.Seek(h.Coverage().Latest); err != nil {
		return false, err
	}
	pods := cursor.State().PodCount()
	for i := range res.Decisions {
		if d := &res.Decisions[i]; d.Kind == model.EvictPod && d.Outcome == model.Did {
			pods++
		}
	}
	return caveat.Counts(h.Sources(), model.KindPod, pods), nil
}

// begins says that a course begins, the ith of n that go together from one share of all to another.
func (b *Base) begins(i, n int, from, to float64) {
	b.under.from, b.under.to = from+(to-from)*float64(i)/float64(n), from+(to-from)*float64(i+1)/float64(n)
}

// turn is the nth taint of a node.
type turn struct {
	node string
	nth  int
	zone model.ZoneKey
	at   model.Instant
}

// Prepare reads a recording of which a calibrated Run found res, and compares the unchanged run with
// it. Errors are those of reading, and a *Refusal.
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
		// Nothing was recorded after the branch begins: what is to be believed of now, or of the end, rests on what was before.
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

// begin reads what the unchanged run goes through, up to the end of the recording, or to an instant before it where that is known.
func begin(h history.History, res *infer.Result, o Options, until model.Instant) (*Base, error) {
	b := &Base{Params: res.Params, progress: o.Progress}
	err := b.span(h, res, o)
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

// StateAt is the state of the controllers from which a branch begins at an instant: where no pass was seen
// after it, what was known by then, with all the ways in which the passes may come.
func StateAt(res *infer.Result, at model.Instant) (*infer.State, error) {
	if len(passesAfter(res, at)) == 0 {
		return res.Known(at)
	}
	return res.At(at)
}

// goingIn are the pods that are Terminating in a State.
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

// passesAfter are the passes after an instant that came while it was recorded. What is read while a cluster is
// watched tells of one more, that is to come: at which instant nobody has seen.
func passesAfter(res *infer.Result, at model.Instant) []infer.Pass {
	return slices.DeleteFunc(res.PassesAfter(at), func(p infer.Pass) bool { return p.At > res.Coverage.Latest })
}

// span says between which instants the controllers can be run.
func (b *Base) span(h history.History, res *infer.Result, o Options) error {
	switch {
	case len(res.Unsupported) > 0:
		return &Refusal{Code: Unsupported, Because: &res.Unsupported[0]}
	case len(res.Contradicted) > 0:
		return &Refusal{Code: FlagWrong}
	case res.Instants != nil:
		return &Refusal{Code: Unsupported, Because: res.Instants}
	}
	coverage := res.Coverage
	// The state is known once a pass has looked at every node.
	first := coverage.Earliest
	for _, p := range res.PassesAfter(coverage.Earliest) {
		first = p.Within.Latest.Add(time.Millisecond).Truncate(time.Millisecond)
		break
	}
	b.first, b.From, b.recordedUntil = first, o.From, coverage.Latest
	if !b.From.Known() {
		b.From = first
	}
	begins := model.Interval{Earliest: first, Latest: coverage.Latest - 1}
	if o.For > 0 {
		begins.Latest = coverage.Latest // it goes on from there
	}
	if !begins.Contains(b.From) {
		return &Refusal{Code: Outside, Begins: begins, Asked: b.From, Within: coverage}
	}
	b.Until = coverage.Latest.Add(o.For)
	return nil
}

// record notes what was decided when it was recorded.
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

// told says that a decision is one that is compared: something was done, and it is no book-keeping
// of the controller's own.
func told(d *model.Decision) bool {
	switch d.Kind {
	case model.RegisterNode, model.ForgetNode, model.ControllerStart:
		return false
	}
	return d.Outcome != model.Declined
}

// Unchanged is the branch in which nothing is otherwise.
func (b *Base) Unchanged() *Branch { return &Branch{Params: b.Params} }
