package past

import (
	"cmp"

	"kardia/model"
)

// DifferenceKind is how two versions of an object, or two times, differ.
type DifferenceKind uint8

const (
	// NodeAdded and NodeRemoved are of the Node object.
	NodeAdded DifferenceKind = iota + 1
	NodeRemoved
	// NodeReplaced: another Node object of the same name.
	NodeReplaced
	ConditionStatus
	// ConditionReason: the same status for another reason.
	ConditionReason
	TaintAdded
	TaintRemoved
	Cordoned
	Uncordoned
	// NodeMoved: the zone labels changed.
	NodeMoved
	// NodeDeleting: the deletion of the Node object was requested.
	NodeDeleting
	PodCreated
	PodBound
	PodPhase
	PodReady
	// PodDeleteAsked: deletionTimestamp was set; the pod still exists.
	PodDeleteAsked
	PodGone
	// LeaseAdded and LeaseRemoved are of the heartbeat lease.
	LeaseAdded
	LeaseRemoved
	// Holder: a leader-election lease has another holder.
	Holder
	EventSeen
	// Blind: the source has a gap.
	Blind
)

// String is the code.
func (k DifferenceKind) String() string {
	return [...]string{"", "node-added", "node-removed", "node-replaced", "status", "status", "taint-added", "taint-removed", "cordoned", "uncordoned", "zone",
		"node-deleting", "pod-created", "pod-bound", "pod-phase", "pod-ready", "pod-deleting", "pod-gone", "lease-added", "lease-removed", "leader", "event", "blind"}[min(k, Blind)]
}

// Difference is one difference. Before and After are the values, in Kubernetes' own words; "" for none.
type Difference struct {
	Kind DifferenceKind
	// Name is the condition's type, the taint as key:effect, the Event's reason, or "".
	Name          string
	Before, After string
	// Reason is the condition's reason, or the Event's message.
	Reason string
}

// NodeDifferences compares two versions of a Node: Ready, the other conditions in the order of the newer version, then
// taints, the cordon and the rest. Nil is a node that does not exist. Heartbeats are ignored.
func NodeDifferences(before, after *model.Node) []Difference {
	var list []Difference
	switch {
	case before == nil && after == nil:
		return nil
	case before == nil:
		list = append(list, Difference{Kind: NodeAdded})
		before = &model.Node{Zone: after.Zone}
	case after == nil:
		return []Difference{{Kind: NodeRemoved}}
	case before.UID.Known() && after.UID.Known() && before.UID != after.UID:
		list = append(list, Difference{Kind: NodeReplaced})
	}
	list = conditionDifferences(list, before, after)
	for i := range after.Taints {
		if before.Taint(after.Taints[i].Key, after.Taints[i].Effect) == nil {
			list = append(list, Difference{Kind: TaintAdded, Name: taintName(&after.Taints[i])})
		}
	}
	for i := range before.Taints {
		if after.Taint(before.Taints[i].Key, before.Taints[i].Effect) == nil {
			list = append(list, Difference{Kind: TaintRemoved, Name: taintName(&before.Taints[i])})
		}
	}
	switch {
	case after.Unschedulable && !before.Unschedulable:
		list = append(list, Difference{Kind: Cordoned})
	case before.Unschedulable && !after.Unschedulable:
		list = append(list, Difference{Kind: Uncordoned})
	}
	if before.Zone != after.Zone {
		list = append(list, Difference{Kind: NodeMoved, Before: before.Zone.String(), After: after.Zone.String()})
	}
	if after.Deleted.Known() && !before.Deleted.Known() {
		list = append(list, Difference{Kind: NodeDeleting})
	}
	return list
}

var noCondition model.Condition

func conditionDifferences(list []Difference, before, after *model.Node) []Difference {
	one := func(kind string) {
		was, is := cmp.Or(before.Condition(kind), &noCondition), cmp.Or(after.Condition(kind), &noCondition)
		switch {
		case was.Status != is.Status:
			list = append(list, Difference{ConditionStatus, kind, was.Status.String(), is.Status.String(), is.Reason})
		case was.Reason != is.Reason:
			list = append(list, Difference{ConditionReason, kind, was.Reason, is.Reason, ""})
		}
	}
	one("Ready")
	for i := range after.Conditions {
		if kind := after.Conditions[i].Type; kind != "Ready" {
			one(kind)
		}
	}
	for i := range before.Conditions {
		if kind := before.Conditions[i].Type; kind != "Ready" && after.Condition(kind) == nil {
			one(kind)
		}
	}
	return list
}

