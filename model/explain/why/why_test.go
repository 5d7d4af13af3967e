package why_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/loop"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
)

var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

func second(s float64) model.Instant { return epoch.Add(time.Duration(s * float64(time.Second))) }

var zone = model.ZoneKey{Zone: "a"}

// run is a zone of twelve nodes of which the first dark fall silent at 103 s, until a
// second; each has a pod that tolerates for 300 s.
func run(dark int, until float64) (*infer.State, []model.Decision) {
	p := model.Defaults(model.Version{Major: 1, Minor: 36})
	l := loop.New(p, loop.StartingAt(epoch, 5*time.Second, time.Millisecond))
	tolerations := &model.Tolerations{{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Seconds: model.Some(int64(300))}}
	for i := range 12 {
		name := fmt.Sprintf("n%02d", i)
		l.At(epoch, func(l *loop.Loop) {
			l.SetNode(name, &model.Node{Created: epoch.Add(-time.Hour), Zone: zone,
				Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: epoch}}})
			l.SetPod(&model.Pod{Key: model.Key{Namespace: "shop", Name: "p-" + name}, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, Tolerations: tolerations})
		})
		for t := 3.0; t <= until && (i >= dark || t <= 103); t += 10 {
			l.At(second(t), func(l *loop.Loop) { l.Renew(name, l.Now()) })
		}
	}
	out := l.Run(second(until))
	return &infer.State{At: l.Now(), Cache: l.Cache, Nodes: l.Nodes, Taints: l.Taints, Pods: l.Pods, Params: p}, out
}

func words(c why.Chain) string {
	var b strings.Builder
	for _, l := range c {
		fmt.Fprintf(&b, "%d %s", l.Depth, l.Kind)
		switch {
		case l.Decision != nil:
			fmt.Fprintf(&b, " %s %.1f", l.Decision.Kind, l.Decision.Time.Sub(epoch).Seconds())
		case l.Fact != nil:
			fmt.Fprintf(&b, " %s %s says %.0f", l.Fact.What, l.Fact.Key, l.Fact.At.Sub(epoch).Seconds())
		case l.Write != nil:
			fmt.Fprintf(&b, " %s", l.Write.Unexplained.Code)
		default:
			fmt.Fprintf(&b, " %s", l.Why)
		}
		b.WriteString("\n")
	}
	return b.String()
}

var evicted = why.Subject{Pod: model.Key{Namespace: "shop", Name: "p-n00"}, Kinds: []model.DecisionKind{model.EvictPod}}

