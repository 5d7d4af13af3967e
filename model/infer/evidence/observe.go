package evidence

import (
	"slices"
	"time"

	"kardia/model"
)

// Write is one semantic effect of node-lifecycle or taint eviction on one subject.
type Write struct {
	// Number is its place among all writes of the input, from 0, judged or not: the same under all assumptions.
	Number int
	Kind   model.DecisionKind
	// Node is the subject, or the node of Pod if that is set.
	Node string
	Pod  model.Key
	// Taint is the key written or removed, if the effect is on a taint.
	Taint string
	// Time bounds the time of the write.
	Time   model.Interval
	Writer model.Writer
	// Requester is the sender of the request; nil if the input does not name it.
	Requester *model.Requester
	// By is another possible writer: a foreign user agent under a controller's identity, or a component whose Event is
	// about the subject; else empty.
	By       string
	Evidence []model.Input
	// Reason is that of a Ready condition that became Unknown.
	Reason string
	// Anew reports that an existing taint got a new timeAdded.
	Anew bool
	// Across reports that the write was seen only as a difference after a gap.
	Across bool
	// Decision explains the write; while it is 0, Unexplained is why.
	Decision    model.DecisionID
	Unexplained Unexplained
	// Lag is the least delay from decision to write; known for explained writes.
	Lag model.Maybe[time.Duration]
}

// Subject is the key of the pod, or the name of the node.
func (w *Write) Subject() string {
	if w.Pod != (model.Key{}) {
		return w.Pod.String()
	}
	return w.Node
}

// Effect is one semantic effect on one subject. A Decision expects some; a Write shows one.
type Effect struct {
	Node  string
	Pod   model.Key
	Taint string
	What  model.WriteKind
	On    model.Effect
}

// Object is the object that shows the effect.
func (e *Effect) Object() model.Reference {
	if e.Pod != (model.Key{}) {
		return model.Reference{Kind: model.KindPod.String(), Key: e.Pod}
	}
	return model.Reference{Kind: model.KindNode.String(), Key: model.Key{Name: e.Node}}
}

// Seen is an observed Write with the facts that matching needs.
type Seen struct {
	*Write
	Effect Effect
	// Key is the position of the Change that shows it, or the key of a step; At is when that takes effect.
	Key int
	At  model.Instant
	// Attempt is when the first, refused try was received; zero without one.
	Attempt model.Instant
	// Beat and Posted are the node's last renewal and last status before it; zero if none was seen.
	Beat, Posted model.Instant
	// Zone is the node's, if known. ZoneSize counts its nodes known then, and ZoneBad those tainted as not ready.
	Zone              model.Maybe[model.ZoneKey]
	ZoneSize, ZoneBad int
	// Soonest is the earliest time of this write, or of its first try, and of all later ones.
	Soonest model.Instant
	// Aside: it is assumed not to be the controllers', and nothing is concluded from it.
	Aside bool
	// Hidden: its cause may lie unseen in a gap, or before the input starts.
	Hidden  bool
	unshown bool
	// RuledOut is why no unseen cause can have led to it.
	RuledOut RuledOut
	// Exact: the API server timed the request, so the decision precedes its start.
	Exact bool
	// Decided is when a write that waited in a stalled API server was decided; else unknown.
	Decided model.Interval
	// ByWorker: its pod came to a node that was not Ready, so a worker marks it at any time, and no pass does.
	ByWorker bool
	// ByShare: by the known nodes its zone gave no tokens at that time. It would if unknown nodes are Ready.
	ByShare bool
}

// Tried bounds the write and its first, refused try.
func (w *Seen) Tried() model.Interval {
	v := w.Time
	if w.Attempt.Known() {
		v.Earliest = w.Attempt
	}
	return v
}

// Request is when the write was first requested.
func (w *Seen) Request() model.Interval {
	v := w.Tried()
	if w.Exact {
		v.Latest = v.Earliest
	}
	return v
}

