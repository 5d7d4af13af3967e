package roster

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/widget"
)

func TestNamesSortAsPeopleDo(t *testing.T) {
	want := []string{"", "a", "a-1", "a-2", "a-10", "a-10-b", "a-010", "ip-10-2-4", "ip-10-2-30", "ip-10-10-1", "z"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareNames)
	// a-010 and a-10 are the same number; the raw text decides last of all.
	if want = []string{"", "a", "a-1", "a-2", "a-010", "a-10", "a-10-b", "ip-10-2-4", "ip-10-2-30", "ip-10-10-1", "z"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNameOrderIsTotal(t *testing.T) {
	name := rapid.StringMatching(`[ab0-2-]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if (CompareNames(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q compare equal", a, b)
		}
		if CompareNames(a, b) != -CompareNames(b, a) {
			t.Fatalf("%q and %q: the order has no direction", a, b)
		}
		if CompareNames(a, b) < 0 && CompareNames(b, c) < 0 && CompareNames(a, c) >= 0 {
			t.Fatalf("%q < %q < %q, but not %q < %q", a, b, c, a, c)
		}
	})
}

func TestDomains(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a.x.internal", "b.x.internal"}, ".x.internal"},
		{[]string{"a.x.internal", "b.y.internal"}, ""},
		{[]string{"a.x.internal"}, ""},
		{[]string{"a", "b"}, ""},
		{[]string{"a.x", ".x"}, ""},
	} {
		if got := commonDomain(c.names); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

func TestZoneNames(t *testing.T) {
	place := func(region, zone string) model.Maybe[model.Place] {
		return model.Some(model.Place{Region: region, Zone: zone})
	}
	for _, c := range []struct {
		places []model.Maybe[model.Place]
		want   string
	}{
		{[]model.Maybe[model.Place]{place("eu-west-1", "eu-west-1a"), place("eu-west-1", "eu-west-1b")}, "eu-west-1a=1a eu-west-1b=1b "},
		{[]model.Maybe[model.Place]{place("r1", "a"), place("r2", "a"), place("r2", "b")}, "r1/a=r1/a r2/a=r2/a b=b "},
		{[]model.Maybe[model.Place]{place("", ""), {}}, "none=none zone unknown=? "},
		{[]model.Maybe[model.Place]{place("us", "us-east-1b")}, "us-east-1b=1b "},
		{[]model.Maybe[model.Place]{place("r", "x\x00\x1b")}, "x␀␛=x␀␛ "},
	} {
		zones := make([]Zone, len(c.places))
		for i := range zones {
			zones[i].Place = c.places[i]
		}
		nameZones(zones)
		got := ""
		for i := range zones {
			got += zones[i].Name + "=" + zones[i].Short + " "
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.places, got, c.want)
		}
	}
}

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
		class Class
		cell  widget.Cell
	}{
		{"fine", ready(model.StatusTrue), s(3), Fine, widget.Fresh},
		{"late", ready(model.StatusTrue), s(25), Late, widget.Late},
		{"very late", ready(model.StatusTrue), s(45), Late, widget.VeryLate},
		{"past grace and not declared", ready(model.StatusTrue), s(50), Past, widget.Past},
		{"declared", ready(model.StatusUnknown), s(70), Unknown, widget.Unknown},
		{"declared, and heard again", ready(model.StatusUnknown), s(1), Unknown, widget.Unknown},
		{"the kubelet says so", ready(model.StatusFalse), s(1), NotReady, widget.NotReady},
		{"no status yet", &model.Node{}, s(1), Never, widget.New},
		{"only its lease is known", nil, s(1), Fine, widget.Unseen},
		{"only its lease is known, and it is late", nil, s(22), Late, widget.Late},
		{"status alone is too coarse to be late", ready(model.StatusTrue), -1, Fine, widget.Coarse},
		{"cordoned", with(ready(model.StatusTrue), func(n *model.Node) { n.Unschedulable = true }), s(1), Cordoned, widget.Cordoned},
		{"cordoned and late", with(ready(model.StatusTrue), func(n *model.Node) { n.Unschedulable = true }), s(25), Late, widget.Late},
		{"tainted", with(ready(model.StatusTrue), func(n *model.Node) { n.Taints = []model.Taint{{Key: "x", Effect: model.NoExecute}} }), s(1), Impaired, widget.Fresh},
		{"tainted NoSchedule", with(ready(model.StatusTrue), func(n *model.Node) { n.Taints = []model.Taint{{Key: "x", Effect: model.NoSchedule}} }), s(1), Fine, widget.Fresh},
		{"under pressure", with(ready(model.StatusTrue), func(n *model.Node) {
			n.Conditions = append(n.Conditions, model.Condition{Type: "DiskPressure", Status: model.StatusTrue})
		}), s(1), Impaired, widget.Fresh},
	} {
		cl := model.NewCluster()
		node(cl, "n", c.node, c.age)
		var r Roster
		r.Update(&screen.Snapshot{Revision: 1, Cluster: cl, At: screentest.Now, Params: model.Defaults(model.Version{})})
		if e := r.Entries[0]; e.Class != c.class || e.Cell != c.cell {
			t.Errorf("%s: class %d cell %d, want %d %d", c.what, e.Class, e.Cell, c.class, c.cell)
		}
	}
}

// Every node of any cluster has one entry, in name order, in its own zone, and counts as
// the model counts it; and one roster read twice over is the same as a new one.
func TestRosterHoldsEveryNode(t *testing.T) {
	var kept Roster
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		s.Revision = rapid.Uint64().Draw(t, "revision")
		kept.Update(s)
		var fresh Roster
		fresh.Update(s)
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
				if kept.Entries[e].Row.Place() != z.Place {
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
			if kept.Find(e.Row.Name) != i || int(e.Rank) != i || i > 0 && CompareNames(kept.Entries[i-1].Row.Name, e.Row.Name) >= 0 {
				t.Fatalf("entry %d %q is out of order", i, e.Row.Name)
			}
		}
		if kept.Find("no such node") >= 0 {
			t.Fatal("found what is not there")
		}
	})
}

func TestMissed(t *testing.T) {
	for age, want := range map[int]int{0: 0, 9: 0, 19: 0, 20: 1, 27: 1, 34: 2, 41: 3} {
		c := model.NewCluster()
		node(c, "n", ready(model.StatusTrue), time.Duration(age)*time.Second)
		var r Roster
		r.Update(&screen.Snapshot{Revision: 1, Cluster: c, At: screentest.Now, Params: model.Defaults(model.Version{})})
		if got := r.Entries[0].Missed(); got != want {
			t.Errorf("%d s: %d missed, want %d", age, got, want)
		}
	}
}
