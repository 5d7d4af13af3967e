package removal

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

const start = model.Instant(1767607200e9)

// TestOf: a node that was made again, or of which an Event tells only that somebody means to remove it, is not removed.
func TestOf(t *testing.T) {
	at := func(s int) model.Interval {
		is := start.Add(time.Duration(s) * time.Second)
		return model.Interval{Earliest: is, Latest: is}
	}
	node := func(op model.Op, s int) model.Change {
		ch := model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: "a"}, Time: at(s), Arrival: at(s).Latest}
		if op != model.OpDelete {
			ch.Node = &model.Node{}
		}
		return ch
	}
	event := func(reason, component string, s int) model.Change {
		return model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "default", Name: reason}, Time: at(s), Arrival: at(s).Latest,
			Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a"}}, Reason: reason, Component: component, Last: at(s).Latest}}
	}
	byPerson := node(model.OpDelete, 20)
	byPerson.Writer, byPerson.Requester = model.WriterPerson, &model.Requester{User: "ops", Agent: "kubectl/v1.33.1 (linux/amd64)"}
	for name, c := range map[string]struct {
		changes []model.Change
		who     string
		removed bool
		events  int
	}{
		"by a person":          {[]model.Change{node(model.OpBaseline, 0), byPerson}, "ops with kubectl", true, 0},
		"by whom is not known": {[]model.Change{node(model.OpBaseline, 0), node(model.OpDelete, 20)}, "", true, 0},
		"made again":           {[]model.Change{node(model.OpBaseline, 0), byPerson, node(model.OpAdd, 30)}, "", false, 0},
		"meant to be":          {[]model.Change{event("InstanceTerminating", "karpenter", 1)}, "", false, 0},
		"by Events alone":      {[]model.Change{event("InstanceTerminating", "karpenter", 1), event("DeletingNode", "cloud", 5), event("RemovingNode", "node-controller", 6)}, "cloud", true, 3},
		"announced, and then written to": {[]model.Change{node(model.OpBaseline, 0), event("InstanceTerminating", "karpenter", 1), node(model.OpModify, 5),
			event("DeletingNode", "cloud", 9), node(model.OpDelete, 10)}, "cloud", true, 2},
		"of another thing": {[]model.Change{event("Starting", "kubelet", 1)}, "", false, 0},
	} {
		h := history.NewMemory(c.changes, model.Interval{Earliest: start, Latest: start.Add(time.Minute)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 1, model.KindEvent: 1}}})
		cursor := history.NewCursor(h)
		until := start.Add(time.Minute)
		if err := cursor.Seek(until); err != nil {
			t.Fatal(err)
		}
		list, err := Of(h, cursor.State(), start.Add(-time.Minute), until)
		if err != nil || (len(list) == 1) != c.removed {
			t.Errorf("%s: %d removals, %v", name, len(list), err)
			continue
		}
		if c.removed && (list[0].Who() != c.who || len(list[0].Events) != c.events) {
			t.Errorf("%s: by %q, %d Events", name, list[0].Who(), len(list[0].Events))
		}
	}
}
