package identity_test

import (
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

// deleted is what tells when an object went.
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
		{"one version, two objects", true, []identity.Sighting{node(0, "a", 1, 10, 0, minute), node(1, "b", 2, 10, 0, minute)}},
		{"one version, one object in two files", false, []identity.Sighting{lease(0, "a", 1, 10, minute), lease(1, "a", 1, 10, minute)}},
		{"one version, two contents", true, []identity.Sighting{lease(0, "a", 1, 10, minute), lease(1, "a", 1, 10, hour)}},
		{"nodes that were added", false, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "old-", 1, 5, 0, 2*hour), pool(1, "new-", 100, 5, hour+minute, 2*hour))},
		{"all nodes replaced within minutes", true, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "new-", 100, 5, hour+minute, 2*hour))},
		{"all nodes replaced over days", false, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "new-", 100, 5, 72*hour, 73*hour))},
		{"other nodes that were there before", false, both(pool(0, "old-", 1, 5, 0, hour), pool(1, "new-", 100, 5, minute, 2*hour))},
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

func TestTheClustersOwnIDDecides(t *testing.T) {
	old, fresh := pool(0, "old-", 1, 5, 0, time.Hour), pool(1, "new-", 100, 5, time.Hour+time.Minute, 2*time.Hour)
	for _, c := range []struct {
		one, two string
		refused  bool
	}{{"x", "x", false}, {"x", "y", true}} {
		in := identity.New()
		in.Of(0, "one")
		in.Of(1, "two")
		in.System(0, c.one)
		in.System(1, c.two)
		for _, s := range append(old, fresh...) {
			in.Add(s)
		}
		if err := in.Check(); (err != nil) != c.refused {
			t.Errorf("%s and %s: %v", c.one, c.two, err)
		}
	}
}
