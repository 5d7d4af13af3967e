package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
)

// Agreement is the result of playing a trace's inputs through the models.
type Agreement struct {
	Differences []Difference
	// Compared counts the lines in agreement. Written are those of objects, events and calls; the rest is memory.
	Compared, Written int
	// Races are the lines that needed an allowed race.
	Races int
	// Kinds and Rules count the model's decisions.
	Kinds map[string]int
	Rules map[string]int
}

// Difference is a line that only one side has.
type Difference struct {
	At   time.Duration
	By   Actor
	Line string
	// Real: the real controller did it. Otherwise only the model did.
	Real bool
}

func (d Difference) String() string {
	who := "only the model"
	if d.Real {
		who = "only the real controller"
	}
	return fmt.Sprintf("%9.3f %-10s %s: %s", d.At.Seconds(), d.By, who, d.Line)
}

// Tolerance is how far apart both sides may do the same: a tick of the taint pass.
const Tolerance = nodelifecycle.TickPeriod

// Compare plays what the real controllers saw through the models, and compares what both did. Hidden inputs of the
// models are read from the real run: times of passes, ticks and workers, tokens, forgotten zones.
func Compare(s Scenario, trace *Trace, v model.Version) *Agreement {
	params := s.Flags().params(v)
	params.ComparisonOperators.Value = compares()
	return compareUnder(params, s, trace)
}

func compareUnder(params model.Params, s Scenario, trace *Trace) *Agreement {
	a := &agreement{
		result: &Agreement{Kinds: map[string]int{}, Rules: map[string]int{}},
		params: params, lag: s.Lag(), zero: trace.Zero, steps: trace.withoutLeases(), cache: informer.New(),
		podsByKey: map[string]*model.Pod{}, leases: map[string]uint64{}, broken: map[string]bool{},
		ids: map[model.DecisionID]*model.Decision{}, slow: map[line]time.Time{}, retries: map[string][]time.Time{},
	}
	a.threshold, _ = strconv.Atoi(s.find("podgc").option("threshold", "12500"))
	for i := range a.steps {
		a.advance(a.steps[i].At)
		a.step(i)
	}
	a.settle()
	return a.result
}

type agreement struct {
	result *Agreement
	params model.Params
	// threshold is --terminated-pod-gc-threshold.
	threshold int
	lag       time.Duration
	zero      time.Time
	steps     []Step
	interner  model.Interner

	cache     *informer.Cache
	podsByKey map[string]*model.Pod
	leases    map[string]uint64
	broken    map[string]bool
	// retries are when the taint-eviction controller deletes a pod again after a conflict.
	retries map[string][]time.Time
	// conflicted are pods that the latest pass could not write, but others can: a conflict, or deleted since the list.
	conflicted map[string]bool

	nodes *nodelifecycle.Controller
	taken []string
	// nextTick is zero while no process runs.
	nextTick time.Time

	pods   *podgc.Controller
	taints *tainteviction.Controller
	// noticed are changes that the taint-eviction controller has yet to handle, in its lane.
	noticed   []notice
	noticedAt time.Time

	ids map[model.DecisionID]*model.Decision

	// passAt is the step at which the running pass started. unjudged: it has yet to judge the zones. slow is until when
	// it may carry out each decision.
	passAt   int
	unjudged bool
	slow     map[line]time.Time

	queue  queueBook
	waited map[string]bool
	lines  [2][]line
}

type notice struct {
	node     string
	old, new *model.Pod
}

// line is one effect of one side.
type line struct {
	at   time.Time
	by   Actor
	text string
}

const (
	ofModel = iota
	ofReal
)

func (a *agreement) say(side int, at time.Time, by Actor, text string) {
	a.lines[side] = append(a.lines[side], line{at, by, text})
}

// advance runs the models' own timers up to a time, inclusive.
func (a *agreement) advance(to time.Time) {
	for {
		next, do := to.Add(1), func() {}
		consider := func(at time.Time, what func()) {
			if !at.IsZero() && at.Before(next) {
				next, do = at, what
			}
		}
		consider(a.nextTick, a.tick)
		consider(a.noticedAt, a.handleNotices)
		if a.taints != nil {
			if at := a.taints.NextTimer(); at != model.FarFuture {
				consider(at.Time(), func() { a.model(Eviction, a.taints.Fire(at, a.cache)) })
			}
		}
		if next.After(to) {
			return
		}
		do()
	}
}