// observer finds the controllers' writes in the differences between versions.
type observer struct {
	nodes    map[string]*model.Node
	versions map[string]uint64 // of nodes; 0 if unknown
	pods     map[model.Key]*model.Pod
	sizes    map[model.ZoneKey]int    // nodes by zone
	bad      map[model.ZoneKey]int    // nodes by zone that are tainted for not being ready
	refused  map[string]model.Instant // node → first refused taint write since its last version
	evicting map[model.Key]int        // pod → index of its EvictPod in out
	late     map[model.Key]bool       // pods that came to nodes that were not Ready
	early    map[string][]earlyMark   // node → pods that became not Ready before their node was seen to be silent
	former   map[string]formerNode    // node → the last version that asked for a taint that the node no longer asks for
	stalls   []model.Interval         // Evidence.Stalls
	out      []Seen
}

func newObserver() observer {
	return observer{nodes: map[string]*model.Node{}, versions: map[string]uint64{}, sizes: map[model.ZoneKey]int{}, bad: map[model.ZoneKey]int{}, pods: map[model.Key]*model.Pod{},
		refused: map[string]model.Instant{}, evicting: map[model.Key]int{}, late: map[model.Key]bool{}, early: map[string][]earlyMark{}, former: map[string]formerNode{}}
}

func (o *observer) objectVersion(name string) model.ObjectVersion {
	return model.NodeVersion(o.nodes[name], o.versions[name])
}

// sets reports whether the object has the state that a Change shows.
func (o *observer) sets(ch *model.Change) bool {
	before := model.PodVersion(o.pods[ch.Key])
	if ch.Kind == model.KindNode {
		before = o.objectVersion(ch.Key.Name)
	}
	return model.Apply(ch, before) == model.TransitionSet
}

// keep takes in a Node object without asking for its writer.
func (o *observer) keep(name string, n *model.Node, version uint64) {
	o.drop(name)
	o.nodes[name] = n
	o.sizes[n.Zone]++
	if unwell(n) {
		o.bad[n.Zone]++
	}
	o.versions[name] = version
}

func (o *observer) drop(name string) {
	if was := o.nodes[name]; was != nil {
		o.sizes[was.Zone]--
		if unwell(was) {
			o.bad[was.Zone]--
		}
	}
}

// unwell reports whether a node has a NoSchedule taint for not being ready.
func unwell(n *model.Node) bool {
	return slices.ContainsFunc(n.Taints, func(t model.Taint) bool {
		return t.Effect == model.NoSchedule && (t.Key == model.TaintNotReady || t.Key == model.TaintUnreachable)
	})
}

func (o *observer) observe(position int, ch *model.Change) {
	switch {
	case ch.Kind == model.KindNode && ch.Op == model.OpAttempt:
		if ch.Writer == model.WriterNodeLifecycle {
			if _, again := o.refused[ch.Key.Name]; !again {
				o.refused[ch.Key.Name] = ch.Time.Earliest
			}
		}
	case ch.Kind == model.KindNode:
		o.node(position, ch)
	case ch.Kind == model.KindPod:
		if i, ok := o.evicting[ch.Key]; ok && ch.Op == model.OpRepeat && ch.Writer == model.WriterTaintEviction {
			o.out[i].Evidence = append(o.out[i].Evidence, evidence(position, ch))
		}
		o.pod(position, ch)
	}
}

func (o *observer) node(position int, ch *model.Change) {
	old := o.nodes[ch.Key.Name]
	switch model.Apply(ch, o.objectVersion(ch.Key.Name)) {
	case model.TransitionGone:
		o.drop(ch.Key.Name)
		delete(o.nodes, ch.Key.Name)
		delete(o.versions, ch.Key.Name)
		return
	case model.TransitionStale, model.TransitionUnknown:
		return
	}
	o.keep(ch.Key.Name, ch.Node, ch.Version)
	if old == nil || ch.Op == model.OpAdd || !News(ch) {
		return
	}
	mine := ch.Writer == model.WriterNodeLifecycle
	if !mine && ch.Writer != model.WriterUnknown {
		return
	}
	was, is := old.Ready(), ch.Node.Ready()
	if is != nil && is.DeclaredUnknown() && (was == nil || was.Status != model.StatusUnknown) {
		o.add(position, ch, model.MarkUnknown, Effect{What: model.WriteConditions, Node: ch.Key.Name})
		o.out[len(o.out)-1].Reason = is.Reason
		o.marked(position, ch)
	}
	o.recovers(ch, old)
	o.taints(position, ch, old, mine)
	delete(o.refused, ch.Key.Name)
}

