package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/informer"
	"kardia/model/shadow"
	"kardia/model/tainteviction"
)

// State says where a pod's eviction stands.
type State uint8

const (
	// Due: its countdown runs.
	Due State = iota
	// WaitingForTaint: its node is lost, or will be, and has not yet the NoExecute taint that
	// will evict it.
	WaitingForTaint
	// Halted: nothing evicts it as things stand, though its node is lost or tainted.
	Halted
	// Forever: it tolerates the taints for ever.
	Forever
	// Terminating: it was deleted, and its grace runs or its kubelet can end it.
	Terminating
	// Stuck: it was deleted, its grace is over, and nobody is there to end it; or its countdown has
	// ended and no deletion was seen, which nobody tries again.
	Stuck
)

// String is the word in JSON.
func (s State) String() string {
	return [...]string{"due", "waiting-for-taint", "halted", "forever", "terminating", "stuck"}[min(s, Stuck)]
}

// Eviction is where one pod stands.
type Eviction struct {
	Pod   model.Key
	UID   model.UID
	Node  string
	State State
	// Window is when the pod is deleted (for one deleted already: when its object goes);
	// FarFuture is never, and the zero Interval not known.
	Window model.Interval
	// Seconds is the toleration that counts; unknown for those that tolerate for ever, and
	// those whose countdown began before the state was known.
	Seconds model.Maybe[int64]
	Rule    model.Rule
	Why     string
}

// unseen is why a pod whose countdown has ended stays: its DELETE is sent five times within
// a moment, and never again.
// Source: kubernetes: tainteviction, deletePodHandler and its retries.
const unseen = "its countdown has ended, and no deletion was seen: the controller tries for a moment, and nothing retries " +
	"until the node's taints change or the controller starts anew"

var never = model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}

// outlook is what the forecast says of one node or pod.
type outlook struct {
	m *merge
	s *shadow.State
	o *Options
	// collects, cancels and deletes are what happens to pods first, marks when nodes are
	// declared Unknown, rates what each zone's state is now.
	collects, cancels, deletes map[model.Key]event
	marks                      map[string]model.Interval
	rates                      map[model.Place]hold
	// dark is when master disruption begins; its window is not known where it does not. darkAt
	// is the position of that in the first run; -1 if it does not come there.
	dark   event
	darkAt int32
	// told is the node whose pods' reason telling is: all have the same.
	told, telling string
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

// event is what happens to a pod.
type event struct {
	window model.Interval
	rule   model.Rule
	why    string
	// sure is false where it may not come at all.
	sure bool
}

// hold is why a zone gives no token.
type hold struct {
	rate  float32
	state string
}

func evictions(s *shadow.State, o *Options, m *merge) []Eviction {
	k := outlook{m: m, s: s, o: o, collects: map[model.Key]event{}, cancels: map[model.Key]event{},
		deletes: map[model.Key]event{}, marks: map[string]model.Interval{}, rates: map[model.Place]hold{}, fates: map[waitFor]wait{}, darkAt: -1}
	k.read()
	concerns, counting := make([]bool, s.Cache.Rows()), k.counting()
	most := 0
	for i := range int32(s.Cache.Rows()) {
		if row := s.Cache.Row(i); k.concerned(row) {
			concerns[i] = true
			most += len(row.Pods())
		}
	}
	list := make([]Eviction, 0, most)
	for i, concerned := range concerns {
		row := s.Cache.Row(int32(i))
		if row.Name == "" || !concerned && !counting[i] && row.Deleting() == 0 {
			continue
		}
		for _, p := range row.Pods() {
			if e, ok := k.pod(row, p, concerned); ok {
				list = append(list, e)
			}
		}
	}
	return inOrder(list)
}

// inOrder sorts by what comes first. The elements are too large to be moved about.
func inOrder(list []Eviction) []Eviction {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, k int32) int {
		a, b := &list[i], &list[k]
		if d := cmp.Compare(rank(a), rank(b)); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Window.Earliest, b.Window.Earliest); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Window.Latest, b.Window.Latest); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Pod.Namespace, b.Pod.Namespace); d != 0 {
			return d
		}
		return cmp.Or(cmp.Compare(a.Pod.Name, b.Pod.Name), cmp.Compare(i, k))
	})
	sorted := make([]Eviction, len(list))
	for i, from := range order {
		sorted[i] = list[from]
	}
	return sorted
}

