// Package forecast says what the controllers will do next if the silent nodes stay silent,
// the others keep beating, and nobody changes anything.
//
// The models run forward from a State, once for each of its Phases: what cannot be known from
// outside, when the passes came and come, makes windows of the times. Within one such course the
// order of a queue makes windows too: whoever waits may get each token. What is told is what all
// courses have in common: the hull of their windows, and certain only where all agree.
package forecast

import (
	"cmp"
	"encoding/binary"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/loop"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/courses"
)

// Horizon is how far a forecast reaches unless told otherwise.
const Horizon = 15 * time.Minute

// SilentAfter is how long a node must not have been heard to count as silent: two
// renewals, at 10 s each.
const SilentAfter = 20 * time.Second

// Options guide a Run. The zero value is the usual forecast.
type Options struct {
	// Horizon is how far to look; 0 is the constant Horizon.
	Horizon time.Duration
	// Silent says which nodes stay silent. Nil: those for which Silent answers true.
	Silent func(node string) bool
	// Resumes says, while there is no leader, that the last one was only paused and goes on with its countdowns. Otherwise a new
	// leader starts, at At or later.
	Resumes bool
}

// Forecast is what comes.
type Forecast struct {
	At, Until model.Instant
	// Coming are the decisions, by their earliest instant.
	Coming []Coming
	// Evictions are all pods for which an eviction is pending, held back, or under way:
	// those on nodes that are tainted, or will be.
	Evictions []Eviction
	// Waits are the nodes that wait for a taint at At; Taints are they and those that will wait, by name.
	Waits, Taints []Wait
	// Zones say for each zone how many nodes will be tainted, and pods deleted, by when.
	Zones       []Zone
	Assumptions []Assumption
	// GraceEnds is within when the grace period of each silent node ends, as the controller counts, where it is not declared
	// yet and that is known.
	GraceEnds map[string]model.Interval
	// IfResumed is from when on pods may be deleted if the last leader was only paused and goes on, where there is no leader and
	// that is sooner than with a new one; unknown elsewhere.
	IfResumed model.Instant

	// tokens are when each zone's come; zoneOf says in which the nodes are of which Evictions speak.
	tokens map[model.ZoneKey]*tokens
	zoneOf map[string]model.ZoneKey
	// pods are the places among the Evictions: see Index.
	pods map[model.Key]int32
}

// Index makes Pod ready to answer: of a Forecast that Run made it is. Whoever changes its Evictions calls it again.
func (f *Forecast) Index() {
	f.pods = make(map[model.Key]int32, len(f.Evictions))
	for i := range f.Evictions {
		f.pods[f.Evictions[i].Pod] = int32(i)
	}
}

// Pods is of how many pods something is foreseen; 0 of no Forecast.
func (f *Forecast) Pods() int {
	if f == nil {
		return 0
	}
	return len(f.Evictions)
}

// Pod is what is foreseen of a pod; nil for nothing, and of no Forecast.
func (f *Forecast) Pod(key model.Key) *Eviction {
	if f == nil {
		return nil
	}
	i, ok := f.pods[key]
	if !ok {
		return nil
	}
	return &f.Evictions[i]
}

// Coming is a decision that will be made within its Decision's Window.
type Coming struct {
	// Decision is as the model makes it. Where it concerns one of several nodes, or a pod of one of them, its Node and Pod
	// are empty, and Among lists them.
	Decision model.Decision
	// Among are the nodes of which one gets the token, by name; or to one of which that happened, so that its pod goes.
	Among []string
	// Sure is false where the decision depends on when the passes run.
	Sure bool
}

// sooner is the order of what comes.
func sooner(a, b Coming) int {
	return cmp.Or(cmp.Compare(a.Decision.Window.Earliest, b.Decision.Window.Earliest), cmp.Compare(a.Decision.Time, b.Decision.Time))
}

// Wait is a node that waits for its NoExecute taint, and within which bounds it gets it.
// It has no place in a line: whoever waits may get any token.
type Wait struct {
	Node string
	Zone model.ZoneKey
	// Window is when the node is tainted; FarFuture is never as things stand.
	Window model.Interval
	// Certain is false where it may not be tainted at all.
	Certain bool
}

