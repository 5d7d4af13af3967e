// Package impact says which workloads a trouble hurts: how many replicas of each are ready now, how many
// are left after what is predicted, and when.
package impact

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Owner is what makes pods.
type Owner struct{ Namespace, Kind, Name string }

// CompareOwners orders owners by namespace, name and kind.
func CompareOwners(a, b Owner) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind))
}

// OwnerOf is what made a pod, as far as its owner tells; a pod without one is its own. A ReplicaSet's is
// taken for that of the Deployment whose name it has, without the hash of the template.
func OwnerOf(p *model.Pod) Owner {
	o := Owner{p.Namespace, "Pod", p.Name}
	if p.Owner == nil {
		return o
	}
	if o.Kind, o.Name = p.Owner.Kind, p.Owner.Name; o.Kind == "ReplicaSet" {
		if dash := strings.LastIndexByte(o.Name, '-'); dash > 0 {
			o.Kind, o.Name = "Deployment", o.Name[:dash]
		}
	}
	return o
}

// Workload is the pods of one Owner.
type Workload struct {
	Owner
	// Pods are those that are there and nobody has deleted, without those that ran to their end; Ready of
	// them those that are Ready. How many there should be is not known.
	Pods, Ready int
	// Marked of those that are not Ready are so still for the controller marked them when their nodes were lost, which
	// are Ready again: see CountMarked.
	Marked int
	// Deleted are those that were deleted and are still there; Stuck of them those that cannot go.
	Deleted, Stuck int
	// Going are pods that will be deleted for certain within the forecast, MayGo those that may be.
	Going, MayGo int
	// ReadyLeast and ReadyMost are between which numbers replicas are Ready once all of that is over, if
	// nothing takes their place.
	ReadyLeast, ReadyMost int
	// First is when the first of them may be deleted, Last when the last is at the latest; unknown where none is.
	First, Last model.Instant
	// Begins and Ends are the windows of those two.
	Begins, Ends model.Interval
	// Next is the node of the pod that goes first; "" where none does.
	Next string
	// Nodes are those whose trouble it is, by name.
	Nodes []string
	// Bare are the names of the pods without an owner that FoldBare counts together; none of any other workload.
	Bare []string
}

// Suffers says that something of the workload is deleted, stuck, or will be.
func (w *Workload) Suffers() bool {
	return w.Deleted+w.Going+w.MayGo > 0 || w.Ready < w.Pods
}

// Places is how many pods of it there are to be at least, as far as pods tell: those that are there, and where nothing
// takes their place as long as their objects are there, those that were deleted.
func (w *Workload) Places() int {
	switch w.Kind {
	case "StatefulSet", "DaemonSet", "Pod", "Node":
		return w.Pods + w.Deleted
	}
	return w.Pods
}

// MovesAtOnce says that another pod is made as soon as one is deleted, which may run on any node.
func (o Owner) MovesAtOnce() bool {
	switch o.Kind {
	case "Deployment", "ReplicaSet", "ReplicationController", "Job":
		return true
	}
	return false
}

// Of counts the workloads of a cluster, and what a forecast leaves of them; nil for no forecast. The one
// that suffers most is the first.
func Of(c *model.Cluster, f *forecast.Forecast) []Workload {
	return model.Sorted(Count(c, f), compare)
}

// Count is Of, in the order in which their pods stand: to sort them takes longer than to count them.
func Count(c *model.Cluster, f *forecast.Forecast) []Workload {
	list, of := []Workload{}, map[Owner]int{}
	for p := range c.EachPod {
		o := OwnerOf(p)
		i := len(list)
		if p.Owner != nil { // one that is its own comes once, and there may be thousands
			if at, known := of[o]; known {
				i = at
			} else {
				of[o] = i
			}
		}
		if i == len(list) {
			list = append(list, Workload{Owner: o})
		}
		list[i].count(p, f.Pod(p.Key))
	}
	for i := range list {
		slices.Sort(list[i].Nodes)
		list[i].Nodes = slices.Compact(list[i].Nodes)
	}
	return list
}

// count takes one of its pods into account, and what is foreseen of it; nil for nothing.
func (w *Workload) count(p *model.Pod, e *forecast.Eviction) {
	switch {
	case p.Ended():
		return
	case p.Deletion.Known():
		w.Deleted++
	default:
		w.Pods++
		if p.Ready == model.StatusTrue {
			w.Ready++
			w.ReadyLeast++
			w.ReadyMost++
		}
	}
	if e != nil && w.take(e, p) {
		w.Nodes = append(w.Nodes, e.Node)
	}
}

// take notes what becomes of one of the pods, and says whether that concerns the workload.
func (w *Workload) take(e *forecast.Eviction, p *model.Pod) bool {
	if p.Deletion.Known() {
		if e.State == forecast.Stuck {
			w.Stuck++
		}
		return true
	}
	if !e.State.Ahead() && e.State != forecast.Unseen || !e.Window.Earliest.Bounded() {
		return false
	}
	if !w.First.Known() || e.Window.Earliest < w.First {
		w.First, w.Begins, w.Next = e.Window.Earliest, e.Window, e.Node
	}
	if e.Window.Latest > w.Last {
		w.Last, w.Ends = e.Window.Latest, e.Window
	}
	ready := p.Ready == model.StatusTrue
	switch {
	case e.Certain && ready:
		w.Going++
		w.ReadyLeast--
		w.ReadyMost--
	case e.Certain:
		w.Going++
	case ready:
		w.MayGo++
		w.ReadyLeast--
	default:
		w.MayGo++
	}
	return true
}

// compare puts first those of which nothing is left ready, then those that lack a pod that is Ready, now or then, and of
// these who loses the greater part; last those of which pods are deleted, and all places are taken.
func compare(a, b *Workload) int {
	none := func(w *Workload) int {
		switch {
		case !w.Suffers():
			return 3
		case w.ReadyLeast == 0:
			return 0
		case min(w.Ready, w.ReadyLeast) < w.Places():
			return 1
		}
		return 2
	}
	lost := func(w *Workload) float64 {
		return float64(w.Deleted+w.Going+w.MayGo+w.Pods-w.Ready) / float64(max(w.Pods+w.Deleted, 1))
	}
	first := func(w *Workload) model.Instant {
		if !w.First.Known() {
			return model.FarFuture
		}
		return w.First
	}
	if order := cmp.Compare(none(a), none(b)); order != 0 { // which is decided most of the time: there may be thousands
		return order
	}
	if order := cmp.Or(cmp.Compare(lost(b), lost(a)), cmp.Compare(first(a), first(b)), cmp.Compare(b.Pods+b.Deleted, a.Pods+a.Deleted)); order != 0 {
		return order
	}
	return CompareOwners(a.Owner, b.Owner)
}
