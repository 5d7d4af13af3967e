package nodelifecycle

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// fleet is n Ready nodes in three zones.
func fleet(n int) *informer.Cache {
	cache := informer.New()
	for i := range n {
		node := &model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Region: "r", Zone: string(rune('a' + i%3))}}
		for _, kind := range []string{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
			status := model.StatusFalse
			if kind == "Ready" {
				status = model.StatusTrue
			}
			node.Conditions = append(node.Conditions, model.Condition{Type: kind, Status: status, Heartbeat: noon, Transition: noon})
		}
		name := fmt.Sprintf("node-%05d", i)
		cache.SetNode(name, node, uint64(i+1), 0, 0)
		cache.SetLease(name, noon, uint64(i+1), 0)
	}
	return cache
}

// A pass over 5,000 healthy nodes, half of which renewed since the last one, as they do
// in reality. pass-ns is the pass alone, ns/op with taking in the renewals.
func BenchmarkHealthyPass(b *testing.B) {
	for _, n := range []int{500, 5000, 50000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cache := fleet(n)
			c := New(model.Defaults(model.Version{Major: 1, Minor: 36}))
			at, version := noon, uint64(n)
			c.Pass(at, cache, Hidden{})
			var passes time.Duration
			b.ReportAllocs()
			round := 0
			for b.Loop() {
				at = at.Add(5 * time.Second)
				for i := round % 2; i < n; i += 2 {
					version++
					cache.SetLeaseOf(int32(i), at, version, 0)
				}
				round++
				start := time.Now()
				if out := c.Pass(at, cache, Hidden{}); len(out) > 0 {
					b.Fatalf("a healthy fleet, and %v", out[0])
				}
				passes += time.Since(start)
			}
			b.ReportMetric(float64(passes.Nanoseconds())/float64(b.N), "pass-ns")
		})
	}
}
