package identity_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/read/identity"
)

const noon = model.Instant(1_800_000_000e9)

func uid(n byte) model.UID { return model.UUID([16]byte{15: n}) }

// node is a Node as a source shows it.
func node(source int32, name string, id byte, version uint64, created, stamped time.Duration) identity.Sighting {
	return identity.Sighting{Source: source, Created: noon.Add(created), Stamped: noon.Add(stamped),
		Change: &model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, UID: uid(id), Version: version}}
}

// deleted is the evidence of when an object was removed.
func deleted(s identity.Sighting, at time.Duration) identity.Sighting {
	s.Op, s.Time = model.OpDelete, model.Exactly(noon.Add(at))
	return s
}

// lease is a Lease as a source shows it.
func lease(source int32, name string, id byte, version uint64, renewed time.Duration) identity.Sighting {
	return identity.Sighting{Source: source, Created: noon.Add(-time.Hour), Stamped: noon.Add(renewed),
		Change: &model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: "kube-node-lease", Name: name}, UID: uid(id), Version: version,
			Lease: model.Lease{Renewed: noon.Add(renewed)}}}
}

// pool is n nodes that were made at one time.
func pool(source int32, prefix string, first byte, n int, created, stamped time.Duration) (list []identity.Sighting) {
	for i := range n {
		list = append(list, node(source, prefix+string(rune('a'+i)), first+byte(i), 1000*uint64(source+1)+uint64(first)+uint64(i), created, stamped))
	}
	return list
}

