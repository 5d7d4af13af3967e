package informer

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
)

// shelf is the pods of rows as a keyframe has them: each time they are asked for they are others.
type shelf [][]*model.Pod

func again(p *model.Pod) *model.Pod {
	q := *p
	return &q
}

func (s shelf) PodCount(row int) int { return len(s[row]) }

func (s shelf) Pods(row int) (pods []*model.Pod) {
	if row < 0 {
		return nil
	}
	for _, p := range s[row] {
		pods = append(pods, again(p))
	}
	return pods
}

func (s shelf) Events(int) []*model.Event { return nil }

func (s shelf) RowOf(key model.Key) (row int, ok bool) {
	row = slices.IndexFunc(s, func(pods []*model.Pod) bool {
		return slices.ContainsFunc(pods, func(p *model.Pod) bool { return p.Key == key })
	})
	return row, row >= 0
}

// TestAnUnpackedCacheIsTheCache: whatever then happens to its pods, of which it has decoded few, and
// to those of its clones.
func TestAnUnpackedCacheIsTheCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, stored := New(), make(shelf, 3)
		var rows []model.NodeRow
		var names []string
		pods := map[model.Key]*model.Pod{}
		draw := func(node, name string) *model.Pod {
			p := &model.Pod{Key: model.Key{Namespace: "a", Name: name}, Node: node, Phase: model.Phase(rapid.IntRange(0, 4).Draw(t, "phase"))}
			if rapid.Bool().Draw(t, "deleting") {
				p.Deletion = 1
			}
			return p
		}
		for i := range stored {
			name := fmt.Sprint("n", i)
			names, rows = append(names, name), append(rows, model.NodeRow{Name: name, Node: &model.Node{}, Version: uint64(5 + i)})
			c.SetNode(name, rows[i].Node, rows[i].Version, 10*i, 0)
			for k := range rapid.IntRange(0, 4).Draw(t, "pods") {
				p := draw(name, fmt.Sprint("p", i, k))
				stored[i], pods[p.Key] = append(stored[i], p), p
				c.SetPod(nil, p)
			}
		}
		_, _, mark := c.Changed(0)
		numbers, _ := model.NewRowNames(names)
		observed := func() *model.Cluster { return model.NewClusterOf(numbers, slices.Clone(rows), stored) }
		p := c.Pack(observed(), mark)
		if p == nil || len(p.odd) > 0 {
			t.Fatalf("packed %+v", p)
		}
		unpacked := p.Unpack(observed())
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			key := model.Key{Namespace: "a", Name: fmt.Sprint("p", rapid.IntRange(0, 2).Draw(t, "row"), rapid.IntRange(0, 5).Draw(t, "pod"))}
			node := names[rapid.IntRange(0, 2).Draw(t, "node")]
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0: // a clone goes its own way
				d := unpacked.Clone()
				d.SetPod(nil, draw(node, "other"))
				if some := d.Find(node).Pods(); len(some) > 0 {
					d.DeletePod(some[0])
				}
			case 1:
				_ = unpacked.Find(node).Pods()
			case 2:
				if old := pods[key]; old != nil {
					c.DeletePod(old)
					unpacked.DeletePod(unpacked.Find(old.Node).Pod(key))
					delete(pods, key)
				}
			default:
				old, now := pods[key], draw(node, key.Name)
				c.SetPod(old, now)
				if old != nil {
					old = unpacked.Find(old.Node).Pod(key)
				}
				unpacked.SetPod(old, now)
				pods[key] = now
			}
			for i := range int32(c.Rows()) {
				sameRow(t, unpacked.Row(i), c.Row(i))
			}
			if a, b := unpacked.EndedPods(), c.EndedPods(); a != b {
				t.Fatalf("%d pods ended, want %d", a, b)
			}
		}
	})
}

// sameRow does not ask the row for its pods.
func sameRow(t *rapid.T, got, want *Row) {
	t.Helper()
	there := map[model.Key]model.Pod{}
	for _, p := range want.pods {
		there[p.Key] = *p
	}
	seen := map[model.Key]model.Pod{}
	for key := range there {
		if p := got.Pod(key); p != nil {
			seen[key] = *p
		}
	}
	if got.PodCount() != len(there) || got.Deleting() != want.Deleting() || !maps.Equal(seen, there) || got.Position != want.Position || got.Node != want.Node {
		t.Fatalf("%+v with %v\nwant %+v with %v", got, seen, want, there)
	}
}