func (o *observer) recovers(ch *model.Change, old *model.Node) {
	for i := range model.ConditionTaints {
		if key := model.ConditionTaints[i].Taint; old.AsksFor(key) && !ch.Node.AsksFor(key) {
			o.former[ch.Key.Name] = formerNode{ch.Time.Latest, old}
			return
		}
	}
}

// asked reports whether a node asks for a timestamped taint, or did just before: a controller with an old cache still
// adds it. People do not set timeAdded.
func (o *observer) asked(name string, is *model.Node, t *model.Taint) bool {
	was, ok := o.former[name]
	return is.AsksFor(t.Key) || ok && t.Added.Known() && was.node.AsksFor(t.Key) && t.Added <= was.until.Add(FreshCache)
}

func (o *observer) taints(position int, ch *model.Change, old *model.Node, mine bool) {
	for t := range model.Each(ch.Node.Taints) {
		before := old.Taint(t.Key, t.Effect)
		if !t.OfNodeLifecycle() || before != nil && (t.Effect != model.NoExecute || before.Added == t.Added) {
			continue
		}
		if !mine && !o.asked(ch.Key.Name, ch.Node, t) {
			continue // a person's: the node does not ask for it
		}
		kind := model.AddNoSchedule
		if t.Effect == model.NoExecute {
			kind = model.TaintNoExecute
		}
		o.add(position, ch, kind, Effect{What: model.WriteTaint, Node: ch.Key.Name, Taint: t.Key, On: t.Effect})
		o.out[len(o.out)-1].Anew = before != nil
	}
	for t := range model.Each(old.Taints) {
		if !t.OfNodeLifecycle() || ch.Node.Taint(t.Key, t.Effect) != nil {
			continue
		}
		kind := model.RemoveNoSchedule
		if t.Effect == model.NoExecute {
			kind = model.UntaintNoExecute
		} else if !mine && ch.Node.AsksFor(t.Key) {
			continue
		}
		o.add(position, ch, kind, Effect{What: model.WriteUntaint, Node: ch.Key.Name, Taint: t.Key, On: t.Effect})
	}
}

func (o *observer) pod(position int, ch *model.Change) {
	old := o.pods[ch.Key]
	switch model.Apply(ch, model.PodVersion(old)) {
	case model.TransitionGone:
		if old != nil && o.collected(ch, old) {
			o.add(position, ch, model.CollectPod, Effect{What: model.WriteForceDelete, Node: old.Node, Pod: ch.Key})
		}
		delete(o.pods, ch.Key)
		delete(o.evicting, ch.Key)
		return
	case model.TransitionStale, model.TransitionUnknown:
		return
	}
	p := ch.Pod
	o.pods[ch.Key] = p
	o.comes(ch, old)
	if old == nil || ch.Op == model.OpAdd || !News(ch) || old.UID.Known() && old.UID != p.UID {
		delete(o.evicting, ch.Key)
		return
	}
	// A request alone may show a pod before its kubelet posted a status.
	was := old.Ready == model.StatusTrue || ch.Writer == model.WriterNodeLifecycle && old.Ready != model.StatusFalse
	if was && p.Ready == model.StatusFalse {
		silent := o.nodes[p.Node].Unready()
		// The controller writes only the condition: a changed phase is from the kubelet, back before its node is Ready.
		switch may := ch.Writer == model.WriterUnknown && old.Phase == p.Phase; {
		case ch.Writer == model.WriterNodeLifecycle || may && silent:
			o.mark(position, ch)
			o.out[len(o.out)-1].ByWorker = o.late[ch.Key]
		case may && ch.Version > 0:
			o.early[p.Node] = append(slices.DeleteFunc(o.early[p.Node], func(e earlyMark) bool { return e.change.Time.Latest < ch.Time.Earliest.Add(-LagBound) }),
				earlyMark{position, *ch})
		}
	}
	if ch.Writer != model.WriterTaintEviction && ch.Writer != model.WriterUnknown {
		return
	}
	condition := p.DisruptionReason == model.DisruptedByTaintManager && p.Disrupted.Known() && old.Disrupted != p.Disrupted
	deleted := !old.Deletion.Known() && p.Deletion.Known() && (p.DisruptionReason == model.DisruptedByTaintManager || ch.Writer == model.WriterTaintEviction)
	i, begun := o.evicting[ch.Key]
	switch {
	case !condition && !deleted:
	case begun: // the DELETE is the time of the eviction
		if deleted {
			o.out[i].Time = ch.Time
		}
		o.out[i].Evidence = append(o.out[i].Evidence, evidence(position, ch))
	default:
		o.evicting[ch.Key] = len(o.out)
		o.add(position, ch, model.EvictPod, Effect{What: model.WriteDelete, Node: p.Node, Pod: ch.Key})
	}
}

