package shadow

import (
	"cmp"
	"slices"

	"kardia/model"
)

// base takes in the state before the first position, as an initial list would show it.
func (s *survey) base(c *model.Cluster) {
	at := s.begins
	stand := func(ch model.Change) {
		ch.Op, ch.At = model.OpBaseline, at
		s.standing = append(s.standing, ch)
	}
	c.Nodes(func(row *model.NodeRow) bool {
		if row.Node != nil {
			stand(model.Change{Kind: model.KindNode, Key: model.Key{Name: row.Name}, UID: row.Node.UID, Version: row.Version, Time: row.Written, Node: row.Node})
		}
		if row.Lease.Seen && !row.Lease.Gone {
			stand(model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: "kube-node-lease", Name: row.Name}, UID: row.Lease.UID,
				Version: row.Lease.Version, Time: row.Lease.Written, Arrival: row.Lease.Heard, Lease: row.Lease.Lease})
		}
		return true
	})
	slices.SortStableFunc(s.standing, func(a, b model.Change) int { return cmp.Compare(a.Key.Name, b.Key.Name) })
	for _, p := range c.Pods() {
		stand(model.Change{Kind: model.KindPod, Key: p.Key, UID: p.UID, Time: model.Interval{Earliest: model.FarPast, Latest: at}, Pod: p})
	}
	s.page(-len(s.standing)-1, s.standing)
}
