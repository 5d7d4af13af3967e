package incident

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
)

var start = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func sec(n float64) model.Instant { return start.Add(time.Duration(n * float64(time.Second))) }

// TestIncident runs the scripts in testdata. Times are seconds; all of it is watched from second 0 to the end.
//
//	end AT                       the end of the recording
//	beats NODE FROM TO           renewals every ten seconds
//	node NODE AT STATUS BY [FLAG…]  a version of the Node in zone z: tainted, cordoned
//	pod POD AT NODE READY BY [deleted]  a version of the Pod, of the ReplicaSet web
//	gone node|pod NAME AT BY     the object is deleted
//	mark AT NOTE                 somebody marked a time
//
// Everything that stands at second 0 is listed.
func TestIncident(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			x, err := found(t, d.Input)
			if err != nil {
				return err.Error()
			}
			return told(x)
		})
	})
}

// written is a History as a script has it, and what people marked.
func written(t *testing.T, script string) (h history.History, marks []past.Bookmark) {
	var changes []model.Change
	end := 0.
	for line := range strings.Lines(script) {
		w := strings.Fields(line)
		n := func(i int) float64 {
			x, err := strconv.ParseFloat(w[i], 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			return x
		}
		change := func(kind model.Kind, key model.Key, at float64, by string) *model.Change {
			ch := model.Change{Kind: kind, Op: model.OpModify, Key: key, Time: model.Exactly(sec(at)), Writer: writers[by]}
			if at == 0 {
				ch.Op = model.OpBaseline
			}
			changes = append(changes, ch)
			return &changes[len(changes)-1]
		}
		switch w[0] {
		case "end":
			end = n(1)
		case "beats":
			for at := n(2); at <= n(3); at += 10 {
				ch := change(model.KindNodeLease, model.Key{Namespace: model.NodeLeaseNamespace, Name: w[1]}, at, "kubelet")
				ch.Arrival, ch.Lease = sec(at), model.Lease{Renewed: sec(at), Seconds: 40}
			}
		case "node":
			ch := change(model.KindNode, model.Key{Name: w[1]}, n(2), w[4])
			ch.Node = &model.Node{Zone: model.ZoneKey{Zone: "z"}, Created: sec(-3600), Unschedulable: slices.Contains(w, "cordoned"),
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.ParseStatus(w[3]), Heartbeat: sec(0), Transition: sec(n(2)), Reason: "Because"}}}
			if w[3] == "Unknown" {
				ch.Node.Conditions[0].Reason = "NodeStatusUnknown"
			}
			if slices.Contains(w, "tainted") {
				ch.Node.Taints = []model.Taint{{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: sec(n(2))}}
			}
		case "pod":
			ch := change(model.KindPod, model.Key{Namespace: "shop", Name: w[1]}, n(2), w[5])
			ch.Pod = &model.Pod{Key: ch.Key, Node: w[3], Ready: model.ParseStatus(w[4]), Created: sec(-3600), Owner: &model.Owner{Kind: "ReplicaSet", Name: "web"}}
			if slices.Contains(w, "deleted") {
				ch.Pod.Deletion = sec(n(2) + 30)
			}
		case "gone":
			kind, key := model.KindNode, model.Key{Name: w[2]}
			if w[1] == "pod" {
				kind, key = model.KindPod, model.Key{Namespace: "shop", Name: w[2]}
			}
			change(kind, key, n(3), w[4]).Op = model.OpDelete
		case "mark":
			marks = append(marks, past.Bookmark{At: sec(n(1)), Note: w[2]})
		default:
			t.Fatalf("%q says nothing", line)
		}
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Effective().Sub(b.Effective())) })
	kinds := map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1}
	over := model.Interval{Earliest: sec(0), Latest: sec(end)}
	return history.NewMemory(changes, over, nil, []history.Source{{Format: "watch", Kinds: kinds, Coverage: over}}), marks
}

var writers = map[string]model.Writer{"kubelet": model.WriterKubelet, "person": model.WriterPerson, "node-lifecycle": model.WriterNodeLifecycle, "taint-eviction": model.WriterTaintEviction}

func found(t *testing.T, script string) (*Incident, error) {
	h, marks := written(t, script)
	result, err := hypotheses.Run(h, infer.Options{Params: model.Defaults(model.Version{}), Mode: infer.Calibrated})
	if err != nil {
		return nil, err
	}
	found, err := hypotheses.Search(result)
	if err != nil {
		return nil, err
	}
	return Of(&Input{History: h, Found: found, Marks: marks})
}

