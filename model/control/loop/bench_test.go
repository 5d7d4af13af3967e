package loop_test

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
)

// Fifteen minutes forward for 5,000 nodes in three zones, 500 of them silent, ten pods on
// each: controllers and cache are copied, and run.
func BenchmarkForecast(b *testing.B) {
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	cache := informer.New()
	tolerations := &model.Tolerations{{Key: long("unreachable"), Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}}
	for i := range int32(5000) {
		n := &model.Node{Created: epoch.Add(-time.Hour), Zone: model.ZoneKey{Zone: string('a' + i%3)}}
		post(n, epoch, []string{"Ready=True"})
		name := fmt.Sprintf("node-%05d", i)
		cache.SetNode(name, n, uint64(i+1), 0, 0)
		cache.SetLease(name, epoch, uint64(i+1), 0)
		for k := range 10 {
			cache.SetPod(nil, &model.Pod{Key: key(fmt.Sprintf("%s-%d", name, k)), Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, Tolerations: tolerations})
		}
	}
	nodes, taints, pods := nodelifecycle.New(params), tainteviction.New(params), podgc.New(params)
	nodes.Pass(epoch, cache, nodelifecycle.Hidden{})
	b.ReportAllocs()
	count := 0
	for b.Loop() {
		clock := loop.StartingAt(epoch.Add(5*time.Second), params.NodeMonitorPeriod.Value, time.Millisecond)
		l := loop.Resume(epoch, cache.Clone(), nodes.Clone(), taints.Clone(), pods.Clone(), params, clock)
		count = len(forecast(l, epoch.Add(15*time.Minute), func(node string) bool { return node < "node-00500" }))
	}
	b.ReportMetric(float64(count), "decisions")
}

// Renewals of 5,000 nodes, one every 10 s each, folded through the cluster that screens show,
// the cache that the controllers see, and the controllers themselves: a pass every 5 s, a
// tick every 100 ms, pod garbage collection every 20 s, all by the clock of the data.
func BenchmarkRenewals(b *testing.B) {
	const count = 5000
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	cluster, cache := model.NewCluster(), informer.New()
	fold := func(ch *model.Change) {
		cluster.Fold(ch)
		cache.Fold(ch, 0, nil, 0)
	}
	renewals := make([]model.Change, count)
	for i := range renewals {
		name := fmt.Sprintf("node-%05d", i)
		n := &model.Node{Created: epoch.Add(-time.Hour), Zone: model.ZoneKey{Zone: string(rune('a' + i%3))}}
		post(n, epoch, []string{"Ready=True"})
		fold(&model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Version: uint64(i + 1), Time: model.Exactly(epoch), At: epoch, Arrival: epoch, Node: n})
		renewals[i] = model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: "kube-node-lease", Name: name}, Version: uint64(i + 1),
			Time: model.Exactly(epoch), At: epoch, Arrival: epoch, Lease: model.Lease{Holder: name, Renewed: epoch}}
	}
	nodes, taints, pods := nodelifecycle.New(params), tainteviction.New(params), podgc.New(params)
	pass, tick, collect := epoch, epoch, epoch
	version, now := uint64(count), epoch
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		version++
		now = now.Add(10 * time.Second / count)
		ch := &renewals[i%count]
		ch.Version, ch.Time, ch.At, ch.Arrival, ch.Lease.Renewed = version, model.Exactly(now), now, now, now
		fold(ch)
		if now >= pass {
			pass = pass.Add(params.NodeMonitorPeriod.Value)
			nodes.Pass(now, cache, nodelifecycle.Hidden{})
		}
		if now >= tick {
			tick = tick.Add(nodelifecycle.TickPeriod)
			nodes.Tick(now, cache, nodelifecycle.Hidden{})
			taints.Fire(now, cache)
		}
		if now >= collect {
			collect = collect.Add(podgc.Period)
			pods.Cycle(now, cache)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "renewals/s")
}
