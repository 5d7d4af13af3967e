package controllers

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Node is what comes to the pods of one node.
type Node struct {
	// Evictions are its pods', the first to be deleted first.
	Evictions []*forecast.Eviction
	// Ahead counts the pods whose deletion lies ahead, Next is when the first of them is
	// deleted, and First how many go with it; Sure that one of them surely is.
	Ahead, First int
	Next         model.Interval
	Sure         bool
	// Count counts the pods by state.
	Count [forecast.Unseen + 1]int
	// Lost counts those that were not deleted when their countdown ended, which nobody tries again.
	Lost int
	// Wait is the node's wait for a taint; nil if it waits not.
	Wait *forecast.Wait
}

// Threatened are the nodes of a zone pods of which are to be deleted, also those that are still to be tainted: whose pods go first
// before the others.
func (o *View) Threatened(zone model.ZoneKey, c *model.Cluster) (names []string) {
	for row := range c.Nodes {
		if n := o.Node(row.Name); n != nil && n.Ahead > 0 && row.Node != nil && row.Node.Zone == zone {
			names = append(names, row.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(o.Node(a).Next.Earliest, o.Node(b).Next.Earliest), cmp.Compare(a, b))
	})
	return names
}

// Node is what comes to a node's pods; nil if nothing threatens them, or that is not known.
func (o *View) Node(name string) *Node {
	i, ok := o.index[name]
	if !ok {
		return nil
	}
	return &o.nodes[i]
}

// number finds or makes the place of a node.
func (o *View) number(name string) int32 {
	i, ok := o.index[name]
	if !ok {
		i = int32(len(o.nodes))
		o.index[name] = i
		o.nodes = append(o.nodes, Node{})
	}
	return i
}

// sortOut hands each node its evictions, which keep their order. owner is whose each is.
func (o *View) sortOut(owner []int32) {
	all := make([]*forecast.Eviction, len(owner))
	next := 0
	for i := range o.nodes {
		n := 0
		for _, count := range o.nodes[i].Count {
			n += count
		}
		o.nodes[i].Evictions = all[next : next : next+n]
		next += n
	}
	for i, k := range owner {
		n := &o.nodes[k]
		n.Evictions = append(n.Evictions, &o.Forecast.Evictions[i])
	}
}

// readNode counts a node's pods, for itself and for its zone.
func (o *View) readNode(name string, n *Node) {
	var z *Zone
	if row := o.State.Cache.Find(name); row != nil && row.Node != nil {
		z = o.Zone(model.Some(row.Node.Zone))
	}
	for _, e := range n.Evictions {
		if e.Lost {
			n.Lost++
		}
		if e.State.Ahead() {
			n.goes(1, 1, e.Window)
			n.Sure = n.Sure || e.Certain
		}
		if e.State != forecast.Due {
			continue
		}
		if o.Armed == 0 || Sooner(e.Window, o.Next) {
			o.Next = e.Window
		}
		o.Armed++
	}
	if z != nil {
		z.Armed += n.Count[forecast.Due]
		z.Forever += n.Count[forecast.Forever]
		z.delete(name, n)
		z.ToTaint.add(n)
	}
}

// Sooner says that what has a window comes before what has another, as lists have it: of those that begin together what
// ends first.
func Sooner(a, b model.Interval) bool {
	return cmp.Or(cmp.Compare(a.Earliest, b.Earliest), cmp.Compare(a.Latest, b.Latest)) < 0
}

// together is how far apart deletions may be to count as one.
const together = time.Second

// Alike says that two windows of deletions read the same.
func Alike(a, b model.Interval) bool {
	return a.Earliest.Sub(b.Earliest).Abs() <= together && a.Latest.Sub(b.Latest).Abs() <= together
}

// goes counts pods that go, of which some go first, within a window.
func (n *Node) goes(pods, first int, window model.Interval) {
	switch {
	case n.Ahead > 0 && Alike(window, n.Next):
		n.First += first
		if Sooner(window, n.Next) {
			n.Next = window
		}
	case n.Ahead == 0 || Sooner(window, n.Next):
		n.First, n.Next = first, window
	}
	n.Ahead += pods
}
