package past

import (
	"strconv"

	"kardia/model"
	"kardia/model/history"
)

// FieldKind is the part of an object that a Field is.
type FieldKind uint8

const (
	// ConditionField is the status and reason of a node's condition; Name is its type.
	ConditionField FieldKind = iota + 1
	// TaintField is whether a node has a taint. Name is key:effect; "" means all its taints.
	TaintField
	CordonField
	// RenewalField is the renewTime of a node's lease.
	RenewalField
	// PodDeletionField is a pod's deletionTimestamp, PodReadyField its Ready condition.
	PodDeletionField
	PodPhaseField
	PodReadyField
	PodNodeField
)

// Field is one part of one object, whose last writer can be searched.
type Field struct {
	Kind FieldKind
	Node string
	Pod  model.Key
	Name string
}

type Written struct {
	// At is when it took effect, Time when the API server completed it; both unknown if none was found.
	At       model.Instant
	Time     model.Interval
	Position int
	Writer   model.Writer
	// Requester is the sender; nil if unknown.
	Requester *model.Requester
	// Manager gave the field its value, by managedFields, and last wrote at Wrote: at this write or later; or "".
	Manager string
	Wrote   model.Instant
	// Before and After are the values; "" is none. Before is "" if Initial.
	Before, After string
	// Initial: the first known version had the value already, so it was written then or before.
	Initial bool
	// Exhausted: the search gave up before it had read everything.
	Exhausted bool
}

// Found reports whether there is such a write.
func (w *Written) Found() bool { return w.At.Known() }

// LastWrite finds the last Change before a time that gave a field another value. Repeated, it walks back in time.
func LastWrite(h history.History, before model.Instant, f Field) (w Written, err error) {
	var newer *model.Change
	var newerPosition int
	var newerValue string
	settle := func(was string, standing bool) {
		w = Written{At: newer.Effective(), Time: newer.Time, Position: newerPosition, Writer: newer.Writer, Requester: newer.Requester,
			Before: was, After: newerValue, Initial: standing}
		w.Manager, w.Wrote = f.Manager(newer.Node)
	}
	exhausted, err := walkBack(h, before-1, searchBudget, f.Kind == RenewalField, func(position int, ch *model.Change) bool {
		value, ok := f.value(ch)
		if !ok {
			return true
		}
		if newer != nil && value != newerValue {
			settle(value, false)
			return false
		}
		kept := *ch // valid until the next page is read
		newer, newerPosition, newerValue = &kept, position, value
		return true
	}, nil)
	if err == nil && !w.Found() && newer != nil && !exhausted {
		// The oldest known version: an addition is a write, all else had the value before.
		if added := newer.Op == model.OpAdd; added && newerValue != "" || !added {
			settle("", !added)
		}
	}
	w.Exhausted = exhausted
	return w, err
}

// value is the field's value in a Change; ok is false if the Change does not show it.
func (f *Field) value(ch *model.Change) (text string, ok bool) {
	kind, key := model.KindNode, model.Key{Namespace: ch.Key.Namespace, Name: f.Node}
	switch {
	case f.Kind == RenewalField:
		kind = model.KindNodeLease
	case f.Kind >= PodDeletionField:
		kind, key = model.KindPod, f.Pod
	}
	switch {
	case ch.Kind != kind || ch.Key != key || ch.Op == model.OpAttempt || ch.Op == model.OpGap || ch.Op == model.OpPatch:
		return "", false
	case ch.Op == model.OpDelete:
		return "", true
	case kind == model.KindNodeLease:
		return ch.Lease.Renewed.String(), ch.Lease.Renewed.Known()
	case kind == model.KindPod:
		return f.podValue(ch.Pod)
	}
	return f.nodeValue(ch.Node)
}

// Manager is the manager that gave the field its value, by managedFields, and its last write; "" if unknown.
func (f *Field) Manager(n *model.Node) (who string, last model.Instant) {
	switch {
	case n == nil:
	case f.Kind == CordonField:
		return n.CordonedBy()
	case f.Kind == ConditionField && f.Name == model.ConditionReady:
		return n.ReadyManager()
	}
	return "", 0
}

func (f *Field) nodeValue(n *model.Node) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	switch f.Kind {
	case ConditionField:
		c := n.Condition(f.Name)
		if c == nil {
			return "", true
		}
		if c.Reason == "" {
			return c.Status.String(), true
		}
		return c.Status.String() + " (" + c.Reason + ")", true
	case CordonField:
		return strconv.FormatBool(n.Unschedulable), true
	}
	for i := range n.Taints {
		t := &n.Taints[i]
		if name := taintName(t); f.Name == "" || name == f.Name {
			if text != "" {
				text += " "
			}
			text += name
			if t.Added.Known() {
				text += " since " + t.Added.String()
			}
		}
	}
	return text, true
}

func (f *Field) podValue(p *model.Pod) (text string, ok bool) {
	if p == nil {
		return "", false
	}
	switch f.Kind {
	case PodPhaseField:
		return p.Phase.String(), true
	case PodReadyField:
		return p.Ready.String(), true
	case PodNodeField:
		return p.Node, true
	}
	if !p.Deletion.Known() {
		return "", true
	}
	return p.Deletion.String(), true
}