// earlyMark is a pod that became not Ready before its node was seen to be silent. Its kubelet wrote it, or the watch of
// pods is ahead of that of nodes.
type earlyMark struct {
	position int
	change   model.Change
}

func (o *observer) mark(position int, ch *model.Change) {
	o.add(position, ch, model.MarkPodsNotReady, Effect{What: model.WritePodNotReady, Node: ch.Pod.Node, Pod: ch.Key})
}

// marked adds, as seen now, pods whose marks were seen before their node's declaration, if written before it.
func (o *observer) marked(position int, declared *model.Change) {
	for e := range model.Each(o.early[declared.Key.Name]) {
		if declared.Version == 0 || e.change.Version < declared.Version || declared.Time.Earliest.Sub(e.change.Time.Latest) > LagBound {
			continue
		}
		o.mark(position, &e.change)
		w := &o.out[len(o.out)-1]
		w.At, w.Evidence[0].Position = declared.Effective(), e.position+1
	}
	delete(o.early, declared.Key.Name)
}

// comes notes whether a pod comes to a node that is not Ready.
func (o *observer) comes(ch *model.Change, old *model.Pod) {
	if !News(ch) || old == nil && ch.Op != model.OpAdd || old != nil && old.Node == ch.Pod.Node && old.UID == ch.Pod.UID {
		return
	}
	delete(o.late, ch.Key)
	if o.nodes[ch.Pod.Node].Unready() {
		o.late[ch.Key] = true
	}
}

// collected reports whether pod garbage collection deleted a pod: by the writer, the DisruptionTarget condition, or its
// node. Nothing else ends pods of a node that is out of service.
func (o *observer) collected(ch *model.Change, old *model.Pod) bool {
	if ch.Writer != model.WriterUnknown {
		return ch.Writer == model.WriterPodGC
	}
	if old.DisruptionReason == model.DisruptedByPodGC {
		return true
	}
	n := o.nodes[old.Node]
	return n != nil && old.Deletion.Known() && n.HasTaint(model.TaintOutOfService) && !n.IsReady()
}

func (o *observer) add(position int, ch *model.Change, kind model.DecisionKind, e Effect) {
	var zone model.Maybe[model.ZoneKey]
	if n := o.nodes[e.Node]; n != nil {
		zone = model.Some(n.Zone)
	}
	o.out = append(o.out, Seen{
		Zone: zone, ZoneSize: o.sizes[zone.Value], ZoneBad: o.bad[zone.Value],
		Write: &Write{Kind: kind, Node: e.Node, Pod: e.Pod, Taint: e.Taint, Time: o.answered(ch), Writer: ch.Writer, Requester: ch.Requester, By: foreignAgent(ch),
			Evidence: []model.Input{evidence(position, ch)}},
		Effect: e, Key: position, At: ch.Effective(), Attempt: o.refused[e.Node], Exact: ch.Quality == model.ByServer,
	})
}

func evidence(position int, ch *model.Change) model.Input {
	return model.Input{What: model.InputChange, Of: ch.Op.String(), Kind: ch.Kind, Key: ch.Key, Version: ch.Version, At: ch.Time.Earliest, Position: position + 1}
}

// News reports whether a Change is an event, and not a listed or repeated state.
func News(ch *model.Change) bool { return ch.Op != model.OpBaseline && ch.Op != model.OpRepeat }
