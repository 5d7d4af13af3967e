package forecast

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/tainteviction"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/model/simulate/courses"
)

var never = model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}

// podForecaster makes a course's Evictions.
type podForecaster struct {
	c *course
	s *infer.State
	o *Options
	// collects, cancels and deletes are the first events of pods, declared those of nodes, rates the present zones.
	collects, cancels, deletes map[model.Key]event
	declared                   map[string]model.Interval
	// untainted are the nodes whose taints the pass that enters master disruption removes.
	untainted map[string]bool
	rates     map[model.ZoneKey]hold
	// dark is the start of master disruption; its window is unknown if there is none.
	dark event
	// fates is what a lone taint means for tolerations, which many pods share.
	fates map[waitFor]wait
}

type waitFor struct {
	tolerations *model.Tolerations
	taint       string
}

type wait struct {
	fate tainteviction.Fate
	time time.Duration
}

type event struct {
	window model.Interval
	rule   model.Rule
	why    model.Reason
}

type hold struct {
	rate  float32
	state model.DisruptionState
}

// evictions are the pods that a course threatens, in the order of rows, in the memory of room.
func evictions(c *course, room []placed) []placed {
	k := podForecaster{c: c, s: c.s, o: c.o, collects: map[model.Key]event{}, cancels: map[model.Key]event{},
		deletes: map[model.Key]event{}, declared: map[string]model.Interval{}, untainted: map[string]bool{}, rates: map[model.ZoneKey]hold{}, fates: map[waitFor]wait{}}
	k.read()
	concerns, counting := make([]bool, k.s.Cache.Rows()), k.counting()
	most := 0
	for i, row := range k.s.Cache.All() {
		if k.concerned(row) {
			concerns[i] = true
			most += len(row.Pods())
		}
	}
	list := slices.Grow(room[:0], most)
	for i, concerned := range concerns {
		row := k.s.Cache.Row(int32(i))
		if row.Name == "" || !concerned && !counting[i] && row.Deleting() == 0 {
			continue
		}
		for n, p := range row.Pods() {
			if e, ok := k.pod(row, p, concerned); ok {
				list = append(list, placed{Eviction: e, row: int32(i), pod: int32(n)})
			}
		}
	}
	return list
}

func (k *podForecaster) read() {
	for i, d := range k.c.list {
		k.note(i, d)
	}
	for _, z := range k.s.Nodes.Zones(k.s.At, k.s.Cache) {
		k.rates[z.Zone] = hold{z.Rate, z.State}
	}
}

func (k *podForecaster) note(i int, d *model.Decision) {
	var first map[model.Key]event
	switch {
	case d.Kind == model.CollectPod:
		first = k.collects
	case d.Kind == model.CancelEviction:
		first = k.cancels
	case d.Kind == model.EvictPod && d.Outcome == model.Did && k.taintsChange(d.Node):
		first = k.deletes
	case d.Kind == model.EnterMasterDisruption:
		if i == k.c.master {
			k.dark = k.eventOf(i, d)
		}
		return
	case d.Kind == model.UntaintNoExecute:
		if k.c.master >= 0 && i > k.c.master {
			k.untainted[d.Node] = true
		}
		return
	case d.Kind == model.MarkUnknown:
		if _, ok := k.declared[d.Node]; !ok {
			k.declared[d.Node] = k.c.clip(k.c.windows[i])
		}
		return
	default:
		return
	}
	if _, ok := first[d.Pod]; !ok {
		first[d.Pod] = k.eventOf(i, d)
	}
}

func (k *podForecaster) eventOf(i int, d *model.Decision) event {
	if d.Rule == model.RuleNodeMissed {
		if w, ok := k.s.Collects(d.Node); ok {
			return event{w, d.Rule, d.Why}
		}
	}
	return event{k.c.clip(k.c.windows[i]), d.Rule, d.Why}
}

// taintsChange reports whether a node has NoExecute taints, which may get others.
func (k *podForecaster) taintsChange(node string) bool {
	row := k.s.Cache.Find(node)
	return row != nil && row.Node != nil && row.Node.HasNoExecute()
}

// concerned reports whether a node's pods may be evicted: it is tainted, waits, is not Ready, or will not be.
func (k *podForecaster) concerned(row *informer.Row) bool {
	_, declared := k.declared[row.Name]
	return row.Node == nil || declared || row.Node.Unready() || row.Node.HasNoExecute() || len(k.c.races.stays[row.Name]) > 0
}

// counting reports which rows may have a pod with a countdown. One that outlived its pod counts for another anywhere.
func (k *podForecaster) counting() []bool {
	rows := make([]bool, k.s.Cache.Rows())
	for _, t := range k.s.Taints.Timers() {
		i, ok := k.s.Cache.Lookup(t.Node)
		if !ok || k.s.Cache.Row(i).Pod(t.Pod) == nil {
			for i := range rows {
				rows[i] = true
			}
			return rows
		}
		rows[i] = true
	}
	return rows
}

// pod is the forecast for a pod; ok is false if nothing threatens it.
func (k *podForecaster) pod(row *informer.Row, p *model.Pod, concerned bool) (e Eviction, ok bool) {
	e = Eviction{Pod: p.Key, UID: p.UID, Node: row.Name}
	if p.Deletion.Known() {
		if !concerned && !k.o.Silent(row.Name) && p.DisruptionReason != model.DisruptedByTaintManager {
			return e, false // another actor's deletion, on a healthy node
		}
		k.deleted(row, p, &e)
		if e.Window == never || !e.Window.Known() {
			k.deletedAgain(row, p, &e, concerned)
		}
		return e, true
	}
	return e, k.ahead(row, p, &e, concerned)
}