// From the deletion of a pod back to the heartbeat after which all was silent.
func TestChain(t *testing.T) {
	_, decisions := run(1, 500)
	x := why.New(decisions, nil, nil)
	id, ok := x.Last(evicted, second(500))
	if !ok {
		t.Fatal("no eviction")
	}
	c, _ := x.Why(id)
	want := `0 decision EvictPod 455.1
1 decision ScheduleEviction 155.1
2 decision TaintNoExecute 155.1
3 decision QueueForTaint 155.0
4 decision MarkUnknown 155.0
5 fact lease kube-node-lease/n00 says 103
`
	if got := words(c); got != want || broken(c) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A gap on the way breaks the chain, unless another source saw that time.
func TestGapBreaks(t *testing.T) {
	_, decisions := run(1, 500)
	gap := []history.Gap{{Interval: model.Interval{Earliest: second(120), Latest: second(130)}, Source: 0, Why: "the watch was closed"}}
	leases := map[model.Kind]int{model.KindNodeLease: 1}
	for _, test := range []struct {
		what    string
		sources []history.Source
		broken  bool
	}{
		{"the one source of leases has the gap", []history.Source{{Kinds: leases}}, true},
		{"another source has leases too", []history.Source{{Kinds: leases}, {Kinds: leases}}, false},
		{"the source with the gap has pods only", []history.Source{{Kinds: map[model.Kind]int{model.KindPod: 1}}}, false},
	} {
		x := why.New(decisions, gap, test.sources)
		id, _ := x.Last(evicted, second(500))
		c, _ := x.Why(id)
		if broken(c) != test.broken {
			t.Errorf("%s: broken is %v\n%s", test.what, broken(c), words(c))
		}
		if test.broken && !strings.HasSuffix(words(c), "4 decision MarkUnknown 155.0\n5 break the watch was closed\n") {
			t.Errorf("the break stands elsewhere:\n%s", words(c))
		}
	}
}

// What was decided before the data begins is missing, and said to be.
func TestBeforeTheData(t *testing.T) {
	_, decisions := run(1, 500)
	for i := range decisions {
		if decisions[i].Time > second(200) {
			decisions = decisions[i:]
			break
		}
	}
	x := why.New(decisions, nil, nil)
	id, _ := x.Last(evicted, second(500))
	if c, _ := x.Why(id); !broken(c) || len(c) != 2 {
		t.Errorf("got\n%s", words(c))
	}
	if _, ok := x.Why(1); ok {
		t.Error("an id nobody has was explained")
	}
	w := &infer.Write{Kind: model.TaintNoExecute, Node: "n00", Unexplained: evidence.Unexplained{Code: evidence.NotDecided}}
	if c := x.WhyWrite(w); len(c) != 1 || c[0].Write != w || c[0].Kind != why.LinkWrite {
		t.Errorf("got\n%s", words(c))
	}
}

// What was written since, and by nobody known, comes first; what came after the instant does
// not count.
func TestAbout(t *testing.T) {
	_, decisions := run(1, 500)
	taint := func(s float64) infer.Write {
		return infer.Write{Kind: model.TaintNoExecute, Node: "n00", Time: model.Exactly(second(s)), Unexplained: evidence.Unexplained{Code: evidence.NotDecided}}
	}
	r := &infer.Result{Decisions: decisions, Writes: []infer.Write{taint(120), taint(300)}}
	x := why.Of(r, history.NewMemory(nil, model.Interval{}, nil, nil))
	for at, first := range map[float64]string{200: "0 decision TaintNoExecute 155.1\n", 400: "0 write not-decided\n0 decision TaintNoExecute 155.1\n", 10: "0 decision RegisterNode 0.0\n"} {
		if got := words(x.About(why.Subject{Node: "n00"}, second(at))); !strings.HasPrefix(got, first) {
			t.Errorf("at %v:\n%swant\n%s", at, got, first)
		}
	}
	if c := x.About(why.Subject{Node: "nobody"}, second(400)); len(c) != 0 {
		t.Errorf("nobody:\n%s", words(c))
	}
}

// What is decided over the cluster is decided over each zone.
func TestAboutZone(t *testing.T) {
	_, decisions := run(12, 200)
	x := why.New(decisions, nil, nil)
	got := words(x.About(why.Subject{Zone: model.Some(zone)}, second(200)))
	if !strings.Contains(got, " EnterMasterDisruption ") {
		t.Errorf("got\n%s", got)
	}
}

// A chain that rests on thousands is cut, and says so.
func TestChainIsBounded(t *testing.T) {
	top := model.Decision{ID: 1, Kind: model.ZoneState, Zone: model.Some(zone), Time: second(5000)}
	var decisions []model.Decision
	for i := range 3000 {
		d := model.Decision{ID: model.DecisionID(i + 2), Kind: model.MarkUnknown, Time: second(float64(i))}
		decisions, top.Causes = append(decisions, d), append(top.Causes, d.ID)
	}
	c, _ := why.New(append(decisions, top), nil, nil).Why(1)
	if len(c) != why.MaxLinks+1 || c[why.MaxLinks].Kind != why.LinkMore || c[why.MaxLinks-1].Kind != why.LinkDecision {
		t.Errorf("%d links, the last %s", len(c), c[len(c)-1].Kind)
	}
}

// Seven of twelve: the rate of the only zone is 0. One that returns starts the taints; the
// loss of the other five is master disruption.
func TestWhyNotHalted(t *testing.T) {
	s, _ := run(7, 200)
	held, ok := why.Pod(s, model.Key{Namespace: "shop", Name: "p-n03"})
	if !ok || len(held) != 2 {
		t.Fatalf("held by %d things", len(held))
	}
	if held[0].Decision.Kind != model.EvictPod || held[0].Decision.Rule != model.RuleTaintsGone {
		t.Errorf("first %s %s", held[0].Decision.Kind, held[0].Decision.Rule)
	}
	h := held[1]
	if h.Decision.Kind != model.TaintNoExecute || h.Decision.Window.Earliest != model.FarFuture {
		t.Errorf("second %s %v", h.Decision.Kind, h.Decision.Window)
	}
	if got, want := changes(h.Changes), "nodes-return 1: 6/12 Normal 0.1, all-fail 5: 12/12 FullDisruption 0"; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	z, ok := why.Zone(s, zone)
	if !ok || z.View.NotReady != 7 || z.Master || len(z.Checks) == 0 || changes(z.Changes) != changes(h.Changes) {
		t.Errorf("zone %+v", z)
	}
}

// Between two passes nodes have come back: what the next pass makes of the zone is said, and nothing counts from what
// the last one saw.
func TestWhyNotSinceTheLastPass(t *testing.T) {
	back := func(dark int) *infer.State {
		s, _ := run(dark, 200)
		n := *s.Cache.Node("n00")
		n.Conditions = []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: s.At}}
		s.Cache.SetNode("n00", &n, 0, 0, 0)
		return s
	}
	for dark, want := range map[int]string{7: "next-pass 0: 6/12 Normal 0.1", 12: "next-pass 0: 11/12 PartialDisruption 0"} {
		z, ok := why.Zone(back(dark), zone)
		if !ok || z.View.NotReady != dark || changes(z.Changes) != want {
			t.Errorf("%d dark: %s, want %s", dark, changes(z.Changes), want)
		}
	}
}

