package forecast_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/forecast"
)

var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

const (
	period = 5 * time.Second
	drift  = time.Millisecond
	tick   = nodelifecycle.TickPeriod
)

func second(s float64) model.Instant { return epoch.Add(time.Duration(s * float64(time.Second))) }

func params() model.Params { return model.Defaults(model.Version{Major: 1, Minor: 36}) }

func ready() *model.Node {
	return &model.Node{Created: epoch.Add(-time.Hour), Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: epoch}}}
}

func tolerating(seconds int64) *model.Tolerations {
	return &model.Tolerations{{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Seconds: model.Some(seconds)}}
}

func forever() *model.Tolerations { return &model.Tolerations{{Operator: "Exists"}} }

// One of four waits for a token, and none is said to be second.
func TestQueueIsASet(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 103, "a01": 103, "a02": 103, "a03": 103})
	l := w.loop(157)
	f := forecast.Run(w.state(l, w.next(second(157))), forecast.Options{Silent: w.falls})
	var tokens []string
	for _, c := range f.Coming {
		if c.Decision.Kind == model.TaintNoExecute {
			tokens = append(tokens, fmt.Sprintf("%.1f %s%v", c.Decision.Window.Earliest.Sub(epoch).Seconds(), c.Decision.Node, c.Among))
		}
	}
	// One was tainted at 155; three wait, and each token may go to any that is left.
	want := []string{"165.1 [a01 a02 a03]", "175.1 [a01 a02 a03]", "185.1 [a01 a02 a03]"}
	if len(tokens) != 3 {
		t.Fatalf("tokens %q, want %q", tokens, want)
	}
	for i := range want {
		if tokens[i][6:] != want[i][6:] {
			t.Errorf("token %q, want %q", tokens[i], want[i])
		}
	}
	counts := map[forecast.State]int{}
	var wide []time.Duration
	for _, e := range f.Evictions {
		counts[e.State]++
		if e.State == forecast.WaitingForTaint && e.Seconds.Value == 300 {
			wide = append(wide, e.Window.Width().Round(time.Second))
		}
	}
	if counts[forecast.WaitingForTaint] != 9 || counts[forecast.Forever] != 4 || counts[forecast.Due] != 2 || counts[forecast.Terminating] != 1 {
		t.Errorf("evictions by state: %v", counts)
	}
	var waits []string
	for _, w := range f.Waits {
		waits = append(waits, fmt.Sprintf("%s %.0f to %.0f", w.Node, w.Window.Earliest.Sub(epoch).Seconds(), w.Window.Latest.Sub(epoch).Seconds()))
	}
	if want := []string{"a01 165 to 185", "a02 165 to 185", "a03 165 to 185"}; !slices.Equal(waits, want) {
		t.Errorf("waits %q, want %q", waits, want)
	}
	if !slices.Equal(wide, []time.Duration{20 * time.Second, 20 * time.Second, 20 * time.Second}) {
		t.Errorf("windows of those that wait: %v, want the time of three tokens", wide)
	}
}

// A zone of which most is dark taints nobody, and says so.
func TestHalted(t *testing.T) {
	w := newWorld([]int{4}, map[string]float64{"a00": 103, "a01": 103, "a02": 103})
	l := w.loop(200)
	f := forecast.Run(w.state(l, w.next(second(200))), forecast.Options{Silent: w.falls})
	if len(f.Coming) != 0 {
		t.Errorf("something comes: %v", f.Coming[0].Decision.Kind)
	}
	for _, w := range f.Waits {
		if w.Window.Earliest != model.FarFuture {
			t.Errorf("%s is said to be tainted within %v", w.Node, w.Window)
		}
	}
	halted := 0
	for _, e := range f.Evictions {
		if e.State == forecast.Halted {
			halted++
			if e.Rule != model.RuleZoneRate || e.Window.Earliest != model.FarFuture {
				t.Errorf("%s: rule %s, %v, %s", e.Pod, e.Rule, e.Window, e.Why.Reason)
			}
		}
	}
	if halted != 9 {
		t.Errorf("%d pods halted, want 9", halted)
	}
}

// A deleted pod whose kubelet is silent is stuck once its grace is over.
func TestStuck(t *testing.T) {
	w := newWorld([]int{3}, map[string]float64{"a00": 103})
	l := w.loop(200)
	f := forecast.Run(w.state(l, w.next(second(200))), forecast.Options{Silent: w.falls})
	states := map[string]forecast.State{}
	for _, e := range f.Evictions {
		states[e.Pod.Name] = e.State
	}
	want := map[string]forecast.State{"none-a00": forecast.Stuck, "short-a00": forecast.Terminating, "long-a00": forecast.Due, "ever-a00": forecast.Forever}
	if fmt.Sprint(states) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", states, want)
	}
}

// A state that holds nothing forecasts nothing.
func TestEmpty(t *testing.T) {
	p := params()
	s := &infer.State{At: epoch, Cache: informer.New(), Nodes: nodelifecycle.New(p), Taints: tainteviction.New(p), Pods: podgc.New(p), Params: p}
	if f := forecast.Run(s, forecast.Options{}); len(f.Coming)+len(f.Evictions) != 0 || f.Until != epoch.Add(forecast.Horizon) {
		t.Errorf("got %v", f)
	}
}

// Fifteen minutes for 5,000 nodes of which 500 are silent, ten pods on each.
func BenchmarkForecast(b *testing.B) {
	p := params()
	cache := informer.New()
	for i := range int32(5000) {
		n := ready()
		n.Zone = model.ZoneKey{Zone: string('a' + i%3)}
		name := fmt.Sprintf("node-%05d", i)
		cache.SetNode(name, n, uint64(i+1), 0, 0)
		cache.SetLease(name, epoch, uint64(i+1), 0)
		for k := range 10 {
			cache.SetPod(nil, &model.Pod{Key: model.Key{Namespace: "shop", Name: fmt.Sprintf("%s-%d", name, k)}, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, Tolerations: tolerating(300)})
		}
	}
	nodes := nodelifecycle.New(p)
	nodes.Pass(epoch, cache, nodelifecycle.Hidden{})
	silent := func(node string) bool { return node < "node-00500" }
	for name, ways := range map[string][]time.Duration{"exact": nil, "phases": {-time.Second, time.Second, 0}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := &infer.State{At: epoch, Cache: cache, Nodes: nodes, Taints: tainteviction.New(p), Pods: podgc.New(p), Params: p,
					Clock: loop.StartingAt(epoch.Add(5*time.Second), period, drift)}
				for _, off := range ways {
					clock := s.Clock
					clock.Pass = clock.Pass.Add(off)
					s.Phases = append(s.Phases, phases.Phase{Clock: clock})
				}
				forecast.Run(s, forecast.Options{Silent: silent})
			}
		})
	}
}
