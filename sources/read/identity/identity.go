// Package identity tells whether inputs can be of one cluster. What cannot be must never be folded
// together: nodes of the one would fall silent in the other.
//
// Only contradictions count, for the files of one incident may show different nodes at different
// times: a node that is made again has a new UID, and controllers change their leader.
package identity

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
)

const (
	// skew is how far a kubelet's clock, or the order in which files were written, may be off
	// before two lives of one name count as lived at the same time.
	skew = time.Minute
	// replacing is how long it takes at least to replace every node of a cluster by others.
	replacing = time.Hour
	// few is how many nodes can be replaced sooner.
	few = 3
	// maxVersions bounds how many resourceVersions and UIDs are compared.
	maxVersions = 1 << 19
)

// Mixed is the error of inputs that cannot be of one cluster.
type Mixed struct {
	// A and B are what was read; the same where one input holds two clusters.
	A, B string
	// Why is what contradicts, in words.
	Why string
}

// Error says which inputs, and why.
func (m *Mixed) Error() string {
	if m.A == m.B {
		return fmt.Sprintf("%s holds objects of different clusters: %s", m.A, m.Why)
	}
	return fmt.Sprintf("%s and %s are of different clusters: %s", m.A, m.B, m.Why)
}

// Sighting is what one input tells of an object.
type Sighting struct {
	*model.Change
	Source int32
	// Created is the object's creationTimestamp, Stamped the newest other stamp in it.
	Created, Stamped model.Instant
}

// Inputs compares what inputs tell. The zero value is not usable; see New.
type Inputs struct {
	sources  []source
	lives    map[name][]life
	names    []name // in the order in which they were seen
	versions map[uint64]version
	uids     map[model.UID]int32 // of nodes and pods → the first source
	nodes    map[string]int32    // names of nodes → the first source
	systems  []system
	mixed    *Mixed
}

// source is what one input shows of the nodes it knows.
type source struct {
	path       string
	linked     int32 // an earlier source that shows the same objects; itself if none does
	nodes      map[string]bool
	born, last model.Instant // the first creation of its nodes, the last sign of one
}

// system is the UID of kube-system as a source shows it.
type system struct {
	uid    string
	source int32
}

// name is what an object is known by.
type name struct {
	kind model.Kind
	key  model.Key
}

// life is the time during which an object is known to have existed under one UID.
type life struct {
	uid        model.UID
	source     int32
	born, last model.Instant
	// gone is when it was deleted, FarFuture where nothing tells of that.
	gone model.Instant
}

// version is the object that was written with a resourceVersion.
type version struct {
	name
	uid     model.UID
	renewed model.Instant
	source  int32
}

// New compares nothing yet.
func New() *Inputs {
	return &Inputs{lives: map[name][]life{}, versions: map[uint64]version{}, uids: map[model.UID]int32{}, nodes: map[string]int32{}}
}

// Of names the source with an index.
func (in *Inputs) Of(index int32, path string) {
	for len(in.sources) <= int(index) {
		in.sources = append(in.sources, source{linked: int32(len(in.sources)), nodes: map[string]bool{}})
	}
	in.sources[index].path = path
}

// System takes in the UID of the namespace kube-system, which is the cluster's own.
func (in *Inputs) System(index int32, uid string) {
	for _, s := range in.systems {
		if s.uid != uid {
			in.contradicts(s.source, index, fmt.Sprintf("the UID of the namespace kube-system is %s in the one and %s in the other", s.uid, uid))
			return
		}
		in.link(s.source, index)
	}
	in.systems = append(in.systems, system{uid, index})
}

// Add takes in an object.
func (in *Inputs) Add(s Sighting) {
	if s.Op == model.OpAttempt || s.Op == model.OpGap {
		return
	}
	if node := s.NodeName(); node != "" {
		in.node(node, &s)
	}
	if s.Kind != model.KindEvent && s.UID.Known() && len(in.uids) < maxVersions {
		if first, ok := in.uids[s.UID]; ok {
			in.link(first, s.Source)
		} else {
			in.uids[s.UID] = s.Source
		}
	}
	if s.Kind == model.KindNode || s.Kind == model.KindNodeLease {
		in.live(&s)
	}
	if s.Version != 0 && s.Op != model.OpRepeat && s.Note == "" {
		in.version(&s)
	}
}

// node links sources by the node that an object is about.
func (in *Inputs) node(node string, s *Sighting) {
	if first, ok := in.nodes[node]; ok {
		in.link(first, s.Source)
	} else {
		in.nodes[node] = s.Source
	}
	if s.Kind != model.KindNode && s.Kind != model.KindNodeLease {
		return
	}
	of := &in.sources[s.Source]
	of.nodes[node] = true
	if s.Created.Known() && (!of.born.Known() || s.Created < of.born) {
		of.born = s.Created
	}
	of.last = max(of.last, s.Created, s.Stamped)
}

