package identity

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
)

const (
	// replacing is how long it takes at least to replace every node of a cluster.
	replacing = time.Hour
	// few is how many nodes can be replaced sooner.
	few = 3
	// fewUnborn is that for nodes that only pods or Events show: their creation is unknown.
	fewUnborn = 8
)

// node is the evidence of all inputs about the nodes of one name.
type node struct {
	// born is the first creation of its Node or Lease, if shown. The next two are the first and newest timestamp.
	born, told, last model.Instant
	// first is the first line about it, until the last of that source; lines are the versions in these lines, by kind.
	first where
	until int32
	lines map[model.Kind]versions
	// added is the creation, if observed; deleted: the deletion was observed.
	added   model.Instant
	deleted bool
	// sources show it, and lists have it as an item; each sorted.
	sources []int32
	lists   []listed
}

// listed is a list of a source, counted from 1.
type listed struct{ source, list int32 }

type versions struct{ low, high uint64 }

func (v versions) with(o versions) versions {
	if v.low == 0 || o.low != 0 && o.low < v.low {
		v.low = o.low
	}
	return versions{v.low, max(v.high, o.high)}
}

func (n *node) begins() model.Instant { return cmp.Or(n.born, n.told) }

// made reports that the node was seen to be made.
func (n *node) made() bool { return n.added.Known() && n.added <= n.begins().Add(skew) }

// span is from when to when inputs show an object.
type span struct {
	source      int32
	first, last model.Instant
}

// span notes when inputs show an object, and links the sources that show it.
func (in *Inputs) span(s *Sighting) {
	if s.Kind == model.KindEvent || !s.UID.Known() {
		return
	}
	if !in.objects.takes(spreadUID(s.UID)) {
		return
	}
	at := max(s.Created, s.Stamped)
	if was, ok := in.uids[s.UID]; ok {
		in.link(was.source, s.Source)
		in.uids[s.UID] = span{was.source, min(was.first, at), max(was.last, at)}
		return
	}
	if in.uids[s.UID] = (span{s.Source, at, at}); len(in.uids) > maxCompared {
		in.objects.halve()
		maps.DeleteFunc(in.uids, func(uid model.UID, _ span) bool { return !in.objects.takes(spreadUID(uid)) })
	}
}

// node takes evidence about a node, and links the sources that have it.
func (in *Inputs) node(called string, s *Sighting) {
	n := in.nodes[called]
	if n == nil {
		n = &node{first: s.where()}
		in.nodes[called] = n
		in.seen = append(in.seen, n)
	}
	if i, known := slices.BinarySearch(n.sources, s.Source); !known {
		if len(n.sources) > 0 {
			in.link(n.sources[0], s.Source)
		}
		n.sources = slices.Insert(n.sources, i, s.Source)
	}
	if s.List > 0 {
		in, by := listed{s.Source, s.List}, func(a, b listed) int {
			return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.list, b.list))
		}
		if i, known := slices.BinarySearchFunc(n.lists, in, by); !known {
			n.lists = slices.Insert(n.lists, i, in)
		}
	}
	if s.Source == n.first.source {
		n.until = max(n.until, s.Origin.Line)
		if s.Version != 0 {
			if n.lines == nil {
				n.lines = map[model.Kind]versions{}
			}
			n.lines[s.Kind] = n.lines[s.Kind].with(versions{s.Version, s.Version})
		}
	}
	for _, t := range []model.Instant{s.Created, s.Stamped} {
		n.told, n.last = earlier(n.told, t), max(n.last, t)
	}
	if s.Kind != model.KindNode && s.Kind != model.KindNodeLease {
		return
	}
	n.born = earlier(n.born, s.Created)
	switch s.Op {
	case model.OpDelete:
		n.deleted = true
	case model.OpAdd:
		if s.Quality == model.ByServer || in.addedLive(s) {
			n.added = earlier(n.added, cmp.Or(s.Created, s.Time.Earliest))
		}
	}
	of := &in.sources[s.Source]
	of.nodes[called] = true
	if s.Kind == model.KindNode {
		of.newest = max(of.newest, s.Version)
	}
	of.born = earlier(of.born, s.Created)
	of.last = max(of.last, s.Created, s.Stamped)
}

// addedLive reports that an added object was created then. A restarted watch adds old ones, in the order of names.
func (in *Inputs) addedLive(s *Sighting) bool {
	return s.Stamped <= s.Created.Add(2*time.Second) && (s.Kind != model.KindNode || s.Version > in.sources[s.Source].newest)
}

func earlier(a, b model.Instant) model.Instant {
	if !a.Known() || b.Known() && b < a {
		return b
	}
	return a
}
