package verdict

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// A silent zone returns node by node, and soon the silent nodes are too few for the zone rule. They stay the zone's
// fault if all of its nodes were silent at one time, as the record or the controller's Events show.

// returned is a zone whose nodes were all silent at one time; some have returned.
type returned struct {
	key model.ZoneKey
	// at is that time; first and last are when the first and the last of the returned nodes came back.
	at, first, last model.Instant
	// back are the returned nodes, still those that have been silent since.
	back, still []*node
	// Only Events show it, not the record.
	told bool
}

// comesBack is how long after the last return the silent nodes are the zone's fault; later each is judged by itself.
const comesBack = 10 * time.Minute

func (e *Evidence) findReturned(h history.History) error {
	bad := e.bad()
	if !slices.ContainsFunc(bad, (*node).silent) {
		return nil
	}
	var then *history.Cursor // another cursor: the caller's must not move
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

// returning describes a zone in which some nodes are silent and the return of all others is known; else nil.
func (z *zoned) returning(now model.Instant, unwatched []model.Interval) *returned {
	if len(z.late) == 0 || len(z.late) == len(z.all) {
		return nil
	}
	is := &returned{key: z.key, first: now}
	fell, _, _ := spread(those(z.late, func(n *node) bool { return n.last.Bounded() }))
	for _, n := range z.all {
		if n.silent() || fell.Known() && n.object != nil && n.object.Created > fell { // a replacement for a silent node
			continue
		}
		back := n.heardAgain()
		if !back.Bounded() || back > now {
			return nil
		}
		is.back, is.first, is.last = append(is.back, n), min(is.first, back), max(is.last, back)
	}
	is.at = is.first.Add(-AtOnce) // a kubelet posts Ready some seconds after its first renewal
	for _, v := range slices.Backward(unwatched) {
		if v.Earliest <= is.at && is.at <= v.Latest { // it may have returned in that span
			is.at = v.Earliest - 1
		}
	}
	is.still = those(z.late, func(n *node) bool { return n.silentSince(is.at) })
	if len(is.back) == 0 || len(is.still) == 0 || len(is.back)+len(is.still) < wholeZone {
		return nil
	}
	return is
}

func (n *node) silentSince(t model.Instant) bool {
	if n.last.Bounded() {
		return t.Sub(n.last) >= model.LateAfter
	}
	return n.declared() && n.declaredAt.Bounded() && n.declaredAt < t
}

func (n *node) heardAgain() model.Instant {
	if n.beat.last.Known() {
		return n.beat.last
	}
	if n.health == model.HealthReady {
		return n.declaredAt
	}
	return 0
}

// wasDeclared reports whether a node that is Ready now was Unknown at a time, by the controller's Event.
func (n *node) wasDeclared(t model.Instant) bool {
	made := n.object != nil && n.object.Created > n.lost // since, under the same name
	return n.lost.Bounded() && n.lost < t && !made && n.health == model.HealthReady && n.declaredAt > t
}

// seenAt is the state of nodes at a time, by name, for those whose lease was watched; nil if nothing was.
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

// wereSilent reports whether all nodes of a zone, but not nearly all others, were silent at the time.
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

// verdict (V6): the zone is returning.
func (is *returned) verdict() Verdict {
	v := Verdict{Rule: Zone, Back: namesOf(is.back), BackSince: model.Interval{Earliest: is.first, Latest: is.last},
		Says: []Fact{{Code: "zone-comes-back", Name: is.key.String(), N: len(is.back), Of: len(is.back) + len(is.still), Others: len(is.still)}},
		For:  is.were(), Do: []Fact{{Code: "ask-zone-again"}, askZones, {Code: "see-evictions"}}}
	if first, last, known := spread(is.still); known {
		v.For = append(v.For, Fact{Code: "silent-heard-within", For: last.Sub(first), At: first})
	}
	return v
}

func (is *returned) were() []Fact {
	code := Code("zone-was-silent")
	if is.told {
		code = "zone-was-silent-told"
	}
	return []Fact{{Code: code, Name: is.key.String(), N: len(is.back) + len(is.still), At: is.at}, {Code: "came-back", N: len(is.back), At: is.first, To: is.last}}
}

// leftOf adds to a verdict on a group or single nodes that they fell silent with their zone.
func (v *Verdict) leftOf(e *Evidence, about []*node) {
	for _, is := range e.returned {
		if (v.Rule == Group || v.Rule == SingleNode) && slices.ContainsFunc(about, func(n *node) bool { return slices.Contains(is.still, n) }) {
			v.For = append(v.For, is.were()...)
		}
	}
}
