package model_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
)

// rowsOf prints all that a state says of nodes and their leases.
func rowsOf(c *model.Cluster) string {
	var out strings.Builder
	for r := range c.Rows {
		fmt.Fprintf(&out, "%s %v %v %v %+v\n", r.Name, r.Node, r.Gone, r.Written, r.Lease)
	}
	fmt.Fprint(&out, c.Now, c.Folded, c.Stale, c.Attempts, c.Gaps)
	return out.String()
}

// TestARenewalIsItsChange: whatever comes in between, old versions and other leases of the same name
// among it, a Renewal does to the state what the Change does that it stands for, and nothing to its
// copies.
func TestARenewalIsItsChange(t *testing.T) {
	uids := make([]model.UID, 3) // the first is not known
	for k := range uids[1:] {
		uids[k+1] = model.ParseUID(fmt.Sprintf("5f0e0000-0000-4000-8000-%012d", k+1), nil)
	}
	rapid.Check(t, func(t *rapid.T) {
		folded, renewed := model.NewCluster(), model.NewCluster()
		left := map[*model.Cluster]string{}
		instant := func(name string) model.Instant {
			return rapid.OneOf(rapid.Just(model.Instant(0)), rapid.SampledFrom([]model.Instant{model.FarPast, model.FarFuture}),
				rapid.Map(rapid.IntRange(0, 30), func(s int) model.Instant { return noon.Add(time.Duration(s) * time.Second) })).Draw(t, name)
		}
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			uid := rapid.SampledFrom(uids).Draw(t, "uid")
			name := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "node")
			ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: name}, UID: uid,
				Version: rapid.Uint64Range(0, 20).Draw(t, "version"), Arrival: instant("arrival"), At: instant("at"), Time: model.Interval{Earliest: instant("earliest"), Latest: instant("latest")},
				Lease: model.Lease{UID: rapid.SampledFrom(uids).Draw(t, "lease's uid"), Holder: name, Renewed: instant("renewed")}}
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				ch.Op = rapid.SampledFrom([]model.Op{model.OpBaseline, model.OpAdd, model.OpRepeat, model.OpAttempt, model.OpDelete, model.OpGap}).Draw(t, "op")
			case 1:
				ch.Kind, ch.Lease, ch.Node = model.KindNode, model.Lease{}, &model.Node{}
			}
			if rapid.IntRange(0, 4).Draw(t, "copy") == 0 {
				left[renewed] = rowsOf(renewed)
				renewed = renewed.Clone()
			}
			folded.Fold(&ch)
			if ch.Kind != model.KindNodeLease || ch.Op != model.OpModify || !ch.Lease.Renewed.Known() {
				renewed.Fold(&ch)
			} else {
				of := model.LeaseObject{Key: ch.Key, UID: ch.UID, Lease: ch.Lease}
				of.Lease.Renewed = 0
				r := model.Renewal{Renewed: ch.Lease.Renewed, Version: ch.Version, Time: ch.Time, Arrival: ch.Arrival, At: ch.At}
				if again := r.Change(&of); again.Lease != ch.Lease || again.Effective() != r.Effective() {
					t.Fatalf("%+v, want %+v", again, ch)
				}
				renewed.Renew(renewed.RowNumber(name), &of, &r)
			}
			if got, want := rowsOf(renewed), rowsOf(folded); got != want {
				t.Fatalf("%s\nwant\n%s", got, want)
			}
		}
		for c, want := range left {
			if got := rowsOf(c); got != want {
				t.Fatalf("a copy that was left is\n%s\nand was\n%s", got, want)
			}
		}
	})
}

func BenchmarkRenew(b *testing.B) {
	const nodes = 5000
	c := fleet(nodes)
	leases, rows := make([]model.LeaseObject, nodes), make([]int32, nodes)
	for k := range leases {
		ch := renewal(fmt.Sprintf("node-%04d", k), 3, noon)
		leases[k], rows[k] = model.LeaseObject{Key: ch.Key, UID: ch.UID, Lease: ch.Lease}, c.RowNumber(ch.Key.Name)
		leases[k].Lease.Renewed = 0
	}
	r := model.Renewal{Version: 3}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Version++
		r.Renewed = noon + model.Instant(i)
		r.Arrival = r.Renewed
		c.Renew(rows[i%nodes], &leases[i%nodes], &r)
	}
}
