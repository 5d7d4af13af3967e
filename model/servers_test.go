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
