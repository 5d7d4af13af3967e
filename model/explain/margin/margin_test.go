package margin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/history"
)

var start = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func sec(n float64) model.Instant { return start.Add(time.Duration(n * float64(time.Second))) }

func beat(name string, at float64) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name},
		Time: model.Exactly(sec(at)), Arrival: sec(at), Lease: model.Lease{Renewed: sec(at)}}
}

func says(name string, at float64, status model.Status, posted float64) model.Change {
	return model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(sec(at)),
		Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: status, Heartbeat: sec(posted)}}}}
}

// TestMargin runs the scripts in testdata. Times are seconds.
//
//	over FROM TO                     what is covered
//	beats NODE FROM TO EVERY         renewals
//	writes NODE FROM TO EVERY [CODE] its kubelet writes its lease, and no object is shown
//	says NODE AT STATUS [POSTED]     a version of the Node, with its status heartbeat
//	posts NODE FROM TO EVERY [KUBELET]  versions of the Node in which its kubelet posts that it is Ready, and nothing else
//	gone NODE AT                     the Node is deleted
//	tainted, untainted NODE AT STATUS  a version of the Node with, and without, the NoExecute taint of the unreachable
//	cordon NODE AT                   a person's version of the Node, which takes no pods any more
//	listed NODE RENEWED              its lease as the list at 0 had it
//	kept NODE HEARD                  its last renewal before 0, as a recording that was cut begins with it
//	stood NODE STATUS SINCE          its Node as the list at 0 had it
//	gap FROM TO                      nothing is known
func TestMargin(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			m, err := Of(written(t, d.Input), Options{Graces: []time.Duration{40 * time.Second, 50 * time.Second}, InForce: 50 * time.Second, Period: 5 * time.Second})
			if err != nil {
				return err.Error()
			}
			var b strings.Builder
			fmt.Fprintf(&b, "%d nodes, %d beats: p50 %s p99 %s longest %s hidden %d\n", m.Nodes, m.Beats, m.Median, m.High, m.Longest, m.Hidden)
			for _, s := range m.Silences {
				fmt.Fprintf(&b, "silence %s %s open %v declared %v\n", s.Node, s.Length(), s.Open, s.Declared)
			}
			for _, s := range m.Stalls {
				fmt.Fprintf(&b, "stall %s of %d of %d nodes\n", s.To.Sub(s.From), s.Nodes, s.Of)
			}
			for _, g := range m.Graces {
				fmt.Fprintf(&b, "grace %s: %d sure, %d perhaps, %d nodes\n", g.Grace, g.Sure, g.Perhaps, g.Nodes)
			}
			for _, f := range m.Flaps {
				fmt.Fprintf(&b, "flap %s %d times, %d for silence; down %s up %s; tainted %d times, %s at most, at the end %v; with %v\n", f.Node, f.Times, f.Declared, f.Down, f.Up, f.Tainted, f.Longest, f.Lasts, f.With)
			}
			for _, n := range m.Nears {
				if n.Misses+n.Declared > 0 || n.Open > 0 {
					fmt.Fprintf(&b, "near %s: longest %s, %d misses, declared in %d, open %s\n", n.Node, n.Longest, n.Misses, n.Declared, n.Open)
				}
			}
			for _, c := range m.Cordons {
				fmt.Fprintf(&b, "cordon %s since %s by %s\n", c.Node, c.Since.Sub(start), c.By)
			}
			if p := m.Posting; p.Nodes > 0 || p.Simulated > 0 {
				fmt.Fprintf(&b, "status every %s by %d of %d, %.1f writes a minute, not %.1f; %d are kwok's\n", p.Every, p.Nodes, p.Of, p.Writes, p.Meant, p.Simulated)
			}
			if m.Untold {
				b.WriteString("whether nodes were declared is not known\n")
			}
			return b.String()
		})
	})
}

