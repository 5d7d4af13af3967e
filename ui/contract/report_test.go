package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"kardia/internal/golden"
	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/ui/paint"
	"kardia/ui/render"
)

var (
	start = model.At(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	now   = start.Add(200*time.Second + 345678*time.Microsecond)
)

func at(seconds float64) model.Instant {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

func uid(s string) model.UID { return model.ParseUID(s, nil) }

// script is a small cluster with one node for every way a heartbeat can be known.
func script() []model.Change {
	east := func(zone string) model.ZoneKey { return model.ZoneKey{Region: "us-east-1", Zone: "us-east-1" + zone} }
	ready := func(status model.Status, since float64, reason, message string) model.Condition {
		return model.Condition{Type: "Ready", Status: status, Transition: at(since), Heartbeat: at(20), Reason: reason, Message: message}
	}
	node := func(name string, n *model.Node, set float64) model.Change {
		n.Created = at(-3600)
		return model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, UID: n.UID, Node: n,
			Time: model.Interval{Earliest: at(set), Latest: at(set + 0.75)}}
	}
	lease := func(name string, heard, renewed float64) model.Change {
		ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: name},
			Time: model.Exactly(at(renewed)), Lease: model.Lease{Renewed: at(renewed), Holder: name, Seconds: 40}}
		if heard > 0 {
			ch.Arrival = at(heard)
		}
		return ch
	}
	pod := func(p *model.Pod) model.Change {
		return model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: p.Key, Pod: p, Time: model.Exactly(start)}
	}
	tolerations := &model.Tolerations{
		{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(60))},
		{Key: "dedicated", Value: "batch"},
		{Operator: "Exists"},
	}
	return []model.Change{
		node("fresh", &model.Node{UID: uid("11111111-1111-4111-8111-111111111111"), Zone: east("a"), KubeletVersion: "v1.36.3",
			Conditions: []model.Condition{ready(model.StatusTrue, -3000, "KubeletReady", "kubelet is posting ready status")}}, 0),
		lease("fresh", 195.1, 194.9),
		node("silent", &model.Node{UID: uid("22222222-2222-4222-8222-222222222222"), Zone: east("b"), KubeletVersion: "v1.36.3", Unschedulable: true,
			Conditions: []model.Condition{
				ready(model.StatusUnknown, 90, "NodeStatusUnknown", "Kubelet stopped posting node status."),
				{Type: "MemoryPressure", Status: model.StatusUnknown, Transition: at(90), Heartbeat: at(20), Reason: "NodeStatusUnknown"}},
			Taints: []model.Taint{
				{Key: "node.kubernetes.io/unreachable", Effect: model.NoExecute, Added: at(95)},
				{Key: "team", Value: "blue", Effect: model.NoSchedule}}}, 90),
		lease("silent", 40, 39.5),
		node("no-labels", &model.Node{UID: uid("33333333-3333-4333-8333-333333333333"),
			Conditions: []model.Condition{ready(model.StatusFalse, 100, "KubeletNotReady", "evil \x1b[2J\u009b2J\u202etext")}}, 100),
		lease("no-labels", 0, 203), // a clock that runs ahead, and no arrival time
		node("no-condition", &model.Node{UID: uid("44444444-4444-4444-8444-444444444444"), Zone: east("a")}, 150),
		node("no-lease", &model.Node{Zone: east("a"), Conditions: []model.Condition{ready(model.StatusTrue, -3000, "KubeletReady", "")}}, 10),
		lease("lease-only", 190, 189.5),
		pod(&model.Pod{Key: model.Key{Namespace: "web", Name: "api-0"}, Node: "silent", Phase: model.PhaseRunning, Ready: model.StatusFalse,
			Deletion: at(230), Disrupted: at(200), DisruptionReason: "DeletionByTaintManager", Tolerations: tolerations}),
		pod(&model.Pod{Key: model.Key{Namespace: "web", Name: "api-1"}, Node: "fresh", Phase: model.PhaseRunning, Ready: model.StatusTrue}),
		pod(&model.Pod{Key: model.Key{Namespace: "batch", Name: "waits"}, Phase: model.PhasePending}),
	}
}

