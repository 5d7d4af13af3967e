package past

import (
	"slices"
	"time"

	"kardia/model"
)

// maxTracked limits the nodes, and the pods being deleted, that an Overview follows. Others are not counted.
const maxTracked = 200_000

// stepBack is from when on a clock counts as set: less is jitter.
const stepBack = 5 * time.Second

// overviewFold is the part of the state that an Overview needs to count changes.
type overviewFold struct {
	byName map[string]int32
	nodes  []trackedNode
	// deleting are pods whose deletion was counted, and that still exist.
	deleting map[model.Key]model.UID
	zones    []ZoneHistory
}

type trackedNode struct {
	exists  bool
	uid     model.UID
	version uint64
	zone    int32
	ready   model.Status
	taints  []string // keys of its NoExecute taints
	object  *model.Node
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
	if i, ok := f.byName[name]; ok {
		return &f.nodes[i]
	}
	if len(f.nodes) >= maxTracked {
		return nil
	}
	if f.byName == nil {
		f.byName = map[string]int32{}
	}
	f.byName[name] = int32(len(f.nodes))
	f.nodes = append(f.nodes, trackedNode{})
	return &f.nodes[len(f.nodes)-1]
}

// clock is by how much a kubelet's clock was set, if a lease version shows it.
func (f *overviewFold) clock(ch *model.Change) (by time.Duration, stepped bool) {
	renewed := ch.Lease.Renewed
	if !renewed.Bounded() || ch.Says() != model.TransitionSet {
		return 0, false
	}
	n := f.tracked(ch.Key.Name)
	if n == nil || renewed == n.renewed {
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

// stands takes the state at the start of the coverage.
func (f *overviewFold) stands(ch *model.Change, at model.Instant) {
	switch {
	case ch.Kind == model.KindNode:
		f.node(ch, at)
	case ch.Kind == model.KindPod:
		f.pod(ch)
	}
}

// stand starts from a state.
func (o *Overview) stand(c *model.Cluster, at model.Instant) {
	c.Nodes(func(r *model.NodeRow) bool {
		if r.Node != nil {
			o.fold.node(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: r.Name}, UID: r.Node.UID, Version: r.Version, Node: r.Node}, at)
		}
		for _, p := range r.Pods() {
			if p.Deletion.Known() {
				o.fold.noteDeleting(p.Key, p.UID)
			}
		}
		return true
	})
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
	outcome := model.Apply(ch, model.ObjectVersion{Exists: n.exists, UID: n.uid, Version: n.version})
	if outcome == model.TransitionStale || outcome == model.TransitionUnknown {
		return 0, 0, false
	}
	known := n.exists || ch.Op == model.OpAdd
	was := *n
	n.exists, n.version, n.taints, n.object = false, ch.Version, nil, nil
	if node := ch.Node; outcome == model.TransitionSet {
		for i := range node.Taints {
			if node.Taints[i].Effect == model.NoExecute {
				n.taints = append(n.taints, node.Taints[i].Key)
			}
		}
		n.exists, n.uid, n.zone, n.ready = true, node.UID, f.zone(node.Zone), readiness(node)
		n.object = node
	}
	if was.exists != n.exists || was.zone != n.zone || was.ready != n.ready {
		if was.exists {
			f.zones[was.zone].count(at, was.ready, -1)
		}
		if n.exists {
			f.zones[n.zone].count(at, n.ready, +1)
		}
	}
	if n.ready == model.StatusUnknown && was.ready != model.StatusUnknown {
		n.declared = at
	}
	news = ch.Op == model.OpDelete || !was.exists || len(NodeDifferences(was.object, n.object)) > 0
	if !known || !n.exists {
		return 0, 0, news
	}
	return missing(n.taints, was.taints), missing(was.taints, n.taints), news
}

// missing counts the strings of list that other lacks.
func missing(list, other []string) (n uint32) {
	for _, s := range list {
		if !slices.Contains(other, s) {
			n++
		}
	}
	return n
}

func readiness(n *model.Node) model.Status {
	if r := n.Ready(); r != nil {
		return r.Status
	}
	return model.StatusAbsent
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
