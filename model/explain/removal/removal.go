// Package removal answers which nodes were removed, when and by whom: by the request that deleted the Node object, and by the
// Events of those who remove nodes. Of an audit log in which ops-person deletes alpha-2:
//
//	Of(...) = [{Node: alpha-2, At: 10:01:30.5, By: ops-person with kubectl}]
package removal

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// Removal is a node that was removed, and is not there any more. At least one of At and Events is known.
type Removal struct {
	Node string
	// At is when its Node object was deleted; not known where no such request or watch event was seen.
	At     model.Interval
	Writer model.Writer
	// By is who sent the request; nil where the input does not show it.
	By *model.Requester
	// Events are those that tell of the removal, in order.
	Events []*model.Event
}

// Recent is how far back a removal matters to how things are now.
const Recent = time.Hour

// tells says that an Event tells who removes a node, or why, or that it is gone.
// Source: kubernetes: cloud-provider/controllers/nodelifecycle (DeletingNode), pkg/controller/nodelifecycle (RemovingNode);
// karpenter: pkg/controllers/node/termination/terminator/events and pkg/controllers/disruption/events; cluster-autoscaler:
// core/scaledown/actuation (ScaleDown).
func tells(ev *model.Event) bool {
	switch ev.Reason {
	case "DeletingNode", "RemovingNode", "InstanceTerminating", "DisruptionTerminating":
		return true
	case "ScaleDown":
		return strings.Contains(ev.Message, "removed by cluster autoscaler")
	}
	return false
}

// removed says that by an Event the node does not exist any more, and not only that somebody is about to remove it.
func removed(ev *model.Event) bool {
	return ev.Reason == "DeletingNode" || ev.Reason == "RemovingNode"
}

// Of are the nodes that were removed between two instants, and are not there at the second, which is that of the cluster; in the
// order of their removal.
func Of(h history.History, at *model.Cluster, from, to model.Instant) ([]Removal, error) {
	found := map[string]*Removal{}
	of := func(name string) *Removal {
		if found[name] == nil {
			found[name] = &Removal{Node: name}
		}
		return found[name]
	}
	err := history.WalkOthers(h, from, to, func(_ int, ch *model.Change) bool {
		switch {
		case ch.Kind == model.KindNode && ch.Says() == model.TransitionGone:
			r := of(ch.Key.Name)
			r.At, r.Writer, r.By = ch.Time, ch.Writer, ch.Requester
			if !r.At.Known() {
				r.At = model.Interval{Earliest: ch.Effective(), Latest: ch.Effective()}
			}
		case ch.Kind == model.KindNode && ch.Says() == model.TransitionSet:
			if r := found[ch.Key.Name]; r != nil && r.At.Known() {
				delete(found, ch.Key.Name) // it was made again
			}
		case ch.Kind == model.KindEvent && ch.Event != nil && ch.Event.Regarding.Kind == "Node" && tells(ch.Event):
			r := of(ch.Event.Regarding.Name)
			r.Events = slices.DeleteFunc(r.Events, func(ev *model.Event) bool { return ev.UID.Known() && ev.UID == ch.Event.UID })
			r.Events = append(r.Events, ch.Event)
		}
		return true
	})
	var list []Removal
	for name, r := range found {
		row := at.Row(name)
		if row != nil && row.Node != nil || !r.At.Known() && !slices.ContainsFunc(r.Events, removed) {
			continue
		}
		r.Events = slices.DeleteFunc(r.Events, func(ev *model.Event) bool { return last(ev) < r.When().Add(-Recent) }) // of an earlier node of that name
		slices.SortStableFunc(r.Events, func(a, b *model.Event) int { return cmp.Compare(last(a), last(b)) })
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(a.When(), b.When()), strings.Compare(a.Node, b.Node))
	})
	return list, err
}

// OfRow is the removal of a node whose object was seen to go, as the row of it tells: who sent the request is not known of it.
func OfRow(row *model.NodeRow) Removal {
	r := Removal{Node: row.Name, At: row.Written}
	for _, ev := range row.Events() {
		if tells(ev) && last(ev) >= r.When().Add(-Recent) {
			r.Events = append(r.Events, ev)
		}
	}
	return r
}

func last(ev *model.Event) model.Instant {
	_, _, at := ev.Span()
	return at
}

// When is when it was removed, at the latest: when its object was deleted, else when the last Event tells of it.
func (r *Removal) When() model.Instant {
	if r.At.Known() {
		return r.At.Latest
	}
	var at model.Instant
	for _, ev := range r.Events {
		at = max(at, last(ev))
	}
	return at
}

// Who is who removed it: who sent the request, else who says so in an Event; "" where the input does not show it.
func (r *Removal) Who() string {
	if r.By != nil && r.By.Who() != "" {
		return r.By.Who()
	}
	for _, ev := range r.Events {
		if ev.Reason == "DeletingNode" && ev.Component != "" {
			return ev.Component
		}
	}
	if r.At.Known() && r.Writer != model.WriterUnknown {
		return r.Writer.String()
	}
	return ""
}
