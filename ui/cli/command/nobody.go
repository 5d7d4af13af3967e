package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
	"kardia/sources/open"
	"kardia/ui/spelling"
)

// The most names that are offered: near ones, and all if there are few.
const (
	maxNear  = 5
	maxNamed = 12
)

// nobody is the fault of a subject that is not in the input, which has names: an empty answer would look healthy.
func nobody(what, name, where string, names []string) *Fault {
	f := &Fault{Code: Misused, What: fmt.Sprintf("there is no %s %q in %s", what, name, where)}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	switch near := nearest(name, names); {
	case len(near) > 0:
		f.Next = "Near that: " + strings.Join(near, ", ") + "."
	case len(names) > 0 && len(names) <= maxNamed:
		f.Next = "There are " + strings.Join(names, ", ") + "."
	case len(names) > 0:
		f.Next = fmt.Sprintf("There are %d, such as %s.", len(names), strings.Join(names[:maxNear], ", "))
	}
	return f
}

// nearest are the names that contain name, or differ in at most a third of its letters, the nearest first.
func nearest(name string, names []string) []string {
	type near struct {
		name     string
		distance int
	}
	var list []near
	wanted := strings.ToLower(name)
	for _, n := range names {
		have := strings.ToLower(n)
		d := spelling.Distance(wanted, have)
		if strings.Contains(have, wanted) || d <= max(1, len(wanted)/3) {
			list = append(list, near{n, d})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, n := range list[:min(len(list), maxNear)] {
		out = append(out, n.name)
	}
	return out
}

// check refuses a node, zone or pod that is in no part of the input, and reads the span.
func (f *decisionFilter) check(j *judged) (err error) {
	if f.span, err = f.in(j.History, j.History.Coverage()); err != nil {
		return err
	}
	if f.node == "" && f.zone == "" && f.pod == "" {
		return nil
	}
	v, err := j.view(j.History.Coverage().Latest)
	if err != nil {
		return err
	}
	nodes, zones, pods := namesOf(v.State)
	for i := range j.result.Decisions {
		d := &j.result.Decisions[i]
		if d.Node != "" {
			nodes = append(nodes, d.Node)
		}
		if d.Zone.Known {
			zones = append(zones, d.Zone.Value)
		}
		if d.Pod != (model.Key{}) {
			pods = append(pods, d.Pod.String())
		}
	}
	return demand(caveat.Of(v), j.Name, [...]string{f.node, f.zone, f.pod}, nodes, zones, pods)
}

// demand refuses a node, a zone or a pod that is asked for and not there: an empty answer would look healthy.
func demand(known caveat.List, where string, asked [3]string, nodes []string, zones []model.ZoneKey, pods []string) error {
	switch node, zone, pod := asked[0], asked[1], asked[2]; {
	case node != "" && !slices.Contains(nodes, node):
		return absent(known, "node", node, where, nodes)
	case zone != "" && !slices.ContainsFunc(zones, func(p model.ZoneKey) bool { return p.Matches(zone) }):
		return absent(known, "zone", zone, where, keysOf(zones))
	case pod != "" && !slices.Contains(pods, pod):
		return absent(known, "pod", pod, where, pods)
	}
	return nil
}

// ever refuses a node that is in no part of a recording.
func ever(node string, opened *open.Opened) error {
	c, err := history.StateAt(opened.History, opened.History.Coverage().Latest)
	if err != nil {
		return err
	}
	names, _, _ := namesOf(c)
	if slices.Contains(names, node) {
		return nil
	}
	found := false // it may have come and gone
	err = history.Walk(opened.History, model.FarPast, model.FarFuture, &history.Condensed{}, func(_ int, ch *model.Change) bool {
		found = (ch.Kind == model.KindNode || ch.Kind == model.KindNodeLease) && ch.Key.Name == node
		return !found
	})
	if found || err != nil {
		return err
	}
	return nobody("node", node, opened.Name, names)
}

func namesOf(c *model.Cluster) (nodes []string, zones []model.ZoneKey, pods []string) {
	c.Nodes(func(row *model.NodeRow) bool {
		nodes = append(nodes, row.Name)
		if zone := row.Zone(); zone.Known {
			zones = append(zones, zone.Value)
		}
		for _, p := range row.Pods() {
			pods = append(pods, p.Key.String())
		}
		return true
	})
	return nodes, zones, pods
}

func namesIn(c *model.Cluster) map[string][]string {
	nodes, zones, pods := namesOf(c)
	return map[string][]string{"node": nodes, "zone": keysOf(zones), "pod": pods}
}

func keysOf(zones []model.ZoneKey) []string {
	var out []string
	for _, p := range zones {
		out = append(out, p.String())
	}
	return out
}
