package identity

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"kardia/model"
)

const (
	// replacing is how long it takes at least to replace every node of a cluster by others.
	replacing = time.Hour
	// few is how many nodes can be replaced sooner.
	few = 3
	// fewUnborn is the same of nodes of which pods or Events alone tell: when they were made is not known.
	fewUnborn = 8
)

// node is what all inputs tell of the nodes of one name.
type node struct {
	name string
	// born is the first creation of its Node or Lease, unknown where no input shows one; told is the first
	// stamp of whatever is about it, and last the newest.
	born, told, last model.Instant
	// first is the first line about it, and until the last of the same source; lines are what these tell of it.
	first where
	until int32
	lines map[model.Kind]versions
	// added is the creation of what was seen to be made; deleted says that it was seen to be deleted.
	added   model.Instant
	deleted bool
	sources []int32
}

// versions are the lowest and the highest resourceVersion of one kind.
type versions struct{ low, high uint64 }

func (v versions) with(o versions) versions {
	if v.low == 0 || o.low != 0 && o.low < v.low {
		v.low = o.low
	}
	return versions{v.low, max(v.high, o.high)}
}

// begins is when the node is known to have begun.
func (n *node) begins() model.Instant { return cmp.Or(n.born, n.told) }

// made says that the node was seen to be made.
func (n *node) made() bool { return n.added.Known() && n.added <= n.begins().Add(skew) }

// span is when an object was told of.
type span struct {
	source      int32
	first, last model.Instant
}

// span notes when an object was told of, and links the sources that tell of it.
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