func cluster(changes []model.Change) *model.Cluster {
	c := model.NewCluster()
	for i := range changes {
		c.Fold(&changes[i])
	}
	return c
}

func info() Info {
	everything := map[model.Kind]int{model.KindNode: 5, model.KindNodeLease: 4, model.KindPod: 3}
	sources := []history.Source{
		{Path: "audit.log", Format: "audit", Changes: 12, Kinds: everything, Quality: model.ByServer, Coverage: model.Interval{Earliest: start, Latest: now}},
		{Path: "empty.json", Format: "watch", Problems: []history.Problem{
			{Path: "empty.json", Line: 7, Offset: 812, What: "the line ends in the middle of an object; the six before it were used"},
			{Path: "empty.json", Offset: 900, What: "binary data"}}, Dropped: 3},
	}
	gaps := []history.Gap{{Interval: model.Interval{Earliest: at(10), Latest: at(12.5)}, Source: 0, Why: "watch closed"}}
	changes := script()
	h := history.NewMemory(changes, model.Interval{Earliest: start, Latest: now}, gaps, sources)
	return InfoOf(h, cluster(changes), []string{"notes.txt"}, "v1.36.3")
}

// decided is a decision about a pod with everything a decision can have, and one about
// the whole cluster with nothing that is not needed.
func decided() Decisions {
	evict := model.Decision{ID: 0xab, Time: at(100), Window: model.Interval{Earliest: at(99.9), Latest: at(100.1)}, Controller: model.TaintEviction,
		Kind: model.EvictPod, Node: "silent", Zone: model.Some(model.ZoneKey{Region: "us-east-1", Zone: "us-east-1b"}),
		Pod: model.Key{Namespace: "web", Name: "api-0"}, Rule: model.RuleCountdownStays, Why: model.Reason{Code: model.WhyNotTolerated, Name: "\x1b[2J"},
		Checks: []model.Check{{What: model.ComparedSilence, Left: model.DurationOperand(61 * time.Second), Op: model.Greater, Right: model.DurationOperand(time.Minute), Holds: true},
			{What: model.ComparedShare, Left: model.Number(0.5), Op: model.AtLeast, Right: model.Number(0.55)}},
		Inputs: []model.Input{{What: model.InputTaintAdded, Of: "the taint", Kind: model.KindNode, Key: model.Key{Name: "silent"}, Version: 42, At: at(40), Position: 7}},
		Causes: []model.DecisionID{0xcd}, LeavesTrace: true, Basis: model.Observed,
		Writes:   []model.Write{{Kind: model.WriteDelete, Pod: model.Key{Namespace: "web", Name: "api-0"}}},
		Observed: &model.Observation{Time: model.Interval{Earliest: at(100), Latest: at(100.5)}}}
	dark := model.Decision{ID: 0xcd, Time: at(40), Window: model.Exactly(at(40)), Controller: model.NodeLifecycle,
		Kind: model.EnterMasterDisruption, Rule: model.RuleMasterDisruption, Basis: model.Inferred}
	return Decisions{From: Stamp(start), To: Stamp(now), Mode: "calibrated", Began: start, Assumptions: []string{},
		Decisions: []Decision{DecisionOf(&dark), DecisionOf(&evict)}}
}

func threatened() Evictions {
	sixty := int64(60)
	return Evictions{At: Stamp(now), Attached: VolumesUnread("not recorded"), Assumptions: []string{"silent nodes stay silent"}, Evictions: []Eviction{
		{Namespace: "web", Pod: "api-0", Node: "silent", State: "due", Earliest: Stamp(now.Add(10 * time.Second)), Latest: Stamp(now.Add(12 * time.Second)),
			TolerationSeconds: &sixty, Rule: model.RuleCountdownStays.String(), Spec: "P1", Why: "tolerates unreachable for 60 s"},
		{Namespace: "web", Pod: "db-0", Node: "silent", State: "forever", Rule: model.RuleShortestToleration.String(), Spec: "P2", Why: "tolerates it without a limit"}}}
}

