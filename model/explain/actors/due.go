package actors

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
)

type Due struct {
	Actor
	// Nodes are by name; empty if unknown.
	Nodes []string
}

// ShareOf counts the nodes of a cluster that are not Ready, and all.
func ShareOf(c *model.Cluster) (all Share) {
	for r := range c.Nodes {
		if r.Node != nil {
			all.Of++
			if !r.Node.IsReady() {
				all.NotReady++
			}
		}
	}
	return all
}

// Ahead lists the acts that start between two times, the soonest first, without those under way or possible for long.
// Equal acts in the same second are one entry.
func Ahead(c *model.Cluster, at, until model.Instant) []Due {
	return gather(c, at, func(a *Actor) bool {
		return a.When.Known() && a.When.Earliest <= until && a.When.Latest > at && !(a.When.Earliest <= at && a.When.Latest == model.FarFuture)
	})
}

// gather lists the actors to keep, the soonest first. Acts of one actor in one second on several nodes are one entry.
func gather(c *model.Cluster, at model.Instant, keep func(*Actor) bool) (list []Due) {
	type key struct {
		who          Who
		does         Deed
		remain       Remain
		reason, text string
		from, to     model.Instant
	}
	known := map[key]int{}
	all, asked := ShareOf(c), map[string]bool{}
	for key := range c.RelatedOf(model.KindEviction) {
		if p := c.Pod(key); p != nil {
			asked[p.Node] = true
		}
	}
	for r := range c.Nodes {
		if untouched(r) && !asked[r.Name] {
			continue
		}
		for _, a := range Of(c, r, at, all) {
			if !keep(&a) {
				continue
			}
			k := key{a.Who, a.Does, *cmp.Or(a.Remain, &Remain{}), a.Reason, a.Name + fmt.Sprint(a.Halts), a.When.Earliest.Truncate(time.Second), a.When.Latest.Truncate(time.Second)}
			i, has := known[k]
			if !has {
				i = len(list)
				known[k], list = i, append(list, Due{Actor: a})
			}
			list[i].Nodes = append(list[i].Nodes, r.Name)
		}
	}
	if a, ok := unplaced(c, at); ok && keep(&a) {
		list = append(list, Due{Actor: a})
	}
	for i := range list {
		slices.Sort(list[i].Nodes)
	}
	slices.SortStableFunc(list, func(a, b Due) int { return cmp.Compare(a.When.Earliest, b.When.Earliest) })
	return list
}

// untouched reports whether a node has no trace of an actor: it is Ready, without taints and an actor's Event.
func untouched(r *model.NodeRow) bool {
	for _, e := range r.Events() {
		switch e.Reason {
		case "DisruptionBlocked", "Unconsolidatable", "NodeRepairBlocked":
			return false
		}
	}
	n := r.Node
	if n == nil {
		return true
	}
	for i := range n.Conditions {
		if c := &n.Conditions[i]; mends[c.Type] > 0 && c.Status == model.StatusFalse {
			return false
		}
	}
	return n.IsReady() && len(n.Taints) == 0 && !n.Unschedulable && !n.Deleted.Known()
}