// All dark: only a node that is heard ends master disruption.
func TestWhyNotMaster(t *testing.T) {
	s, _ := run(12, 200)
	z, ok := why.Zone(s, zone)
	if !ok || !z.Master || changes(z.Changes) != "zone-ready 1: 11/12 PartialDisruption 0" {
		t.Errorf("%v %s", z.Master, changes(z.Changes))
	}
}

// A silent node within its grace, a node that beats, and a pod whose countdown runs.
func TestWhyNotYet(t *testing.T) {
	s, _ := run(1, 140)
	held := why.Node(s, "n00")
	if len(held) == 0 || held[0].Decision.Kind != model.MarkUnknown || held[0].Changes[0].Kind != why.Passing ||
		!held[0].Changes[0].At.Contains(second(155.031)) || held[0].Changes[1].Kind != why.Heartbeat {
		t.Errorf("got %+v", held)
	}
	s, _ = run(1, 200)
	pod, ok := why.Pod(s, model.Key{Namespace: "shop", Name: "p-n00"})
	if !ok || len(pod) != 1 || pod[0].Changes[0].Kind != why.Passing || !pod[0].Changes[0].At.Contains(second(455.1)) {
		t.Errorf("got %+v", pod)
	}
	if _, ok := why.Pod(s, model.Key{Name: "nobody"}); ok {
		t.Error("a pod that is not there is held back")
	}
}

// While there is no leader nothing that the last one counted holds: a new leader grants a whole grace period, and starts each
// countdown again. A controller that does not act has not counted the silence either.
func TestNothingIsCountedWithoutALeader(t *testing.T) {
	grace := model.Defaults(model.Version{}).NodeMonitorGracePeriod.Value
	for _, c := range []struct {
		says model.ReasonCode
		from time.Duration
		stop func(*infer.State)
	}{
		{model.WhySilentUncounted, grace, func(s *infer.State) { s.Unled = s.At.Add(-time.Minute) }},
		{model.WhyNotActed, 0, func(s *infer.State) { s.Overdue = infer.Overdue{Since: s.At.Add(-time.Second), Held: s.At} }},
	} {
		s, _ := run(1, 140)
		c.stop(s)
		held := why.Node(s, "n00")
		if len(held) == 0 || held[0].Decision.Kind != model.MarkUnknown {
			t.Fatalf("held by %+v", held)
		}
		d := &held[0].Decision
		if d.Why.Code != c.says || d.Why.For == 0 || len(d.Checks) > 0 || d.Window.Earliest < s.At.Add(c.from) || d.Window.Latest != model.FarFuture {
			t.Errorf("%s: %s, checks %v, within %v at %v", c.says, d.Why.Code, d.Checks, d.Window, s.At)
		}
	}
}

func changes(list []why.Change) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s %d: %d/%d %s %v", c.Kind, c.Nodes, c.NotReady, c.Counted, c.State, c.Rate))
	}
	return strings.Join(out, ", ")
}

