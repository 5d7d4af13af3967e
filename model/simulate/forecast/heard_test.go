package forecast_test

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
)

// posts is what a node's kubelet does that says whether it is ready.
func posts(name string, status model.Status) func(*loop.Loop) {
	return func(l *loop.Loop) {
		l.EditNode(name, func(n *model.Node) {
			ready := n.Ready()
			if ready.Status != status {
				ready.Transition = l.Now()
			}
			ready.Status, ready.Heartbeat = status, l.Now()
		})
	}
}

// What a pass counts as a sign of life is not always what a kubelet does. Wherever a recording is cut, a
// forecast knows the difference.
func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name   string
		sizes  []int
		silent map[string]float64
		change func(*world)
		from   float64
		until  float64
	}{{
		// All nodes say that they are not Ready: master disruption. The pass that ends it counts all nodes
		// anew (Z14), also those that were silent before.
		"the end of master disruption", []int{3}, map[string]float64{"a01": 88, "a02": 93}, func(w *world) {
			for _, name := range []string{"a00", "a01", "a02"} {
				w.changes = append(w.changes, change{60, posts(name, model.StatusFalse)})
			}
			w.changes = append(w.changes, change{101, posts("a00", model.StatusTrue)})
		}, 115, 160,
	}, {
		// A lease that is written again and again with the same renewTime is no sign of life; and after a
		// new status the next pass counts it anew (N10).
		"a clock that stands", []int{3}, map[string]float64{"a01": 68}, func(w *world) {
			for at := 78.; at < 128; at += 10 {
				w.changes = append(w.changes, change{at, func(l *loop.Loop) { l.Renew("a01", second(68)) }})
			}
			w.changes = append(w.changes, change{83, posts("a01", model.StatusTrue)})
		}, 103.5, 145,
	}, {
		// Who made the object of a node is not the node: it was never heard.
		"a node that was never heard", []int{3}, map[string]float64{"m00": 71}, func(w *world) {
			w.changes = append(w.changes, change{71, func(l *loop.Loop) {
				l.SetNode("m00", &model.Node{Zone: model.ZoneKey{Zone: "a"}, Created: l.Now()})
			}})
		}, 72, 140,
	}, {
		// A lease that is deleted before a pass has seen its last renewal was never renewed.
		"a lease that is deleted", []int{3}, map[string]float64{"a01": 80}, func(w *world) {
			w.changes = append(w.changes, change{80.3, func(l *loop.Loop) {
				l.Cache.DeleteLease("a01")
				w.watch(&model.Change{Kind: model.KindNodeLease, Op: model.OpDelete, Key: model.Key{Name: "a01"}, Time: model.Exactly(l.Now())})
			}})
		}, 101, 135,
	}} {
		for by := range evidence(3) {
			tally := newTally()
			for cut := c.from; cut < c.until; cut += 4.37 {
				t.Run(fmt.Sprintf("%s, by %s, cut at %.2f", c.name, by, cut), func(t *testing.T) {
					w := newWorld(c.sizes, c.silent)
					w.began = 1234e6
					c.change(w)
					rec := &recording{world: w, from: second(30), by: by}
					w.watch = rec.watch
					clock := loop.StartingAt(epoch.Add(w.began), period, 3e6)
					w.clock = &clock
					comesTrue(t, settled(w, rec, cut), tally)
				})
			}
		}
	}
}

// What a kubelet has just said changes its zone when a pass sees it, and nothing tells of that pass: until a
// period after, the change may still be to come, or have come; and the tokens of a zone that begins anew come
// as long after it as it came.
func TestAZoneMayBeYetToChange(t *testing.T) {
	for _, c := range []struct {
		name      string
		sizes     []int
		rate      float32 // without one no taint tells of a pass
		not       []string
		from      float64
		back      float64
		cut, last float64
	}{
		{"one of two zones", []int{1, 3}, 0, []string{"a00"}, 20, 121.3, 122, 128},
		{"all there is", []int{3}, .1, []string{"a00", "a01", "a02"}, 130, 161.3, 162, 172},
	} {
		for n := range 4 {
			began, by := 1.3*float64(n), evidence(n%3)
			for cut := c.cut; cut < c.last; cut += 1.1 {
				t.Run(fmt.Sprintf("%s, by %s, first pass at %.1f, cut at %.1f", c.name, by, began, cut), func(t *testing.T) {
					w := newWorld(c.sizes, map[string]float64{})
					w.began = time.Duration(began * float64(time.Second))
					w.params.NodeEvictionRate.Value = c.rate
					for _, name := range c.not {
						w.changes = append(w.changes, change{60.4, posts(name, model.StatusFalse)})
					}
					w.changes = append(w.changes, change{c.back, posts("a00", model.StatusTrue)})
					rec := &recording{world: w, from: second(c.from), by: by}
					w.watch = rec.watch
					comesTrue(t, settled(w, rec, cut), newTally())
				})
			}
		}
	}
}