func TestWhatCannotBeOneClusterIsRefused(t *testing.T) {
	both := func(lists ...[]identity.Sighting) (all []identity.Sighting) {
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	const minute, hour = time.Minute, time.Hour
	for _, c := range []struct {
		what    string
		refused bool
		see     []identity.Sighting
	}{
		{"the same node, later", false, []identity.Sighting{node(0, "a", 1, 10, 0, minute), node(1, "a", 1, 20, 0, hour)}},
		{"a node that was made again", false, []identity.Sighting{node(0, "a", 1, 10, 0, minute), node(1, "a", 2, 20, 2*minute, hour)}},
		{"a node made again while the old kubelet's clock was ahead", false, []identity.Sighting{node(0, "a", 1, 10, 0, 2*minute+30*time.Second), node(1, "a", 2, 20, 2*minute, hour)}},
		{"one name, two nodes at a time", true, []identity.Sighting{node(0, "a", 1, 10, 0, hour), node(1, "a", 2, 20, minute, hour)}},
		{"one name, two nodes at a time, in one file", true, []identity.Sighting{node(0, "a", 1, 10, 0, hour), node(0, "a", 2, 20, minute, hour)}},
		{"a node made again after its old kubelet's clock was an hour ahead", false, []identity.Sighting{node(0, "a", 1, 10, 0, hour), deleted(node(0, "a", 1, 11, 0, hour), minute), node(0, "a", 2, 20, 2*minute, hour)}},
		{"two leases of kube-controller-manager at a time", true, []identity.Sighting{leader(0, 10, 0), of(201, leader(1, 20, minute))}},
		{"a lease of kube-controller-manager that was made again", false, []identity.Sighting{leader(0, 10, -2*hour), of(201, leader(1, 20, minute))}},
		{"one version, two objects", true, []identity.Sighting{node(0, "a", 1, 10, 0, minute), node(1, "b", 2, 10, 0, minute)}},
		{"one version, one object in two files", false, []identity.Sighting{lease(0, "a", 1, 10, minute), lease(1, "a", 1, 10, minute)}},
		{"one version, two contents at a time", true, []identity.Sighting{lease(0, "a", 1, 10, minute), lease(1, "a", 1, 10, minute+10*time.Second)}},
		{"an etcd that was cloned: versions counted twice side by side", true, []identity.Sighting{
			lease(0, "a", 1, 10, 0), lease(0, "a", 1, 20, hour), lease(1, "a", 1, 10, minute/2), lease(1, "a", 1, 20, hour-minute)}},
		{"versions counted again, and nothing lives on", true, []identity.Sighting{lease(0, "a", 1, 10, 0), lease(1, "a", 2, 10, hour)}},
		{"nodes that were added", false, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "old-", 1, 5, 0, 2*hour), pool(1, "new-", 100, 5, hour+minute, 2*hour))},
		{"all nodes replaced within minutes", true, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "new-", 100, 5, hour+minute, 2*hour))},
		{"all nodes replaced over days", false, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "new-", 100, 5, 72*hour, 73*hour))},
		{"other nodes that were there before", false, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "new-", 100, 5, minute, 2*hour))},
		{"all nodes replaced within minutes, in one file", true, both(pool(0, "old-", 1, 5, 0, hour), pool(0, "new-", 100, 5, hour+minute, 2*hour))},
		{"all nodes dead, and others that were seen to be made", false, both(pool(0, "old-", 1, 5, 0, hour), made(pool(0, "new-", 100, 5, hour+minute, 2*hour)))},
		{"all nodes seen to go, and others that are there", false, both(gone(pool(0, "old-", 1, 5, 0, hour), hour), pool(0, "new-", 100, 5, hour+minute, 2*hour))},
		{"all nodes replaced, and a leader that lives on", false, both(pool(0, "old-", 1, 5, 0, hour), pool(0, "new-", 100, 5, hour+minute, 2*hour), []identity.Sighting{leader(0, 5000, 0), leader(0, 5001, 2*hour)})},
		{"nodes, and later pods of nodes that are not among them", true, both(pool(0, "old-", 1, 9, 0, hour), pods(1, "new-", 9, hour+minute))},
		{"nodes, and later pods of a few nodes that are not among them", false, both(pool(0, "old-", 1, 9, 0, hour), pods(1, "new-", 4, hour+minute))},
		{"nodes, and pods of their time on nodes that are not among them", false, both(pool(0, "old-", 1, 9, 0, hour), pods(1, "new-", 9, minute))},
		{"pods of other nodes as time goes by, in one file", false, both(pods(0, "old-", 9, 0), pods(0, "new-", 9, hour))},
		{"nodes that joined after the newest sign of the others, in one list", false, listed(pool(0, "old-", 1, 16, 0, minute), pool(0, "new-", 100, 3, 2*minute, 2*minute))},
		{"nodes of two lists, of which all of the one were made after the newest sign of the others", true, both(listed(pool(0, "old-", 1, 5, 0, hour)), listOf(2, pool(0, "new-", 100, 5, hour+minute, 2*hour)))},
		{"one name, two nodes at a time, in one list", true, listed([]identity.Sighting{node(0, "a", 1, 10, 0, hour), node(0, "a", 2, 20, minute, hour)})},
		{"two nodes replaced", false, both(pool(0, "old-", 1, 2, 0, hour), pool(1, "new-", 100, 2, hour+minute, 2*hour))},
	} {
		in := identity.New()
		in.Of(0, "one")
		in.Of(1, "two")
		for _, s := range c.see {
			in.Add(s)
		}
		if err := in.Check(); (err != nil) != c.refused {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// listed is objects that are items of one list.
func listed(lists ...[]identity.Sighting) []identity.Sighting { return listOf(1, lists...) }

// listOf is objects that are items of one list of their source.
func listOf(list int32, lists ...[]identity.Sighting) []identity.Sighting {
	all := slices.Concat(lists...)
	for i := range all {
		all[i].List = list
	}
	return all
}

// TestManyAreComparedInLittleTime: the comparisons grow with what is compared. If each name, or each life, were compared
// with each other one, the test would take minutes.
func TestManyAreComparedInLittleTime(t *testing.T) {
	const many = 20_000
	id := func(i int) model.UID { return model.UUID([16]byte{13: byte(i >> 16), 14: byte(i >> 8), 15: byte(i)}) }
	for what, each := range map[string]func(i int) identity.Sighting{
		"pods of as many nodes": func(i int) identity.Sighting {
			s := on(model.KindPod, fmt.Sprint("n", i), 1, uint64(i+1), int32(i+1), time.Duration(i)*time.Second)
			s.UID = id(i)
			return s
		},
		"leases of as many nodes": func(i int) identity.Sighting {
			s := lease(0, fmt.Sprint("n", i), 1, uint64(i+1), time.Duration(i)*time.Second)
			s.UID = id(i)
			return s
		},
		"lives of one node": func(i int) identity.Sighting {
			s := node(0, "a", 1, uint64(i+1), time.Duration(i)*time.Minute, time.Duration(i)*time.Minute)
			s.UID = id(i)
			return s
		},
		"files of one node": func(i int) identity.Sighting {
			return node(int32(i), "a", 1, uint64(i+1), 0, time.Duration(i)*time.Second)
		},
	} {
		in := identity.New()
		in.Of(many, "the last")
		for i := range many {
			in.Add(each(i))
		}
		if err := in.Check(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// made is nodes as an audit log shows that they are made.
func made(list []identity.Sighting) []identity.Sighting {
	for i := range list {
		list[i].Op, list[i].Quality, list[i].Time = model.OpAdd, model.ByServer, model.Exactly(list[i].Created)
	}
	return list
}

// gone is nodes that are deleted after what is known of them.
func gone(list []identity.Sighting, at time.Duration) []identity.Sighting {
	for i := range list {
		list[i] = deleted(list[i], at)
	}
	return list
}

// leader is a Lease by which a controller manager says that it lives.
func leader(source int32, version uint64, renewed time.Duration) identity.Sighting {
	s := lease(source, "kube-controller-manager", 200, version, renewed)
	s.Kind, s.Key.Namespace = model.KindLeaderLease, "kube-system"
	return s
}

// of is an object with another UID.
func of(id byte, s identity.Sighting) identity.Sighting {
	s.UID = uid(id)
	return s
}

// pods is a pod on each of n nodes.
func pods(source int32, prefix string, n int, created time.Duration) (list []identity.Sighting) {
	for i := range n {
		id := byte(150 + 20*source + int32(i))
		list = append(list, identity.Sighting{Source: source, Created: noon.Add(created), Stamped: noon.Add(created),
			Change: &model.Change{Kind: model.KindPod, Key: model.Key{Name: prefix + string(rune('a'+i))}, UID: uid(id), Version: 9000 + uint64(id) + uint64(created),
				Pod: &model.Pod{Node: prefix + string(rune('a'+i))}}})
	}
	return list
}

// renewals is what a lease is renewed with every ten seconds: its versions rise by step from a first.
func renewals(source int32, name string, id byte, first uint64, step int, from, until time.Duration) (list []identity.Sighting) {
	for at := from; at < until; at += 10 * time.Second {
		s := lease(source, name, id, first, at)
		s.Op, s.Quality, s.Time, s.Written = model.OpModify, model.ByServer, model.Exactly(noon.Add(at)), noon.Add(at)
		list, first = append(list, s), uint64(int(first)+step)
	}
	return list
}

// arrived is the same from a watch whose lines carry their arrival, each so much later.
func arrived(list []identity.Sighting, late time.Duration) []identity.Sighting {
	for i := range list {
		list[i].Arrival = list[i].Time.Earliest.Add(late)
		list[i].Quality, list[i].Time = model.ByArrival, model.Interval{}
	}
	return list
}

// watched is the same from a watch whose lines do not.
func watched(list []identity.Sighting) []identity.Sighting {
	for i := range list {
		list[i].Quality, list[i].Time = model.ByOrder, model.Interval{}
	}
	return list
}

// byTurns is two lists, one of each.
func byTurns(a, b []identity.Sighting) (all []identity.Sighting) {
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			all = append(all, a[i])
		}
		if i < len(b) {
			all = append(all, b[i])
		}
	}
	return all
}

// TestOneEtcdCounts: of one cluster the resourceVersions of a kind rise with time.
// on is a pod, or an Event, about a node, on a line of the first source.
func on(kind model.Kind, node string, id byte, version uint64, line int32, created time.Duration) identity.Sighting {
	ch := &model.Change{Kind: kind, Key: model.Key{Namespace: "default", Name: node}, UID: uid(id), Version: version, Op: model.OpAdd}
	ch.Origin.Line = line
	switch kind {
	case model.KindPod:
		ch.Pod = &model.Pod{Key: ch.Key, Node: node}
	case model.KindEvent:
		ch.Event = &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: node}}}
	}
	return identity.Sighting{Source: 0, Created: noon.Add(created), Stamped: noon.Add(created), Change: ch}
}

