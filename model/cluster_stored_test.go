package model_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
)

// shelved is a state's pods and Events as Stored has them.
type shelved struct {
	names  []string
	pods   map[int][]*model.Pod
	events map[int][]*model.Event
}

// shelve takes the pods and Events of a state away, and gives one that leaves them Stored.
func shelve(c *model.Cluster) *model.Cluster {
	s := shelved{pods: map[int][]*model.Pod{-1: c.Unbound()}, events: map[int][]*model.Event{}}
	var rows []model.NodeRow
	for r := range c.Rows {
		k := len(s.names)
		s.names = append(s.names, r.Name)
		s.pods[k], s.events[k] = slices.Clone(r.Pods()), slices.Clone(r.Events())
		rows = append(rows, *r)
	}
	names, ok := model.NewRowNames(s.names)
	if !ok {
		panic("a row is there twice")
	}
	out := model.NewClusterOf(names, rows, s)
	out.Now, out.Folded = c.Now, c.Folded
	return out
}

func (s shelved) PodCount(row int) int          { return len(s.pods[row]) }
func (s shelved) Events(row int) []*model.Event { return s.events[row] }
func (s shelved) Pods(row int) (pods []*model.Pod) {
	for _, p := range s.pods[row] {
		again := *p
		pods = append(pods, &again)
	}
	return pods
}

func (s shelved) RowOf(k model.Key) (row int, ok bool) {
	for row, pods := range s.pods {
		if slices.ContainsFunc(pods, func(p *model.Pod) bool { return p.Key == k }) {
			return row, true
		}
	}
	return 0, false
}

// tell prints the pods and Events of a state.
func tell(c *model.Cluster) string {
	var out strings.Builder
	for r := range c.Rows {
		pods := slices.SortedFunc(slices.Values(r.Pods()), model.ComparePods)
		fmt.Fprintf(&out, "%s %d:", r.Name, r.PodCount())
		for _, p := range pods {
			fmt.Fprintf(&out, " %s@%s/%v", p.Name, p.Node, p.Phase)
		}
		for _, e := range r.Events() {
			fmt.Fprintf(&out, " %s", e.Reason)
		}
		fmt.Fprintln(&out)
	}
	for _, p := range c.Pods() {
		fmt.Fprintf(&out, "%s@%s/%v ", p.Name, p.Node, p.Phase)
	}
	fmt.Fprintf(&out, "%d pods", c.PodCount())
	return out.String()
}

// TestStoredPodsAreAsFolded: a state that leaves its pods and Events where they are Stored says what the
// one says that was folded from the start, whatever is folded and asked, and copied, in between.
func TestStoredPodsAreAsFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, version := model.NewCluster(), uint64(0)
		change := func() *model.Change {
			version++
			node := rapid.SampledFrom([]string{"", "one", "two", "three"}).Draw(t, "node")
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				e := &model.Event{Reason: fmt.Sprint("r", version), Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: cmp.Or(node, "four")}}}
				return &model.Change{Kind: model.KindEvent, Event: e, Version: version}
			}
			key := model.Key{Namespace: "default", Name: fmt.Sprint("p", rapid.IntRange(0, 11).Draw(t, "pod"))}
			if rapid.IntRange(0, 2).Draw(t, "gone") == 0 {
				return &model.Change{Kind: model.KindPod, Op: model.OpDelete, Key: key, Version: version}
			}
			return &model.Change{Kind: model.KindPod, Op: model.OpModify, Key: key, Version: version,
				Pod: &model.Pod{Key: key, Node: node, Phase: model.Phase(version % 4)}}
		}
		for range rapid.IntRange(0, 40).Draw(t, "before") {
			whole.Fold(change())
		}
		stored := shelve(whole)
		for range rapid.IntRange(0, 30).Draw(t, "after") {
			switch rapid.IntRange(0, 5).Draw(t, "do") {
			case 0:
				name := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "look")
				if a, b := whole.Row(name), stored.Row(name); (a == nil) != (b == nil) || a != nil && (a.PodCount() != b.PodCount() || len(a.Pods()) != len(b.Pods())) {
					t.Fatalf("%s: %+v, want %+v", name, b, a)
				}
			case 1:
				stored = stored.Clone()
			case 2:
				stored = stored.Detach()
			default:
				ch := change()
				whole.Fold(ch)
				left := stored.Clone()
				before := tell(left)
				stored.Fold(ch)
				if tell(left) != before {
					t.Fatal("a copy changed with the original")
				}
			}
		}
		if got, want := tell(stored), tell(whole); got != want {
			t.Fatalf("%s\nwant\n%s", got, want)
		}
	})
}

// TestStoredEventsStayAsTheyAre: states share the list of Events that is stored; one that folds another Event in place of
// the first leaves the list to the others.
func TestStoredEventsStayAsTheyAre(t *testing.T) {
	event := func(reason string) *model.Change {
		uid := model.UUID([16]byte{1})
		return &model.Change{Kind: model.KindEvent, UID: uid, Event: &model.Event{UID: uid, Reason: reason, Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "one"}}}}
	}
	pod := &model.Pod{Key: model.Key{Namespace: "default", Name: "p"}, Node: "one"}
	whole := model.NewCluster()
	whole.Fold(event("first"))
	stored := shelve(whole)
	other := stored.Detach()
	stored.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod.Key, Pod: pod}) // the row's lists are its own now
	stored.Fold(event("second"))
	if got := other.Row("one").Events(); len(got) != 1 || got[0].Reason != "first" {
		t.Errorf("another state has %+v", got)
	}
}