func (a *agreement) stepsAt(at time.Time) []Step {
	compare := func(s Step, t time.Time) int { return s.At.Compare(t) }
	from, _ := slices.BinarySearchFunc(a.steps, at, compare)
	to, _ := slices.BinarySearchFunc(a.steps, at.Add(1), compare)
	return a.steps[from:to]
}

func (a *agreement) step(i int) {
	s := &a.steps[i]
	switch {
	case s.Started != "":
		a.start(s)
	case s.Stopped == NodeLifecycle:
		a.remembered(s.At, s.Memory)
		a.nodes, a.nextTick = nil, time.Time{}
	case s.Stopped == PodGC:
		a.pods = nil
	case s.Collects && a.pods != nil:
		a.model(Collector, a.pods.Cycle(model.At(s.At), a.cache))
	case s.Stopped == TaintEviction:
		a.taints, a.noticed, a.noticedAt = nil, nil, time.Time{}
	case s.Node != nil:
		a.nodeWritten(s)
	case s.Pod != nil:
		a.podWritten(s)
	case s.Snapshot != nil:
		a.pass(i)
	case s.Judged && a.nodes != nil && a.unjudged:
		a.unjudged = false
		a.model(Pass, a.nodes.JudgeZones(model.At(s.At), a.cache, nodelifecycle.Hidden{Refuses: a.refuses, Walk: a.walk(a.passAt)}))
	case s.Looked != nil && a.nodes != nil:
		if a.cache.Node(s.Looked.Name) != nil {
			a.model(NoSchedule, a.nodes.NodeEvent(model.At(s.At), s.Looked.Name, a.cache, nodelifecycle.Hidden{Refuses: a.refuses}))
		}
	case s.PodLooked != nil && a.nodes != nil:
		a.model(PodWorker, a.nodes.PodEvent(model.At(s.At), a.pod(s.PodLooked), a.cache, nodelifecycle.Hidden{Refuses: a.breaks}))
	case s.Took != "":
		a.say(ofReal, s.At, Tick, "token to "+s.Took)
	case s.Delete != "" && s.By != World:
		text := s.Delete + " DELETE"
		if s.Force {
			text += " by force"
		}
		a.say(ofReal, s.At, s.By, text)
	case s.Conflict != "":
		a.result.Kinds["conflict of "+s.By.String()]++
		if s.By == Eviction {
			a.retries[s.Conflict] = append(a.retries[s.Conflict], s.At.Add(evictionRetry))
		}
	case s.Broken != nil:
		a.broken[s.Broken.Node] = s.Broken.Now
	case s.Log != nil:
		a.logged(s)
	}
}

func (a *agreement) start(s *Step) {
	if s.Started == NodeLifecycle {
		a.nodes, a.nextTick = nodelifecycle.New(a.params), s.At
		a.queue = queueBook{}
		return
	}
	if s.Started == PodGC {
		a.pods = podgc.New(a.params)
		a.pods.Threshold = a.threshold
		return
	}
	a.taints = tainteviction.New(a.params)
	for row := range a.cache.Nodes() {
		a.notice(s.At, notice{node: row.Name})
	}
	for i := range int32(a.cache.Rows()) {
		for _, p := range a.cache.Row(i).Pods() {
			a.notice(s.At, notice{new: p})
		}
	}
}

func (a *agreement) notice(at time.Time, n notice) {
	if a.taints != nil {
		a.noticed = append(a.noticed, n)
		a.noticedAt = evictionTime(at)
	}
}

// handleNotices handles nodes before pods, as the real workers do.
func (a *agreement) handleNotices() {
	at := model.At(a.noticedAt)
	noticed := a.noticed
	a.noticed, a.noticedAt = nil, time.Time{}
	for _, n := range noticed {
		if n.node != "" {
			a.model(Eviction, a.taints.NodeChanged(at, n.node, a.withoutRetried(at.Time(), n.node)))
		}
	}
	for _, n := range noticed {
		if n.node == "" {
			a.handlePod(at, n)
		}
	}
}

// withoutRetried is the cache without the node's pods whose deletion met a conflict and is tried again 10 ms later. The
// real controller keeps their ended countdowns until the deletion succeeds; the model would start the next countdown.
// Source: kubernetes: pkg/controller/tainteviction, getWrappedWorkerFunc and AddWork.
func (a *agreement) withoutRetried(at time.Time, node string) *informer.Cache {
	view := a.cache
	row := a.cache.Find(node)
	if row == nil || row.Node == nil {
		return view
	}
	for _, p := range row.Pods() {
		if !a.retrying(at, p.Key.String()) {
			continue
		}
		if fate, _, _ := tainteviction.FateUnder(p, row.Node.Taints, a.params.ComparisonOperators.Value); fate != tainteviction.FateLater {
			continue
		}
		if view == a.cache {
			view = a.cache.Clone()
		}
		view.DeletePod(p)
		a.result.Races++
	}
	return view
}

