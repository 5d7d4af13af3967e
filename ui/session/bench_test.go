package session

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// idle is a stream that brings nothing: the benchmark puts Changes into the mailbox itself.
type idle struct{ flood }

// BenchmarkLiveSecond is what a second of a live cluster of 5,000 nodes and 100,000 pods
// costs the goroutine that draws: ten times fifty renewals fetched, remembered and folded.
// heap-MB is what the session holds after a quarter of an hour.
func BenchmarkLiveSecond(b *testing.B) {
	const nodes, pods = 5000, 100_000
	c := &clock{noon}
	s := Live(idle{}, Options{Now: c.now})
	var list []model.Change
	for i := range nodes {
		list = append(list, arrived(node(0, fmt.Sprint("node-", i), "True")), lease(0, fmt.Sprint("node-", i)))
	}
	for i := range pods {
		key := model.Key{Namespace: "default", Name: fmt.Sprint("pod-", i)}
		list = append(list, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: key, Arrival: sec(0), Time: model.Exactly(sec(0)),
			Pod: &model.Pod{Key: key, Node: fmt.Sprint("node-", i%nodes)}})
	}
	s.receive(&stream.Batch{Changes: list, Status: allLive()})
	s.Advance()
	second := 0.0
	pass := func() {
		for tenth := range 10 {
			var changes []model.Change
			for i := range 50 {
				changes = append(changes, lease(second+float64(tenth)/10, fmt.Sprint("node-", (int(second)*500+tenth*50+i)%nodes)))
			}
			c.pass(100 * time.Millisecond)
			s.receive(&stream.Batch{Changes: changes, Status: allLive()})
			s.Advance()
		}
		second++
	}
	for range 900 {
		pass()
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	heap := float64(m.HeapAlloc) / (1 << 20)
	b.ReportAllocs()
	for b.Loop() {
		pass()
	}
	b.ReportMetric(heap, "heap-MB")
}