// TestPodsAndEventsOfTwoClusters: if pods, or Events, alone show nodes, later ones may show other nodes. Those of
// another cluster follow on lines of their own, and another etcd counted them.
func TestPodsAndEventsOfTwoClusters(t *testing.T) {
	const nodes = 9
	for _, kind := range []model.Kind{model.KindPod, model.KindEvent} {
		for _, c := range []struct {
			what    string
			refused bool
			version uint64 // of the first that shows the others
			line    int32
		}{
			{"counted on", false, 3000, 100},
			{"counted again", true, 500, 100},
			{"counted again, and told first", true, 500, 1},
			{"in between", false, 500, 15},
		} {
			in := identity.New()
			in.Of(0, "watch.jsonl")
			for i := range byte(nodes) {
				in.Add(on(kind, "a"+string(rune('a'+i)), 1+i, 1000+uint64(i), 10+int32(i), time.Duration(i)*time.Second))
			}
			for i := range byte(nodes) {
				in.Add(on(kind, "b"+string(rune('a'+i)), 51+i, c.version+uint64(i), c.line+int32(i), 2*time.Minute+time.Duration(i)*time.Second))
			}
			if err := in.Check(); err != nil != c.refused {
				t.Errorf("%ss %s: %v", kind, c.what, err)
			}
		}
	}
}