// partitioned is what the controller thinks of the zones of script.
func partitioned(p model.ZoneKey) (Control, bool) {
	return Control{State: "PartialDisruption", Rate: 0.1, Queue: model.Some(2), UnhealthyShare: model.Some(float32(7) / 12), MasterDisruption: true},
		p.Zone == "us-east-1b"
}

func verification() Verification {
	seen := now.Add(-100 * time.Second)
	evict := model.Decision{ID: 0xab, Kind: model.EvictPod, Pod: model.Key{Namespace: "web", Name: "api-0"}, Node: "silent", Time: seen.Add(-time.Second)}
	ms := time.Millisecond
	return VerificationOf(&verify.Report{Observed: 3, Explained: 2, Mode: infer.Calibrated, Assumptions: []infer.Note{{Code: infer.PhaseFitted, N: 3}},
		Unexplained: []verify.Unexplained{{Write: &infer.Write{Time: model.Interval{Earliest: seen.Add(-time.Second), Latest: seen}, Kind: model.EvictPod, Pod: evict.Pod, Unexplained: infer.Unexplained{Code: evidence.NotDecided}}}},
		Unobserved:  []*model.Decision{&evict},
		ByKind:      map[model.DecisionKind]verify.Count{model.MarkUnknown: {Observed: 2, Explained: 2}, model.EvictPod: {Observed: 1}},
		Params: map[string]verify.Param{"node-monitor-period": {Value: "5s"},
			"node-eviction-rate":        {Value: "0.1", From: model.FromFile, Fits: model.Some(infer.Fit{Min: 0.05, Max: math.Inf(1), Unit: "1/s", Evidence: 2})},
			"node-monitor-grace-period": {Value: "50s", From: model.FromInferred, Fits: model.Some(infer.Fit{Min: 45.036, Max: 50, Unit: "s", Evidence: 4})}},
		Lag: model.Some(verify.Percentiles{P50: 10 * ms, P95: 20 * ms, P99: 250 * ms, Max: 250 * ms})})
}

