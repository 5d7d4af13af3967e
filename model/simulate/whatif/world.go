package whatif

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/history"
	"kardia/model/simulate/forecast"
)

// maxEvents limits the memory of the kubelets' events, about 100 bytes each, and the time of a course.
const maxEvents = 3_000_000

// world is the recorded events of all but the modelled controllers: kubelets, people, scheduler, workload controllers.
type world struct {
	events []event
	// posts are the status posts of each kubelet, beats its last renewTime.
	posts map[string][]post
	beats map[string]model.Instant
	// silences are each kubelet's silences, from renewal to renewal, in order; the last may be open.
	silences map[string][]model.Interval
	// leaseless is when each kubelet posted its status without renewing its lease.
	leaseless map[string][]model.Interval
	// evicted is when recorded taint eviction deleted pods: later events of them are consequences.
	evicted map[model.UID]model.Instant
	// removed is when a kubelet was seen to end one of them.
	removed map[model.UID]model.Instant
	// unready is when each pod was recorded as NotReady, in order; the last may be open.
	unready map[model.UID][]model.Interval
	// evictions are, by owner, the evicted pods without a replacement, in order.
	evictions map[model.Owner][]*model.Pod
	owners    map[model.Key]model.Owner
	// replaced counts the replacements of deleted pods.
	replaced int
	// calm are the calm kubelets, lively the number of events other than their renewals.
	calm   map[string]bool
	lively int
}

// event is one act that is not of the modelled controllers.
type event struct {
	// at is when it takes effect in the recording; soonest and latest bound when it was done.
	at, soonest, latest model.Instant
	// name is the node's, for a pod's event too.
	name string
	what deed
	// renewed is the renewTime of a renewal.
	renewed model.Instant
	node    *nodeEvent
	pod     *podEvent
}

type deed uint8

const (
	beats deed = iota + 1
	stopsLease
	posts
	// edits: the Node was created, or changed except for its conditions.
	edits
	deletesNode
	changesPod
	removesPod
)

// kubelets reports whether a kubelet did it, which does nothing while it is dead.
func (e *event) kubelets() bool {
	return e.what == beats || e.what == posts || e.pod != nil && e.pod.kubelets
}

// nodeEvent is a change of a Node, without the modelled controllers' part.
type nodeEvent struct {
	node *model.Node
	// made: the object is new.
	made   bool
	posted []model.Condition
	// answers is when a kubelet that was never silent was declared, if this post corrects that; returns is the same of
	// a kubelet that has returned. Otherwise unknown.
	answers, returns model.Instant
	added, removed   []model.Taint
}

// podEvent is a change of a pod, without the modelled controllers' part.
type podEvent struct {
	old, pod *model.Pod // old is nil for a new pod
	kubelets bool
	// follows: the recorded taint eviction had deleted the pod.
	follows bool
	// succeeded: a namesake was created elsewhere in the moment of the removal.
	succeeded bool
	// replaces is the deleted pod that this one replaces, nil for none.
	replaces *model.Pod
}

// post is when a kubelet posted its status, with answers as in nodeEvent.
type post struct{ at, answers model.Instant }

// observer reads the world from a History.
type observer struct {
	world
	nodes    map[string]*model.Node
	versions map[string]uint64
	leases   map[string]uint64
	pods     map[model.Key]*model.Pod
	// went are the last removals of pods, by name.
	went map[model.Key]gone
	// wrote is each kubelet's last write of its lease. declared is when Unknown nodes were declared, denies the same of
	// those whose kubelet was not silent then.
	wrote, declared, denies map[string]model.Instant
	from                    model.Instant
	// ruffled are the kubelets that are not calm.
	ruffled map[string]bool
}

