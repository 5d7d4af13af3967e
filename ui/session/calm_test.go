package session

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// one is a cluster of one node, whose kubelet posted and renewed at noon.
func one() (*model.Cluster, *model.Node, model.Instant) {
	noon := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	n := &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: noon}}}
	c := model.NewCluster()
	c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: "a-1"}, Version: 1, Arrival: noon, Node: n})
	c.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Name: "a-1"}, Version: 2, Arrival: noon, Time: model.Exactly(noon), Lease: model.Lease{Renewed: noon}})
	c.Fold(&model.Change{Kind: model.KindLeaderLease, Op: model.OpBaseline, Key: model.Key{Name: "kube-controller-manager"}, Version: 3, Arrival: noon, Time: model.Exactly(noon), Lease: model.Lease{Renewed: noon, Holder: "cp-0"}})
	return c, n, noon
}

// A Change that only shows that a component is alive is drawn with the next second, and everything else at once.
func TestSignsOfLifeAreDrawnWithTheClock(t *testing.T) {
	state, node, noon := one()
	posted := *node
	posted.Conditions = []model.Condition{node.Conditions[0]}
	posted.Conditions[0].Heartbeat = noon.Add(10 * time.Second)
	silent := posted
	silent.Conditions = []model.Condition{node.Conditions[0]}
	silent.Conditions[0].Status = model.StatusUnknown
	for name, is := range map[string]struct {
		model.Change
		beats bool
	}{
		"a renewal":               {model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a-1"}}, true},
		"a lease that is gone":    {model.Change{Kind: model.KindNodeLease, Op: model.OpDelete, Key: model.Key{Name: "a-1"}}, false},
		"the same leader":         {model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Name: "kube-controller-manager"}, Lease: model.Lease{Renewed: noon.Add(2 * time.Second), Holder: "cp-0"}}, true},
		"another leader":          {model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Name: "kube-controller-manager"}, Lease: model.Lease{Renewed: noon.Add(2 * time.Second), Holder: "cp-1"}}, false},
		"a status post":           {model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: "a-1"}, Node: &posted}, true},
		"a node declared Unknown": {model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: "a-1"}, Node: &silent}, false},
		"a node never seen":       {model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: "a-2"}, Node: &posted}, false},
		"a pod":                   {model.Change{Kind: model.KindPod, Op: model.OpModify, Key: model.Key{Name: "web"}}, false},
	} {
		c := calm{drawn: noon}
		if c.draws(noon.Add(900 * time.Millisecond)) {
			t.Error("nothing was heard, and a frame is drawn")
		}
		c.hear(state, &is.Change)
		if c.draws(noon.Add(400 * time.Millisecond)) {
			t.Errorf("%s: the frame before stood for less than half a second", name)
		}
		if got := c.draws(noon.Add(900 * time.Millisecond)); got == is.beats {
			t.Errorf("%s: drawn at once: %v", name, got)
		}
		if got := c.draws(noon.Add(1100 * time.Millisecond)); got != is.beats {
			t.Errorf("%s: drawn with the next second: %v", name, got)
		}
	}
}

// TestMuchIsDrawnOnceASecond: in a storm of writes a frame lasts until the next whole second, and when it is over news
// is drawn at once again.
func TestMuchIsDrawnOnceASecond(t *testing.T) {
	state, _, noon := one()
	pod := model.Change{Kind: model.KindPod, Op: model.OpModify, Key: model.Key{Name: "web"}}
	c := calm{drawn: noon.Add(-time.Second)}
	drawn := ""
	for tenth := range 50 {
		writes := 0
		switch {
		case tenth < 20:
			writes = 10
		case tenth == 35:
			writes = 1
		}
		for range writes {
			c.hear(state, &pod)
		}
		if c.draws(noon.Add(time.Duration(tenth) * 100 * time.Millisecond)) {
			drawn += fmt.Sprint(" ", tenth)
		}
	}
	if want := " 0 5 10 20 35"; drawn != want {
		t.Errorf("of much within two seconds, and one after three and a half, frames are drawn at the tenths%s, want%s", drawn, want)
	}
}

// The models wait as long as they would say the same again.
func TestModelsWaitWhileAllBeat(t *testing.T) {
	state, _, noon := one()
	quiet := &modelsAt{Judgement: outlook.Judgement{State: &infer.State{}, Forecast: &forecast.Forecast{}}}
	due := &modelsAt{Judgement: outlook.Judgement{State: &infer.State{}, Forecast: &forecast.Forecast{Coming: make([]forecast.Coming, 1)}}}
	var c calm
	c.judge(state, noon)
	if !c.waits(state, noon.Add(10*time.Second), quiet) {
		t.Error("nothing has happened")
	}
	if c.waits(state, noon.Add(10*time.Second), due) || c.waits(state, noon.Add(10*time.Second), nil) {
		t.Error("something is due, or nothing is known")
	}
	if c.waits(state, noon.Add(16*time.Second), quiet) {
		t.Error("a node is about to be late")
	}
	later := noon.Add(14 * time.Second)
	state.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a-1"}, Version: 4, Arrival: later, Time: model.Exactly(later), Lease: model.Lease{Renewed: later}})
	if !c.waits(state, later, quiet) || c.waits(state, noon.Add(16*time.Second), quiet) {
		t.Error("the node beats, and the leader does not")
	}
	c.judge(state, noon.Add(16*time.Second))
	if !c.waits(state, noon.Add(17*time.Second), quiet) {
		t.Error("it was late already")
	}
	c.hear(state, &model.Change{Kind: model.KindEvent, Op: model.OpAdd})
	if c.waits(state, noon.Add(17*time.Second), quiet) {
		t.Error("something else was heard")
	}
}