// Silent says whether a node has not been heard for SilentAfter, or never was. While nobody watches any lease
// those are silent that were before, and those that were declared Unknown.
func Silent(s *infer.State, node string) bool {
	if s.Unwatched.Known() {
		if n := s.Cache.Node(node); n != nil && n.IsReady() {
			since, ok := s.Silent(node)
			return ok && s.Unwatched.Sub(since) >= SilentAfter
		}
	}
	if since, ok := s.Silent(node); ok {
		return s.At.Sub(since) >= SilentAfter
	}
	if row := s.Cache.Find(node); row != nil && row.Node != nil && row.Node.Ready() == nil && !row.Lease.Exists {
		return true // nobody but who made its object has spoken of it
	}
	v, ok := s.Nodes.Node(node, s.Cache)
	if s.Overdue.Known() && ok {
		// The controller has not looked lately; what it will find then is the lease as it stands.
		v.Probe = max(v.Probe, s.Cache.Find(node).Lease.Renewed)
	}
	return !ok || !v.Probe.Known() || s.At.Sub(v.Probe) >= SilentAfter
}

// Run forecasts from a state, which stays as it is.
func Run(s *infer.State, o Options) *Forecast { return foresee(s, o, play) }

// foresee is Run with a way to play one course of events.
func foresee(s *infer.State, o Options, play func(*course) *loop.Loop) *Forecast {
	if o.Horizon <= 0 {
		o.Horizon = Horizon
	}
	if o.Silent == nil {
		o.Silent = func(node string) bool { return Silent(s, node) }
	}
	f := &Forecast{At: s.At, Until: s.At.Add(o.Horizon), Assumptions: []Assumption{{Code: SilenceLasts}, {Code: AnyToken}}}
	if s.Supposed {
		f.assume(Assumption{Code: ControllersRun})
	}
	for _, at := range s.SupposedRestarts {
		f.assume(Assumption{Code: ControllersRestarted, When: at})
	}
	if !s.Clock.Pass.Bounded() {
		f.assume(Assumption{Code: NoPass})
		return f
	}
	ways := waysOf(s)
	held, waits := caveat.Holding(s)
	if len(s.Phases) > 0 && held.Reason != caveat.NoLeader {
		f.assume(Assumption{Code: Passes, At: s.At, When: model.Interval{Earliest: ways[0].Clock.Pass, Latest: ways[len(ways)-1].Clock.Pass}, Every: s.Clock.Period})
	}
	if s.Leaseless {
		f.assume(Assumption{Code: NoLease})
	}
	if s.Behind.Known() {
		f.assume(since(CachesCaughtUp, s.Behind))
	}
	if s.Unwatched.Known() {
		f.assume(since(LeasesUnwatched, s.Unwatched))
	}
	h, c := newHull(s, f), newCourse(&o)
	posts := f.posts(s, o.Silent)
	from := func(s *infer.State, ways []phases.Phase) {
		for _, i := range unlike(s, ways, o.Silent) {
			for _, in := range posts {
				c.begin(s, &ways[i], in)
				c.run(play(c), f.Until)
				h.add(c)
			}
		}
	}
	all := func(s *infer.State) {
		from(s, waysOf(s))
		if o := s.Otherwise; o != nil {
			from(o, o.Phases)
		}
	}
	all(s)
	if b := s.Before; b != nil && b.Clock.Pass.Bounded() {
		f.assume(since(Unwatched, b.At))
		all(b)
	}
	if s.Standing != nil {
		all(s.Standing)
	}
	ended := held.Reason == caveat.NoLeader && !o.Resumes
	if ended { // the last leader's decisions, and the tokens of its zones, do not come
		h.coming = courses.Hull[courses.Slot, Coming]{}
		clear(h.zones)
	}
	if held.Reason == caveat.NoLeader || held.Reason == caveat.MaybeNoLeader {
		c.newLeader = true
		from(begunAnew(s))
	}
	h.finish()
	h.agree()
	h.doubt()
	h.hide()
	h.unseen()
	h.undeleted()
	f.graceEnds(s, o.Silent)
	if waits {
		f.wait(held)
		if !ended {
			f.countOpen()
		}
	}
	if ended {
		f.startAnew(s, o.Silent)
	}
	f.countDeleted()
	f.leaveOpen()
	f.Index()
	return f
}

