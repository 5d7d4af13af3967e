package problem

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
)

var now = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestProblems runs the scripts in testdata: what a Node, its lease and its Events tell, and what is wrong
// with it. Ages are durations.
//
//	of [posted=AGE] [lastknown]     the newest status of any node, 10s if not given
//	   [unheard=(FROM,TO)]          the ages between which no lease could be heard
//	condition TYPE STATUS HEARTBEAT
//	lease AGE [HOLDER] [SKEW]       skew is how far the kubelet's clock is ahead
//	taint KEY [AGE]
//	event REASON AGE [COUNT FIRSTAGE | by=COMPONENT]
func TestProblems(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			posted := "10s"
			d.MaybeScanArgs(t, "posted", &posted)
			around := &Around{At: model.Watched(now), Posted: ago(t, posted), Exists: func(name string) bool { return name == "ip-10-2-3-4" }}
			if d.HasArg("unheard") {
				var from, to string
				d.ScanArgs(t, "unheard", &from, &to)
				around.Unheard = []model.Interval{{Earliest: ago(t, from), Latest: ago(t, to)}}
			}
			row := row(t, d.Input)
			var b strings.Builder
			for _, p := range Of(row, row.Ages(now), around, d.HasArg("lastknown")) {
				fmt.Fprint(&b, p.Kind)
				for _, word := range []string{p.Name, p.Status, p.Owner} {
					if word != "" {
						b.WriteString(" " + word)
					}
				}
				if p.For != 0 {
					fmt.Fprintf(&b, " for %s", p.For)
				}
				if p.N > 0 {
					fmt.Fprintf(&b, ", %d of %d", p.N, p.All)
				}
				if p.Since.Known() {
					fmt.Fprintf(&b, " since %s", now.Sub(p.Since))
				}
				b.WriteByte('\n')
			}
			if b.Len() == 0 {
				return "nothing\n"
			}
			return b.String()
		})
	})
}

func ago(t *testing.T, text string) model.Instant {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return now.Add(-d)
}

func row(t *testing.T, script string) *model.NodeRow {
	t.Helper()
	n, c := &model.Node{}, model.NewCluster()
	fold := func(ch model.Change) { c.Fold(&ch) }
	var later []model.Change
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		w := append(strings.Fields(line), "", "", "")
		switch w[0] {
		case "condition":
			n.Conditions = append(n.Conditions, model.Condition{Type: w[1], Status: model.ParseStatus(w[2]), Transition: now.Add(-time.Hour), Heartbeat: ago(t, w[3])})
		case "taint":
			taint := model.Taint{Key: w[1], Effect: model.NoSchedule}
			if w[2] != "" {
				taint.Added = ago(t, w[2])
			}
			n.Taints = append(n.Taints, taint)
		case "lease":
			heard, skew := ago(t, w[1]), time.Duration(0)
			if w[3] != "" {
				skew = now.Sub(ago(t, w[3]))
			}
			later = append(later, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a"}, Time: model.Exactly(heard), Arrival: heard,
				Lease: model.Lease{Renewed: heard.Add(skew), Holder: w[2]}})
		case "event":
			e := &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a"}}, Reason: w[1], Last: ago(t, w[2]), Component: "node-controller"}
			if by, ok := strings.CutPrefix(w[3], "by="); ok {
				e.Component = by
			} else if w[3] != "" {
				fmt.Sscan(w[3], &e.Count)
				e.First = ago(t, w[4])
			}
			later = append(later, model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: w[1] + w[2]}, Time: model.Exactly(now), Event: e})
		default:
			t.Fatalf("%q says nothing", line)
		}
	}
	fold(model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "a"}, Time: model.Exactly(now.Add(-time.Hour)), Node: n})
	for _, ch := range later {
		fold(ch)
	}
	return c.Node("a")
}

// TestARhythmThatIsOnlyAssumed: an old status speaks against a kubelet while the others post by the default rhythm, and not where
// they do not, or where something simulates it.
func TestARhythmThatIsOnlyAssumed(t *testing.T) {
	for _, c := range []struct {
		version   string
		old, want int
	}{{"v1.36.3", 1, 1}, {"v1.36.3", 6, 0}, {"kwok-v0.7.0", 1, 0}} {
		cluster := model.NewCluster()
		for i := range 25 {
			name, posted := fmt.Sprintf("n-%d", i), now.Add(-time.Minute)
			if i < c.old {
				posted = now.Add(-10 * time.Minute)
			}
			cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Time: model.Exactly(now), Node: &model.Node{KubeletVersion: c.version,
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: posted, Transition: now.Add(-time.Hour)}}}})
			cluster.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Time: model.Exactly(now),
				Lease: model.Lease{Holder: name, Renewed: now.Add(-2 * time.Second), Seconds: 40}})
		}
		around, n := AroundOf(cluster, model.Watched(now)), 0
		for row := range cluster.Nodes {
			n += len(Of(row, row.Ages(now), &around, false))
		}
		if n != c.want {
			t.Errorf("%s, %d old: %d not well, want %d", c.version, c.old, n, c.want)
		}
	}
}
