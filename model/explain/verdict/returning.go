package verdict

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// A zone that was silent as a whole comes back node by node, and soon those that do not yet are too few for a zone's fault. They
// are what is left of it all the same, where it is shown that all of the zone's nodes were silent at one instant: it was seen, or
// the controller's Events tell that it had declared them.

// returned is a zone of which all nodes were silent at an instant, and some were heard again since.
type returned struct {
	key model.ZoneKey
	// at is that instant; first and last are when the first and the last came back of those that have.
	at, first, last model.Instant
	// back are those, and still those that were silent at the instant and are.
	back, still []*node
	// told says that it was not seen, and Events tell of it.
	told bool
}

// comesBack is for how long after the last node that came back those that did not are the zone's fault: then it is for each of
// them to be looked at.
const comesBack = 10 * time.Minute

// findReturned finds the zones that come back.
func (e *Evidence) findReturned(h history.History) error {
	bad := e.bad()
	if !slices.ContainsFunc(bad, (*node).silent) {
		return nil
	}
	var then *history.Cursor // another: whoever asks goes on with theirs
	unwatched := history.UnwatchedIn(h)
	for _, z := range e.zones(bad) {
		is := z.returning(e.At, unwatched.Leases())
		if is == nil {
			continue
		}
		if then == nil {
			then = history.NewCursor(h)
		}
		seen, err := seenAt(then, unwatched, is.at)
		if err != nil {
			return err
		}
		if e.wereSilent(z, is, seen) {
			e.returned = append(e.returned, is)
		}
	}
	return nil
}

// returning is the zone as one that comes back, where some of its nodes are silent, and it is known of the others when they were
// heard again; nil where it is none.
func (z *zoned) returning(now model.Instant, unwatched []model.Interval) *returned {
	if len(z.late) == 0 || len(z.late) == len(z.all) {
		return nil
	}
	is := &returned{key: z.key, first: now}
	fell, _, _ := spread(those(z.late, func(n *node) bool { return n.last.Bounded() }))
	for _, n := range z.all {
		if n.silent() || fell.Known() && n.object != nil && n.object.Created > fell { // such a one stands in for them
			continue
		}
		back := n.heardAgain()
		if !back.Bounded() || back > now {
			return nil
		}
		is.back, is.first, is.last = append(is.back, n), min(is.first, back), max(is.last, back)
	}
	is.at = is.first.Add(-AtOnce) // a kubelet says so some seconds after it was heard
	for _, v := range slices.Backward(unwatched) {
		if v.Earliest <= is.at && is.at <= v.Latest { // it may have come back in it
			is.at = v.Earliest - 1
		}
	}
	is.still = those(z.late, func(n *node) bool { return n.silentSince(is.at) })
	if len(is.back) == 0 || len(is.still) == 0 || len(is.back)+len(is.still) < wholeZone {
		return nil
	}
	return is
}

// silentSince says that a node which is silent now was so at an instant already.
func (n *node) silentSince(t model.Instant) bool {
	if n.last.Bounded() {
		return t.Sub(n.last) >= model.LateAfter
	}
	return n.declared() && n.declaredAt.Bounded() && n.declaredAt < t
}

// heardAgain is when a node that beats was heard again after a pause, as far as heartbeats of late tell, or else when its
// kubelet said that it is Ready again.
func (n *node) heardAgain() model.Instant {
	if n.beat.last.Known() {
		return n.beat.last
	}
	if n.health == model.HealthReady {
		return n.declaredAt
	}
	return 0
}

// wasDeclared says that by the controller's Event a node which reads Ready had been declared Unknown by an instant, and read so.
func (n *node) wasDeclared(t model.Instant) bool {
	made := n.object != nil && n.object.Created > n.lost // since, under the same name
	return n.lost.Bounded() && n.lost < t && !made && n.health == model.HealthReady && n.declaredAt > t
}

// seenAt is which nodes were seen to be silent at an instant, or not to be, and which zones they were in; none where nobody
// watched their leases.
func seenAt(cursor *history.Cursor, unwatched history.Unwatched, at model.Instant) (map[string]*node, error) {
	h := cursor.History()
	if _, alone := history.Alone(h, at); alone || at < h.Coverage().Earliest {
		return nil, nil
	}
	if err := cursor.Seek(at); err != nil {
		return nil, err
	}
	then := &Evidence{At: at}
	byName := then.read(cursor.State(), history.AsOf(h, at))
	if then.blindAt(h) != (Fact{}) {
		return nil, nil
	}
	for row := range cursor.State().Nodes {
		if _, lastKnown := unwatched.Lease(row, at); lastKnown {
			delete(byName, row.Name)
		}
	}
	return byName, nil
}

// wereSilent says whether all nodes of a zone were silent when it is asked, and not nearly all of the others as well: then it was
// no fault of the zone.
func (e *Evidence) wereSilent(z *zoned, is *returned, seen map[string]*node) bool {
	for _, n := range seen {
		if n.zone == model.Some(z.key) && !n.silent() {
			return false
		}
	}
	silent := func(n *node) bool {
		if then := seen[n.name]; then != nil {
			return then.silent()
		}
		return n.wasDeclared(is.at) || n.silent() && n.silentSince(is.at)
	}
	for _, n := range is.back {
		if !silent(n) {
			return false
		}
		is.told = is.told || seen[n.name] == nil
	}
	return float64(len(those(e.nodes, silent))) <= nearlyAll*float64(len(e.nodes))
}

// verdict (V6) is that the zone comes back.
func (is *returned) verdict() Verdict {
	v := Verdict{Rule: Zone, Back: namesOf(is.back), BackSince: model.Interval{Earliest: is.first, Latest: is.last},
		Says: []Fact{{Code: "zone-comes-back", Name: is.key.String(), N: len(is.back), Of: len(is.back) + len(is.still), Others: len(is.still)}},
		For:  is.were(), Do: []Fact{{Code: "ask-zone-again"}, askZones, {Code: "see-evictions"}}}
	if first, last, known := spread(is.still); known {
		v.For = append(v.For, Fact{Code: "silent-heard-within", For: last.Sub(first), At: first})
	}
	return v
}

// were is that all of the zone were silent, and since when some are back.
func (is *returned) were() []Fact {
	code := Code("zone-was-silent")
	if is.told {
		code = "zone-was-silent-told"
	}
	return []Fact{{Code: code, Name: is.key.String(), N: len(is.back) + len(is.still), At: is.at}, {Code: "came-back", N: len(is.back), At: is.first, To: is.last}}
}

// leftOf says of nodes that are looked at by themselves that they fell silent with all of their zone.
func (v *Verdict) leftOf(e *Evidence, about []*node) {
	for _, is := range e.returned {
		if (v.Rule == Group || v.Rule == SingleNode) && slices.ContainsFunc(about, func(n *node) bool { return slices.Contains(is.still, n) }) {
			v.For = append(v.For, is.were()...)
		}
	}
}