// observe reads the events from a known state until a time.
func observe(h history.History, cache *informer.Cache, from, until model.Instant) (*world, error) {
	o := &observer{
		world: world{posts: map[string][]post{}, beats: map[string]model.Instant{}, silences: map[string][]model.Interval{}, leaseless: map[string][]model.Interval{}, evicted: map[model.UID]model.Instant{}, removed: map[model.UID]model.Instant{}, unready: map[model.UID][]model.Interval{},
			evictions: map[model.Owner][]*model.Pod{}, owners: map[model.Key]model.Owner{}, calm: map[string]bool{}},
		nodes: map[string]*model.Node{}, versions: map[string]uint64{}, leases: map[string]uint64{}, pods: map[model.Key]*model.Pod{}, went: map[model.Key]gone{},
		wrote: map[string]model.Instant{}, declared: map[string]model.Instant{}, denies: map[string]model.Instant{}, ruffled: map[string]bool{}, from: from,
	}
	o.begin(cache)
	err := history.Walk(h, from+1, until, &history.Condensed{}, func(_ int, ch *model.Change) bool {
		before := len(o.events)
		o.change(ch.Effective(), ch)
		for k := before; k < len(o.events); k++ {
			o.date(&o.events[k], ch, from)
		}
		return len(o.events) <= maxEvents
	})
	switch {
	case err != nil:
		return nil, err
	case len(o.events) > maxEvents:
		return nil, &Refusal{Code: TooMuch, Most: maxEvents, Within: model.Interval{Earliest: from, Latest: until}}
	}
	o.order()
	o.withoutLease(until)
	for name := range o.leases {
		o.falls(name, until)
	}
	o.settles(cache)
	return &o.world, nil
}

// falls notes a silence of a kubelet that ends at until, if there was one.
func (o *observer) falls(name string, until model.Instant) {
	if last := o.wrote[name]; last.Known() && until.Sub(last) >= forecast.SilentAfter {
		o.silences[name] = append(o.silences[name], model.Interval{Earliest: last, Latest: until})
	}
}

// undated is the error of a time that is not known better.
const undated = 2 * time.Second

// date bounds the time of an event.
func (o *observer) date(e *event, ch *model.Change, from model.Instant) {
	near := model.Interval{Earliest: e.at.Add(-undated), Latest: e.at.Add(undated)}
	within := near
	if both, ok := near.Intersect(ch.Time); ok && ch.Time.Known() {
		within = both
	}
	e.soonest, e.latest = max(min(e.at, within.Earliest), from+1), max(e.at, within.Latest)
}

// order keeps the events of one node and its pods in order within their bounds.
func (o *observer) order() {
	last := map[string]model.Instant{}
	for i := range o.events {
		e := &o.events[i]
		e.soonest = max(e.soonest, last[e.name])
		last[e.name] = e.soonest
	}
	clear(last)
	for i := len(o.events) - 1; i >= 0; i-- {
		e := &o.events[i]
		if next, ok := last[e.name]; ok {
			e.latest = min(e.latest, next)
		}
		last[e.name] = e.latest
	}
}

func (o *observer) begin(cache *informer.Cache) {
	for _, row := range cache.All() {
		if row.Node != nil {
			o.nodes[row.Name], o.versions[row.Name] = row.Node, row.Version
		}
		if row.Lease.Exists {
			o.leases[row.Name], o.beats[row.Name], o.wrote[row.Name] = row.Lease.Version, row.Lease.Renewed, row.Lease.Renewed
		}
		for _, p := range row.Pods() {
			o.pods[p.Key] = p
			o.owned(p)
			o.readiness(o.from, p)
			if p.Deletion.Known() && p.DisruptionReason == model.DisruptedByTaintManager {
				o.evicted[p.UID] = p.Disrupted
			}
		}
	}
}

func (o *observer) owned(p *model.Pod) {
	if p.Owner != nil {
		o.owners[p.Key] = *p.Owner
	}
}

func (o *observer) change(at model.Instant, ch *model.Change) {
	switch ch.Kind {
	case model.KindNodeLease:
		o.lease(at, ch)
	case model.KindNode:
		o.node(at, ch)
	case model.KindPod:
		o.pod(at, ch)
	}
}

