package nodelifecycle

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/control/informer"
)

// A pass that looks only at what changed or is due decides what a pass that looks at every
// node decides, in any history of renewals, posts, arrivals, departures, moves and master
// disruptions.
func TestPassOverWhatChangedIsPassOverAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom([]model.Version{{Major: 1, Minor: 36}, {Major: 1, Minor: 33}, {Major: 1, Minor: 37}}).Draw(t, "version")
		params := model.Defaults(version)
		params.UnhealthyZoneThreshold.Value = rapid.SampledFrom([]float32{0.55, 0.3}).Draw(t, "threshold")
		cache := informer.New()
		sparing, thorough := New(params), New(params)
		w := &world{cache: cache, now: noon}
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			w.step(t)
			if rapid.IntRange(0, 2).Draw(t, "pass") > 0 {
				thorough.forgetDue()
				a, b := sparing.Pass(w.now, cache, Hidden{}), thorough.Pass(w.now, cache, Hidden{})
				w.compare(t, a, b)
				w.now = w.now.Add(5 * time.Second)
			}
			a, b := sparing.Tick(w.now, cache, Hidden{}), thorough.Tick(w.now, cache, Hidden{})
			w.compare(t, a, b)
		}
	})
}

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// forgetDue makes the next pass evaluate every node in full.
func (c *Controller) forgetDue() {
	for i := range c.records {
		c.wake(int32(i))
		if c.records[i].node != nil {
			c.due[i] = model.FarPast
		}
	}
}

// world is a small cluster to which things happen.
type world struct {
	cache *informer.Cache
	now   model.Instant
	seen  uint64
}

func (w *world) step(t *rapid.T) {
	name := fmt.Sprintf("n%d", rapid.IntRange(0, 9).Draw(t, "node"))
	w.seen++
	var old model.Node
	exists := w.cache.Node(name) != nil
	if exists {
		old = *w.cache.Node(name)
		old.Conditions, old.Taints = slices.Clone(old.Conditions), slices.Clone(old.Taints)
	}
	zone := model.ZoneKey{Zone: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "zone")}
	switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
	case !exists || what == 0:
		n := &model.Node{Created: w.now, Zone: zone, ExcludeDisruption: rapid.IntRange(0, 5).Draw(t, "excluded") == 0}
		if rapid.Bool().Draw(t, "posted") {
			n.Conditions = []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: w.now, Transition: w.now}}
		}
		w.set(name, n)
	case what <= 4:
		for i := range 10 { // all but one renew
			if other := fmt.Sprintf("n%d", i); other != name {
				w.cache.SetLease(other, w.now, w.seen, 0)
			}
		}
	case what <= 6:
		status := rapid.SampledFrom([]model.Status{model.StatusTrue, model.StatusTrue, model.StatusFalse}).Draw(t, "status")
		old.Conditions = []model.Condition{{Type: "Ready", Status: status, Heartbeat: w.now, Transition: w.now}}
		w.set(name, &old)
	case what == 7:
		w.cache.DeleteNode(name)
	case what == 8:
		old.Zone = zone
		w.set(name, &old)
	default:
		w.now = w.now.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "wait")) * time.Second)
	}
}

func (w *world) set(name string, n *model.Node) { w.cache.SetNode(name, n, w.seen, 0, 0) }

// compare demands the same decisions, and carries out what they write to nodes.
func (w *world) compare(t *rapid.T, a, b []model.Decision) {
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("sparing:\n%+v\nthorough:\n%+v", a, b)
	}
	for i := range a {
		for _, write := range a[i].Writes {
			have := w.cache.Node(write.Node)
			if have == nil {
				continue
			}
			n := *have
			n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
			same := func(x model.Taint) bool { return x.Key == write.Taint.Key && x.Effect == write.Taint.Effect }
			switch write.Kind {
			case model.WriteConditions:
				for _, c := range write.Conditions {
					n.Conditions = slices.DeleteFunc(n.Conditions, func(x model.Condition) bool { return x.Type == c.Type })
					n.Conditions = append(n.Conditions, c)
				}
			case model.WriteTaint:
				n.Taints = append(slices.DeleteFunc(n.Taints, same), write.Taint)
			case model.WriteUntaint:
				n.Taints = slices.DeleteFunc(n.Taints, same)
			default:
				continue
			}
			w.set(write.Node, &n)
		}
	}
}