func written(t *testing.T, script string) history.History {
	t.Helper()
	var changes []model.Change
	var gaps []history.Gap
	over := model.Interval{Earliest: sec(0), Latest: sec(100)}
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		w := strings.Fields(line)
		n := func(i int) float64 {
			if i >= len(w) {
				return 0
			}
			x, err := strconv.ParseFloat(w[i], 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			return x
		}
		switch w[0] {
		case "over":
			over = model.Interval{Earliest: sec(n(1)), Latest: sec(n(2))}
		case "beats":
			for at := n(2); at <= n(3); at += n(4) {
				changes = append(changes, beat(w[1], at))
			}
		case "writes":
			for at := n(2); at <= n(3); at += n(4) {
				ch := beat(w[1], at)
				ch.Lease, ch.Writer, ch.Code = model.Lease{}, model.WriterKubelet, 200
				if len(w) > 5 {
					ch.Code, ch.Op = int16(n(5)), model.OpAttempt
				}
				changes = append(changes, ch)
			}
		case "says":
			changes = append(changes, says(w[1], n(2), model.ParseStatus(w[3]), n(4)))
		case "posts":
			for at := n(2); at <= n(3); at += n(4) {
				ch := says(w[1], at, model.StatusTrue, at)
				if len(w) > 5 {
					ch.Node.KubeletVersion = w[5]
				}
				changes = append(changes, ch)
			}
		case "gone":
			changes = append(changes, model.Change{Kind: model.KindNode, Op: model.OpDelete, Key: model.Key{Name: w[1]}, Time: model.Exactly(sec(n(2)))})
		case "tainted", "untainted":
			ch := says(w[1], n(2), model.ParseStatus(w[3]), 0)
			if w[0] == "tainted" {
				ch.Node.Taints = []model.Taint{{Key: model.TaintUnreachable, Effect: model.NoExecute}}
			}
			changes = append(changes, ch)
		case "cordon":
			ch := says(w[1], n(2), model.StatusTrue, n(2))
			ch.Node.Unschedulable, ch.Writer = true, model.WriterPerson
			changes = append(changes, ch)
		case "listed":
			ch := beat(w[1], 0)
			ch.Op, ch.Lease.Renewed = model.OpBaseline, sec(n(2))
			changes = append(changes, ch)
		case "kept":
			ch := beat(w[1], n(2))
			ch.At = sec(0)
			changes = append(changes, ch)
		case "stood":
			ch := says(w[1], 0, model.ParseStatus(w[2]), 0)
			ch.Op, ch.Node.Conditions[0].Transition = model.OpBaseline, sec(n(3))
			changes = append(changes, ch)
		case "gap":
			gaps = append(gaps, history.Gap{Interval: model.Interval{Earliest: sec(n(1)), Latest: sec(n(2))}})
		default:
			t.Fatalf("%q says nothing", line)
		}
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Effective().Sub(b.Effective())) })
	return history.NewMemory(changes, over, gaps, []history.Source{{Kinds: map[model.Kind]int{model.KindNodeLease: 1}}})
}

// TestALongerGraceDeclaresNoMore: of two grace periods the longer declares no more, for sure or in all.
func TestALongerGraceDeclaresNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var changes []model.Change
		at := map[string]float64{"a": 0, "b": 0, "c": 0}
		for range rapid.IntRange(5, 60).Draw(t, "beats") {
			name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "node")
			at[name] += rapid.Float64Range(1, 90).Draw(t, "pause")
			changes = append(changes, beat(name, at[name]))
		}
		slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Time.Earliest.Sub(b.Time.Earliest)) })
		h := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(max(at["a"], at["b"], at["c"]))}, nil, []history.Source{{}})
		m, err := Of(h, Options{Graces: []time.Duration{30 * time.Second, 40 * time.Second, 60 * time.Second}, Period: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(m.Graces); i++ {
			short, long := m.Graces[i-1], m.Graces[i]
			if long.Sure > short.Sure || long.Sure+long.Perhaps > short.Sure+short.Perhaps || long.Nodes > short.Nodes {
				t.Fatalf("%+v declares more than %+v", long, short)
			}
		}
	})
}