// node takes in what is about a node, and links the sources that tell of it.
func (in *Inputs) node(called string, s *Sighting) {
	n := in.nodes[called]
	if n == nil {
		n = &node{name: called, first: s.where()}
		in.nodes[called] = n
		in.seen = append(in.seen, n)
	}
	if !slices.Contains(n.sources, s.Source) {
		if len(n.sources) > 0 {
			in.link(n.sources[0], s.Source)
		}
		n.sources = append(n.sources, s.Source)
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

// addedLive says that what a watch adds was made then. A watch that begins anew adds what has been there
// for long, in the order of its names, and not of its versions.
func (in *Inputs) addedLive(s *Sighting) bool {
	return s.Stamped <= s.Created.Add(2*time.Second) && (s.Kind != model.KindNode || s.Version > in.sources[s.Source].newest)
}

// earlier is the earlier of two instants, of which each may be unknown.
func earlier(a, b model.Instant) model.Instant {
	if !a.Known() || b.Known() && b < a {
		return b
	}
	return a
}

// checkReplaced looks for inputs that share nothing, and of which the nodes of the one were all made
// after those of the other were last seen, sooner than all nodes of a cluster are replaced.
func (in *Inputs) checkReplaced() {
	var roots []int32
	groups := map[int32]*source{}
	for i := range in.sources {
		s, root := &in.sources[i], in.root(int32(i))
		g := groups[root]
		if g == nil {
			g = &source{path: s.path, nodes: map[string]bool{}}
			groups[root], roots = g, append(roots, root)
		}
		if len(g.nodes) == 0 && len(s.nodes) > 0 {
			g.path = s.path // of those that belong together the one that shows nodes
		}
		for n := range s.nodes {
			g.nodes[n] = true
		}
		g.born = earlier(g.born, s.born)
		g.last = max(g.last, s.last)
	}
	for _, i := range roots {
		for _, k := range roots {
			a, b := groups[i], groups[k]
			apart := b.born.Sub(a.last)
			if i == k || len(a.nodes) < few || len(b.nodes) < few || !a.last.Known() || !b.born.Known() || apart < 0 || apart > replacing {
				continue
			}
			in.mixed = &Mixed{Place{Path: a.path}, Place{Path: b.path}, replaced(len(a.nodes), len(b.nodes), apart)}
			return
		}
	}
}

func replaced(before, after int, apart time.Duration) string {
	return fmt.Sprintf("they have no node, pod or other object in common, and all %d nodes of the one would have been replaced by %d others within %s",
		before, after, apart.Round(time.Second))
}

// checkSuccession looks for an instant at which all nodes were replaced by others, within one input or
// across inputs: nobody saw the old ones go or the new ones come, and nothing lived on.
func (in *Inputs) checkSuccession() {
	all := slices.DeleteFunc(slices.Clone(in.seen), func(n *node) bool { return !n.begins().Known() })
	slices.SortStableFunc(all, func(a, b *node) int { return cmp.Compare(a.begins(), b.begins()) })
	last := model.FarPast
	for i, n := range all {
		if apart := n.begins().Sub(last); i > 0 && apart >= 0 && apart <= replacing && in.succeeds(all[:i], all[i:], last, n.begins()) {
			in.contradicts(all[0].first, n.first, replaced(i, len(all)-i, apart))
			return
		}
		last = max(last, n.last)
	}
}

// succeeds says whether the nodes after, that begin from one instant on, cannot be of the cluster of
// those before, that were told of last at another.
func (in *Inputs) succeeds(before, after []*node, last, begins model.Instant) bool {
	stayed := slices.DeleteFunc(slices.Clone(before), func(n *node) bool { return n.deleted })
	appeared := slices.DeleteFunc(slices.Clone(after), (*node).made)
	born := func(n *node) bool { return n.born.Known() }
	least, shared := few, sourcesOf(before, after)
	if !slices.ContainsFunc(stayed, born) || !slices.ContainsFunc(appeared, born) {
		if least = fewUnborn; len(shared) > 0 && (begins.Sub(last) < skew || !countedAnew(before, after)) {
			return false // pods and Events of other nodes come in one input as time goes by
		}
	}
	if len(stayed) < least || len(appeared) < least {
		return false
	}
	if len(shared) == 0 && in.linkedAcross(before, after) || slices.ContainsFunc(shared, func(source int32) bool { return in.sources[source].broke }) {
		return false
	}
	return !in.livesOn(last, begins)
}

// countedAnew says that one input tells of the ones on lines of their own, and of the others, and that these were
// counted from lower on though all of them were made later: by another etcd.
func countedAnew(before, after []*node) bool {
	source, lower := before[0].first.source, false
	extent := func(list []*node) (from, to int32, counted map[model.Kind]versions) {
		from, counted = math.MaxInt32, map[model.Kind]versions{}
		for _, n := range list {
			from, to = min(from, n.first.line), max(to, n.until)
			for kind, v := range n.lines {
				counted[kind] = counted[kind].with(v)
			}
		}
		return from, to, counted
	}
	if slices.ContainsFunc(slices.Concat(before, after), func(n *node) bool { return n.first.source != source || n.first.line == 0 }) {
		return false
	}
	from, to, earlier := extent(before)
	since, until, later := extent(after)
	for kind, v := range later {
		lower = lower || earlier[kind].high > v.low
	}
	return lower && (to < since || until < from)
}

// livesOn says whether an object was told of both until an instant and after another.
func (in *Inputs) livesOn(until, from model.Instant) bool {
	for _, s := range in.uids {
		if s.first.Known() && s.first <= until && s.last >= from {
			return true
		}
	}
	return false
}

// linkedAcross says whether inputs that tell of the ones and of the others show something in common.
func (in *Inputs) linkedAcross(before, after []*node) bool {
	roots := map[int32]bool{}
	for _, n := range before {
		roots[in.root(n.sources[0])] = true
	}
	return slices.ContainsFunc(after, func(n *node) bool { return roots[in.root(n.sources[0])] })
}

// sourcesOf are the sources that tell of nodes of both lists.
func sourcesOf(a, b []*node) (both []int32) {
	in := map[int32]bool{}
	for _, n := range a {
		for _, s := range n.sources {
			in[s] = true
		}
	}
	for _, n := range b {
		for _, s := range n.sources {
			if in[s] && !slices.Contains(both, s) {
				both = append(both, s)
			}
		}
	}
	return both
}
