package session

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
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
	quiet := &modelsAt{state: &infer.State{}, forecast: &forecast.Forecast{}}
	due := &modelsAt{state: &infer.State{}, forecast: &forecast.Forecast{Coming: make([]forecast.Coming, 1)}}
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

// The controllers' acts on nodes that are late, or declared, were predicted then; acts of others, and on others, were
// not.
func TestModelsTakeTheirTimeWhileControllersGoOn(t *testing.T) {
	state, well, noon := one()
	declared := *well
	declared.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.StatusUnknown, Heartbeat: noon}}
	declared.Details = model.PackNode(model.Detail{Name: model.DetailReadyBy, Value: model.ControllerManager})
	state.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "b-1"}, Version: 4, Arrival: noon, Node: &declared})
	state.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "c-1"}, Version: 5, Arrival: noon, Node: well})
	state.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Name: "c-1"}, Version: 6, Arrival: noon.Add(-30 * time.Second), Time: model.Exactly(noon.Add(-30 * time.Second)), Lease: model.Lease{Renewed: noon.Add(-30 * time.Second)}})
	as := func(change func(*model.Node)) *model.Node {
		n := declared
		change(&n)
		return &n
	}
	taint := func(key string) *model.Node {
		return as(func(n *model.Node) {
			n.Taints = []model.Taint{{Key: key, Effect: model.NoExecute}}
			n.Details = model.PackNode(model.Detail{Name: model.DetailWriter + "kube-controller-manager", Value: "2026-03-14T12:00:10Z"},
				model.Detail{Name: model.DetailTainted, Value: "2026-03-14T12:00:10Z"})
		})
	}
	node := func(name string, n *model.Node) model.Change {
		return model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: name}, Arrival: noon.Add(10 * time.Second), Node: n}
	}
	pod := func(of string) model.Change {
		return model.Change{Kind: model.KindPod, Op: model.OpModify, Key: model.Key{Name: "web"}, Pod: &model.Pod{Node: of}}
	}
	coming := forecast.Coming{Decision: model.Decision{Window: model.Interval{Latest: noon.Add(15 * time.Second)}}, Sure: true}
	said := &modelsAt{state: &infer.State{}, forecast: &forecast.Forecast{Coming: []forecast.Coming{coming}}}
	for name, is := range map[string]struct {
		model.Change
		goesOn bool
	}{
		"a taint for its silence":  {node("b-1", taint(model.TaintUnreachable)), true},
		"a taint of somebody else": {node("b-1", taint(model.TaintOutOfService)), false},
		"a cordon":                 {node("b-1", as(func(n *model.Node) { n.Unschedulable = true })), false},
		"a label": {node("b-1", as(func(n *model.Node) {
			n.Details = model.PackNode(model.Detail{Name: model.DetailLabel + "rack", Value: "7"})
		})), false},
		"it is back":                    {node("b-1", well), false},
		"one that beats is declared":    {node("a-1", &declared), false},
		"one that was late is declared": {node("c-1", &declared), true},
		"it says that it is not ready": {node("c-1", as(func(n *model.Node) {
			n.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.StatusFalse}}
		})), false},
		"a pod of it":                      {pod("b-1"), true},
		"a pod of a node that beats":       {pod("a-1"), true},
		"a pod of a node never seen":       {pod("d-1"), false},
		"a deletion told":                  {model.Change{Kind: model.KindEvent, Op: model.OpAdd, Event: &model.Event{Reason: "TaintManagerEviction", Component: "taint-eviction-controller"}}, true},
		"a kubelet tells that it starts":   {model.Change{Kind: model.KindEvent, Op: model.OpAdd, Event: &model.Event{Reason: "Starting", Component: "kubelet"}}, false},
		"nothing but a renewal of another": {model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a-1"}}, true},
	} {
		var c calm
		c.judge(state, noon)
		c.hear(state, &is.Change)
		if got := c.goesOn(state, noon.Add(10*time.Second), said); got != is.goesOn {
			t.Errorf("%s: they go on: %v", name, got)
		}
		if c.goesOn(state, noon.Add(21*time.Second), said) {
			t.Errorf("%s: they go on, though a node fell silent", name)
		}
	}
	var c calm
	c.judge(state, noon)
	if c.goesOn(state, noon.Add(16*time.Second), said) {
		t.Error("they go on, though what was to come is overdue and nothing was heard of them")
	}
	said.forecast = &forecast.Forecast{Coming: []forecast.Coming{{Decision: coming.Decision}}}
	if c.goesOn(state, noon.Add(10*time.Second), said) {
		t.Error("they go on, though nothing surely comes")
	}
}

// The models rest by their cost, and are never the largest part of a machine's work.
func TestTheModelsRestByWhatTheyCost(t *testing.T) {
	for cost, want := range map[time.Duration]time.Duration{
		time.Millisecond: liveRest, 100 * time.Millisecond: 2900 * time.Millisecond, time.Second: liveRestMax, 8 * time.Second: 32 * time.Second,
	} {
		if rest := restAfter(cost, liveShare, liveRestMax); rest != want {
			t.Errorf("%v after %v, want %v", rest, cost, want)
		}
	}
}
