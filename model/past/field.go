package past

import (
	"strconv"

	"kardia/model"
	"kardia/model/history"
)

// FieldKind says which part of an object a Field is.
type FieldKind uint8

const (
	// ConditionField is a node's condition: its status and reason. Name is the type.
	ConditionField FieldKind = iota + 1
	// TaintField is whether a node has a taint. Name is key:effect; "" means all its taints.
	TaintField
	// CordonField is whether a node is cordoned.
	CordonField
	// RenewalField is the renewTime of a node's lease.
	RenewalField
	// PodDeletionField is a pod's deletionTimestamp, PodPhaseField its phase, PodReadyField its
	// Ready condition, PodNodeField the node it is bound to.
	PodDeletionField
	PodPhaseField
	PodReadyField
	PodNodeField
)

// Field is one part of one object, of which can be asked who wrote it last.
type Field struct {
	Kind FieldKind
	Node string
	Pod  model.Key
	Name string
}

// String names the field: "Ready of node b-002".
func (f Field) String() string {
	what := [...]string{"", f.Name, "taint " + f.Name, "cordon", "renewTime", "deletion", "phase", "Ready", "node"}[min(int(f.Kind), int(PodNodeField))]
	if f.Kind == TaintField && f.Name == "" {
		what = "taints"
	}
	if f.Kind >= PodDeletionField {
		return what + " of pod " + f.Pod.String()
	}
	return what + " of node " + f.Node
}

// Written is the write that gave a field its value.
type Written struct {
	// At is when it took effect, Time when the API server completed it; both unknown where
	// none was found.
	At       model.Instant
	Time     model.Interval
	Position int
	Writer   model.Writer
	// Requester is who sent the request; nil where that is not known.
	Requester *model.Requester
	// Manager is who gave the field its value by the managedFields of the version, and Wrote when that manager wrote last: at the
	// write or later. "" where they do not tell.
	Manager string
	Wrote   model.Instant
	// Before and After are the values; "" is none. Before is unknown, and "", where Initial.
	Before, After string
	// Initial says that the value stood so already in the first version that is known: it
	// was written at that version or before.
	Initial bool
	// Exhausted says that the search gave up before it had read everything.
	Exhausted bool
}

// Found says whether there is such a write.
func (w *Written) Found() bool { return w.At.Known() }

// LastWrite finds the last Change before an instant that gave a field another value: going
// back by it again and again is walking back through everything the field ever was.
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
		kept := *ch // which is good until the next page is read
		newer, newerPosition, newerValue = &kept, position, value
		return true
	}, nil)
	if err == nil && !w.Found() && newer != nil && !exhausted {
		// The oldest version that is known: an addition is a write, all else stood so.
		if added := newer.Op == model.OpAdd; added && newerValue != "" || !added {
			settle("", !added)
		}
	}
	w.Exhausted = exhausted
	return w, err
}

// value is what a Change says of the field; ok is false where it says nothing.
func (f *Field) value(ch *model.Change) (text string, ok bool) {
	if ch.Op == model.OpAttempt || ch.Op == model.OpGap || ch.Op == model.OpPatch {
		return "", false
	}
	switch {
	case f.Kind == RenewalField:
		if ch.Kind != model.KindNodeLease || ch.Key.Name != f.Node {
			return "", false
		}
		if ch.Op == model.OpDelete || !ch.Lease.Renewed.Known() {
			return "", ch.Op == model.OpDelete
		}
		return ch.Lease.Renewed.String(), true
	case f.Kind >= PodDeletionField:
		if ch.Kind != model.KindPod || ch.Key != f.Pod {
			return "", false
		}
		if ch.Op == model.OpDelete {
			return "", true
		}
		return f.podValue(ch.Pod)
	}
	if ch.Kind != model.KindNode || ch.Key.Name != f.Node {
		return "", false
	}
	if ch.Op == model.OpDelete {
		return "", true
	}
	return f.nodeValue(ch.Node)
}

// Manager is who gave the field the value that it has in a version of the node, as its managedFields tell, and when that manager
// wrote last; "" where they do not tell.
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
