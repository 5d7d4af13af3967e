package model

import (
	"testing"
	"time"
)

// API servers are those with leases of their own, in order, and read when the newest of them was; other programs with
// such a lease are none, and one that is deleted is gone.
func TestServers(t *testing.T) {
	noon := At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	c := NewCluster()
	put := func(name string, version uint64, at Instant, list ...Detail) {
		c.Fold(&Change{Kind: KindServerLease, Op: OpModify, Key: Key{SystemNamespace, name}, Version: version, Time: Exactly(at), Related: &Related{Created: noon.Add(-time.Hour), Details: Details(PackLong(list, nil))}})
	}
	renewed := noon.Add(-3123456 * time.Microsecond)
	put("apiserver-b", 1, noon, Detail{DetailHost, "cp-1"}, Detail{DetailHolder, "apiserver-b_1"}, Detail{DetailRenewed, DetailTime(renewed)}, Detail{DetailLasts, "3600"}, Detail{DetailComponent, "kube-apiserver"})
	put("apiserver-a", 2, noon.Add(-time.Minute), Detail{DetailRenewed, "whenever"}, Detail{DetailLasts, "-1"})
	put("apiserver-c", 3, noon.Add(time.Minute), Detail{DetailComponent, "sample-apiserver"})
	put("apiserver-d", 4, noon)
	c.Fold(&Change{Kind: KindServerLease, Op: OpDelete, Key: Key{SystemNamespace, "apiserver-d"}, Version: 5, Time: Exactly(noon)})
	list, read := c.Servers()
	want := []Server{{Lease: "apiserver-a", Made: noon.Add(-time.Hour)},
		{Lease: "apiserver-b", Holder: "apiserver-b_1", Host: "cp-1", Made: noon.Add(-time.Hour), Renewed: renewed, Lasts: time.Hour}}
	if len(list) != 2 || list[0] != want[0] || list[1] != want[1] || read != noon {
		t.Errorf("%+v, read %v; want %+v, read %v", list, read, want, noon)
	}
	if list, read := NewCluster().Servers(); list != nil || read.Known() {
		t.Errorf("of nothing: %v, read %v", list, read)
	}
}

// A renewal that tells nothing but that it came leaves what was known of the lease: on which machine, held by whom, and when
// it was made. Another lease of that name begins anew.
func TestAServerKeepsItsMachine(t *testing.T) {
	noon := At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	c := NewCluster()
	put := func(version uint64, uid UID, made Instant, list ...Detail) {
		c.Fold(&Change{Kind: KindServerLease, Op: OpModify, Key: Key{SystemNamespace, "apiserver-a"}, UID: uid, Version: version, Time: Exactly(noon), Related: &Related{UID: uid, Created: made, Details: Details(PackLong(list, nil))}})
	}
	one, other := UUID([16]byte{1}), UUID([16]byte{2})
	put(1, one, noon, Detail{DetailHost, "cp-1"}, Detail{DetailHolder, "apiserver-a_1"}, Detail{DetailRenewed, DetailTime(noon)}, Detail{DetailLasts, "3600"})
	put(2, UID{}, 0, Detail{DetailRenewed, DetailTime(noon.Add(10 * time.Second))})
	want := Server{Lease: "apiserver-a", Holder: "apiserver-a_1", Host: "cp-1", Made: noon, Renewed: noon.Add(10 * time.Second), Lasts: time.Hour}
	if list, _ := c.Servers(); len(list) != 1 || list[0] != want {
		t.Errorf("%+v, want %+v", list, want)
	}
	put(3, other, noon.Add(time.Minute), Detail{DetailRenewed, DetailTime(noon.Add(time.Minute))})
	if list, _ := c.Servers(); len(list) != 1 || list[0].Host != "" || list[0].Holder != "" {
		t.Errorf("another lease: %+v", list)
	}
}
