package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/history"
	"kardia/model/past"
)

// hostile are Changes that no source should hand over: without their objects, with versions that
// go back, that stay, or that are not known, of objects that were never seen or are made anew.
func hostile(t *rapid.T) []model.Change {
	uids := [...]model.UID{{}, model.UUID([16]byte{1}), model.UUID([16]byte{2}), model.UUID([16]byte{3})}
	var out []model.Change
	first := rapid.IntRange(0, 1).Draw(t, "first") // without a list that stood there in half of them
	for i := range rapid.IntRange(1, 60).Draw(t, "length") {
		at := noon.Add(time.Duration(i) * time.Second)
		pick := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		ch := model.Change{
			Kind: [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent, model.KindLeaderLease}[pick(5, "kind")],
			Op:   model.Op(first + pick(8-first, "op")), Writer: model.Writer(pick(9, "writer")),
			UID: uids[pick(4, "uid")], Version: uint64(pick(12, "version")), Time: model.Exactly(at), At: at,
		}
		node := [...]string{"a", "b"}[pick(2, "node")]
		shown := pick(4, "shown") > 0
		ch.Key = model.Key{Name: node}
		switch ch.Kind {
		case model.KindNode:
			if shown {
				ch.Node = &model.Node{UID: ch.UID, Created: at, Place: model.Place{Zone: node}, Conditions: []model.Condition{
					{Type: "Ready", Status: model.Status(1 + pick(3, "ready")), Reason: "NodeStatusUnknown", Transition: at, Heartbeat: at}}}
				if pick(2, "tainted") == 0 {
					ch.Node.Taints = []model.Taint{{Key: keyUnreachable, Effect: model.NoExecute, Added: at}}
				}
			}
		case model.KindPod:
			ch.Key = model.Key{Namespace: "n", Name: "p"}
			if shown {
				ch.Pod = &model.Pod{Key: ch.Key, UID: ch.UID, Node: node, Created: at}
				if pick(2, "deleting") == 0 {
					ch.Pod.Deletion = at
				}
			}
		default:
			if ch.Key.Namespace = "kube-node-lease"; shown {
				ch.Lease = model.Lease{UID: ch.UID, Renewed: at, Holder: node}
			}
		}
		out = append(out, ch)
	}
	return out
}

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
		if node != nil && node.Place == nowhere {
			node = nil // stands for a node of which nothing is known but that it beats
		}
		standing(&b, name, node, row.Version, row.Lease.Exists, row.Lease.Version, slices.Clone(row.Pods()))
	}
	return b.String()
}

// TestAllFoldAlike: whatever Changes come, in whatever order, all that hold a state hold the same:
// the state that is shown, the controllers' cache, the models on their way, what looks for the
// controllers' writes, and the overview's zones.
func TestAllFoldAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := hostile(t)
		shown, cache, watcher := model.NewCluster(), informer.New(), newObserver()
		for i := range changes {
			ch := &changes[i]
			old := shown.Pod(ch.Key)
			shown.Fold(ch)
			cache.Fold(ch, i+1, old, 0)
			watcher.observe(i, ch)
			want := ofCluster(shown)
			if got := ofCache(cache); got != want {
				t.Fatalf("after %d, %+v, the cache holds\n%sand the state\n%s", i, *ch, got, want)
			}
			for _, name := range []string{"a", "b"} {
				if row := shown.Row(name); row != nil && row.Node != watcher.nodes[name] || row == nil && watcher.nodes[name] != nil {
					t.Fatalf("after %d, %+v, the observer has node %s as %v", i, *ch, name, watcher.nodes[name])
				}
			}
			if key := (model.Key{Namespace: "n", Name: "p"}); shown.Pod(key) != watcher.pods[key] {
				t.Fatalf("after %d, %+v, the observer has the pod as %v", i, *ch, watcher.pods[key])
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
			if err := d.drive(model.FarFuture); err != nil {
				t.Fatal(err)
			}
			if got, want := ofCache(d.cache), ofCluster(shown); got != want {
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
				got += fmt.Sprintln(z.Place, s.Nodes, s.Unknown, s.NotReady)
			}
		}
		for _, z := range shown.Zones(coverage.Latest) {
			if n := z.Nodes - z.Unseen; n > 0 && z.Place.Known {
				want += fmt.Sprintln(z.Place.Value, n, z.Unknown, z.NotReady)
			}
		}
		if got != want {
			t.Fatalf("the overview counts\n%sand the state\n%s", got, want)
		}
	})
}
