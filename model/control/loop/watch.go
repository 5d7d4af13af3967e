package loop

import (
	"fmt"
	"time"

	"kardia/model"
)

// tell passes Watch the object just written, with the newest version. A lease has only its renewTime. The Change is
// valid until Watch returns; Time is that of the write.
func (l *Loop) tell(ch model.Change) {
	if l.Watch == nil {
		return
	}
	l.told = ch
	l.told.Version, l.told.Time = l.version, model.Exactly(l.now)
	l.Watch(&l.told)
}

// writeEvent writes an Event as the controllers do. Only Watch sees it: nothing else depends on Events.
// Source: kubernetes v1.36.3: pkg/controller/util/node, pkg/controller/tainteviction.
func (l *Loop) writeEvent(w *model.Write, by *model.Decision) {
	if l.Watch == nil {
		return
	}
	now := w.At.Truncate(time.Second)
	e := &model.Event{Reason: w.Reason, First: now, Last: now, Created: now, Count: 1, Component: model.ComponentNodeLifecycle}
	switch {
	case by.Controller == model.TaintEviction:
		e.Component = "taint-eviction-controller"
		e.Message = "Marking for deletion Pod " + w.Pod.String()
		if by.Kind == model.CancelEviction {
			e.Message = "Cancelling deletion of Pod " + w.Pod.String()
		}
	case w.Pod != (model.Key{}):
		e.Message, e.Warning = "Node is not ready", true
	case w.Reason == model.ReasonRegisteredNode:
		e.Message = fmt.Sprintf("Node %s event: Registered Node %s in Controller", w.Node, w.Node)
	case w.Reason == "RemovingNode":
		e.Message = fmt.Sprintf("Node %s event: Removing Node %s from Controller", w.Node, w.Node)
	default:
		e.Message = fmt.Sprintf("Node %s status is now: %s", w.Node, w.Reason)
	}
	// Events about nodes are in the namespace default.
	e.Regarding = model.Reference{Kind: "Node", Key: model.Key{Name: w.Node}}
	namespace := "default"
	if w.Pod != (model.Key{}) {
		e.Regarding = model.Reference{Kind: "Pod", Key: w.Pod}
		namespace = w.Pod.Namespace
	}
	l.nextVersion()
	name := fmt.Sprintf("%s.%016x", e.Regarding.Name, l.version)
	l.tell(model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: namespace, Name: name}, Event: e})
}