// ahead forecasts a pod that was not deleted; false if nothing threatens it.
func (k *podForecaster) ahead(row *informer.Row, p *model.Pod, e *Eviction, concerned bool) bool {
	if t, pending := k.s.Taints.Pending(p.Key); pending {
		k.due(p, t, row, e)
		return true
	}
	if w, ok := k.s.Evicting(p.Key); ok && !p.Deletion.Known() {
		e.State, e.Rule, e.Why, e.Certain = Due, model.RuleCountdownStays, because(EndsNow), true
		e.Window = k.c.clip(model.Interval{Earliest: w.Earliest, Latest: w.Latest.Add(courses.Lag)})
		if w.Latest.Add(evidence.LagBound) <= k.s.At {
			e.Why, e.Certain = because(Late), false
		}
		return true
	}
	if !concerned {
		return false
	}
	if row.Node == nil {
		return k.collected(p, e)
	}
	if row.Node.HasNoExecute() && !k.awaits(row) {
		d := k.s.Taints.WhyNot(k.s.At, p)
		e.State, e.Window, e.Rule, e.Why = Halted, never, d.Rule, Why{Reason: ByRule, By: d.Why}
		switch fate, _, _ := tainteviction.FateUnder(p, row.Node.Taints, k.s.Params.ComparisonOperators.Value); {
		case fate == tainteviction.FateNever:
			e.State = Forever
		case d.Window.Earliest == model.FarFuture:
			// The countdown has ended: the DELETE is sent five times within a moment, and never again.
			// Source: kubernetes: tainteviction, deletePodHandler and its retries.
			e.State, e.Why, e.Lost = Stuck, because(LostDeletion), true
		}
		k.tainted(row, p, e)
		k.darkens(row, p, e)
		return true
	}
	k.waiting(row, p, e)
	k.darkens(row, p, e)
	return true
}

// deletedAgain is a deleted pod whose deletion is repeated, without effect, because a taint comes back.
func (k *podForecaster) deletedAgain(row *informer.Row, p *model.Pod, e *Eviction, concerned bool) {
	again := Eviction{Pod: p.Key, UID: p.UID, Node: row.Name}
	if !k.ahead(row, p, &again, concerned) || !again.mayCome() {
		return
	}
	e.Window, e.Certain, e.Seconds = again.Window, again.Certain, again.Seconds
	e.Why.Again, e.Why.When, e.Why.Dark = again.Why.Reason, again.Why.When, again.Why.Dark
	e.Why.By, e.Why.Name, e.Why.State = again.Why.By, again.Why.Name, again.Why.State
}

// vague is the width of a window that one time cannot stand for.
const vague = 5 * time.Second

// runs is since when a countdown runs; a window if its start was not observed.
func (k *podForecaster) runs(t tainteviction.Timer) Why {
	if w, ok := k.s.Began(&t); ok && w.Bounded() && w.Width() > vague {
		return Why{Reason: CountdownRuns, When: w}
	}
	return fromOn(CountdownRuns, t.Started)
}

func (k *podForecaster) due(p *model.Pod, t tainteviction.Timer, row *informer.Row, e *Eviction) {
	e.State, e.Rule, e.Why = Due, model.RuleCountdownStays, k.runs(t)
	e.Window, _ = k.c.ends(p.Key)
	e.Certain = true
	e.Seconds = model.Some(int64(t.FireAt.Sub(t.Started) / time.Second))
	if c, ok := k.cancels[p.Key]; ok && c.window.Earliest <= e.Window.Latest {
		if c.window.Latest < e.Window.Earliest {
			e.State, e.Window, e.Rule, e.Why, e.Certain = Halted, never, c.rule, Why{Reason: WillBeCancelled, By: c.why}, false
		} else {
			e.Rule, e.Certain = c.rule, false
			e.Why.Reason, e.Why.By = MayBeCancelled, c.why
		}
	}
	k.tainted(row, p, e)
	k.darkens(row, p, e)
	if row.Node == nil {
		k.collected(p, e) // whichever comes first
	}
}

// collected is a pod whose Node is gone: pod garbage collection may come before the end of its countdown.
func (k *podForecaster) collected(p *model.Pod, e *Eviction) bool {
	c, ok := k.collects[p.Key]
	if !ok || (e.Window.Known() && e.Window.Latest < c.window.Earliest) {
		return e.Window.Known()
	}
	e.State, e.Window, e.Rule, e.Why, e.Certain = Due, c.window, c.rule, Why{Reason: ByRule, By: c.why}, true
	e.Seconds = model.Maybe[int64]{}
	return true
}

// terminating is the state of a deleted pod, without pod garbage collection.
func terminating(p *model.Pod, at model.Instant, silent bool) (state State, window model.Interval, why Why) {
	if silent {
		window = never
	}
	switch {
	case p.Deletion > at:
		return Terminating, window, Why{Reason: GraceEnds, Deleted: p.Deletion}
	case silent:
		return Stuck, window, because(KubeletSilent)
	}
	return Terminating, window, because(NotEndedYet)
}

func (k *podForecaster) deleted(row *informer.Row, p *model.Pod, e *Eviction) {
	unseen := k.s.Pods.Unseen(row, k.s.At)
	silent := !unseen && (row.Node == nil || k.o.Silent(row.Name))
	e.Rule = model.RulePodCollection
	if e.State, e.Window, e.Why = terminating(p, k.s.At, silent); unseen && p.Deletion <= k.s.At {
		e.Why = because(NodeNotSeen)
	}
	if c, ok := k.collects[p.Key]; ok {
		e.State, e.Window, e.Rule, e.Why, e.Certain = Due, c.window, c.rule, Why{Reason: WillBeCollected, By: c.why}, true
	}
}
