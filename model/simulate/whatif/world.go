package whatif

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/history"
)

// maxEvents bounds the memory that what the kubelets did takes, about 100 bytes each, and the time of a
// course.
const maxEvents = 3_000_000

// world is what a recording shows of everything but the controllers that are run again: kubelets,
// people, the scheduler, workload controllers.
type world struct {
	events []event
	// posts are when each kubelet posted its status, and beats when it renewed its lease last.
	posts map[string][]post
	beats map[string]model.Instant
	// silences are, for each kubelet, from which renewal to which it was silent, in order; the last may be
	// open.
	silences map[string][]model.Interval
	// leaseless are, for each kubelet, when it posted its status and did not renew its lease.
	leaseless map[string][]model.Interval
	// evicted are the pods that the recorded taint eviction deleted, and when: what their kubelets and
	// owners did afterwards follows from that.
	evicted map[model.UID]model.Instant
	// removed is when those of them were ended whose kubelets were seen to do so.
	removed map[model.UID]model.Instant
	// unready are when each pod was recorded as not ready, whoever said so, in order; the last may be open.
	unready map[model.UID][]model.Interval
	// evictions are, by owner, the pods whose replacements have not come yet, in order.
	evictions map[model.Owner][]*model.Pod
	// owners are those of pods that have one.
	owners map[model.Key]model.Owner
	// replaced counts the pods that came in place of deleted ones.
	replaced int
	// calm are the kubelets of which nothing happened but that they beat, and lively is how many events are not
	// that.
	calm   map[string]bool
	lively int
}

// event is one thing that somebody other than the controllers did.
type event struct {
	// at is when it takes effect in the recording, soonest and latest are between which instants it
	// was done.
	at, soonest, latest model.Instant
	// name is the node's, also of a pod's event.
	name string
	what deed
	// renewed is the renewTime of a beat.
	renewed model.Instant
	node    *nodeEvent
	pod     *podEvent
}

type deed uint8

const (
	beats deed = iota + 1
	// stopsLease: the lease was deleted.
	stopsLease
	// posts: a kubelet posted conditions.
	posts
	// edits: somebody changed the Node otherwise, or made it.
	edits
	// deletesNode: somebody deleted the Node object.
	deletesNode
	changesPod
	removesPod
)

// kubelets says that it is a kubelet that did it, which does nothing while it is dead.
func (e *event) kubelets() bool {
	return e.what == beats || e.what == posts || e.pod != nil && e.pod.kubelets
}

// nodeEvent is how a Node changed, without what the controllers changed.
type nodeEvent struct {
	node *model.Node
	// made says that the object is a new one.
	made bool
	// posted are the conditions that were posted.
	posted []model.Condition
	// answers is when the node had been declared Unknown that its kubelet, which was there all the time, denies
	// by this post; unknown for any other post. returns is when it had been, where its kubelet is back.
	answers, returns model.Instant
	added, removed   []model.Taint
}

// podEvent is how a pod changed, without what the controllers changed.
type podEvent struct {
	old, pod *model.Pod // old is nil for one that was made
	kubelets bool
	// follows says that it is about a pod that the recorded taint eviction had deleted.
	follows bool
	// succeeded says that the pod went, and a namesake was made elsewhere in the same moment.
	succeeded bool
	// replaces is the pod whose deletion made this one, nil for none.
	replaces *model.Pod
}

// post is when a kubelet posted its status, and what it answered by that, as in nodeEvent.
type post struct{ at, answers model.Instant }

// observer reads the world off a History.
type observer struct {
	world
	nodes    map[string]*model.Node
	versions map[string]uint64
	leases   map[string]uint64
	pods     map[model.Key]*model.Pod
	// went are the removals of pods, by their names: the last of each.
	went map[model.Key]gone
	// wrote is when each kubelet wrote its lease last, whatever it wrote; declared is when each node that is
	// Unknown was declared so, and denies the same of those whose kubelet did so still.
	wrote, declared, denies map[string]model.Instant
	// from is when the world begins.
	from model.Instant
	// ruffled are the kubelets of which more happened than that they beat.
	ruffled map[string]bool
}

