package loop_test

import (
	"reflect"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
)

// outage is twenty nodes of which six fall silent at 100 s, with pods, at 160 s.
func outage() (*loop.Loop, model.Params) {
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	l := loop.New(params, loop.StartingAt(epoch, params.NodeMonitorPeriod.Value, time.Millisecond))
	for i, name := range names("n0..n19") {
		n := &model.Node{Created: epoch.Add(-time.Hour)}
		post(n, epoch, nil)
		l.At(epoch, func(l *loop.Loop) {
			l.SetNode(name, n)
			l.SetPod(&model.Pod{Key: key("p-" + name), Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue,
				Tolerations: &model.Tolerations{{Key: long("unreachable"), Operator: "Exists", Seconds: model.Some(int64(30))}}})
		})
		for t := 0.0; t < 600 && (i >= 6 || t <= 100); t += 10 {
			l.At(second(t), func(l *loop.Loop) { l.Renew(name, l.Now()) })
		}
	}
	return l, params
}

// The same input gives the same decisions, to the byte.
func TestSameInputSameDecisions(t *testing.T) {
	a, _ := outage()
	b, _ := outage()
	first, second := a.Run(second(500)), b.Run(second(500))
	if len(first) < 50 || !reflect.DeepEqual(first, second) {
		t.Fatalf("%d decisions and %d, or not the same", len(first), len(second))
	}
}

// A branch decides what its origin would have decided, and leaves its origin alone.
func TestBranch(t *testing.T) {
	l, params := outage()
	l.Run(second(172.5))
	clock := loop.Clock{Pass: epoch.Add(175*time.Second + 35*time.Millisecond), Period: 5 * time.Second, Drift: time.Millisecond,
		Tick: second(172.6), Collect: second(180)}
	branch := loop.Resume(second(172.5), l.Cache.Clone(), l.Nodes.Clone(), l.Taints.Clone(), l.Pods.Clone(), params, clock)
	forecast := forecast(branch, second(500), func(node string) bool { return node <= "n5" && len(node) == 2 })
	again := l.Run(second(500))
	if len(forecast) < 10 {
		t.Fatalf("only %d decisions", len(forecast))
	}
	compareTimes(t, forecast, again)
}

// forecast is what comes if the nodes for which silent is true stay silent and all others go on renewing.
func forecast(l *loop.Loop, until model.Instant, silent func(node string) bool) []model.Decision {
	var beating []int32
	for i := range int32(l.Cache.Rows()) {
		if row := l.Cache.Row(i); row.Node != nil && !silent(row.Name) {
			beating = append(beating, i)
		}
	}
	l.KeepBeating(beating)
	return l.Run(until)
}

// compareTimes demands the same decisions about the same subjects at the same times. Their
// inputs differ where the branch thins out renewals.
func compareTimes(t *testing.T, a, b []model.Decision) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%d decisions, and %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Time != b[i].Time || describe(&a[i]) != describe(&b[i]) || subject(&a[i]) != subject(&b[i]) {
			t.Fatalf("decision %d: %s %s %s, and %s %s %s", i, clockTime(a[i].Time), describe(&a[i]), subject(&a[i]),
				clockTime(b[i].Time), describe(&b[i]), subject(&b[i]))
		}
	}
}
