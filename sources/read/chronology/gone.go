package chronology

import (
	"cmp"
	"maps"
	"slices"

	"kardia/model"
)

// withoutGone adds deletions at unknown times. They are for objects that a later capture lacks, and for those of
// earlier captures that the recorded time does not show.
func withoutGone(changes []model.Change, sightings []Sighting, all []*capture, recorded model.Interval) []model.Change {
	var lists []*listed
	for _, c := range all {
		if !c.Beside && c.At.Bounded() {
			lists = append(lists, &listed{at: c.At, keys: c.keys, what: "the capture of " + c.At.String()})
		}
	}
	if len(lists) == 0 {
		return changes
	}
	if recorded.Bounded() {
		lists = append(lists, &listed{at: recorded.Earliest, keys: watched(sightings), what: "what was recorded from " + recorded.Earliest.String() + " on"})
	}
	return goneBy(changes, lists)
}

// Whole is all objects of some kinds at a time, from a recording that starts with a list.
type Whole struct {
	At     model.Instant
	Source int32
	// What is the recording, in words.
	What string
	Keys map[model.Kind]map[model.Key]bool
}

// WithoutGone adds deletions, at unknown times, of objects that are not among all later ones.
func WithoutGone(changes []model.Change, wholes []Whole) []model.Change {
	var lists []*listed
	for _, w := range wholes {
		keys := objects{}
		for kind, there := range w.Keys {
			keys[kind] = &shown{source: w.Source, keys: there}
		}
		lists = append(lists, &listed{at: w.At, keys: keys, what: w.What})
	}
	return goneBy(changes, lists)
}

func goneBy(changes []model.Change, lists []*listed) []model.Change {
	slices.SortStableFunc(lists, func(a, b *listed) int { return cmp.Compare(a.at, b.at) })
	out := make([]model.Change, 0, len(changes))
	there := latestObjects{}
	for i := range changes {
		for len(lists) > 0 && lists[0].at < changes[i].Effective() {
			out, lists = there.end(out, lists[0]), lists[1:]
		}
		out = append(out, changes[i])
		there.fold(&changes[i])
	}
	for _, l := range lists {
		out = there.end(out, l)
	}
	return out
}

// listed is the objects at a time, as far as lists show.
type listed struct {
	at   model.Instant
	keys objects
	what string
}

// watched is the objects of sources with history, for kinds of which one started with a list. An object that they never
// show did not exist any more. An audit log, or a watch that listed nothing, shows only written objects.
func watched(sightings []Sighting) objects {
	keys, began := objects{}, map[model.Kind]bool{}
	for i := range sightings {
		s := &sightings[i]
		if s.capture != 0 || s.Kind == model.KindEvent {
			continue
		}
		began[s.Kind] = began[s.Kind] || s.Op == model.OpBaseline
		keys.add(s, true)
	}
	// A node of which only the lease is shown exists.
	if leases := keys[model.KindNodeLease]; leases != nil {
		if nodes := keys[model.KindNode]; nodes != nil {
			for key := range leases.keys {
				nodes.keys[model.Key{Name: key.Name}] = true
			}
		}
	}
	maps.DeleteFunc(keys, func(kind model.Kind, _ *shown) bool { return !began[kind] })
	return keys
}

type latestObjects map[model.Kind]map[model.Key]*model.Change

func (st latestObjects) fold(ch *model.Change) {
	switch ch.Kind {
	case model.KindNode, model.KindNodeLease, model.KindPod:
	default:
		return
	}
	if ch.Op == model.OpDelete {
		delete(st[ch.Kind], ch.Key)
		return
	}
	if st[ch.Kind] == nil {
		st[ch.Kind] = map[model.Key]*model.Change{}
	}
	st[ch.Kind][ch.Key] = ch
}

func (st latestObjects) end(out []model.Change, l *listed) []model.Change {
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		k := l.keys[kind]
		if k == nil {
			continue
		}
		var gone []model.Key
		for key, ch := range st[kind] {
			if (k.lists == nil || k.lists[key.Namespace]) && !k.keys[key] && ch.Effective() < l.at {
				gone = append(gone, key)
			}
		}
		slices.SortFunc(gone, func(a, b model.Key) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range gone {
			was := st[kind][key]
			delete(st[kind], key)
			out = append(out, model.Change{Kind: kind, Op: model.OpDelete, Quality: model.ByOrder, Key: key, UID: was.UID, Node: was.Node, Pod: was.Pod,
				Time: model.Interval{Earliest: was.Effective(), Latest: l.at}, At: l.at,
				Origin: model.Origin{Source: k.source}, Note: "not in " + l.what})
		}
	}
	return out
}