// explained has a link of every kind, and steps that the same thing holds back.
func explained() Why {
	at := func(s int) model.Instant { return now.Add(time.Duration(s) * time.Second) }
	beat := model.Input{What: model.InputLease, Kind: model.KindNodeLease, Key: model.Key{Namespace: "kube-node-lease", Name: "silent"},
		Version: 7, At: at(-100), Position: 3}
	mark := model.Decision{Controller: model.NodeLifecycle, Kind: model.MarkUnknown, Node: "silent", Rule: model.RuleSilentPastGrace, Time: at(-45),
		Window: model.Interval{Earliest: at(-46), Latest: at(-45)}, Basis: model.Observed, Observed: &model.Observation{Time: model.Exactly(at(-45))},
		Checks: []model.Check{{What: model.ComparedSilence, Left: model.DurationOperand(55 * time.Second), Op: model.Greater, Right: model.DurationOperand(50 * time.Second), Holds: true}},
		Inputs: []model.Input{beat, {What: model.InputNode, Kind: model.KindNode, Key: model.Key{Name: "silent"}, Version: 5}}}
	zone := model.Decision{Controller: model.NodeLifecycle, Kind: model.ZoneState, Zone: model.Some(model.ZoneKey{Zone: "a"}), Rule: model.RuleZoneState,
		State: model.Shift[model.DisruptionState]{From: model.ZoneNormal, To: model.ZoneFull}, Time: at(-45), Window: model.Exactly(at(-45)), Basis: model.Inferred}
	chain := why.Chain{
		{Kind: why.LinkWrite, Write: &infer.Write{Kind: model.TaintNoExecute, Node: "silent", Time: model.Interval{Earliest: at(-2), Latest: at(-1)},
			Taint: "unreachable\x1b[2J", Evidence: []model.Input{{Kind: model.KindNode, Key: model.Key{Name: "silent"}, Version: 9, Position: 8}}}},
		{Kind: why.LinkDecision, Decision: &zone},
		{Kind: why.LinkDecision, Depth: 1, Decision: &mark},
		{Kind: why.LinkFact, Depth: 2, Fact: &beat},
		{Kind: why.LinkBreak, Depth: 2, Why: "the watch was closed", Gap: model.Interval{Earliest: at(-90), Latest: at(-80)}},
		{Kind: why.LinkBreak, Depth: 1},
		{Kind: why.LinkAgain, Depth: 1, Decision: &mark},
		{Kind: why.LinkMore, Depth: 1},
	}
	var held []why.Held
	for i := range 10 {
		held = append(held, why.Held{Changes: []why.Change{{Kind: why.NodesReturn, Nodes: 2, NotReady: 5, Counted: 12, State: model.ZoneNormal, Rate: 0.1}},
			Decision: model.Decision{Controller: model.NodeLifecycle, Kind: model.TaintNoExecute, Outcome: model.Declined, Node: fmt.Sprintf("n%d", i),
				Rule: model.RuleOneToken, Why: model.Because(model.WhyMaster), Time: now, Window: model.Exactly(model.FarFuture)}})
	}
	soon := model.Interval{Earliest: at(5), Latest: at(10)}
	held = append(held, why.Held{Decision: model.Decision{Controller: model.NodeLifecycle, Kind: model.MarkUnknown, Outcome: model.Declined, Node: "late",
		Rule: model.RuleSilentPastGrace, Why: model.Because(model.WhyUncounted), Time: now, Window: soon}, Changes: []why.Change{{Kind: why.Passing, At: soon}, {Kind: why.Heartbeat}}})
	return WhyOf(now, "zone a", chain, held, []string{"the phase of passes is steady"})
}

// TestGolden holds the shape of every report, as JSON and as a table.
func TestGolden(t *testing.T) {
	c := cluster(script())
	for name, report := range map[string]Printed{
		"nodes":       NodesAt(c, Scope{At: now}),
		"nodes-empty": NodesAt(model.NewCluster(), Scope{At: now}),
		"zones":       ZonesAt(c, Scope{At: now}, partitioned),
		"decisions":   decided(),
		"evictions":   threatened(),
		"verify":      verification(),
		"why":         explained(),
		"pods":        PodsAt(c, Scope{At: now}),
		"info":        info(),
		"info-empty":  InfoOf(history.NewMemory(nil, model.Interval{}, nil, nil), model.NewCluster(), nil, ""),
	} {
		var data, table bytes.Buffer
		if err := WriteJSON(&data, report); err != nil {
			t.Fatal(err)
		}
		if err := render.Text(&table, report.Doc(false), render.Page{}); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name+".json", data.String())
		golden.Compare(t, name+".txt", table.String())
	}
}

