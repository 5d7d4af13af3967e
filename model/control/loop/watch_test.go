package loop_test

import (
	"testing"

	"kardia/model"
)

// Who watches is told of everything that is written, in the order of versions, and comes to
// the same state.
func TestWatch(t *testing.T) {
	l, _ := outage()
	watched := model.NewCluster()
	var version uint64
	kinds := map[model.Kind]int{}
	l.Watch = func(ch *model.Change) {
		if ch.Version <= version {
			t.Fatalf("%v %s: version %d after %d", ch.Kind, ch.Key, ch.Version, version)
		}
		version = ch.Version
		kinds[ch.Kind]++
		own := *ch
		watched.Fold(&own)
	}
	l.Run(second(500))
	for i := range int32(l.Cache.Rows()) {
		row := l.Cache.Row(i)
		if row.Name == "" {
			continue
		}
		got := watched.Node(row.Name)
		if got.Node != row.Node || got.Lease.Renewed != row.Lease.Renewed || got.Version != row.Version {
			t.Errorf("%s: watched %+v, cached %+v", row.Name, got, row)
		}
		for _, p := range row.Pods() {
			if watched.Pod(p.Key) != p {
				t.Errorf("pod %s differs", p.Key)
			}
		}
	}
	if kinds[model.KindNode] < 20 || kinds[model.KindPod] < 20 || kinds[model.KindNodeLease] < 700 || kinds[model.KindEvent] < 6 {
		t.Errorf("told of %v", kinds)
	}
}
