package reconstruct

import (
	"strings"
	"time"

	"kardia/model"
)

// meaning is the decision that an Event shows, and how its timestamp relates to the write.
type meaning struct {
	kind model.DecisionKind
	why  model.ReasonCode
	// before and after are how far the act and its write may be from the Event's timestamp.
	before, after time.Duration
}

// meaningOf is an Event's meaning; ok is false without one.
// Source: kubernetes: pkg/controller/nodelifecycle, monitorNodeHealth (NodeNotReady is recorded after the status was
// written); pkg/controller/tainteviction, emitPodDeletionEvent (before the DELETE), emitCancelPodDeletionEvent.
func meaningOf(e *model.Event) (s meaning, ok bool) {
	onNode, onPod := e.Regarding.Kind == "Node", e.Regarding.Kind == "Pod"
	switch {
	case e.DeclaresUnknown():
		return meaning{kind: model.MarkUnknown, why: model.WhyEventNotReady, before: writeLag}, true
	case onNode && e.Reason == "RemovingNode" && e.Component == model.ComponentNodeLifecycle:
		return meaning{kind: model.ForgetNode, why: model.WhyEventRemoving}, true
	case onPod && e.Reason == "TaintManagerEviction" && strings.HasPrefix(e.Message, "Marking for deletion"):
		return meaning{kind: model.EvictPod, why: model.WhyEventEviction, after: writeLag}, true
	case onPod && e.Reason == "TaintManagerEviction" && strings.HasPrefix(e.Message, "Cancelling deletion"):
		return meaning{kind: model.CancelEviction, why: model.WhyEventEviction}, true
	}
	return meaning{}, false
}

// event reads an Event. A repeated one has a first and a last time.
func (m *memory) event(l Listed) {
	e := l.Event
	if e.Regarding.Kind == "Node" && e.Reason == model.ReasonRegisteredNode && e.First.Bounded() {
		m.registered = append(m.registered, l)
		return
	}
	s, ok := meaningOf(e)
	if !ok || !e.First.Bounded() {
		return
	}
	t := trace{kind: s.kind, node: e.Regarding.Name, why: model.Because(s.why)}
	if e.Regarding.Kind == "Pod" {
		t.pod, t.uid, t.node = e.Regarding.Key, e.Regarding.UID, "" // an Event does not name the pod's node
	}
	tell := func(what model.InputRole, at model.Interval) {
		each := t
		each.window = model.Interval{Earliest: at.Earliest.Add(-s.before), Latest: at.Latest.Add(s.after)}
		each.inputs = []model.Input{l.input(what, e.Reason, at.Earliest)}
		if what != model.InputEvent {
			each.inputs[0].N = e.Count
		}
		m.add(l, each)
	}
	if e.Count <= 1 || e.Last <= e.First {
		tell(model.InputEvent, firstTime(l))
		return
	}
	tell(model.InputEventFirst, firstTime(l))
	tell(model.InputEventLast, stamped(e.Last))
}

// newNode is how long after its creation a node is registered at most. One registered later was forgotten.
const newNode = 30 * time.Second

// starts are those of processes that registered nodes again.
func (m *memory) starts() {
	for _, l := range m.registered {
		made, ok := m.made[l.Event.Regarding.Name]
		at := firstTime(l)
		if !ok || !made.Known() || at.Earliest.Sub(made) < newNode {
			continue
		}
		at.Earliest = at.Earliest.Add(-writeLag)
		m.add(l, trace{kind: model.ControllerStart, window: at, why: model.Because(model.WhyRegisters),
			inputs: []model.Input{l.input(model.InputEvent, model.ReasonRegisteredNode, at.Latest)}})
	}
}

// firstTime is when an Event was recorded first.
func firstTime(l Listed) model.Interval {
	if exact, ok := l.Event.FirstExactly(l.Key.Name); ok {
		return model.Exactly(exact)
	}
	first := l.Event.First
	if first.Truncate(time.Second) != first {
		return model.Exactly(first) // eventTime has microseconds
	}
	return stamped(first)
}
