// Package impact answers which workloads lose replicas: how many are Ready now, how many the forecast leaves, and when.
// For example: Deployment web has 3 pods, 2 of them Ready, and 1 of those will be deleted, so ReadyLeast is 1.
package impact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Owner is the object that creates pods.
type Owner struct{ Namespace, Kind, Name string }

// CompareOwners orders owners by namespace, name and kind.
func CompareOwners(a, b Owner) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind))
}

// OwnerOf is the owner of a pod; a pod without one is its own. A ReplicaSet counts as its Deployment, by the name.
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
	// Pods are those that are not deleted and have not ended, Ready the Ready ones. The desired number is not known.
	Pods, Ready int
	// Marked of the pods that are not Ready are of CountMarked.
	Marked int
	// Deleted are deleted pods that still exist; Stuck of them cannot terminate.
	Deleted, Stuck int
	// Going are pods that the forecast certainly deletes, MayGo those that it may delete.
	Going, MayGo int
	// ReadyLeast and ReadyMost bound the Ready replicas after the forecast, if no new pods replace them.
	ReadyLeast, ReadyMost int
	// First is when the first pod may be deleted, Last the latest time for the last one; Begins and Ends are windows.
	First, Last  model.Instant
	Begins, Ends model.Interval
	Next         string
	// Nodes are the nodes of affected pods, by name.
	Nodes []string
	// Bare are the names of the pods that FoldBare merged.
	Bare []string
}

// Suffers reports whether pods of the workload are deleted or will be, or are not Ready.
func (w *Workload) Suffers() bool {
	return w.Deleted+w.Going+w.MayGo > 0 || w.Ready < w.Pods
}

// Places is the least desired number of pods, including deleted ones whose owner replaces them after their end.
func (w *Workload) Places() int {
	switch w.Kind {
	case "StatefulSet", "DaemonSet", "Pod", "Node":
		return w.Pods + w.Deleted
	}
	return w.Pods
}

// MovesAtOnce reports whether a deleted pod is replaced at once, on any node.
func (o Owner) MovesAtOnce() bool {
	switch o.Kind {
	case "Deployment", "ReplicaSet", "ReplicationController", "Job":
		return true
	}
	return false
}

// Of counts the workloads of a cluster, with the effect of a forecast; nil for no forecast. The worst is first.
func Of(c *model.Cluster, f *forecast.Forecast) []Workload {
	return model.Sorted(Count(c, f), compare)
}

// Count is Of without the sorting, which takes longer than the count.
func Count(c *model.Cluster, f *forecast.Forecast) []Workload {
	list, of := []Workload{}, map[Owner]int{}
	for p := range c.EachPod {
		o := OwnerOf(p)
		i := len(list)
		if p.Owner != nil { // a pod that is its own owner comes once, and there may be thousands
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

// compare orders workloads: first those without a Ready pod, then those with fewer than their Places, the larger loss
// first. Last are those with all Places taken, and those that do not suffer.
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
	if order := cmp.Compare(none(a), none(b)); order != 0 { // this decides mostly, and there may be thousands
		return order
	}
	if order := cmp.Or(cmp.Compare(lost(b), lost(a)), cmp.Compare(first(a), first(b)), cmp.Compare(b.Pods+b.Deleted, a.Pods+a.Deleted)); order != 0 {
		return order
	}
	return CompareOwners(a.Owner, b.Owner)
}

// Owners are the owners of its pods: one, or each of the Bare pods itself.
func (w *Workload) Owners() []Owner {
	if len(w.Bare) == 0 {
		return []Owner{w.Owner}
	}
	list := make([]Owner, len(w.Bare))
	for i, name := range w.Bare {
		list[i] = Owner{w.Namespace, w.Kind, name}
	}
	return list
}

// Title names the workload for people; it is text from a cluster.
func (w *Workload) Title() string {
	if n := len(w.Bare); n > 0 {
		return strconv.Itoa(n) + " bare pods of " + w.Namespace
	}
	return w.Namespace + "/" + w.Name
}

// FoldBare merges several suffering pods without an owner in a namespace into one Workload without a name.
func FoldBare(list []Workload) []Workload {
	out, at := []Workload{}, map[string]int{}
	for i := range list {
		w := &list[i]
		bare := w.Kind == "Pod" && w.Suffers()
		k, ok := at[w.Namespace]
		if bare && ok {
			out[k].add(w)
			continue
		}
		if out = append(out, *w); bare {
			at[w.Namespace] = len(out) - 1
			one := &out[len(out)-1]
			one.Bare, one.Nodes = []string{w.Name}, slices.Clone(w.Nodes)
		}
	}
	for _, k := range at {
		w := &out[k]
		if len(w.Bare) == 1 {
			w.Bare = nil
			continue
		}
		w.Name = ""
		slices.Sort(w.Bare)
		slices.Sort(w.Nodes)
		w.Nodes = slices.Compact(w.Nodes)
	}
	slices.SortFunc(out, func(a, b Workload) int { return compare(&a, &b) })
	return out
}

func (w *Workload) add(o *Workload) {
	w.Bare, w.Nodes = append(w.Bare, o.Name), append(w.Nodes, o.Nodes...)
	w.Pods, w.Ready, w.Marked, w.Deleted, w.Stuck = w.Pods+o.Pods, w.Ready+o.Ready, w.Marked+o.Marked, w.Deleted+o.Deleted, w.Stuck+o.Stuck
	w.Going, w.MayGo = w.Going+o.Going, w.MayGo+o.MayGo
	w.ReadyLeast, w.ReadyMost = w.ReadyLeast+o.ReadyLeast, w.ReadyMost+o.ReadyMost
	if !w.First.Known() || o.First.Known() && o.First < w.First {
		w.First, w.Begins = o.First, o.Begins
	}
	if o.Last > w.Last {
		w.Last, w.Ends = o.Last, o.Ends
	}
}
