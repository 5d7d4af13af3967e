package nodes_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/nodes"
	"kardia/ui/screen/screentest"
	"kardia/ui/widget"
)

var asOf = nodes.AsOf{Now: model.Watched(screentest.Now), Confirmed: model.Watched(screentest.Now), Grace: 50 * time.Second}

// cluster folds nodes with a Ready status and a heartbeat's age, by name.
func node(c *model.Cluster, name string, n *model.Node, age time.Duration) {
	if n != nil {
		c.Fold(&model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Node: n})
	}
	if age >= 0 {
		at := screentest.Now.Add(-age)
		c.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: name}, Arrival: at, Lease: model.Lease{Renewed: at, Seconds: 40}})
	}
}

func ready(s model.Status) *model.Node {
	return &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: s, Heartbeat: screentest.Now.Add(-4 * time.Minute)}}}
}

func with(n *model.Node, change func(*model.Node)) *model.Node { change(n); return n }

func TestClasses(t *testing.T) {
	s := func(d int) time.Duration { return time.Duration(d) * time.Second }
	for _, c := range []struct {
		what  string
		node  *model.Node
		age   time.Duration
		class nodes.Class
		cell  widget.Cell
	}{
		{"fine", ready(model.StatusTrue), s(3), nodes.Fine, widget.Fresh},
		{"late", ready(model.StatusTrue), s(25), nodes.Late, widget.Late},
		{"very late", ready(model.StatusTrue), s(45), nodes.Late, widget.VeryLate},
		{"past grace and not declared", ready(model.StatusTrue), s(50), nodes.PastGrace, widget.PastGrace},
		{"declared", ready(model.StatusUnknown), s(70), nodes.Unknown, widget.Unknown},
		{"declared, and heard again", ready(model.StatusUnknown), s(1), nodes.Unknown, widget.Unknown},
		{"the kubelet says so", ready(model.StatusFalse), s(1), nodes.NotReady, widget.NotReady},
		{"no status yet", &model.Node{}, s(1), nodes.Never, widget.New},
		{"only its lease is known", nil, s(1), nodes.Fine, widget.Unseen},
		{"only its lease is known, and it is late", nil, s(22), nodes.Late, widget.Late},
		{"status alone is too coarse to be late", ready(model.StatusTrue), -1, nodes.Fine, widget.Coarse},
		{"cordoned", with(ready(model.StatusTrue), func(n *model.Node) { n.Unschedulable = true }), s(1), nodes.Cordoned, widget.Cordoned},
		{"cordoned and late", with(ready(model.StatusTrue), func(n *model.Node) { n.Unschedulable = true }), s(25), nodes.Late, widget.Late},
		{"tainted", with(ready(model.StatusTrue), func(n *model.Node) { n.Taints = []model.Taint{{Key: "x", Effect: model.NoExecute}} }), s(1), nodes.Impaired, widget.Fresh},
		{"tainted NoSchedule", with(ready(model.StatusTrue), func(n *model.Node) { n.Taints = []model.Taint{{Key: "x", Effect: model.NoSchedule}} }), s(1), nodes.Fine, widget.Fresh},
		{"under pressure", with(ready(model.StatusTrue), func(n *model.Node) {
			n.Conditions = append(n.Conditions, model.Condition{Type: "DiskPressure", Status: model.StatusTrue})
		}), s(1), nodes.Impaired, widget.Fresh},
	} {
		cl := model.NewCluster()
		node(cl, "n", c.node, c.age)
		r := nodes.Read(cl, asOf, nil, nil)
		if e := r.Entries[0]; e.Class != c.class || e.Cell != c.cell {
			t.Errorf("%s: class %d cell %d, want %d %d", c.what, e.Class, e.Cell, c.class, c.cell)
		}
	}
}

// Every node of any cluster has one entry, in name order, in its own zone, and counts as
// the model counts it; and one that takes over the order of another is the same as a new one.
func TestEveryNodeIsListed(t *testing.T) {
	var kept *nodes.List
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		at := nodes.AsOf{Now: s.ReadAsOf(s.At), Confirmed: s.ReadAsOf(s.Confirmed()), Grace: asOf.Grace}
		kept = nodes.Read(s.Cluster, at, s.Unwatched, kept)
		fresh := nodes.Read(s.Cluster, at, s.Unwatched, nil)
		if fmt.Sprint(kept.Zones) != fmt.Sprint(fresh.Zones) || len(kept.Entries) != len(fresh.Entries) || kept.LongestName != fresh.LongestName {
			t.Fatalf("read over an older cluster it differs")
		}
		if len(kept.Entries) != s.Cluster.NodeCount() {
			t.Fatalf("%d entries for %d nodes", len(kept.Entries), s.Cluster.NodeCount())
		}
		inZones := 0
		for i := range kept.Zones {
			z := &kept.Zones[i]
			inZones += len(z.Nodes)
			late := 0
			for _, e := range z.Nodes {
				if kept.Entries[e].Row.Zone() != z.Zone {
					t.Fatalf("%q is in the wrong zone", kept.Entries[e].Row.Name)
				}
				if kept.Entries[e].Health == model.HealthReady && kept.Entries[e].Cell >= widget.Late && kept.Entries[e].Ages.From != model.AgeStatus {
					late++
				}
			}
			if len(z.Nodes) != z.ZoneSummary.Nodes || late != z.Late {
				t.Fatalf("zone %s: %d nodes %d late, the model counts %d and %d", z.Name, len(z.Nodes), late, z.ZoneSummary.Nodes, z.Late)
			}
		}
		if inZones != len(kept.Entries) {
			t.Fatalf("%d of %d nodes are in zones", inZones, len(kept.Entries))
		}
		for i := range kept.Entries {
			e := &kept.Entries[i]
			if kept.Find(e.Row.Name) != i || int(e.Rank) != i || i > 0 && model.CompareNames(kept.Entries[i-1].Row.Name, e.Row.Name) >= 0 {
				t.Fatalf("entry %d %q is out of order", i, e.Row.Name)
			}
		}
		if kept.Find("no such node") >= 0 {
			t.Fatal("found what is not there")
		}
	})
}

