package past

import (
	"slices"
	"strings"

	"kardia/model"
)

// maxDiffPods is how many pods of each sort a Diff names.
const maxDiffPods = 200

// Diff is the net difference of two times, whatever happened in between.
type Diff struct {
	From, To model.Instant
	// Nodes are those that differ, by name.
	Nodes []NodeDiff
	// Zones are those whose counts of nodes, Ready, NotReady or Unknown differ, in the order of screens.
	Zones   []ZoneDiff
	Pods    PodDiff
	Leaders []Difference
}

type NodeDiff struct {
	Name        string
	Differences []Difference
}

// ZoneDiff is a zone at both times; a zone that did not exist has no nodes.
type ZoneDiff struct {
	Before, After model.ZoneSummary
}

// PodDiff counts pods, and names the first of each sort by namespace and name.
type PodDiff struct {
	// Created and Gone exist at one time only; a pod replaced by another of its name is both. Deleting exist at both,
	// and their deletion was requested in between.
	Created, Gone, Deleting                int
	CreatedNames, GoneNames, DeletingNames []model.Key
}

func (d *Diff) Empty() bool {
	return len(d.Nodes)+len(d.Zones)+len(d.Leaders)+d.Pods.Created+d.Pods.Gone+d.Pods.Deleting == 0
}

// NodeGroup is nodes with the same differences.
type NodeGroup struct {
	Names       []string
	Differences []Difference
}

// Groups joins nodes with the same differences: a failed zone is one line. They are in the order of first nodes.
func (d *Diff) Groups() []NodeGroup {
	var list []NodeGroup
	for _, n := range d.Nodes {
		i := slices.IndexFunc(list, func(g NodeGroup) bool { return slices.Equal(g.Differences, n.Differences) })
		if i < 0 {
			i = len(list)
			list = append(list, NodeGroup{Differences: n.Differences})
		}
		list[i].Names = append(list[i].Names, n.Name)
	}
	return list
}

// Compare is how the state at one time differs from an earlier one.
func Compare(before *model.Cluster, from model.Instant, after *model.Cluster, to model.Instant) *Diff {
	d := &Diff{From: from, To: to}
	d.nodes(before, after)
	d.zones(before.Zones(from), after.Zones(to))
	d.pods(before, after)
	for _, l := range after.Leaders() {
		was := ""
		for _, k := range before.Leaders() {
			if k.Name == l.Name {
				was = k.Holder
			}
		}
		if was != l.Holder {
			d.Leaders = append(d.Leaders, Difference{Kind: Holder, Name: l.Name, Before: was, After: l.Holder})
		}
	}
	return d
}

func (d *Diff) nodes(before, after *model.Cluster) {
	object := func(c *model.Cluster, name string) *model.Node {
		if row := c.Node(name); row != nil {
			return row.Node
		}
		return nil
	}
	after.Nodes(func(r *model.NodeRow) bool {
		if list := NodeDifferences(object(before, r.Name), r.Node); len(list) > 0 {
			d.Nodes = append(d.Nodes, NodeDiff{r.Name, list})
		}
		return true
	})
	before.Nodes(func(r *model.NodeRow) bool {
		if r.Node != nil && after.Node(r.Name) == nil {
			d.Nodes = append(d.Nodes, NodeDiff{r.Name, NodeDifferences(r.Node, nil)})
		}
		return true
	})
	slices.SortFunc(d.Nodes, func(a, b NodeDiff) int { return strings.Compare(a.Name, b.Name) })
}

func (d *Diff) zones(before, after []model.ZoneSummary) {
	find := func(list []model.ZoneSummary, zone model.Maybe[model.ZoneKey]) model.ZoneSummary {
		for i := range list {
			if list[i].Zone == zone {
				return list[i]
			}
		}
		return model.ZoneSummary{Zone: zone}
	}
	note := func(a, b model.ZoneSummary) {
		if a.Nodes != b.Nodes || a.Ready != b.Ready || a.NotReady != b.NotReady || a.Unknown != b.Unknown {
			d.Zones = append(d.Zones, ZoneDiff{a, b})
		}
	}
	for i := range after {
		note(find(before, after[i].Zone), after[i])
	}
	for i := range before {
		if !slices.ContainsFunc(after, func(z model.ZoneSummary) bool { return z.Zone == before[i].Zone }) {
			note(before[i], model.ZoneSummary{Zone: before[i].Zone})
		}
	}
	slices.SortStableFunc(d.Zones, func(a, b ZoneDiff) int {
		switch {
		case a.After.Less(&b.After):
			return -1
		case b.After.Less(&a.After):
			return 1
		}
		return 0
	})
}

func (d *Diff) pods(before, after *model.Cluster) {
	same := func(a, b *model.Pod) bool { return a != nil && b != nil && a.UID == b.UID }
	add := func(n *int, names *[]model.Key, key model.Key) {
		if *n++; len(*names) < maxDiffPods {
			*names = append(*names, key)
		}
	}
	p := &d.Pods
	// Both lists are in order: finding each pod by name would decode a large state again and again.
	old, now := before.Pods(), after.Pods()
	for len(old) > 0 || len(now) > 0 {
		side := -1
		switch {
		case len(old) == 0:
			side = 1
		case len(now) > 0:
			side = model.ComparePods(old[0], now[0])
		}
		var was, is *model.Pod
		if side <= 0 {
			was, old = old[0], old[1:]
		}
		if side >= 0 {
			is, now = now[0], now[1:]
		}
		switch {
		case same(was, is):
			if is.Deletion.Known() && !was.Deletion.Known() {
				add(&p.Deleting, &p.DeletingNames, is.Key)
			}
			continue
		case is != nil:
			add(&p.Created, &p.CreatedNames, is.Key)
		}
		if was != nil {
			add(&p.Gone, &p.GoneNames, was.Key)
		}
	}
}
