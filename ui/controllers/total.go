package controllers

import (
	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Total is how many pods go, and by when.
type Total struct {
	// Pods are those that go at most, Sure says that all of them do.
	Pods int
	Sure bool
	// By is when the last of them is deleted at the latest; FarFuture where that has no end.
	By model.Instant
}

// ToTaint is the pods of nodes that wait for their taint, or will.
type ToTaint struct {
	// Nodes are those nodes, Pods how many of theirs go at most, and Window within when.
	Nodes, Pods int
	Window      model.Interval
	// Sure says that all of them go. Where it is false Tainted is how many of the nodes are tainted at most.
	Sure    bool
	Tainted int
}

// add counts a node's pods that go once it has its taint.
func (t *ToTaint) add(n *Node) {
	counted := false
	for _, e := range n.Evictions {
		if e.State != forecast.WaitingForTaint || !e.Window.Bounded() {
			continue
		}
		if t.Pods == 0 {
			t.Window, t.Sure = e.Window, true
		}
		t.Window = model.Interval{Earliest: min(t.Window.Earliest, e.Window.Earliest), Latest: max(t.Window.Latest, e.Window.Latest)}
		t.Sure = t.Sure && e.Certain
		if t.Pods++; !counted {
			t.Nodes++
			counted = true
		}
	}
}

// total adds up what goes. Where not all of a zone's nodes may be tainted no more go than the zone has tokens for, which
// the forecast has counted.
func (o *View) total() {
	of := map[model.ZoneKey]*Total{}
	for name, i := range o.index {
		zone := model.ZoneKey{}
		if n := o.State.Cache.Node(name); n != nil {
			zone = n.Zone
		}
		z := of[zone]
		if z == nil {
			z = &Total{Sure: true}
			of[zone] = z
		}
		z.add(&o.nodes[i])
	}
	for i := range o.Forecast.Zones {
		f := &o.Forecast.Zones[i]
		z := of[f.Zone]
		last := len(f.By) - 1
		if z == nil || z.Sure || last < 0 || z.By > f.By[last].By {
			continue
		}
		z.Pods = min(z.Pods, f.By[last].Deleted.Most)
		if is := o.Zone(model.Some(f.Zone)); is != nil {
			is.ToTaint.Pods = max(min(is.ToTaint.Pods, z.Pods-is.Armed), 0)
			is.ToTaint.Tainted = min(is.ToTaint.Nodes, f.By[last].Tainted.Most)
		}
	}
	o.Total.Sure = true
	for _, z := range of {
		o.Total.Pods += z.Pods
		o.Total.Sure = o.Total.Sure && z.Sure
		o.Total.By = max(o.Total.By, z.By)
	}
}

// add counts a node's pods.
func (t *Total) add(n *Node) {
	for _, e := range n.Evictions {
		if e.State.Ahead() {
			t.Pods++
			t.By = max(t.By, e.Window.Latest)
			t.Sure = t.Sure && e.Certain
		}
	}
}
