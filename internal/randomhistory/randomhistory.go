// Package randomhistory draws Histories for property tests. The model may not import its library.
package randomhistory

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/history"

	"pgregory.net/rapid"
)

// Noon is when the stories start.
var Noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// Story draws a History of renewals, writes, pods, deletions and refused requests.
func Story(t *rapid.T, n int) []model.Change {
	var changes []model.Change
	at := Noon
	for i := range n {
		at = at.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "pause")) * time.Millisecond)
		node := fmt.Sprintf("n%d", rapid.IntRange(0, 5).Draw(t, "node"))
		ch := model.Change{Op: model.OpModify, Version: uint64(i + 1), Time: model.Exactly(at), Arrival: at}
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0, 1:
			ch.Kind, ch.Key = model.KindNodeLease, model.Key{Namespace: model.NodeLeaseNamespace, Name: node}
			ch.Lease = model.Lease{Renewed: at}
		case 2:
			ch.Kind, ch.Key = model.KindNode, model.Key{Name: node}
			status := model.Status(rapid.IntRange(1, 3).Draw(t, "ready"))
			ch.Node = &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: status, Transition: at}}}
			if rapid.IntRange(0, 9).Draw(t, "deleted") == 0 {
				ch.Op = model.OpDelete
			}
		case 3:
			ch.Kind, ch.Key = model.KindPod, model.Key{Namespace: "default", Name: fmt.Sprintf("p%d", rapid.IntRange(0, 9).Draw(t, "pod"))}
			ch.Pod = &model.Pod{Key: ch.Key, Node: node}
			if rapid.Bool().Draw(t, "gone") {
				ch.Op = model.OpDelete
			}
		case 4:
			ch.Kind, ch.Op, ch.Key = model.KindNodeLease, model.OpAttempt, model.Key{Namespace: model.NodeLeaseNamespace, Name: node}
			if rapid.Bool().Draw(t, "evicts") {
				ch.Kind, ch.Key, ch.Code, ch.Note = model.KindPod, model.Key{Namespace: "default", Name: fmt.Sprintf("p%d", rapid.IntRange(0, 9).Draw(t, "pod"))}, 429, model.EvictNote("")
			}
		}
		changes = append(changes, ch)
	}
	return changes
}

// Folded is the state of all Changes effective at or before a time.
func Folded(changes []model.Change, at model.Instant) *model.Cluster {
	c := model.NewCluster()
	for i := range changes {
		if changes[i].Effective() <= at {
			c.Fold(&changes[i])
		}
	}
	return c
}

// Day is a History of renewals by 1000 nodes, every ten seconds for an hour.
func Day() *history.Memory {
	var changes []model.Change
	for tick := range 360 {
		for n := range 1000 {
			at := Noon.Add(time.Duration(tick)*10*time.Second + time.Duration(n)*10*time.Millisecond)
			changes = append(changes, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: fmt.Sprintf("n%d", n)},
				Version: uint64(len(changes) + 1), Time: model.Exactly(at), Lease: model.Lease{Renewed: at}})
		}
	}
	return history.NewMemory(changes, model.Interval{Earliest: Noon, Latest: Noon.Add(time.Hour)}, nil, nil)
}
