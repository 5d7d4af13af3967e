package volumes

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Foreseen are volumes of a silent node whose pods are predicted to be deleted together.
type Foreseen struct {
	Node string
	// Volumes are those that no pod wants once these pods are gone.
	Volumes []Volume
	// Detached is when they are force-detached: at the earliest six minutes after the deletion. It has no end, since a
	// pod of a silent node stays Terminating until its object is removed.
	Detached model.Interval
}

// Foresee lists volumes of silent nodes that may be force-detached until a time, the soonest first: those whose pods
// the forecast deletes. A kubelet that is not silent unmounts its volumes itself.
func Foresee(c *model.Cluster, f *forecast.Forecast, silent func(node string) bool, until model.Instant) (list []Foreseen) {
	goes := map[model.Key]model.Instant{}
	for i := range f.Evictions {
		if e := &f.Evictions[i]; e.State.Ahead() && e.Window.Earliest < model.FarFuture {
			goes[e.Pod] = max(e.Window.Earliest, f.At)
		}
	}
	if len(goes) == 0 {
		return nil
	}
	type together struct {
		node string
		at   model.Instant
	}
	found := map[together]*Foreseen{}
	for node, all := range All(c, f.At) {
		if !silent(node) {
			continue
		}
		for _, v := range all {
			free, ok := v.freed(goes)
			if earliest := free.Add(Wait); ok && earliest <= until {
				key := together{node, earliest}
				if found[key] == nil {
					found[key] = &Foreseen{Node: node, Detached: model.Interval{Earliest: earliest, Latest: model.FarFuture}}
				}
				found[key].Volumes = append(found[key].Volumes, v)
			}
		}
	}
	for _, x := range found {
		slices.SortFunc(x.Volumes, func(a, b Volume) int { return strings.Compare(a.Attachment, b.Attachment) })
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b Foreseen) int {
		return cmp.Or(cmp.Compare(a.Detached.Earliest, b.Detached.Earliest), strings.Compare(a.Node, b.Node))
	})
	return list
}

// freed is when the last pod that holds a volume is deleted; ok is false if one is not, or if all are already.
func (v *Volume) freed(goes map[model.Key]model.Instant) (last model.Instant, ok bool) {
	if v.State != Wanted {
		return 0, false
	}
	for _, p := range v.By {
		at, will := goes[p.Key]
		switch {
		case p.Deletion.Known():
		case !will:
			return 0, false
		default:
			last, ok = max(last, at), true
		}
	}
	return last, ok
}