func (o *observer) lease(at model.Instant, ch *model.Change) {
	name := ch.Key.Name
	version, exists := o.leases[name]
	switch model.Apply(ch, model.ObjectVersion{Exists: exists, Version: version}) {
	case model.TransitionSet:
		renewed := ch.Lease.Renewed
		if !renewed.Known() {
			renewed = max(at, o.beats[name]+1)
		}
		// A lease that has not advanced does not count for the controller, but shows a kubelet.
		if renewed <= o.beats[name] {
			o.ruffle(name)
		}
		o.falls(name, at)
		o.leases[name], o.beats[name], o.wrote[name] = ch.Version, renewed, at
		o.events = append(o.events, event{at: at, name: name, what: beats, renewed: renewed})
	case model.TransitionGone:
		delete(o.leases, name)
		o.ruffle(name)
		o.events = append(o.events, event{at: at, name: name, what: stopsLease})
	}
}

func (o *observer) node(at model.Instant, ch *model.Change) {
	name := ch.Key.Name
	old := o.nodes[name]
	before := model.ObjectVersion{}
	if old != nil {
		before = model.ObjectVersion{Exists: true, UID: old.UID, Version: o.versions[name]}
	}
	switch model.Apply(ch, before) {
	case model.TransitionGone:
		if old != nil {
			o.events = append(o.events, event{at: at, name: name, what: deletesNode})
		}
		delete(o.nodes, name)
		o.ruffle(name)
		return
	case model.TransitionSet:
	default:
		return
	}
	o.nodes[name], o.versions[name] = ch.Node, ch.Version
	if old == nil {
		o.ruffle(name)
		o.events = append(o.events, event{at: at, name: name, what: edits, node: &nodeEvent{node: ch.Node, made: true, posted: ch.Node.Conditions, added: ch.Node.Taints}})
		return
	}
	is := &nodeEvent{node: ch.Node}
	is.answers, is.returns = o.answered(at, name, old, ch.Node)
	for _, c := range ch.Node.Conditions {
		if was := old.Condition(c.Type); (was == nil || *was != c) && !c.DeclaredUnknown() {
			is.posted = append(is.posted, c)
		}
	}
	o.taints(ch, old, is)
	if ruffles(is) {
		o.ruffle(name)
	}
	if len(is.posted) > 0 {
		o.posts[name] = append(o.posts[name], post{at, is.answers})
		o.events = append(o.events, event{at: at, name: name, what: posts, node: is})
	}
	if len(is.added)+len(is.removed) > 0 || !sameBut(old, ch.Node) {
		o.ruffle(name)
		o.events = append(o.events, event{at: at, name: name, what: edits, node: &nodeEvent{node: ch.Node, added: is.added, removed: is.removed}})
	}
}

// taints are those that another actor set or removed.
func (o *observer) taints(ch *model.Change, old *model.Node, is *nodeEvent) {
	others := func(t *model.Taint, asked bool) bool {
		switch {
		case !t.OfNodeLifecycle() || ch.Writer == model.WriterPerson:
			return true
		case ch.Writer != model.WriterUnknown:
			return false
		}
		return !asked // by an unknown writer: the controller does what the node's state asks for
	}
	for _, t := range ch.Node.Taints {
		if !slices.Contains(old.Taints, t) && others(&t, ch.Node.AsksFor(t.Key)) {
			is.added = append(is.added, t)
		}
	}
	for _, t := range old.Taints {
		same := func(o model.Taint) bool { return o.Key == t.Key && o.Effect == t.Effect }
		if !slices.ContainsFunc(ch.Node.Taints, same) && others(&t, !ch.Node.AsksFor(t.Key) || t.Effect == model.NoExecute) {
			is.removed = append(is.removed, t)
		}
	}
}

// sameBut reports whether two versions of a Node differ only in conditions and taints.
func sameBut(a, b *model.Node) bool {
	return a.UID == b.UID && a.Created == b.Created && a.Deleted == b.Deleted && a.Zone == b.Zone &&
		a.ExcludeDisruption == b.ExcludeDisruption && a.Unschedulable == b.Unschedulable && a.KubeletVersion == b.KubeletVersion
}
