package nodelifecycle

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// TestAWriteThatIsRepeatedIsNoDecision: whose declaration has yet to be seen is declared in every pass, as a controller
// does that reads a cache in which it is not, and decided of once.
func TestAWriteThatIsRepeatedIsNoDecision(t *testing.T) {
	zero := model.At(time.Unix(1_800_000_000, 0))
	cache, c := informer.New(), New(model.Defaults(model.Version{Major: 1, Minor: 36}))
	ready := []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: zero}}
	cache.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "a"}, Time: model.Exactly(zero), Node: &model.Node{Created: zero, Conditions: ready}}, 1, nil, 0)
	pod := &model.Pod{Key: model.Key{Namespace: "default", Name: "p"}, Node: "a", Ready: model.StatusTrue}
	cache.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod.Key, Time: model.Exactly(zero), Pod: pod}, 2, nil, 0)
	decided := map[model.DecisionKind]int{}
	hidden := Hidden{Declared: func(string) bool { return decided[model.MarkUnknown] > 0 }}
	for second := time.Duration(0); second <= 90; second += 5 {
		for _, d := range c.Pass(zero.Add(second*time.Second), cache, hidden) {
			decided[d.Kind]++
		}
		if is, ok := c.Node("a", cache); second > 60 && (!ok || !is.Waiting) {
			t.Errorf("at %d s it does not wait for its taint", second)
		}
	}
	if decided[model.MarkUnknown] != 1 || decided[model.MarkPodsNotReady] != 1 {
		t.Errorf("decided %v", decided)
	}
}