// rank puts first what has a time, then what is held back, then what is under way.
func rank(e *Eviction) int {
	return [...]int{Due: 0, WaitingForTaint: 0, Halted: 1, Forever: 4, Terminating: 3, Stuck: 2}[e.State]
}

// read notes what happens first to pods and nodes: in the first run, and what happens in the
// other alone.
func (k *outlook) read() {
	for r := range k.m.runs {
		run := &k.m.runs[r]
		for i, d := range run.list {
			if r > 0 && run.twins[i] >= 0 {
				continue
			}
			k.note(r, i, d)
		}
	}
	for _, z := range k.s.Nodes.Zones(k.s.At, k.s.Cache) {
		k.rates[z.Place] = hold{z.Rate, z.State.String()}
	}
}

func (k *outlook) note(run, i int, d *model.Decision) {
	var first map[model.Key]event
	switch {
	case d.Kind == model.CollectPod:
		first = k.collects
	case d.Kind == model.CancelEviction:
		first = k.cancels
	case d.Kind == model.EvictPod && d.Outcome == model.Did && k.taintsChange(d.Node):
		first = k.deletes
	case d.Kind == model.EnterMasterDisruption:
		if !k.dark.window.Known() {
			if k.dark = k.eventOf(run, i, d); run == 0 {
				k.darkAt = int32(i)
			}
		}
		return
	case d.Kind == model.MarkUnknown:
		if _, ok := k.marks[d.Node]; !ok {
			k.marks[d.Node] = k.m.windowOf(run, i)
		}
		return
	default:
		return
	}
	if _, ok := first[d.Pod]; !ok {
		first[d.Pod] = k.eventOf(run, i, d)
	}
}

func (k *outlook) eventOf(run, i int, d *model.Decision) event {
	return event{k.m.windowOf(run, i), d.Rule, d.Why, len(k.m.runs) == 1 || run == 0 && k.m.twin(i) != nil}
}

// taintsChange says that a node has NoExecute taints to which others may be added.
func (k *outlook) taintsChange(node string) bool {
	row := k.s.Cache.Find(node)
	return row != nil && row.Node != nil && noExecute(row.Node)
}

// concerned says whether evictions on a node are pending or may come: it is tainted, it
// waits, it is not Ready, or it will not be.
func (k *outlook) concerned(row *informer.Row) bool {
	if row.Node == nil {
		return true
	}
	if _, ok := k.marks[row.Name]; ok {
		return true
	}
	if ready := row.Node.Ready(); ready != nil && ready.Status != model.StatusTrue {
		return true
	}
	return noExecute(row.Node) || len(k.m.runs[0].races.stays[row.Name]) > 0
}