// told is the findings, a line each; times are seconds since the start.
func told(x *Incident) string {
	var b strings.Builder
	at := func(i model.Instant) string {
		if !i.Bounded() {
			return "-"
		}
		return strconv.FormatFloat(i.Sub(start).Seconds(), 'f', -1, 64)
	}
	fmt.Fprintf(&b, "counts from %s: %s %s\n", at(x.Origin.At), x.Origin.Is, x.Origin.Node)
	for i := range x.Silences {
		s := &x.Silences[i]
		fmt.Fprintf(&b, "silence %s last %s declared %s after %v back %s ready %s gone %s\n", s.Node, at(s.Last.At()), at(s.At()), s.Silent.Value, at(s.Back.At()), at(s.ReadyAgain), at(s.Gone))
	}
	for i := range x.Pods {
		p := &x.Pods[i]
		what := "spared"
		if p.Deletion != nil {
			what = "deleted " + at(p.Deletion.Time)
		} else {
			what += " by " + p.Spared.By
		}
		fmt.Fprintf(&b, "pod %s on %s %s not ready %v gone %s\n", p.Key.Name, p.Node, what, p.NotReady.Value, at(p.Gone))
	}
	for i := range x.Workloads {
		w := &x.Workloads[i]
		fmt.Fprintf(&b, "workload %s deleted %d spared %d ready %d then %d at %s\n", w.Owner, w.Deleted, w.Spared, w.Before, w.Least, at(w.LeastAt))
	}
	fell, ended, tainted := x.Fell(), x.Ended(), x.Tainted()
	fmt.Fprintf(&b, "fell %d of %d, silent %d gone %d back %s; tainted %d of %d, others %d\n", len(fell.Nodes), x.Existed, ended.Silent, ended.Gone, at(ended.Back), tainted.Nodes, tainted.Lost, tainted.Others)
	for i := range x.Times {
		if m := &x.Times[i]; len(m.Lengths)+m.Open > 0 {
			fmt.Fprintf(&b, "time %s %v open %d\n", m.Of, m.Lengths, m.Open)
		}
	}
	for i := range x.Events {
		e := &x.Events[i]
		if e.Kind == OfAct && e.Decision.Basis != model.Observed {
			continue
		}
		fmt.Fprintf(&b, "event %s %s %s %s by %s\n", at(e.At), e.Kind, e.Subject, e.Code, e.Writer)
	}
	if s := x.Standing; s != nil {
		for i := range s.Nodes {
			fmt.Fprintf(&b, "stands %s cordoned %s problems %d\n", s.Nodes[i].Name, at(s.Nodes[i].Cordoned), len(s.Nodes[i].Problems))
		}
		fmt.Fprintf(&b, "at the end %d stuck, %d marked, %d to come\n", len(s.Stuck), len(s.Marked), len(s.Coming))
	}
	for _, u := range x.Unknown {
		fmt.Fprintf(&b, "unknown %s\n", u.Code)
	}
	return b.String()
}

// Percentiles are lengths that came, and of too few none is given.
func TestMeasure(t *testing.T) {
	many := make([]time.Duration, LeastForP95)
	for n, want := range map[int][2]bool{0: {}, 2: {}, LeastForMedian: {true, false}, LeastForP95 - 1: {true, false}, LeastForP95: {true, true}} {
		m := Measure{Lengths: many[:n]}
		if m.At(50).Known != want[0] || m.At(95).Known != want[1] || m.At(0).Known != (n > 0) || m.At(100).Known != (n > 0) {
			t.Errorf("of %d: %v %v", n, m.At(50), m.At(95))
		}
	}
}

// A countdown that a restart ended was forgotten; one that the new process began and took back at once was not cancelled.
func TestCountdowns(t *testing.T) {
	pod := func(name string) model.Key { return model.Key{Namespace: "shop", Name: name} }
	begins := func(name string, at float64) *model.Decision {
		return &model.Decision{Kind: model.ScheduleEviction, Pod: pod(name), Time: sec(at), Checks: []model.Check{{Left: model.Operand{Kind: model.OperandDuration, Int: int64(300 * time.Second)}}}}
	}
	ends := func(name string, at float64) *model.Decision {
		return &model.Decision{Kind: model.CancelEviction, Pod: pod(name), Time: sec(at)}
	}
	x := &Incident{scan: &scan{}, Decided: []*model.Decision{begins("a", 0), begins("b", 10), ends("b", 100),
		{Kind: model.ControllerStart, Time: sec(200)}, begins("a", 200), ends("a", 200.5)}}
	x.countdowns()
	if c := x.Countdowns; c.Cancelled != 1 || c.Left.Value != 210*time.Second || c.Forgotten != 1 || c.ForgottenLeft.Value != 100*time.Second {
		t.Errorf("%+v", c)
	}
}
