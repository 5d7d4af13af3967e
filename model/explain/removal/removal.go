// Package removal answers which nodes were removed, when and by which sender, by the request that deleted the Node
// object and by Events. Example, for an audit log in which ops-person deletes alpha-2:
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

// Removal is a node that was removed and does not exist. At or Events, or both, are known.
type Removal struct {
	Node string
	// At is when its Node object was deleted; unknown if that was not seen.
	At     model.Interval
	Writer model.Writer
	// By is the sender of the request; nil if the input does not show it.
	By *model.Requester
	// Events are those about the removal, in order.
	Events []*model.Event
}

// Recent is how long a removal stays relevant.
const Recent = time.Hour

// tells reports whether an Event shows the sender or the reason of a removal, or that the node is gone.
// Source: kubernetes: cloud-provider/controllers/nodelifecycle (DeletingNode), pkg/controller/nodelifecycle
// (RemovingNode); karpenter: pkg/controllers/node/termination/terminator/events and pkg/controllers/disruption/events;
// cluster-autoscaler: core/scaledown/actuation (ScaleDown).
func tells(ev *model.Event) bool {
	switch ev.Reason {
	case "DeletingNode", "RemovingNode", "InstanceTerminating", "DisruptionTerminating":
		return true
	case "ScaleDown":
		return strings.Contains(ev.Message, "removed by cluster autoscaler")
	}
	return false
}

// removed reports whether an Event shows that the node is gone, and not only about to be removed.
func removed(ev *model.Event) bool {
	return ev.Reason == "DeletingNode" || ev.Reason == "RemovingNode"
}

// Of lists the nodes removed between two times, in order, that do not exist at the second, which is the cluster's.
func Of(h history.History, at *model.Cluster, from, to model.Instant) ([]Removal, error) {
	found := Reading{}
	err := history.Walk(h, from, to, &history.Condensed{WithoutRenewals: true}, func(_ int, ch *model.Change) bool {
		found.Take(ch)
		return true
	})
	return found.List(at), err
}

// Reading finds removals while its caller reads a History, by node.
type Reading map[string]*Removal

func (r Reading) of(name string) *Removal {
	if r[name] == nil {
		r[name] = &Removal{Node: name}
	}
	return r[name]
}

// Take takes the next Change.
func (r Reading) Take(ch *model.Change) {
	switch {
	case ch.Kind == model.KindNode && ch.Says() == model.TransitionGone:
		is := r.of(ch.Key.Name)
		if is.At, is.Writer, is.By = ch.Time, ch.Writer, ch.Requester; !is.At.Known() {
			is.At = model.Exactly(ch.Effective())
		}
	case ch.Kind == model.KindNode && ch.Says() == model.TransitionSet:
		if is := r[ch.Key.Name]; is != nil && is.At.Known() {
			delete(r, ch.Key.Name) // it was created again
		}
	case ch.Kind == model.KindEvent && ch.Event != nil && ch.Event.Regarding.Kind == "Node" && tells(ch.Event):
		is := r.of(ch.Event.Regarding.Name)
		is.Events = slices.DeleteFunc(is.Events, func(ev *model.Event) bool { return ev.UID.Known() && ev.UID == ch.Event.UID })
		is.Events = append(is.Events, ch.Event)
	}
}

// List lists the removed nodes, in order, that do not exist in a cluster.
func (r Reading) List(at *model.Cluster) (list []Removal) {
	for name, is := range r {
		row := at.Row(name)
		if row != nil && row.Node != nil || !is.At.Known() && !slices.ContainsFunc(is.Events, removed) {
			continue
		}
		is.Events = slices.DeleteFunc(is.Events, func(ev *model.Event) bool { return ev.Newest() < is.When().Add(-Recent) }) // of an earlier node of that name
		slices.SortStableFunc(is.Events, func(a, b *model.Event) int { return cmp.Compare(a.Newest(), b.Newest()) })
		list = append(list, *is)
	}
	slices.SortFunc(list, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(a.When(), b.When()), strings.Compare(a.Node, b.Node))
	})
	return list
}

// OfRow is the removal of a node whose object was deleted, from its row, which does not have the sender.
func OfRow(row *model.NodeRow) Removal {
	r := Removal{Node: row.Name, At: row.Written}
	for _, ev := range row.Events() {
		if tells(ev) && ev.Newest() >= r.When().Add(-Recent) {
			r.Events = append(r.Events, ev)
		}
	}
	return r
}

// When is the latest time of the removal: of the object's deletion, or else of the last Event about it.
func (r *Removal) When() model.Instant {
	if r.At.Known() {
		return r.At.Latest
	}
	var at model.Instant
	for _, ev := range r.Events {
		at = max(at, ev.Newest())
	}
	return at
}

// Who is the sender of the request, or else the component of a DeletingNode Event, or the writer; "" if unknown.
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