func TestOneEtcdCounts(t *testing.T) {
	const minute = time.Minute
	for _, c := range []struct {
		what    string
		refused bool
		see     []identity.Sighting
	}{
		{"two nodes of one cluster", false, byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(0, "b", 2, 105, 10, 0, 10*minute))},
		{"two clusters, line by line", true, byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(0, "b", 2, 1_000_000, 10, 0, 10*minute))},
		{"two clusters, one after the other, of one time", true, append(renewals(0, "a", 1, 1_000_000, 10, 0, 10*minute), renewals(0, "b", 2, 100, 10, 0, 10*minute)...)},
		{"two clusters of one time in two files", true, append(renewals(0, "a", 1, 1_000_000, 10, 0, 10*minute), renewals(1, "b", 2, 100, 10, 0, 10*minute)...)},
		{"an etcd that is restored", false, append(renewals(0, "a", 1, 1000, 10, 0, 10*minute), renewals(0, "a", 1, 700, 11, 10*minute, 60*minute)...)},
		{"an etcd that is restored twice", false, slices.Concat(renewals(0, "a", 1, 1000, 10, 0, 10*minute), renewals(0, "a", 1, 703, 100, 10*minute, 20*minute), renewals(0, "a", 1, 2007, 50, 20*minute, 80*minute))},
		{"two API servers whose clocks are 40 s apart", false, append(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(1, "b", 2, 145, 10, 0, 10*minute)...)},
		{"a kubelet whose clock is an hour ahead", false, byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), ahead(renewals(0, "b", 2, 105, 10, 0, 10*minute), time.Hour))},
		{"patches that change nothing, answered with old versions", false, byTurns(renewals(0, "a", 1, 1000, 10, 0, 10*minute), ahead(renewals(0, "b", 2, 105, 1, 0, 10*minute), -time.Hour))},
		{"a log, and a watch that is told minutes late", false, append(renewals(0, "a", 1, 100, 10, 0, 10*minute), arrived(renewals(1, "b", 2, 105, 10, 0, 10*minute), 4*minute)...)},
		{"a watch of two clusters that tells when what arrived", true, arrived(byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(0, "b", 2, 1_000_000, 10, 0, 10*minute)), 0)},
		{"a watch of one cluster", false, watched(byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(0, "b", 2, 105, 10, 0, 10*minute)))},
		{"watches of two clusters line by line", true, watched(byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(0, "b", 2, 1_000_000, 10, 0, 10*minute)))},
		{"watches one after the other, of an etcd that is restored", false, watched(append(renewals(0, "a", 1, 1_000_000, 10, 0, 10*minute), renewals(0, "a", 1, 105, 10, 0, 10*minute)...))},
		{"two watches of one cluster of which one is late", false, watched(byTurns(renewals(0, "a", 1, 100, 10, 0, 10*minute), renewals(0, "b", 2, 5, 10, -10*minute, 10*minute)))},
	} {
		in := identity.New()
		in.Of(0, "one")
		in.Of(1, "two")
		for _, s := range c.see {
			in.Add(s)
		}
		if err := in.Check(); (err != nil) != c.refused {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// ahead is the same by a kubelet whose clock is off.
func ahead(list []identity.Sighting, by time.Duration) []identity.Sighting {
	for i := range list {
		list[i].Lease.Renewed, list[i].Written = list[i].Lease.Renewed.Add(by), list[i].Written.Add(by)
	}
	return list
}

// TestWhereTheyMeetIsNamed: of one file the two lines are.
func TestWhereTheyMeetIsNamed(t *testing.T) {
	in := identity.New()
	in.Of(0, "one")
	for i, s := range append(pool(0, "old-", 1, 5, 0, time.Hour), pool(0, "new-", 100, 5, time.Hour+time.Minute, 2*time.Hour)...) {
		s.Origin.Line = int32(i + 1)
		in.Add(s)
	}
	if err := in.Check(); err == nil || !strings.Contains(err.Error(), "one holds objects of different clusters (lines 1 and 6)") {
		t.Error(err)
	}
}

func TestTheClustersOwnIDDecides(t *testing.T) {
	old, fresh := pool(0, "old-", 1, 5, 0, time.Hour), pool(1, "new-", 100, 5, time.Hour+time.Minute, 2*time.Hour)
	for _, c := range []struct {
		one, two string
		refused  bool
	}{{"x", "x", false}, {"x", "y", true}} {
		in := identity.New()
		in.Of(0, "one")
		in.Of(1, "two")
		in.System(0, c.one, 0)
		in.System(1, c.two, 0)
		for _, s := range append(old, fresh...) {
			in.Add(s)
		}
		if err := in.Check(); (err != nil) != c.refused {
			t.Errorf("%s and %s: %v", c.one, c.two, err)
		}
	}
}

// TestALongLogIsComparedToItsEnd: two clusters that use the same resourceVersions late in a long log are distinguished,
// as those that do from the start; the length of the log costs no memory.
func TestALongLogIsComparedToItsEnd(t *testing.T) {
	const writes, shared = 700_000, 30_000
	in := identity.New()
	in.Of(0, "one.log")
	in.Of(1, "other.log")
	renewal := func(source int32, names string, version int) {
		node := version % len(names)
		s := lease(source, names[node:node+1], names[node], uint64(version), time.Duration(version)*time.Second)
		s.Op = model.OpModify
		in.Add(s)
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for version := range writes / 4 {
		renewal(0, "abc", version+1)
	}
	before := heap()
	for version := writes / 4; version < writes; version++ {
		renewal(0, "abc", version+1)
	}
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("%d writes take %d KiB", writes*3/4, grown>>10)
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	for version := writes - shared; version < writes; version++ {
		renewal(1, "xyz", version+1)
	}
	mixed := (*identity.Mixed)(nil)
	if err := in.Check(); !errors.As(err, &mixed) || !strings.Contains(mixed.Why, "resourceVersion") {
		t.Error(err)
	}
}