// counting says which rows may have a pod whose countdown runs: all, where a countdown has
// outlived its pod, since it counts for another of the same name.
func (k *outlook) counting() []bool {
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

func noExecute(n *model.Node) bool {
	return slices.ContainsFunc(n.Taints, func(t model.Taint) bool { return t.Effect == model.NoExecute })
}

// pod is where a pod stands; ok is false for one that nothing threatens.
func (k *outlook) pod(row *informer.Row, p *model.Pod, concerned bool) (e Eviction, ok bool) {
	e = Eviction{Pod: p.Key, UID: p.UID, Node: row.Name}
	if p.Deletion.Known() {
		if !concerned && !k.o.Silent(row.Name) && p.DisruptionReason != model.DisruptedByTaintManager {
			return e, false // somebody else's deletion, on a healthy node
		}
		k.deleted(row, p, &e)
		return e, true
	}
	if t, pending := k.s.Taints.Pending(p.Key); pending {
		k.due(p, t, row, &e)
		return e, true
	}
	if !concerned {
		return e, false
	}
	if row.Node == nil {
		return e, k.collected(p, &e)
	}
	if noExecute(row.Node) && !k.awaits(row) {
		d := k.s.Taints.WhyNot(k.s.At, p)
		e.State, e.Window, e.Rule, e.Why = Halted, never, d.Rule, d.Why
		switch fate, _, _ := tainteviction.Judge(p, row.Node.Taints); {
		case fate == tainteviction.FateNever:
			e.State = Forever
		case d.Window.Earliest == model.FarFuture: // no countdown runs, for it has ended
			e.State, e.Why = Stuck, unseen
		}
		k.tainted(row, p, &e)
		k.darkens(row, p, &e)
		return e, true
	}
	k.waiting(row, p, &e)
	k.darkens(row, p, &e)
	return e, true
}

// due is a pod whose countdown runs.
func (k *outlook) due(p *model.Pod, t tainteviction.Timer, row *informer.Row, e *Eviction) {
	e.State, e.Window, e.Rule, e.Why = Due, model.Exactly(t.FireAt), model.RuleCountdownStays, "its countdown runs since "+t.Started.String()
	e.Seconds = model.Some(int64(t.FireAt.Sub(t.Started) / time.Second))
	if k.o.Window != nil {
		if w, ok := k.o.Window(t.Decision); ok && w.Bounded() {
			wait := t.FireAt.Sub(t.Started)
			e.Window = model.Interval{Earliest: w.Earliest.Add(wait), Latest: w.Latest.Add(wait)}
		}
	}
	e.Window = k.m.clip(e.Window)
	if c, ok := k.cancels[p.Key]; ok && c.window.Earliest <= e.Window.Latest {
		if c.sure && c.window.Latest < e.Window.Earliest {
			e.State, e.Window, e.Rule, e.Why = Halted, never, c.rule, "its countdown will be cancelled: "+c.why
		} else {
			e.Window.Latest, e.Rule, e.Why = model.FarFuture, c.rule, "its countdown runs since "+t.Started.String()+", and may be cancelled before it ends: "+c.why
		}
	}
	k.tainted(row, p, e)
	k.darkens(row, p, e)
	if row.Node == nil {
		k.collected(p, e) // its node is gone: whichever comes first
	}
}

// collected is a pod whose Node is gone: pod garbage collection may come before a countdown
// that runs on.
func (k *outlook) collected(p *model.Pod, e *Eviction) bool {
	c, ok := k.collects[p.Key]
	if !ok || (e.Window.Known() && e.Window.Latest < c.window.Earliest) {
		return e.Window.Known()
	}
	e.State, e.Window, e.Rule, e.Why = Due, c.window, c.rule, c.why
	e.Seconds = model.Maybe[int64]{}
	return true
}

// deleted is a pod with a deletion time.
func (k *outlook) deleted(row *informer.Row, p *model.Pod, e *Eviction) {
	silent := row.Node == nil || k.o.Silent(row.Name)
	e.State, e.Rule = Terminating, model.RulePodCollection
	switch {
	case p.Deletion > k.s.At:
		e.Why = "it was deleted, and its grace ends " + p.Deletion.String()
	case silent:
		e.State, e.Why = Stuck, "it was deleted, its grace is over, and its kubelet is not heard; it goes when the node returns, "+
			"when the Node is deleted, or when the node is declared out of service"
	default:
		e.Why = "it was deleted, and its kubelet is heard: it ends it"
	}
	if silent {
		e.Window = never
	}
	if c, ok := k.collects[p.Key]; ok {
		e.State, e.Window, e.Rule, e.Why = Due, c.window, c.rule, "it was deleted, and will be collected: "+c.why
	}
}
