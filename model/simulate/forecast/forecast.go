// Package forecast predicts the controllers' next decisions if silent nodes stay silent, the others keep renewing, and
// nothing else changes.
//
// The models run from a State, once for each of its Phases, since the times of passes are not known. Within a run, any
// waiting node may get each token. The result is the hull of all these courses, and certain only if all agree.
package forecast

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/loop"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/courses"
)

// Horizon is the default length of a forecast.
const Horizon = 15 * time.Minute

// SilentAfter is how long a silent node has not renewed: two renewals, of 10 s each.
const SilentAfter = 20 * time.Second

// Options guide a Run. The zero value is the usual forecast.
type Options struct {
	Horizon time.Duration
	// Silent reports which nodes stay silent. Nil: the function Silent.
	Silent func(node string) bool
	// Resumes: without a leader, the last one was only paused and continues. Otherwise a new leader starts, now or
	// later.
	Resumes bool
}

// Forecast is the predicted decisions.
type Forecast struct {
	At, Until model.Instant
	// Coming are the decisions, by their earliest time.
	Coming []Coming
	// Evictions are all pods with a pending, blocked or running eviction: those on nodes that are tainted, or will be.
	Evictions []Eviction
	// Waits are the nodes that wait for a taint at At; Taints are these and those that will wait, by name.
	Waits, Taints []Wait
	// Zones are the numbers of tainted nodes and deleted pods of each zone.
	Zones       []Zone
	Assumptions []Assumption
	// GraceEnds is when grace periods of silent nodes that are not declared end, by the controller's count, if known.
	GraceEnds map[string]model.Interval
	// IfResumed is the earliest deletion by the last leader, if it continues and a new one is later; otherwise unknown.
	IfResumed model.Instant

	// tokens are the zones' tokens; zoneOf are the zones of the Evictions' nodes.
	tokens map[model.ZoneKey]*tokens
	zoneOf map[string]model.ZoneKey
	// pods are indexes into Evictions: see Index.
	pods map[model.Key]int32
}

// Index prepares Pod. Call it after a change of Evictions; Run does.
func (f *Forecast) Index() {
	f.pods = make(map[model.Key]int32, len(f.Evictions))
	for i := range f.Evictions {
		f.pods[f.Evictions[i].Pod] = int32(i)
	}
}

// Pods is the number of pods in the Forecast; 0 for nil.
func (f *Forecast) Pods() int {
	if f == nil {
		return 0
	}
	return len(f.Evictions)
}

// Pod is the forecast for a pod; nil for none, and for a nil Forecast.
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

// Coming is a decision that will be made within its Window.
type Coming struct {
	// Decision has no Node and Pod if it concerns one of several nodes, or a pod of one: see Among.
	Decision model.Decision
	// Among are the nodes of which one gets the token, or loses the pod, by name.
	Among []string
	// Sure: the decision does not depend on when the passes run.
	Sure bool
}

// Wait is a node that waits for its NoExecute taint. It has no place in a line: any waiting node may get a token.
type Wait struct {
	Node string
	Zone model.ZoneKey
	// Window is when the node is tainted; FarFuture: never, at present.
	Window model.Interval
	// Certain: it is surely tainted.
	Certain bool
}

// Silent reports whether a node has not renewed for SilentAfter, or never did. While leases are unobserved, it was
// silent before, or was declared Unknown.
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
		return true // only its object's creator has posted
	}
	v, ok := s.Nodes.Node(node, s.Cache)
	if s.Overdue.Known() && ok {
		// The controller has not run lately: it will find the present lease.
		v.Probe = max(v.Probe, s.Cache.Find(node).Lease.Renewed)
	}
	return !ok || !v.Probe.Known() || s.At.Sub(v.Probe) >= SilentAfter
}

// Run forecasts from a state, which stays as it is.
func Run(s *infer.State, o Options) *Forecast { return foresee(s, o, play) }

// foresee is Run with a way to simulate one course.
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
	h := &hull{s: s, f: f, met: map[courses.Subject]int{}, zones: map[model.ZoneKey]*tokens{}}
	c := &course{o: &o, byID: map[model.DecisionID]int{}}
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
	if ended { // without the last leader's decisions and tokens
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
	for _, name := range waitingIn(s) {
		if i, ok := slices.BinarySearchFunc(f.Taints, name, func(w Wait, name string) int { return cmp.Compare(w.Node, name) }); ok {
			f.Waits = append(f.Waits, f.Taints[i])
		}
	}
	f.countDeleted()
	f.leaveOpen()
	f.Index()
	return f
}

// waysOf are the phases of a state, or its clock as the only one.
func waysOf(s *infer.State) []phases.Phase {
	if len(s.Phases) > 0 {
		return s.Phases
	}
	return []phases.Phase{{Clock: s.Clock}}
}

// unlike are the first of equal ways. A way includes when silent nodes were counted, and which nodes are queued.
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

func waitingIn(s *infer.State) (names []string) {
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		names = append(names, z.Waiting...)
	}
	return names
}

// rows are the rows of nodes that is accepts, by whether each is silent, and declared Unknown.
func rows(s *infer.State, silent func(string) bool, is func(silent, declared bool) bool) (list []int32) {
	for i, row := range s.Cache.All() {
		if row.Node == nil {
			continue
		}
		if is(silent(row.Name), row.Node.ReadyStatus() == model.StatusUnknown) {
			list = append(list, i)
		}
	}
	return list
}

// undeclared are the rows of silent nodes that are not declared: the last pass that counted them matters.
func undeclared(s *infer.State, silent func(string) bool) []int32 {
	return rows(s, silent, func(silent, declared bool) bool { return silent && !declared })
}

func (f *Forecast) graceEnds(s *infer.State, silent func(string) bool) {
	f.GraceEnds = map[string]model.Interval{}
	for _, i := range undeclared(s, silent) {
		name := s.Cache.Row(i).Name
		if w, ok := s.GraceEnds(name); ok {
			f.GraceEnds[name] = w
		}
	}
}

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

// Suppose sets in a resumed loop when a Phase counted silent nodes, and which nodes it has queued.
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

func beating(s *infer.State, silent func(string) bool) []int32 {
	return rows(s, silent, func(silent, _ bool) bool { return !silent })
}
