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
	// WaitingForTaint: its node is lost, or will be, and has no NoExecute taint yet.
	WaitingForTaint
	// Halted: nothing evicts it as things stand, though its node is lost or tainted.
	Halted
	// Forever: it tolerates the taints for ever.
	Forever
	// Terminating: it was deleted, and its grace runs or its kubelet can end it.
	Terminating
	// Stuck: it was deleted, its grace is over, and nobody is there to end it.
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
	Rule    string
	Why     string
}

var never = model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}

// outlook is what the forecast says of one node or pod.
type outlook struct {
	m *merge
	s *shadow.State
	o *Options
	// collects and cancels are what happens to pods first, marks when nodes are declared
	// Unknown, rates what each zone's state is now.
	collects, cancels map[model.Key]event
	marks             map[string]model.Interval
	rates             map[model.Place]hold
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
	window    model.Interval
	rule, why string
}

// hold is why a zone gives no token.
type hold struct {
	rate  float32
	state string
}

func evictions(s *shadow.State, o *Options, m *merge) []Eviction {
	k := outlook{m: m, s: s, o: o, collects: map[model.Key]event{}, cancels: map[model.Key]event{},
		marks: map[string]model.Interval{}, rates: map[model.Place]hold{}, fates: map[waitFor]wait{}}
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

// read notes what happens first to pods and nodes.
func (k *outlook) read() {
	first := &k.m.runs[0]
	for i, d := range first.list {
		c := event{k.m.windows[i], d.Rule, d.Why}
		switch d.Kind {
		case model.CollectPod:
			if _, ok := k.collects[d.Pod]; !ok {
				k.collects[d.Pod] = c
			}
		case model.CancelEviction:
			if _, ok := k.cancels[d.Pod]; !ok {
				k.cancels[d.Pod] = c
			}
		case model.MarkUnknown:
			if _, ok := k.marks[d.Node]; !ok {
				k.marks[d.Node] = k.m.windows[i]
			}
		}
	}
	for _, z := range k.s.Nodes.Zones(k.s.At, k.s.Cache) {
		k.rates[z.Place] = hold{z.Rate, z.State.String()}
	}
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
	if noExecute(row.Node) {
		d := k.s.Taints.WhyNot(k.s.At, p)
		e.State, e.Window, e.Rule, e.Why = Halted, never, d.Rule, d.Why
		if fate, _, _ := tainteviction.Judge(p, row.Node.Taints); fate == tainteviction.FateNever {
			e.State = Forever
		}
		return e, true
	}
	k.waiting(row, p, &e)
	return e, true
}

// due is a pod whose countdown runs.
func (k *outlook) due(p *model.Pod, t tainteviction.Timer, row *informer.Row, e *Eviction) {
	e.State, e.Window, e.Rule, e.Why = Due, model.Exactly(t.FireAt), "P1", "its countdown runs since "+t.Started.String()
	e.Seconds = model.Some(int64(t.FireAt.Sub(t.Started) / time.Second))
	if k.o.Window != nil {
		if w, ok := k.o.Window(t.Decision); ok && w.Bounded() {
			wait := t.FireAt.Sub(t.Started)
			e.Window = model.Interval{Earliest: w.Earliest.Add(wait), Latest: w.Latest.Add(wait)}
		}
	}
	e.Window = k.m.clip(e.Window)
	if c, ok := k.cancels[p.Key]; ok && c.window.Earliest <= t.FireAt {
		e.State, e.Window, e.Rule, e.Why = Halted, never, c.rule, "its countdown will be cancelled: "+c.why
	}
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
	e.State, e.Rule = Terminating, "10.1"
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
		e.Window, e.Rule, e.Why = c.window, c.rule, "it was deleted, and will be collected: "+c.why
	}
}

// waiting is a pod on a node that has no NoExecute taint yet.
func (k *outlook) waiting(row *informer.Row, p *model.Pod, e *Eviction) {
	taint := model.TaintUnreachable
	if ready := row.Node.Ready(); ready != nil && ready.Status == model.StatusFalse {
		taint = model.TaintNotReady
	}
	fate, wait := k.fate(p, taint)
	if fate == tainteviction.FateNever {
		e.State, e.Window, e.Rule, e.Why = Forever, never, "9.5", "it tolerates "+taint+" for ever"
		return
	}
	e.Seconds = model.Some(int64(wait / time.Second))
	stays := k.m.runs[0].races.stays[row.Name]
	if len(stays) == 0 {
		e.State, e.Window, e.Rule, e.Why = Halted, never, "E2", "its node will not be queued for a taint within the forecast"
		return
	}
	w := k.m.stayWindow(stays[0])
	hold := k.rates[row.Node.Place]
	if w.Earliest == model.FarFuture {
		e.State, e.Window, e.Rule = Halted, never, "7.2"
		e.Why = "no token comes: the zone's rate is 0 (" + hold.state + ")"
		if in, _ := k.s.Nodes.MasterDisruption(); in {
			e.Rule, e.Why = "7.3", "master disruption: no zone has a Ready node, so nobody is tainted"
		} else if hold.rate > 0 {
			e.Why = "no token comes before the zone's rate becomes 0"
		}
		return
	}
	e.State, e.Rule, e.Why = WaitingForTaint, "E2", "its node waits for a token; of those that wait, any may get the next"
	e.Window = model.Interval{Earliest: w.Earliest.Add(wait), Latest: w.Latest.Add(wait)}
	if mark, ok := k.marks[row.Name]; ok {
		if k.told != row.Name {
			k.told, k.telling = row.Name, "its node will be declared Unknown from "+mark.Earliest.String()+" on, and then waits for a token"
		}
		e.Rule, e.Why = "N12", k.telling
	}
}

// fate is what a pod's tolerations make of a taint that its node will have.
func (k *outlook) fate(p *model.Pod, taint string) (tainteviction.Fate, time.Duration) {
	key := waitFor{p.Tolerations, taint}
	w, known := k.fates[key]
	if !known {
		w.fate, w.time, _ = tainteviction.Judge(p, []model.Taint{{Key: taint, Effect: model.NoExecute}})
		k.fates[key] = w
	}
	return w.fate, w.time
}