func taintName(t *model.Taint) string { return t.Key + ":" + t.Effect.String() }

// PodDifferences compares two versions of a Pod. Nil is a pod that does not exist.
func PodDifferences(before, after *model.Pod) []Difference {
	var list []Difference
	switch {
	case before == nil && after == nil:
		return nil
	case after == nil:
		return []Difference{{Kind: PodGone}}
	case before == nil:
		list = append(list, Difference{Kind: PodCreated})
		before = &model.Pod{Phase: after.Phase, Ready: after.Ready}
	}
	differs := func(kind DifferenceKind, was, is string) {
		if was != is {
			list = append(list, Difference{Kind: kind, Before: was, After: is})
		}
	}
	differs(PodBound, before.Node, after.Node)
	differs(PodPhase, before.Phase.String(), after.Phase.String())
	differs(PodReady, before.Ready.String(), after.Ready.String())
	if after.Deletion.Known() && !before.Deletion.Known() {
		list = append(list, Difference{Kind: PodDeleteAsked, Reason: after.DisruptionReason})
	}
	return list
}

// Versions keeps the last version of every object, to find what a Change changed. The zero value has none.
type Versions struct {
	nodes   map[string]nodeVersion
	pods    map[model.Key]*model.Pod
	holders map[string]string
}

type nodeVersion struct {
	*model.Node
	version uint64
}

// Fold takes a Change, and returns what it changed. That is nothing for a heartbeat, a repeat, a refused attempt, and
// the state at the start of the coverage.
func (v *Versions) Fold(ch *model.Change) []Difference {
	if v.nodes == nil {
		v.nodes, v.pods, v.holders = map[string]nodeVersion{}, map[model.Key]*model.Pod{}, map[string]string{}
	}
	if ch.Op == model.OpGap {
		return []Difference{{Kind: Blind, Reason: ch.Note}}
	}
	if ch.Says() == model.TransitionUnknown {
		return nil
	}
	var list []Difference
	switch ch.Kind {
	case model.KindNode:
		list = v.node(ch)
	case model.KindPod:
		list = v.pod(ch)
	case model.KindEvent:
		if ch.Event != nil && ch.Op != model.OpDelete {
			list = []Difference{{Kind: EventSeen, Name: ch.Event.Reason, Reason: ch.Event.Message}}
		}
	case model.KindNodeLease:
		switch ch.Op {
		case model.OpAdd:
			list = []Difference{{Kind: LeaseAdded}}
		case model.OpDelete:
			list = []Difference{{Kind: LeaseRemoved}}
		}
	case model.KindLeaderLease:
		list = v.leader(ch)
	}
	if ch.Op == model.OpBaseline {
		return nil
	}
	return list
}

func (v *Versions) node(ch *model.Change) []Difference {
	before := v.nodes[ch.Key.Name]
	switch model.Apply(ch, model.NodeVersion(before.Node, before.version)) {
	case model.TransitionGone:
		delete(v.nodes, ch.Key.Name)
		return []Difference{{Kind: NodeRemoved}}
	case model.TransitionStale, model.TransitionUnknown:
		return nil
	}
	v.nodes[ch.Key.Name] = nodeVersion{ch.Node, ch.Version}
	if before.Node == nil && ch.Op != model.OpAdd {
		return nil // the first version seen does not show its changes
	}
	return NodeDifferences(before.Node, ch.Node)
}

func (v *Versions) pod(ch *model.Change) []Difference {
	before := v.pods[ch.Key]
	switch model.Apply(ch, model.PodVersion(before)) {
	case model.TransitionGone:
		delete(v.pods, ch.Key)
		return []Difference{{Kind: PodGone}}
	case model.TransitionStale, model.TransitionUnknown:
		return nil
	}
	v.pods[ch.Key] = ch.Pod
	if before == nil && ch.Op != model.OpAdd {
		return nil
	}
	return PodDifferences(before, ch.Pod)
}

func (v *Versions) leader(ch *model.Change) []Difference {
	if ch.Lease == (model.Lease{}) {
		return nil // only the request is known
	}
	before, known := v.holders[ch.Key.Name]
	v.holders[ch.Key.Name] = ch.Lease.Holder
	if !known || before == ch.Lease.Holder {
		return nil
	}
	return []Difference{{Kind: Holder, Name: ch.Key.Name, Before: before, After: ch.Lease.Holder}}
}
