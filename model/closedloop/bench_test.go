package closedloop_test

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/informer"
	"kardia/model/nodelifecycle"
	"kardia/model/podgc"
	"kardia/model/tainteviction"
)

// Fifteen minutes forward for 5,000 nodes in three zones, 500 of them silent, ten pods on
// each: controllers and cache are copied, and run.
func BenchmarkForecast(b *testing.B) {
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	cache := informer.New()
	tolerations := &model.Tolerations{{Key: long("unreachable"), Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}}
	for i := range int32(5000) {
		n := &model.Node{Created: epoch.Add(-time.Hour), Place: model.Place{Zone: string(rune('a' + i%3))}}
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
		clock := closedloop.StartingAt(epoch.Add(5*time.Second), params.NodeMonitorPeriod.Value, time.Millisecond)
		state := closedloop.State{At: epoch, Cache: cache, Nodes: nodes, Taints: taints, Pods: pods, Params: params, Clock: clock}
		count = len(state.Forecast(epoch.Add(15*time.Minute), func(node string) bool { return node < "node-00500" }))
	}
	b.ReportMetric(float64(count), "decisions")
}
