package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/randomhistory"
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/past"
)

// standing is a node, its lease and its pods in words.
func standing(b *strings.Builder, name string, n *model.Node, version uint64, lease bool, leaseVersion uint64, pods []*model.Pod) {
	text := fmt.Sprintf("lease %v %d", lease, leaseVersion)
	if n != nil {
		text = fmt.Sprintf("%s version %d of %s, ", n.UID, version, n.Created) + text
	}
	slices.SortFunc(pods, model.ComparePods)
	for _, p := range pods {
		text += fmt.Sprintf(" pod %s of %s", p.UID, p.Created)
	}
	fmt.Fprintf(b, "%s: %s\n", name, text)
}

func ofCluster(c *model.Cluster) string {
	var b strings.Builder
	for _, name := range []string{"a", "b"} {
		row := c.Row(name)
		if row == nil {
			row = &model.NodeRow{}
		}
		version, leaseVersion, lease := row.Version, row.Lease.Version, row.Lease.Seen && !row.Lease.Gone
		if row.Node == nil {
			version = 0
		}
		if !lease {
			leaseVersion = 0
		}
		standing(&b, name, row.Node, version, lease, leaseVersion, slices.Clone(row.Pods()))
	}
	return b.String()
}

func ofCache(c *informer.Cache) string {
	var b strings.Builder
	for _, name := range []string{"a", "b"} {
		row := c.Find(name)
		if row == nil {
			row = &informer.Row{}
		}
		node := row.Node
		if node != nil && node.Zone == drive.Nowhere {
			node = nil // stands for a node of which nothing is known but that it beats
		}
		standing(&b, name, node, row.Version, row.Lease.Exists, row.Lease.Version, slices.Clone(row.Pods()))
	}
	return b.String()
}

// TestAllFoldAlike: whatever Changes come, in whatever order, all that hold a state hold the same:
// the state that is shown, the controllers' cache, the models on their way, and the overview's
// zones. What looks for the controllers' writes is held to the same in its own room.
func TestAllFoldAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := randomhistory.Hostile(t, noon)
		shown, cache := model.NewCluster(), informer.New()
		for i := range changes {
			ch := &changes[i]
			old := shown.Pod(ch.Key)
			shown.Fold(ch)
			cache.Fold(ch, i+1, old, 0)
			want := ofCluster(shown)
			if got := ofCache(cache); got != want {
				t.Fatalf("after %d, %+v, the cache holds\n%sand the state\n%s", i, *ch, got, want)
			}
		}
		coverage := model.Interval{Earliest: noon, Latest: noon.Add(time.Minute)}
		h := history.NewMemory(slices.Clone(changes), coverage, nil, nil)
		listed := slices.ContainsFunc(changes, func(ch model.Change) bool { return ch.Op == model.OpBaseline })
		if !listed { // what initial lists show may be told from what stood before
			r, err := newRun(h, Options{Params: model.Defaults(model.Version{})})
			if err != nil {
				t.Fatal(err)
			}
			d := r.start()
			if err := d.Drive(model.FarFuture); err != nil {
				t.Fatal(err)
			}
			if got, want := ofCache(d.Cache), ofCluster(shown); got != want {
				t.Fatalf("the models hold\n%sand the state\n%s", got, want)
			}
		}
		o := &past.Overview{}
		if _, err := o.Extend(h, 1<<30); err != nil {
			t.Fatal(err)
		}
		got, want := "", ""
		for _, z := range o.Zones() {
			if s, ok := z.Over(model.Exactly(coverage.Latest)); ok && s.Nodes > 0 {
				got += fmt.Sprintln(z.Zone, s.Nodes, s.Unknown, s.NotReady)
			}
		}
		for _, z := range shown.Zones(coverage.Latest) {
			if n := z.Nodes - z.Unseen; n > 0 && z.Zone.Known {
				want += fmt.Sprintln(z.Zone.Value, n, z.Unknown, z.NotReady)
			}
		}
		if got != want {
			t.Fatalf("the overview counts\n%sand the state\n%s", got, want)
		}
	})
}