// TestUnknownIsNull: what the source does not show is null, and never 0 or false.
func TestUnknownIsNull(t *testing.T) {
	for _, tt := range []struct {
		node  string
		scope Scope
		null  []string
		set   []string
	}{
		{node: "fresh", set: []string{"uid", "zone", "region", "ready", "ageSeconds", "ageFrom", "lastSeenSeconds", "renewTimeSeconds", "skewSeconds", "unschedulable", "pods", "readyObserved"}},
		{node: "fresh", scope: Scope{NoPods: true}, null: []string{"pods"}},
		{node: "no-labels", null: []string{"lastSeenSeconds", "skewSeconds"}, set: []string{"zone", "region", "renewTimeSeconds", "ageSeconds"}},
		{node: "no-condition", null: []string{"ageSeconds", "ageFrom", "lastSeenSeconds", "renewTimeSeconds", "renewTime", "holder", "leaseDurationSeconds", "readySince", "readyReason", "readyMessage"}, set: []string{"ready", "unschedulable"}},
		{node: "no-lease", null: []string{"lastSeenSeconds", "renewTimeSeconds", "renewTime"}, set: []string{"ageSeconds", "ageFrom"}},
		{node: "lease-only", null: []string{"uid", "zone", "region", "ready", "readySince", "readyObserved", "unschedulable", "kubeletVersion", "created"}, set: []string{"ageSeconds", "renewTime", "holder"}},
	} {
		scope := tt.scope
		scope.At, scope.Node = now, tt.node
		var b bytes.Buffer
		if err := WriteJSON(&b, NodesAt(cluster(script()), scope)); err != nil {
			t.Fatal(err)
		}
		var got struct{ Nodes []map[string]any }
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Nodes) != 1 {
			t.Fatalf("%s: %d nodes", tt.node, len(got.Nodes))
		}
		for _, key := range tt.null {
			if v, ok := got.Nodes[0][key]; !ok || v != nil {
				t.Errorf("%s: %s is %v, want null", tt.node, key, v)
			}
		}
		for _, key := range tt.set {
			if got.Nodes[0][key] == nil {
				t.Errorf("%s: %s is null", tt.node, key)
			}
		}
	}
}

func TestScope(t *testing.T) {
	c := cluster(script())
	for _, tt := range []struct {
		scope              Scope
		nodes, zones, pods string
	}{
		{Scope{Zone: "us-east-1/us-east-1a"}, "fresh no-condition no-lease", "us-east-1/us-east-1a", "api-1"},
		{Scope{Zone: "us-east-1b"}, "silent", "us-east-1/us-east-1b", "api-0"},
		{Scope{Zone: "none"}, "no-labels", "none", ""},
		{Scope{Zone: "us-east"}, "", "", ""},
		{Scope{Node: "silent"}, "silent", "us-east-1/us-east-1a us-east-1/us-east-1b none ?", "api-0"},
		{Scope{Node: "silent", Zone: "none"}, "", "none", ""},
	} {
		tt.scope.At = now
		var nodes, zones, pods []string
		for _, n := range NodesAt(c, tt.scope).Nodes {
			nodes = append(nodes, n.Name)
		}
		for _, z := range ZonesAt(c, tt.scope, nil).Zones {
			zones = append(zones, zoneWord(z.summary.Zone))
		}
		for _, p := range PodsAt(c, tt.scope).Pods {
			pods = append(pods, p.Name)
		}
		for _, is := range []struct{ what, got, want string }{
			{"nodes", strings.Join(nodes, " "), tt.nodes},
			{"zones", strings.Join(zones, " "), tt.zones},
			{"pods", strings.Join(pods, " "), tt.pods},
		} {
			if is.got != is.want {
				t.Errorf("%+v: %s %q, want %q", tt.scope, is.what, is.got, is.want)
			}
		}
	}
}

// TestPrintable: neither form carries anything that a terminal acts on, and JSON gives
// back every byte that is valid UTF-8.
func TestPrintable(t *testing.T) {
	evil := "a\x1b]0;x\a\u009b31m\u202e\u2066\ufeff\x7f\nb"
	c := cluster([]model.Change{{Kind: model.KindNode, Key: model.Key{Name: evil}, Node: &model.Node{}}})
	n := NodesAt(c, Scope{At: now})
	var data, table bytes.Buffer
	if err := WriteJSON(&data, n); err != nil {
		t.Fatal(err)
	}
	if err := render.Text(&table, n.Doc(true), render.Page{}); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{data.String(), table.String()} {
		for _, r := range out {
			if r != '\n' && paint.Harmful(r) {
				t.Errorf("%U in %q", r, out)
			}
		}
	}
	if lines := strings.Count(table.String(), "\n"); lines != 2 {
		t.Errorf("a name broke the table into %d lines", lines)
	}
	var back struct{ Nodes []struct{ Name string } }
	if err := json.Unmarshal(data.Bytes(), &back); err != nil || back.Nodes[0].Name != evil {
		t.Errorf("%v: %q", err, back)
	}
}
