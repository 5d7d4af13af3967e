package impact

import (
	"slices"
	"strconv"
)

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
