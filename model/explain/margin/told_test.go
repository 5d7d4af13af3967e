package margin

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
)

// What Events tell of a node that flapped before anybody watched: how often, from when to when, and with whom.
func TestWhatEventsTellOfFlaps(t *testing.T) {
	at := func(s int) model.Instant { return model.At(time.Date(2026, 3, 14, 12, 0, s, 0, time.UTC)) }
	c := model.NewCluster()
	n := 0
	for i, name := range []string{"b-1", "b-2", "b-3", "b-4"} {
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Version: uint64(i + 1), Time: model.Exactly(at(0)), Node: &model.Node{}})
	}
	tells := func(node, component, reason string, count int32, first, last model.Instant) {
		n++
		c.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: string(rune('a' + n))}, Version: uint64(n), Time: model.Exactly(last),
			Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: node}}, Reason: reason, Component: component, Count: count, First: first, Last: last}})
	}
	for _, node := range []string{"b-1", "b-2"} {
		tells(node, model.ComponentNodeLifecycle, model.ReasonNodeNotReady, 5, at(0), at(2400))
		tells(node, model.ComponentNodeLifecycle, model.ReasonNodeNotReady, 3, at(2700), at(3000))
	}
	tells("b-1", "kubelet", "NodeReady", 8, at(60), at(3060))
	tells("b-3", model.ComponentNodeLifecycle, model.ReasonNodeNotReady, 8, at(100), at(3000))
	tells("b-4", model.ComponentNodeLifecycle, model.ReasonNodeNotReady, 1, at(100), at(100))
	told, ok := ToldOf(c.Node("b-1"), at(3600))
	if want := (Told{Node: "b-1", Times: 8, First: at(0), Last: at(3000)}); !ok || told != want {
		t.Errorf("%+v, want %+v", told, want)
	}
	if with := told.With(c, at(3600)); !slices.Equal(with, []string{"b-2"}) {
		t.Errorf("with %v", with)
	}
	if told, ok := ToldOf(c.Node("b-1"), at(2500)); !ok || told.Times != 5 {
		t.Errorf("what comes later is told: %+v", told)
	}
	if told, ok := ToldOf(c.Node("b-4"), at(3600)); ok {
		t.Errorf("once is no flap: %+v", told)
	}
}