// A zone's state and a rate that were set before the data begins are what a decision says they
// are: nothing is missing. What made a node wait is.
func TestAChainBreaksOnlyWhereSomethingIsMissing(t *testing.T) {
	before := model.DecisionID(99)
	mark := model.Decision{ID: 1, Time: second(50), Kind: model.MarkUnknown, Node: "n", Controller: model.NodeLifecycle}
	dark := model.Decision{ID: 2, Time: second(50), Kind: model.ZoneState, Zone: model.Some(zone), Causes: []model.DecisionID{before, 1},
		State: model.Shift[model.DisruptionState]{From: model.ZoneNormal, To: model.ZoneFull}, Controller: model.NodeLifecycle}
	queued := model.Decision{ID: 3, Time: second(51), Kind: model.QueueForTaint, Node: "n", Causes: []model.DecisionID{1}, Controller: model.NodeLifecycle}
	tainted := model.Decision{ID: 4, Time: second(52), Kind: model.TaintNoExecute, Node: "n", Causes: []model.DecisionID{3, before}, Controller: model.NodeLifecycle}
	orphan := model.Decision{ID: 5, Time: second(60), Kind: model.TaintNoExecute, Node: "m", Causes: []model.DecisionID{before, 2}, Controller: model.NodeLifecycle}
	index := why.Of(&infer.Result{Decisions: []model.Decision{mark, dark, queued, tainted, orphan}}, history.NewMemory(nil, model.Interval{}, nil, nil))
	for subject, want := range map[*why.Subject]int{{Zone: model.Some(zone)}: 0, {Node: "n"}: 0, {Node: "m"}: 1} {
		breaks := strings.Count(words(index.About(*subject, second(70))), "break")
		if breaks != want {
			t.Errorf("%+v: %d breaks, want %d\n%s", *subject, breaks, want, words(index.About(*subject, second(70))))
		}
	}
}

// What became of a pod of which nobody knows the node is no reason for a zone.
func TestAPodWithoutANodeIsNoReasonForAZone(t *testing.T) {
	state := model.Decision{ID: 1, Kind: model.ZoneState, Time: second(10), Zone: model.Some(zone), Outcome: model.Did}
	gone := model.Decision{ID: 2, Kind: model.EvictPod, Time: second(20), Pod: model.Key{Namespace: "shop", Name: "web"}, Basis: model.Reconstructed, Outcome: model.Did}
	x := why.New([]model.Decision{state, gone}, nil, nil)
	for _, kinds := range [][]model.DecisionKind{nil, {model.ZoneState, model.EvictPod}} {
		if id, ok := x.Last(why.Subject{Zone: model.Some(zone), Kinds: kinds}, second(30)); !ok || id != 1 {
			t.Errorf("%v: found %v, %v", kinds, id, ok)
		}
	}
}

// What a step waits for is what the forecast waits for: of several reasons the one that explains the others. Something overdue
// beside a lease that is not renewed was told to come when the controller acts again, and that all may restart was not said.
func TestAStepWaitsForWhatTheForecastWaitsFor(t *testing.T) {
	s, _ := run(1, 200)
	for reasons := range 1 << 4 {
		is := *s
		for i, at := range [...]*model.Instant{&is.Unled, &is.Unrenewed, &is.Overdue.Since, &is.Undone} {
			if reasons&(1<<i) != 0 {
				*at = second(150 + float64(i))
			}
		}
		held, ok := caveat.Holding(&is)
		want := map[caveat.Reason]why.ChangeKind{caveat.NoLeader: why.SomebodyLeads, caveat.MaybeNoLeader: why.LeaderRenews, caveat.Overdue: why.ControllerActs, caveat.Behind: why.ControllerActs}[held.Reason]
		list, _ := why.Pod(&is, evicted.Pod)
		first := list[0].Changes[0]
		if (reasons != 0) != ok || !ok && first.Kind != why.Passing || ok && (first.Kind != want || first.At.Earliest != held.Since) {
			t.Errorf("reasons %04b: held %v, the step waits for %s since %s", reasons, held, first.Kind, first.At.Earliest)
		}
	}
}

// broken reports whether data is missing in a chain.
func broken(c why.Chain) bool {
	return slices.ContainsFunc(c, func(l why.Link) bool { return l.Kind == why.LinkBreak })
}
