package model

import "iter"

// Baseline yields Changes that fold to this state, for the start of a recording. All take effect at that time. Each is
// an OpBaseline, except for leases whose last renewal was received: they come as that renewal, with its arrival.
//
// The state has no versions of pods, no names of Events (they get that of their subject), and no counts of renewals.
// version, which may be nil, gives the version of a pod and when it was written. A Change is valid until the next one.
func (c *Cluster) Baseline(at Instant, version func(*Pod) (uint64, Interval)) iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		var ch Change
		say := func(next Change) bool {
			ch = next
			ch.At = at
			if ch.Quality == ByArrival && !ch.Arrival.Known() {
				ch.Quality = ByStamp
			}
			return yield(&ch)
		}
		for row := range c.Nodes {
			if n := row.Node; n != nil && !say(Change{Kind: KindNode, Key: Key{Name: row.Name}, UID: n.UID, Version: row.Version, Time: row.Written, Node: n}) {
				return
			}
			if !row.Lease.baseline(KindNodeLease, Key{NodeLeaseNamespace, row.Name}, say) {
				return
			}
			for _, e := range row.Events() {
				if !say(Change{Kind: KindEvent, Key: e.Regarding.Key, UID: e.UID, Time: Interval{e.Last, at}, Event: e}) {
					return
				}
			}
		}
		for _, p := range c.Pods() {
			next := Change{Kind: KindPod, Key: p.Key, UID: p.UID, Time: Interval{FarPast, at}, Pod: p}
			if version != nil {
				next.Version, next.Time = version(p)
			}
			if !say(next) {
				return
			}
		}
		for i := range c.leaders {
			if l := &c.leaders[i]; !l.baseline(KindLeaderLease, Key{SystemNamespace, l.Name}, say) {
				return
			}
		}
		for _, kind := range RelatedKinds {
			for key, o := range c.RelatedOf(kind) {
				if !say(Change{Kind: kind, Key: key, UID: o.UID, Version: o.Version, Time: o.Written, Related: o.Related}) {
					return
				}
			}
		}
	}
}

// baseline yields the Change that folds to a lease's state.
func (l *LeaseRow) baseline(kind Kind, key Key, say func(Change) bool) bool {
	if !l.Seen || l.Gone {
		return true
	}
	ch := Change{Kind: kind, Key: key, UID: l.UID, Version: l.Version, Time: l.Written, Lease: l.Lease}
	if l.Heard.Known() {
		ch.Op, ch.Arrival = OpModify, l.Heard
	}
	return say(ch)
}
