// Package identity decides whether inputs can be of one cluster. Objects of two clusters must never be folded together:
// nodes of one would fall silent in the other. For example: two UIDs of kube-system are a Mixed error.
//
// Only contradictions count. The files of one incident may show different nodes at different times. A node that is
// created again has a new UID, and controllers change their leader. Two clusters may be in two files, or in one, one
// after the other, or line by line: see succession and order.
package identity

import (
	"fmt"
	"maps"
	"time"

	"kardia/model"
)

const (
	// skew is how far a kubelet's clock, or the order of files, may be off. Lives of one name may overlap so far.
	skew = time.Minute
	// maxCompared limits the resourceVersions, UIDs, and times that are compared; further ones are sampled.
	maxCompared = 1 << 16
)

// Mixed: inputs cannot be of one cluster.
type Mixed struct {
	// A and B are the two places, in one path if one input has both clusters.
	A, B Place
	// Why is the contradiction, in words.
	Why string
}

type Place struct {
	Path string
	Line int32 // from 1; 0 if the input has none, or is a whole
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

func (m *Mixed) Error() string {
	if m.A.Path != m.B.Path {
		return fmt.Sprintf("%s and %s are of different clusters: %s", m.A, m.B, m.Why)
	}
	if m.A.Line == 0 || m.B.Line == 0 {
		return fmt.Sprintf("%s holds objects of different clusters: %s", m.A.Path, m.Why)
	}
	return fmt.Sprintf("%s holds objects of different clusters (lines %d and %d): %s", m.A.Path, m.A.Line, m.B.Line, m.Why)
}

// Sighting is one input's evidence about an object.
type Sighting struct {
	*model.Change
	Source int32
	// List is the source's list of which it is an item, from 1; 0 for none. Items of one list are of one cluster.
	List int32
	// Created is creationTimestamp, Stamped the newest other timestamp in it or of the request.
	Created, Stamped model.Instant
	// Written is the newest timestamp that this version may have been written with, by any clock.
	Written model.Instant
}

// at is when the sighting was written, by the API server's clock (served), or arrived; may be unknown.
func (s *Sighting) at() (at model.Instant, served bool) {
	if s.Quality == model.ByServer && s.Time.Bounded() && s.Time.Known() {
		return s.Time.Earliest, true
	}
	return s.Arrival, false
}

// Inputs compares the evidence of inputs. Create it with New.
type Inputs struct {
	sources  []source
	lives    map[model.ObjectID]map[model.UID]*life
	names    []model.ObjectID // in the order in which they were seen
	versions map[uint64]version
	numbers  sample             // of versions
	uids     map[model.UID]span // of nodes, leases and pods
	objects  sample             // of uids
	nodes    map[string]*node
	seen     []*node // in the order in which they were seen
	order    order
	again    again
	system   *system // the first that a source shows
	mixed    *Mixed
}

// source is an input's evidence about its nodes.
type source struct {
	path       string
	broke      bool  // its own messages show that it was restarted
	linked     int32 // an earlier source that shows the same objects; itself if none does
	nodes      map[string]bool
	born, last model.Instant // the first creation of its nodes, the last sign of one
	newest     uint64        // the highest resourceVersion of its Nodes so far
}

type where struct{ source, line int32 }

type system struct {
	uid string
	where
}

// version is the object that was written with a resourceVersion.
type version struct {
	name    model.ObjectID
	uid     model.UID
	renewed model.Instant
	at      model.Instant // the newest stamp
	where
}

func New() *Inputs {
	return &Inputs{lives: map[model.ObjectID]map[model.UID]*life{}, versions: map[uint64]version{}, uids: map[model.UID]span{}, nodes: map[string]*node{}}
}

// Of names a source.
func (in *Inputs) Of(index int32, path string) {
	for len(in.sources) <= int(index) {
		in.sources = append(in.sources, source{linked: int32(len(in.sources)), nodes: map[string]bool{}})
	}
	in.sources[index].path = path
}

// Broke: a source's own messages show a restart, so something may have been missed.
func (in *Inputs) Broke(index int32) { in.sources[index].broke = true }

// System takes the UID of the namespace kube-system, which is the cluster's own, and its line.
func (in *Inputs) System(index int32, uid string, line int32) {
	is := &system{uid, where{index, line}}
	switch first := in.system; {
	case first == nil:
		in.system = is
	case first.uid != uid:
		in.contradicts(first.where, is.where, fmt.Sprintf("the UID of the namespace kube-system is %s in the one and %s in the other", first.uid, uid))
	default:
		in.link(first.source, index)
	}
}

// Add takes an object.
func (in *Inputs) Add(s Sighting) {
	if s.Op == model.OpAttempt || s.Op == model.OpGap {
		return
	}
	if node := s.NodeName(); node != "" {
		in.node(node, &s)
	}
	in.span(&s)
	if s.Kind == model.KindNode || s.Kind == model.KindNodeLease || s.Kind == model.KindLeaderLease {
		in.live(&s)
	}
	if s.Version != 0 && s.Op != model.OpRepeat && s.Note == "" {
		in.version(&s)
	}
	in.order.note(&s)
}

func (in *Inputs) link(a, b int32) {
	a, b = in.root(a), in.root(b)
	in.sources[max(a, b)].linked = min(a, b)
}

func (in *Inputs) root(i int32) int32 {
	for in.sources[i].linked != i {
		in.sources[i].linked = in.sources[in.sources[i].linked].linked // so that chains of links stay short
		i = in.sources[i].linked
	}
	return i
}

// version compares the writes with a resourceVersion: each is of one write. Events may be in another etcd.
func (in *Inputs) version(s *Sighting) {
	if s.Kind == model.KindEvent {
		return
	}
	if !in.numbers.takes(spread(s.Version)) {
		return
	}
	is := version{model.ObjectID{Kind: s.Kind, Key: s.Key}, s.UID, s.Lease.Renewed, max(s.Created, s.Stamped), s.where()}
	was, there := in.versions[s.Version]
	switch {
	case !there:
		if in.versions[s.Version] = is; len(in.versions) > maxCompared {
			in.numbers.halve()
			maps.DeleteFunc(in.versions, func(v uint64, _ version) bool { return !in.numbers.takes(spread(v)) })
		}
	case was.name != is.name:
		in.twice(was, is, fmt.Sprintf("resourceVersion %d is %s in the one and %s in the other", s.Version, was.name, is.name))
	case was.uid.Known() && is.uid.Known() && was.uid != is.uid:
		in.twice(was, is, fmt.Sprintf("%s of resourceVersion %d has UID %s in the one and %s in the other", is.name, s.Version, was.uid, is.uid))
	case was.renewed.Known() && is.renewed.Known() && was.renewed != is.renewed:
		in.twice(was, is, fmt.Sprintf("%s of resourceVersion %d was renewed at %s in the one and at %s in the other", is.name, s.Version, was.renewed, is.renewed))
	}
}

// again is two writes with one resourceVersion.
type again struct {
	first *Mixed
	// until is the newest of all earlier writes, from the oldest of all later ones.
	until, from model.Instant
}

func (in *Inputs) twice(a, b version, why string) {
	if in.again.first == nil {
		in.again = again{&Mixed{in.place(a.where), in.place(b.where), why}, model.FarPast, model.FarFuture}
	}
	in.again.until = max(in.again.until, min(a.at, b.at))
	in.again.from = min(in.again.from, max(a.at, b.at))
}

// checkVersions refuses versions that were written twice. It allows an etcd restored from a backup: all of one before
// all of the other, and some object lived on.
func (in *Inputs) checkVersions() {
	is := in.again
	if is.first != nil && !(is.until.Add(skew) < is.from && in.spans().on(is.until, is.from)) {
		in.mixed = is.first
	}
}

func (s *Sighting) where() where { return where{s.Source, s.Origin.Line} }

func (in *Inputs) contradicts(a, b where, why string) {
	if in.mixed == nil {
		in.mixed = &Mixed{in.place(a), in.place(b), why}
	}
}

func (in *Inputs) place(w where) Place { return Place{in.sources[w.source].path, w.line} }

// Check is a *Mixed if the inputs cannot be of one cluster.
func (in *Inputs) Check() error {
	for _, check := range []func(){in.checkVersions, in.checkLives, in.checkReplaced, in.checkSuccession, in.checkOrder} {
		if in.mixed == nil {
			check()
		}
	}
	if in.mixed == nil {
		return nil
	}
	return in.mixed
}
