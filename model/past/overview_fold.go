package past

import (
	"time"

	"kardia/model"
	"kardia/model/past/subjects"
)

// maxTracked limits the nodes, and the pods being deleted, that an Overview follows. Others are not counted.
const maxTracked = 200_000

// stepBack is from when on a clock counts as set: less is jitter.
const stepBack = 5 * time.Second

// overviewFold is the part of the state that an Overview needs to count changes.
type overviewFold struct {
	nodes subjects.Nodes[trackedNode]
	// deleting are pods whose deletion was counted, and that still exist.
	deleting map[model.Key]model.UID
	zones    []ZoneHistory
}

type trackedNode struct {
	object  *model.Node // nil if it does not exist, or was not seen
	version uint64
	// zone and ready are those of the last object.
	zone  int32
	ready model.Status
	// renewed is the newest renewTime, lead the most that it was ahead of its arrival.
	renewed     model.Instant
	lead        time.Duration
	leadKnown   bool
	leaseHolder model.UID
	// beat is the time of the last heartbeat, declared when it was last declared Unknown.
	beat, declared model.Instant
}

// tracked finds or makes what is kept of a node; nil if there are too many.
func (f *overviewFold) tracked(name string) *trackedNode {
	if f.nodes.Len() >= maxTracked {
		return f.nodes.Find(name)
	}
	return f.nodes.Of(name)
}

// clock is by how much a kubelet's clock was set, if a lease version shows it.
func (n *trackedNode) clock(ch *model.Change) (by time.Duration, stepped bool) {
	renewed := ch.Lease.Renewed
	if !renewed.Bounded() || ch.Says() != model.TransitionSet || renewed == n.renewed {
		return 0, false
	}
	lead, known := renewed.Sub(ch.Arrival), ch.Arrival.Known() && ch.Op != model.OpBaseline
	switch {
	case !n.renewed.Known() || ch.UID.Known() && n.leaseHolder != ch.UID:
		n.leadKnown = false // another lease: nothing to compare with
	case renewed < n.renewed.Add(-stepBack):
		by, stepped = renewed.Sub(n.renewed), true
		n.leadKnown = false
	case known && n.leadKnown && lead > n.lead+stepBack:
		by, stepped = lead-n.lead, true
	}
	n.renewed, n.leaseHolder = renewed, ch.UID
	if known && (!n.leadKnown || lead > n.lead) {
		n.lead, n.leadKnown = lead, true
	}
	return by, stepped
}

// stand starts from a state.
func (o *Overview) stand(c *model.Cluster, at model.Instant) {
	for r := range c.Nodes {
		if r.Node != nil {
			o.fold.node(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: r.Name}, UID: r.Node.UID, Version: r.Version, Node: r.Node}, at)
		}
		for _, p := range r.Pods() {
			if p.Deletion.Known() {
				o.fold.noteDeleting(p.Key, p.UID)
			}
		}
	}
}

// node follows a Node object, counts the NoExecute taints added and removed, and reports other changes than heartbeats.
func (f *overviewFold) node(ch *model.Change, at model.Instant) (tainted, untainted uint32, news bool) {
	if ch.Says() == model.TransitionUnknown {
		return 0, 0, false
	}
	n := f.tracked(ch.Key.Name)
	if n == nil {
		return 0, 0, true
	}
	outcome := model.Apply(ch, model.NodeVersion(n.object, n.version))
	if outcome == model.TransitionStale || outcome == model.TransitionUnknown {
		return 0, 0, false
	}
	was := *n
	if n.object, n.version = nil, ch.Version; outcome == model.TransitionSet {
		n.object, n.zone, n.ready = ch.Node, f.zone(ch.Node.Zone), ch.Node.ReadyStatus()
	}
	existed, exists := was.object != nil, n.object != nil
	if existed != exists || was.zone != n.zone || was.ready != n.ready {
		if existed {
			f.zones[was.zone].count(at, was.ready, -1)
		}
		if exists {
			f.zones[n.zone].count(at, n.ready, +1)
		}
	}
	if n.ready == model.StatusUnknown && was.ready != model.StatusUnknown {
		n.declared = at
	}
	news = ch.Op == model.OpDelete || !existed || len(NodeDifferences(was.object, n.object)) > 0
	if !exists || !existed && ch.Op != model.OpAdd {
		return 0, 0, news
	}
	return gained(n.object, was.object), gained(was.object, n.object), news
}

// gained counts the NoExecute taints of a version of a node that another lacks. Either may be nil.
func gained(is, other *model.Node) (n uint32) {
	if is == nil {
		return 0
	}
	for i := range is.Taints {
		if t := &is.Taints[i]; t.Effect == model.NoExecute && (other == nil || other.Taint(t.Key, t.Effect) == nil) {
			n++
		}
	}
	return n
}

func (f *overviewFold) zone(p model.ZoneKey) int32 {
	for i := range f.zones {
		if f.zones[i].Zone == p && !f.zones[i].Rest {
			return int32(i)
		}
	}
	z := ZoneHistory{Zone: p}
	switch n := len(f.zones); {
	case n == maxZones:
		return maxZones - 1
	case n == maxZones-1:
		z = ZoneHistory{Rest: true}
	}
	f.zones = append(f.zones, z)
	return int32(len(f.zones) - 1)
}

// pod follows the deletion of pods, and reports whether this Change requested one.
func (f *overviewFold) pod(ch *model.Change) bool {
	uid, counted := f.deleting[ch.Key]
	switch model.Apply(ch, model.ObjectVersion{Exists: counted, UID: uid}) {
	case model.TransitionGone:
		delete(f.deleting, ch.Key)
		return !counted
	case model.TransitionSet:
		if counted && uid == ch.Pod.UID {
			return false
		}
		delete(f.deleting, ch.Key) // another pod of that name
		if ch.Pod.Deletion.Known() {
			f.noteDeleting(ch.Key, ch.Pod.UID)
			return true
		}
	}
	return false
}

func (f *overviewFold) noteDeleting(k model.Key, uid model.UID) {
	if f.deleting == nil {
		f.deleting = map[model.Key]model.UID{}
	}
	if len(f.deleting) < maxTracked {
		f.deleting[k] = uid
	}
}