// observe reads what was done after an instant, of which the state is known, up to another.
func observe(h history.History, cache *informer.Cache, from, until model.Instant) (*world, error) {
	o := &observer{
		world: world{posts: map[string][]post{}, beats: map[string]model.Instant{}, silences: map[string][]model.Interval{}, leaseless: map[string][]model.Interval{}, evicted: map[model.UID]model.Instant{}, removed: map[model.UID]model.Instant{}, unready: map[model.UID][]model.Interval{},
			evictions: map[model.Owner][]*model.Pod{}, owners: map[model.Key]model.Owner{}, calm: map[string]bool{}},
		nodes: map[string]*model.Node{}, versions: map[string]uint64{}, leases: map[string]uint64{}, pods: map[model.Key]*model.Pod{}, went: map[model.Key]gone{},
		wrote: map[string]model.Instant{}, declared: map[string]model.Instant{}, denies: map[string]model.Instant{}, ruffled: map[string]bool{},
	}
	o.from = from
	o.begin(cache)
	first, end := h.Span()
	if first == end {
		return &o.world, nil
	}
	var page history.Condensed
	for at := h.PageBefore(from).Start; at < end; at = page.End {
		if err := h.Read(h.PageAt(at), &page); err != nil {
			return nil, err
		}
		if page.First > until {
			break
		}
		page.EachChange(0, page.End-page.Start, func(_ int, ch *model.Change) bool {
			t := ch.Effective()
			if t > from && t <= until {
				before := len(o.events)
				o.change(t, ch)
				for k := before; k < len(o.events); k++ {
					o.date(&o.events[k], ch, from)
				}
			}
			return t <= until
		})
		if len(o.events) > maxEvents {
			return nil, &Refusal{Code: TooMuch, Most: maxEvents, Within: model.Interval{Earliest: from, Latest: until}}
		}
	}
	o.order()
	o.withoutLease(until)
	for name := range o.leases {
		o.falls(name, until)
	}
	o.settles(cache)
	return &o.world, nil
}

// falls notes a silence of a kubelet up to an instant, if there was one.
func (o *observer) falls(name string, until model.Instant) {
	if last := o.wrote[name]; last.Known() && until.Sub(last) >= silentAfter {
		o.silences[name] = append(o.silences[name], model.Interval{Earliest: last, Latest: until})
	}
}

// undated is by how much an instant may be off that is not known better.
const undated = 2 * time.Second

// date says between which instants an event was.
func (o *observer) date(e *event, ch *model.Change, from model.Instant) {
	near := model.Interval{Earliest: e.at.Add(-undated), Latest: e.at.Add(undated)}
	within := near
	if both, ok := near.Intersect(ch.Time); ok && ch.Time.Known() {
		within = both
	}
	e.soonest, e.latest = max(min(e.at, within.Earliest), from+1), max(e.at, within.Latest)
}

// order lets what was done to one node and its pods stay in order, whenever it was.
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

// begin takes in what stands at first.
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
			if evictedByTaint(p) {
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

func evictedByTaint(p *model.Pod) bool {
	return p.Deletion.Known() && p.DisruptionReason == model.DisruptedByTaintManager
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
		// Also one that has not advanced: the controller does not count it, but there is a kubelet.
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

// taints are those that somebody else put on or took off.
func (o *observer) taints(ch *model.Change, old *model.Node, is *nodeEvent) {
	others := func(t *model.Taint, asked bool) bool {
		switch {
		case !t.OfNodeLifecycle() || ch.Writer == model.WriterPerson:
			return true
		case ch.Writer != model.WriterUnknown:
			return false
		}
		return !asked // nobody says who it was: the controller does what the node's state asks for
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

// sameBut says that two versions of a Node differ in conditions and taints only.
func sameBut(a, b *model.Node) bool {
	return a.UID == b.UID && a.Created == b.Created && a.Deleted == b.Deleted && a.Zone == b.Zone &&
		a.ExcludeDisruption == b.ExcludeDisruption && a.Unschedulable == b.Unschedulable && a.KubeletVersion == b.KubeletVersion
}
