package model

import "iter"

// Baseline yields Changes that fold to this state, for the start of a recording; all take effect at the time given.
// Each is an OpBaseline, except for leases whose last renewal was received: these are that renewal, with its arrival.
// version, which may be nil, gives a pod's version and when it was written; the state has none. It also has no names of Events
// (they get their subject's) and no counts of renewals. A Change is valid until the next one.
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
