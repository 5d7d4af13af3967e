package past

import (
	"iter"
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
	d.nodes(NodesOf(before), NodesOf(after))
	for was, is := range paired(before.Zones(from), after.Zones(to), func(a, b model.ZoneSummary) int { return a.Compare(&b) }) {
		if was.Nodes == 0 {
			was.Zone = is.Zone
		} else if is.Nodes == 0 {
			is.Zone = was.Zone
		}
		if was.Nodes != is.Nodes || was.Ready != is.Ready || was.NotReady != is.NotReady || was.Unknown != is.Unknown {
			d.Zones = append(d.Zones, ZoneDiff{was, is})
		}
	}
	// Both lists are in order: finding each pod by name would decode a large state again and again.
	for was, is := range paired(before.Pods(), after.Pods(), model.ComparePods) {
		d.Pods.take(was, is)
	}
	for was, is := range paired(before.Leaders(), after.Leaders(), func(a, b model.Leader) int { return strings.Compare(a.Name, b.Name) }) {
		if is.Name != "" && was.Holder != is.Holder {
			d.Leaders = append(d.Leaders, Difference{Kind: Holder, Name: is.Name, Before: was.Holder, After: is.Holder})
		}
	}
	return d
}

// paired yields the elements of two lists in one order: those that compare equal together, others with a zero one.
func paired[T any](a, b []T, compare func(a, b T) int) iter.Seq2[T, T] {
	return func(yield func(T, T) bool) {
		for len(a) > 0 || len(b) > 0 {
			order := len(b) - len(a) // if one is empty, the other is next
			if len(a) > 0 && len(b) > 0 {
				order = compare(a[0], b[0])
			}
			var x, y T
			if order <= 0 {
				x, a = a[0], a[1:]
			}
			if order >= 0 {
				y, b = b[0], b[1:]
			}
			if !yield(x, y) {
				return
			}
		}
	}
}

func (d *Diff) nodes(before, after map[string]*model.Node) {
	for name, is := range after {
		if list := NodeDifferences(before[name], is); len(list) > 0 {
			d.Nodes = append(d.Nodes, NodeDiff{name, list})
		}
	}
	for name, was := range before {
		if _, exists := after[name]; was != nil && !exists {
			d.Nodes = append(d.Nodes, NodeDiff{name, NodeDifferences(was, nil)})
		}
	}
	slices.SortFunc(d.Nodes, func(a, b NodeDiff) int { return strings.Compare(a.Name, b.Name) })
}

// take counts a pod at both times; nil if there was none of its key.
func (p *PodDiff) take(was, is *model.Pod) {
	add := func(n *int, names *[]model.Key, key model.Key) {
		if *n++; len(*names) < maxDiffPods {
			*names = append(*names, key)
		}
	}
	if was != nil && is != nil && was.UID == is.UID {
		if is.Deletion.Known() && !was.Deletion.Known() {
			add(&p.Deleting, &p.DeletingNames, is.Key)
		}
		return
	}
	if is != nil {
		add(&p.Created, &p.CreatedNames, is.Key)
	}
	if was != nil {
		add(&p.Gone, &p.GoneNames, was.Key)
	}
}
