package scenario

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/podgc"
	"kardia/sources/scenario/watcher"
)

const (
	// firstVersion is the first resourceVersion of a cluster that is no longer young.
	firstVersion = 800_000
	// warmUp is how long the cluster runs before the scenario starts: everything is ready then.
	warmUp = time.Minute
	// renewDeadline is how long a controller manager that cannot renew its lease continues.
	// Source: kubernetes: component-base/config/v1alpha1, RecommendedDefaultLeaderElectionConfiguration.
	renewDeadline = 10 * time.Second
)

type world struct {
	watcher.Watcher
	s      *Scenario
	loop   *loop.Loop
	agenda agenda

	machines []machine
	byName   map[string]int
	owners   []owner
	pods     map[model.Key]*pod
	manager  manager
	volumes  []*volume
	sized    bool // nodes have resources
	begun    int  // how many nodes exist at the start

	// cloud is a check of the cloud's node-lifecycle controller; the others are a whole period from it.
	cloud model.Instant

	// stalledUntil is until when the API server answers no request.
	stalledUntil model.Instant

	version uint64 // the newest that the Loop gave
	// The next field, if set, gets the time since the start, warmUp before the Start. False ends the run.
	told func(since time.Duration) bool

	until model.Instant // the models run up to then; 0 if they do not
	apart uint64        // how many writes the Loop does not number
	tasks uint64        // how many were put down
}

func newWorld(s *Scenario, yield func(*model.Change) bool) *world {
	w := &world{s: s, byName: map[string]int{}, pods: map[model.Key]*pod{},
		sized: slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Gives != (Resources{}) })}
	w.Watcher = watcher.New(s.Seed, s.Start, firstVersion, w.completeLease, yield)
	for i := range s.Nodes {
		if s.Nodes[i].Joins == nil {
			w.begun++
		}
	}
	began := s.Start.Add(-warmUp)
	clock := loop.StartingAt(began, s.Params.NodeMonitorPeriod.Value, 2*time.Millisecond)
	// The duration of a pass grows with its nodes and its writes: requests of some 6.5 ms, by eight workers
	// (kubernetes: pkg/controller/nodelifecycle, nodeUpdateWorkerSize).
	clock.Takes, clock.EachWrite = time.Millisecond+time.Duration(w.begun)*10*time.Microsecond, 800*time.Microsecond
	clock.Pass = began.Add(w.Spread(clock.Period))
	// The collector has run for long, too. Its own source of chance leaves the other draws as they are without it.
	clock.Collect = began.Add(time.Duration(rand.New(rand.NewPCG(s.Seed, 0x706f646763)).Int64N(int64(podgc.Period))))
	w.loop = loop.New(s.Params, clock)
	w.loop.Watch = w.watch
	w.loop.At(began, func(*loop.Loop) {
		w.addMachines()
		w.addWorkloads()
		w.addBudgets()
	})
	w.loop.Run(began)
	w.addManager()
	for i := range s.Faults {
		f := &s.Faults[i]
		w.at(s.Start.Add(f.At), func() { w.befall(f) })
	}
	return w
}

func (w *world) run() {
	end, done := w.s.End(), 0
	for !w.Done {
		next := model.FarFuture
		if len(w.agenda) > 0 {
			next = w.agenda[0].at
		}
		if w.Silent && next > w.s.Start {
			w.loop.Run(w.s.Start)
			w.Silent = false
			w.baseline()
			continue
		}
		if next > end {
			w.let(end)
			return
		}
		w.let(next)
		heap.Pop(&w.agenda).(task).do()
		if done++; w.told != nil && done%tellsEvery == 0 && !w.told(next.Sub(w.s.Start)+warmUp) {
			w.Done = true
		}
	}
}

const tellsEvery = 1 << 12

// let lets the models run up to a time. Tasks that come of their writes before then are done in between.
func (w *world) let(until model.Instant) {
	w.until = until
	w.loop.Run(until)
	w.until = 0
}

func (w *world) now() model.Instant { return w.loop.Now() }

type task struct {
	at model.Instant
	// number keeps the order of tasks of one time.
	number uint64
	do     func()
}

// agenda is the pending tasks, the earliest first: a container/heap.
type agenda []task

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].number < a[j].number
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(t any)   { *a = append(*a, t.(task)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	t := (*a)[last]
	(*a)[last] = task{}
	*a = (*a)[:last]
	return t
}

func (w *world) at(at model.Instant, do func()) {
	if at < w.until {
		w.loop.At(at, func(*loop.Loop) { do() })
		return
	}
	w.tasks++
	heap.Push(&w.agenda, task{at, w.tasks, do})
}

func (w *world) in(d time.Duration, do func()) { w.at(w.now().Add(d), do) }

func (w *world) watch(ch *model.Change) {
	w.version = ch.Version
	switch {
	case ch.Kind == model.KindPod:
		w.noticePod(ch)
	case ch.Kind == model.KindNode && len(w.volumes) > 0:
		w.noticeNode(ch.Key.Name)
	}
	w.Tell(ch, ch.Time.Latest, w.apart)
}

// tellApart hands on a write that the Loop does not number.
func (w *world) tellApart(ch *model.Change) {
	w.apart++
	ch.Version = w.version
	w.Tell(ch, w.now(), w.apart)
}

func (w *world) tellRelated(kind model.Kind, op model.Op, key model.Key, r *model.Related) {
	w.tellApart(&model.Change{Kind: kind, Op: op, Key: key, UID: r.UID, Related: r})
}

// event hands on an Event of a component other than the models, as of now.
func (w *world) event(e model.Event) {
	now := w.now().Truncate(time.Second)
	e.Count, e.First, e.Last, e.Created = 1, now, now, now
	key := model.Key{Namespace: cmp.Or(e.Regarding.Namespace, "default"), Name: fmt.Sprintf("%s.%016x", e.Regarding.Name, int64(w.now()))}
	w.tellApart(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: key, Event: &e})
}

func (w *world) nodeEvent(m *machine, e model.Event) {
	e.Regarding = model.Reference{Kind: "Node", Key: model.Key{Name: m.name}}
	w.event(e)
}

func (w *world) baseline() {
	at := w.s.Start
	say := func(ch model.Change, stamp model.Instant) { w.List(&ch, at, stamp) }
	cache := w.loop.Cache
	for i := range w.machines {
		row := cache.Find(w.machines[i].name)
		if row == nil {
			continue // it joins later
		}
		say(model.Change{Kind: model.KindNode, Key: model.Key{Name: row.Name}, UID: row.Node.UID, Version: row.Version, Node: row.Node}, row.Node.Ready().Heartbeat)
	}
	for i := range w.machines {
		m := &w.machines[i]
		if m.spec.Joins != nil {
			continue
		}
		say(model.Change{Kind: model.KindNodeLease, Key: model.Key{Name: m.name}, Version: cache.Find(m.name).Lease.Version}, m.lease.Renewed)
	}
	for _, p := range w.podsIn(func(*pod) bool { return true }) {
		o := w.loop.Pod(p.node, p.key)
		say(model.Change{Kind: model.KindPod, Key: p.key, UID: o.UID, Version: p.version, Pod: o}, max(o.Created, o.ReadySince))
	}
	say(w.manager.change(), w.manager.lease.Renewed)
	w.listRelated()
}