// waysOf are the phases of a state, or the one of its clock.
func waysOf(s *infer.State) []phases.Phase {
	if len(s.Phases) > 0 {
		return s.Phases
	}
	return []phases.Phase{{Clock: s.Clock}}
}

// unlike are the first of the ways that go alike: they are told apart also by which pass counted nodes that are not silent.
func unlike(s *infer.State, ways []phases.Phase, silent func(string) bool) (list []int) {
	type way struct {
		clock         loop.Clock
		spread        time.Duration
		began         model.Instant
		longer        time.Duration
		writes        bool
		queued, heard string
	}
	open, waiting := undeclared(s, silent), waitingIn(s)
	met := map[way]bool{}
	for i := range ways {
		p := &ways[i]
		var queued, heard []byte
		for _, name := range waiting {
			queued = append(queued, byte(one(s.Queues(p, name))))
		}
		for _, row := range open {
			at, _ := s.Counted(p, s.Cache.Row(row).Name)
			heard = binary.LittleEndian.AppendUint64(heard, uint64(at))
		}
		w := way{p.Clock, p.Spread(), p.Began, p.Longer, p.Writes, string(queued), string(heard)}
		if !met[w] {
			met[w], list = true, append(list, i)
		}
	}
	return list
}

// waitingIn are the nodes that wait in a State's queues.
func waitingIn(s *infer.State) (names []string) {
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		names = append(names, z.Waiting...)
	}
	return names
}

// rows are the rows of the nodes that is holds for: by whether each is silent, and declared Unknown.
func rows(s *infer.State, silent func(string) bool, is func(silent, declared bool) bool) (list []int32) {
	for i, row := range s.Cache.All() {
		if row.Node == nil {
			continue
		}
		ready := row.Node.Ready()
		if is(silent(row.Name), ready != nil && ready.Status == model.StatusUnknown) {
			list = append(list, i)
		}
	}
	return list
}

// undeclared are the rows of silent nodes that are not declared Unknown: what becomes of them depends on which pass has counted
// their last sign of life.
func undeclared(s *infer.State, silent func(string) bool) []int32 {
	return rows(s, silent, func(silent, declared bool) bool { return silent && !declared })
}

// graceEnds notes when the grace periods of silent nodes end.
func (f *Forecast) graceEnds(s *infer.State, silent func(string) bool) {
	f.GraceEnds = map[string]model.Interval{}
	for _, i := range undeclared(s, silent) {
		name := s.Cache.Row(i).Name
		if w, ok := s.GraceEnds(name); ok {
			f.GraceEnds[name] = w
		}
	}
}

// play is the loop of one course of events, about to begin.
func play(c *course) *loop.Loop {
	s, p := c.s, c.phase
	l := s.Loop(p.Clock, c.loop)
	l.Brief = true
	l.KeepBeating(beating(s, c.o.Silent))
	Suppose(l, s, p, c.o.Silent)
	if c.newLeader {
		l.At(s.At, (*loop.Loop).Restart)
	}
	c.post(l)
	if p.Began.Known() {
		l.At(s.At, func(l *loop.Loop) { l.GoOn(p.Began, p.Longer) })
	}
	return l
}

// Suppose lets the controllers of a loop that resumes a State have counted the signs of life of silent nodes
// as a Phase has it, and queued those nodes only that a pass has seen.
func Suppose(l *loop.Loop, s *infer.State, p *phases.Phase, silent func(string) bool) {
	if len(s.Phases) == 0 {
		return
	}
	for _, name := range waitingIn(s) {
		if i, ok := s.Cache.Lookup(name); ok && s.Queues(p, name) {
			l.Nodes.Unqueue(i)
		}
	}
	for _, i := range undeclared(s, silent) {
		if at, ok := s.Counted(p, s.Cache.Row(i).Name); ok {
			l.Nodes.Heard(i, at, l.Cache)
		}
	}
}

// beating are the rows of the nodes that keep beating.
func beating(s *infer.State, silent func(string) bool) []int32 {
	return rows(s, silent, func(silent, _ bool) bool { return !silent })
}
