package dating

import (
	"kardia/model"
)

// Conflict says that a source is of another cluster than one before it.
type Conflict struct {
	Source, OtherSource int32
	Node                string
	UID, OtherUID       model.UID
}

// life is the time during which one source saw a node under one UID.
type life struct {
	uid    model.UID
	source int32
	born   model.Instant // creationTimestamp
	last   model.Instant // newest stamp
}

// Clusters finds sources that cannot be of one cluster: in which a node has one UID while in
// an earlier source it has another. A node deleted and made again has two, one after
// the other. At most one Conflict a source.
func Clusters(sightings []Sighting) []Conflict {
	lives := map[string][]life{}
	for i := range sightings {
		s := &sightings[i]
		if s.Kind != model.KindNode || !s.UID.Known() {
			continue
		}
		newest := max(s.Stamps.Managed, s.Stamps.Created, s.Arrival)
		if s.Node != nil && s.Node.Ready() != nil {
			newest = max(newest, s.Node.Ready().Heartbeat)
		}
		lives[s.Key.Name] = extend(lives[s.Key.Name], life{s.UID, s.Origin.Source, s.Stamps.Created, newest})
	}
	var out []Conflict
	found := map[int32]bool{}
	for i := range sightings { // in the order of the sightings, so that the answer is the same each time
		name := sightings[i].Key.Name
		all := lives[name]
		delete(lives, name)
		for j, b := range all {
			for _, a := range all[:j] {
				if a.source == b.source || found[b.source] || found[a.source] || !a.clashes(b) {
					continue
				}
				found[b.source] = true
				out = append(out, Conflict{b.source, a.source, name, b.uid, a.uid})
			}
		}
	}
	return out
}

func extend(all []life, l life) []life {
	for i := range all {
		if all[i].uid == l.uid && all[i].source == l.source {
			all[i].last = max(all[i].last, l.last)
			return all
		}
	}
	return append(all, l)
}

// clashes says that two nodes of one name lived at the same time.
func (a life) clashes(b life) bool {
	return a.uid != b.uid && a.born.Known() && b.born.Known() &&
		a.born < b.last && b.born < a.last
}
