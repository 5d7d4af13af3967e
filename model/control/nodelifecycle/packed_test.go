package nodelifecycle

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/informer"
)

// TestPackedAndUnpacked: in any history a Controller that was packed is the one it was, and goes on
// deciding as if it had not been.
func TestPackedAndUnpacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom([]model.Version{{Major: 1, Minor: 36}, {Major: 1, Minor: 33}, {Major: 1, Minor: 37}}).Draw(t, "version")
		cache := informer.New()
		left, packed := New(model.Defaults(version)), New(model.Defaults(version))
		w := &world{cache: cache, now: noon}
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			w.step(t)
			switch rapid.IntRange(0, 3).Draw(t, "pass") {
			case 0:
				a, b := left.JudgeNodes(w.now, cache, Hidden{}), packed.JudgeNodes(w.now, cache, Hidden{})
				w.compare(t, a, b)
				w.step(t)
				packed = packed.Pack(cache).Unpack(cache)
				same(t, left, packed)
				a, b = left.JudgeZones(w.now, cache, Hidden{}), packed.JudgeZones(w.now, cache, Hidden{})
				w.compare(t, a, b)
				w.now = w.now.Add(5 * time.Second)
			case 1, 2:
				packed = packed.Pack(cache).Unpack(cache)
				same(t, left, packed)
				a, b := left.Pass(w.now, cache, Hidden{}), packed.Pass(w.now, cache, Hidden{})
				w.compare(t, a, b)
				w.now = w.now.Add(5 * time.Second)
			}
			a, b := left.Tick(w.now, cache, Hidden{}), packed.Tick(w.now, cache, Hidden{})
			w.compare(t, a, b)
		}
	})
}

// same compares all that a later call can depend on.
func same(t *rapid.T, a, b *Controller) {
	t.Helper()
	plain := func(c *Controller) (string, []model.ZoneKey) {
		d := *c.Clone()
		var zones []model.ZoneKey
		for i := range d.records {
			r := &d.records[i]
			r.seen = 0 // matters within a pass only
			if r.offPass != d.pass || r.offTaints == (pair{}) {
				r.offPass, r.offTaints = 0, pair{}
			}
			if r.node != nil {
				zones = append(zones, r.node.Zone)
				r.node = nil
			}
		}
		return fmt.Sprintf("%+v", d), zones
	}
	x, inX := plain(a)
	y, inY := plain(b)
	if x != y || !slices.Equal(inX, inY) {
		t.Fatalf("\n%s\n%s", x, y)
	}
}

// TestAHealthyClusterPacksSmall: it is kept in great number.
func TestAHealthyClusterPacksSmall(t *testing.T) {
	cache, c := healthyCluster(1000)
	p := c.Pack(cache)
	if n := len(p.columns); n > 4*1000 || len(p.nodes) > 0 {
		t.Errorf("%d bytes, %d nodes", n, len(p.nodes))
	}
}

// healthyCluster is one in which every lease has counted.
func healthyCluster(nodes int) (*informer.Cache, *Controller) {
	w := &world{cache: informer.New(), now: noon}
	c := New(model.Defaults(model.Version{Major: 1, Minor: 36}))
	for k := range 3 {
		for i := range nodes {
			name := "n" + string(rune('a'+i/100)) + string(rune('a'+i%100))
			if k == 0 {
				w.set(name, &model.Node{Created: noon, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: noon, Transition: noon}}})
			}
			w.seen++
			w.cache.SetLease(name, w.now.Add(time.Duration(i)*time.Millisecond), w.seen, int(w.seen))
		}
		c.Pass(w.now, w.cache, Hidden{})
		w.now = w.now.Add(5 * time.Second)
	}
	return w.cache, c
}