// What a list takes over from the one before is what a new one reads, whatever has changed since.
func TestWhatIsTakenOver(t *testing.T) {
	zone := func(name string) func(*model.Node) { return func(n *model.Node) { n.Zone = model.ZoneKey{Zone: name} } }
	versions := []func() *model.Node{
		func() *model.Node { return ready(model.StatusTrue) },
		func() *model.Node { return with(ready(model.StatusTrue), zone("z")) },
		func() *model.Node { return with(ready(model.StatusUnknown), zone("z")) },
		func() *model.Node {
			return with(ready(model.StatusTrue), func(n *model.Node) { n.Deleted, n.Unschedulable = screentest.Now, true })
		},
		func() *model.Node {
			return with(ready(model.StatusFalse), func(n *model.Node) {
				n.Taints = []model.Taint{{Key: "readiness.k8s.io/network"}, {Key: "x", Effect: model.NoExecute}}
				n.Conditions = append(n.Conditions, model.Condition{Type: "DiskPressure", Status: model.StatusTrue, Heartbeat: screentest.Now.Add(-time.Hour)})
			})
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		c, kept := model.NewCluster(), (*nodes.List)(nil)
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"n-1", "n-2", "n-10"}).Draw(t, "name")
			key := model.Key{Name: name}
			switch rapid.SampledFrom([]string{"node", "node", "gone", "lease", "event"}).Draw(t, "what") {
			case "node":
				node(c, name, rapid.SampledFrom(versions).Draw(t, "version")(), -1)
			case "gone":
				c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpDelete, Key: key})
			case "lease":
				node(c, name, nil, time.Duration(rapid.IntRange(0, 70).Draw(t, "age"))*time.Second)
			case "event":
				reason := rapid.SampledFrom([]string{"DeletingNode", "Rebooted"}).Draw(t, "reason")
				c.Fold(&model.Change{Kind: model.KindEvent, Key: model.Key{Namespace: "default", Name: fmt.Sprint(reason, step)}, Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: key}, Reason: reason, Last: screentest.Now}})
			}
			c = c.Clone()
			kept = nodes.Read(c, asOf, nil, kept)
			fresh := nodes.Read(c, asOf, nil, nil)
			if !reflect.DeepEqual(kept.Entries, fresh.Entries) || !reflect.DeepEqual(kept.Zones, fresh.Zones) {
				t.Fatalf("over the list before:\n%+v\nanew:\n%+v", kept.Entries, fresh.Entries)
			}
		}
	})
}

func TestMissed(t *testing.T) {
	for age, want := range map[int]int{0: 0, 9: 0, 19: 0, 20: 1, 27: 1, 34: 2, 41: 3} {
		c := model.NewCluster()
		node(c, "n", ready(model.StatusTrue), time.Duration(age)*time.Second)
		r := nodes.Read(c, asOf, nil, nil)
		if got := r.Entries[0].Missed(); got != want {
			t.Errorf("%d s: %d missed, want %d", age, got, want)
		}
	}
}

// TestWhatNobodyWatched: in a time without a watch a heartbeat may have come. It is as old at most as the last that was
// seen, and late only by how long it has been watched again.
func TestWhatNobodyWatched(t *testing.T) {
	back := 12 * time.Second // since they are watched again
	gap := model.Interval{Earliest: screentest.Now.Add(-2 * time.Minute), Latest: screentest.Now.Add(-back)}
	unwatched := history.Unwatched{}
	for _, kind := range []model.Kind{model.KindNode, model.KindNodeLease} {
		unwatched[kind] = []history.Blindness{{Interval: gap, Unlisted: true}}
	}
	c := model.NewCluster()
	node(c, "silent", ready(model.StatusTrue), 3*time.Minute)
	node(c, "beats", ready(model.StatusTrue), 4*time.Second)
	c.Fold(&model.Change{Kind: model.KindNode, Key: model.Key{Name: "seen"}, Node: ready(model.StatusUnknown), Time: model.Exactly(screentest.Now.Add(-time.Second))})
	r := nodes.Read(c, asOf, unwatched, nil)
	for _, want := range []struct {
		name      string
		lastKnown bool
		atMost    bool
		then      time.Duration
		class     nodes.Class
	}{{"silent", true, true, back, nodes.Fine}, {"beats", true, false, 4 * time.Second, nodes.Fine}, {"seen", false, false, 0, nodes.Unknown}} {
		e := &r.Entries[r.Find(want.name)]
		if e.LastKnown.Known() != want.lastKnown || e.Ages.AtMost != want.atMost || e.Class != want.class || want.then > 0 && e.Then.Age.Value != want.then {
			t.Errorf("%s: %+v", want.name, e)
		}
	}
	if late := r.Zones[0].Late; late != 0 {
		t.Errorf("%d nodes are called late", late)
	}
	if r := nodes.Read(c, asOf, nil, nil); r.Entries[r.Find("silent")].Class != nodes.PastGrace {
		t.Error("it would be past its grace, had it been watched")
	}
}
