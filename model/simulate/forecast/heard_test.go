package forecast_test

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/control/loop"
)

// What a pass counts as a sign of life is not always what a kubelet does. Wherever a recording is cut, a
// forecast knows the difference.
func TestWhatCounts(t *testing.T) {
	post := func(status model.Status) func(*loop.Loop, string) {
		return func(l *loop.Loop, name string) {
			l.EditNode(name, func(n *model.Node) {
				ready := n.Ready()
				if ready.Status != status {
					ready.Transition = l.Now()
				}
				ready.Status, ready.Heartbeat = status, l.Now()
			})
		}
	}
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
				w.changes = append(w.changes, change{60, func(l *loop.Loop) { post(model.StatusFalse)(l, name) }})
			}
			w.changes = append(w.changes, change{101, func(l *loop.Loop) { post(model.StatusTrue)(l, "a00") }})
		}, 115, 160,
	}, {
		// A lease that is written again and again with the same renewTime is no sign of life; and after a
		// new status the next pass counts it anew (N10).
		"a clock that stands", []int{3}, map[string]float64{"a01": 68}, func(w *world) {
			for at := 78.; at < 128; at += 10 {
				w.changes = append(w.changes, change{at, func(l *loop.Loop) { l.Renew("a01", second(68)) }})
			}
			w.changes = append(w.changes, change{83, func(l *loop.Loop) { post(model.StatusTrue)(l, "a01") }})
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