// link notes that two sources are of one cluster.
func (in *Inputs) link(a, b int32) {
	a, b = in.root(a), in.root(b)
	in.sources[max(a, b)].linked = min(a, b)
}

func (in *Inputs) root(i int32) int32 {
	for in.sources[i].linked != i {
		i = in.sources[i].linked
	}
	return i
}

// live notes for how long an object lived.
func (in *Inputs) live(s *Sighting) {
	if !s.UID.Known() {
		return
	}
	of := name{s.Kind, s.Key}
	all := in.lives[of]
	if all == nil {
		in.names = append(in.names, of)
	}
	i := slices.IndexFunc(all, func(l life) bool { return l.uid == s.UID && l.source == s.Source })
	if i < 0 {
		i = len(all)
		all = append(all, life{uid: s.UID, source: s.Source, born: s.Created, gone: model.FarFuture})
	}
	if s.Op == model.OpDelete && s.Time.Latest.Known() && s.Time.Latest.Bounded() {
		all[i].gone = s.Time.Latest // whatever a kubelet's clock says that is ahead
	}
	all[i].last = max(all[i].last, s.Created, s.Stamped)
	in.lives[of] = all
}

// version compares what was written with a resourceVersion: each belongs to one write. Events are
// often kept in an etcd of their own, and count with one of their own.
func (in *Inputs) version(s *Sighting) {
	if s.Kind == model.KindEvent {
		return
	}
	is := version{name{s.Kind, s.Key}, s.UID, s.Lease.Renewed, s.Source}
	was, there := in.versions[s.Version]
	switch {
	case !there:
		if len(in.versions) < maxVersions {
			in.versions[s.Version] = is
		}
	case was.name != is.name:
		in.contradicts(was.source, is.source, fmt.Sprintf("resourceVersion %d is %s in the one and %s in the other", s.Version, was.name, is.name))
	case was.uid.Known() && is.uid.Known() && was.uid != is.uid:
		in.contradicts(was.source, is.source, fmt.Sprintf("%s of resourceVersion %d has UID %s in the one and %s in the other", is.name, s.Version, was.uid, is.uid))
	case was.renewed.Known() && is.renewed.Known() && was.renewed != is.renewed:
		in.contradicts(was.source, is.source, fmt.Sprintf("%s of resourceVersion %d was renewed at %s in the one and at %s in the other", is.name, s.Version, was.renewed, is.renewed))
	}
}

// String is the kind and the name of an object.
func (n name) String() string { return n.kind.String() + " " + n.key.String() }

// contradicts notes the first contradiction.
func (in *Inputs) contradicts(a, b int32, why string) {
	if in.mixed == nil {
		in.mixed = &Mixed{in.sources[a].path, in.sources[b].path, why}
	}
}

// Check is a *Mixed error where the inputs cannot be of one cluster.
func (in *Inputs) Check() error {
	if in.mixed == nil {
		in.checkLives()
	}
	if in.mixed == nil {
		in.checkReplaced()
	}
	if in.mixed == nil {
		return nil
	}
	return in.mixed
}

// checkLives looks for two objects of one name that lived at the same time.
func (in *Inputs) checkLives() {
	for _, of := range in.names {
		all := in.lives[of]
		for j, b := range all {
			for _, a := range all[:j] {
				if a.clashes(b) {
					in.contradicts(a.source, b.source, fmt.Sprintf("%s has UID %s in the one and %s in the other, at the same time", of, a.uid, b.uid))
					return
				}
			}
		}
	}
}

func (a life) clashes(b life) bool {
	return a.uid != b.uid && a.born.Known() && b.born.Known() && a.born.Add(skew) < min(b.last, b.gone) && b.born.Add(skew) < min(a.last, a.gone)
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
		if s.born.Known() && (!g.born.Known() || s.born < g.born) {
			g.born = s.born
		}
		g.last = max(g.last, s.last)
	}
	for _, i := range roots {
		for _, k := range roots {
			a, b := groups[i], groups[k]
			apart := b.born.Sub(a.last)
			if i == k || len(a.nodes) < few || len(b.nodes) < few || !a.last.Known() || !b.born.Known() || apart < 0 || apart > replacing {
				continue
			}
			in.mixed = &Mixed{a.path, b.path, fmt.Sprintf("they have no node, pod or other object in common, and all %d nodes of the one would have been replaced by %d others within %s",
				len(a.nodes), len(b.nodes), apart.Round(time.Second))}
			return
		}
	}
}
