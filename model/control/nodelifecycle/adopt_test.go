package nodelifecycle

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// Who begins to watch finds nodes that are declared Unknown, some with their NoExecute taint. Those were served, unless
// there was master disruption: no zone has a Ready node, or a node waits for longer than its zone's tokens let it.
func TestWhoHasItsTaintMayWaitForAnother(t *testing.T) {
	unknown := func(name, zone string, since time.Duration, tainted bool, cache *informer.Cache) {
		n := &model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: zone},
			Conditions: []model.Condition{{Type: "Ready", Status: model.StatusUnknown, Reason: model.ReasonUnknown, Transition: noon.Add(-since)}}}
		if tainted {
			n.Taints = []model.Taint{{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: noon.Add(-since)}}
		}
		cache.SetNode(name, n, 1, 0, 0)
	}
	for what, c := range map[string]struct {
		since time.Duration
		dark  bool
		want  []string
	}{
		"the bucket is empty":            {8 * time.Second, false, []string{"a0"}},
		"nobody was given a token":       {3 * time.Minute, false, []string{"a0", "a1"}},
		"no zone has a Ready node":       {8 * time.Second, true, []string{"a0", "a1"}},
		"none was, and none has a Ready": {3 * time.Minute, true, []string{"a0", "a1"}},
	} {
		cache := informer.New()
		unknown("a0", "a", c.since, false, cache)
		unknown("a1", "a", c.since, true, cache)
		if !c.dark {
			cache.SetNode("b0", &model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: "b"}, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: noon, Transition: noon.Add(-time.Hour)}}}, 1, 0, 0)
		}
		ctl := New(model.Defaults(model.Version{Major: 1, Minor: 36}))
		ctl.JudgeNodes(noon, cache, Hidden{})
		ctl.JudgeZones(noon, cache, Hidden{})
		ctl.JudgeNodes(noon.Add(5*time.Second), cache, Hidden{}) // master disruption empties the queues, and the next pass fills them
		ctl.Adopt(noon.Add(5*time.Second), cache)
		var waiting []string
		for _, z := range ctl.Zones(noon.Add(5*time.Second), cache) {
			waiting = append(waiting, z.Waiting...)
		}
		if !slices.Equal(waiting, c.want) {
			t.Errorf("%s: %v wait, not %v", what, waiting, c.want)
		}
	}
}