func (a *agreement) retrying(at time.Time, pod string) bool {
	return slices.ContainsFunc(a.retries[pod], func(again time.Time) bool {
		return at.Before(again) && at.After(again.Add(-evictionRetry))
	})
}

// handlePod handles the pod as it is now. A work item names the pod and the node of the version it was made for. If the
// name is now a pod of another node, the item changes nothing and cancels no timer.
func (a *agreement) handlePod(at model.Instant, n notice) {
	was := n.new
	if was == nil {
		was = n.old
	}
	now := a.podsByKey[was.Key.String()]
	switch {
	case now == nil:
		a.model(Eviction, a.taints.PodGone(at, was.Key))
	case now.Node != was.Node:
	case n.new == nil:
		a.model(Eviction, a.taints.PodChanged(at, nil, now, a.cache))
	default:
		a.model(Eviction, a.taints.PodChanged(at, n.old, now, a.cache))
	}
}

func (a *agreement) nodeWritten(s *Step) {
	w := s.Node
	if w.New == nil {
		a.cache.DeleteNode(w.Name)
	} else {
		a.cache.SetNode(w.Name, a.node(w.New), version(w.New.ResourceVersion), 0, 0)
	}
	a.notice(s.At, notice{node: w.Name})
	if s.By != World && w.New != nil && w.Old != nil {
		for _, text := range NodeEffects(w) {
			a.say(ofReal, s.At, s.By, text)
		}
	}
}

func (a *agreement) podWritten(s *Step) {
	w := s.Pod
	old := a.podsByKey[w.Name]
	var now *model.Pod
	if w.New == nil {
		delete(a.podsByKey, w.Name)
		a.cache.DeletePod(old)
	} else {
		now = a.pod(w.New)
		a.podsByKey[w.Name] = now
		a.cache.SetPod(old, now)
	}
	a.notice(s.At, notice{old: old, new: now})
	if s.By == World || w.New == nil || w.Old == nil {
		return
	}
	if w.New.Status.Phase != w.Old.Status.Phase {
		a.say(ofReal, s.At, s.By, phaseLine(w.Name, string(w.New.Status.Phase)))
	}
	for _, c := range w.New.Status.Conditions {
		i := slices.IndexFunc(w.Old.Status.Conditions, func(o v1.PodCondition) bool { return o.Type == c.Type })
		if i < 0 || w.Old.Status.Conditions[i].Status != c.Status || w.Old.Status.Conditions[i].Reason != c.Reason {
			a.say(ofReal, s.At, s.By, podConditionLine(w.Name, string(c.Type), string(c.Status), c.Reason))
		}
	}
}

// lagging is the cache as a tick reads it: nodes may be stale.
func (a *agreement) lagging(at time.Time) *informer.Cache {
	old := map[string]*v1.Node{}
	first, _ := slices.BinarySearchFunc(a.steps, at, func(s Step, t time.Time) int { return s.At.Compare(t) })
	for i := first - 1; i >= 0 && a.steps[i].At.After(at.Add(-a.lag)); i-- {
		if w := a.steps[i].Node; w != nil && w.Old != nil {
			old[w.Name] = w.Old
		} else if w != nil {
			delete(old, w.Name)
		}
	}
	if len(old) == 0 {
		return a.cache
	}
	view := a.cache.Clone()
	for name, n := range old {
		view.SetNode(name, a.node(n), version(n.ResourceVersion), 0, 0)
	}
	return view
}

func (a *agreement) tick() {
	at := a.nextTick
	a.nextTick = at.Add(nodelifecycle.TickPeriod)
	if !a.nodes.Waiting() {
		return
	}
	if a.unjudged {
		a.result.Kinds["tick inside a pass"]++
	}
	var taken []string
	for _, s := range a.stepsAt(at) {
		if s.Took != "" {
			taken = append(taken, s.Took)
		}
	}
	a.model(Tick, a.nodes.Tick(model.At(at), a.lagging(at), nodelifecycle.Hidden{
		Refuses: a.refuses,
		Pick: func(_ model.ZoneKey, waiting []string) string {
			for i, name := range taken {
				if slices.Contains(waiting, name) {
					taken = slices.Delete(taken, i, i+1)
					return name
				}
			}
			return ""
		},
	}))
}
