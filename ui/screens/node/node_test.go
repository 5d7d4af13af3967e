package node

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/golden"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

func show(name string) *View {
	v := New()
	v.Show(name)
	return v
}

func draw(v *View, s *screen.Snapshot, w, h int) string {
	return screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Arrange(w, h).Area()))
}

func TestFrames(t *testing.T) {
	screentest.Goldens(t, "node", screentest.Incident(), func() screen.View { return show(screentest.Victim) })
}

// What the models say of recorded incidents.
func TestTellingFrames(t *testing.T) {
	screentest.TellingGoldens(t, func(k screentest.Telling) screen.View {
		return show(k.Node)
	})
}

func TestEveryPane(t *testing.T) {
	s := screentest.Incident()
	v := show(screentest.Victim)
	var frames []string
	for range paneCount {
		frames = append(frames, draw(v, s, 80, 24))
		v.Do(screen.NextPane, s)
	}
	golden.Compare(t, "panes-80x24.txt", strings.Join(frames, strings.Repeat("=", 80)+"\n"))
}

// The node beside the fleet fits too; and the
// pod under the cursor is one of the node's.
func TestAnyFrame(t *testing.T) {
	choose := func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		s.Cluster.Nodes(func(r *model.NodeRow) bool { v.Show(r.Name); return rapid.Bool().Draw(t, "next") })
		return v
	}
	screentest.AnyFrame(t, choose, func(t *rapid.T, v *View, f screentest.Frame) {
		s, p, w := f.Snapshot, f.Painter, f.Area.W
		var brief []string
		for _, r := range v.Brief(s, p, v.Name(), w, f.Area.H) {
			brief = append(brief, r.Text)
		}
		screentest.CheckFrame(t, brief, p, w, min(len(brief), f.Area.H))
		if is := v.Selected(s); is.Kind == screen.PodSubject && s.Cluster.Pod(is.Pod) == nil {
			t.Fatalf("the pod %s under the cursor does not exist", is.Pod)
		}
	})
}

// What the frame says of state, ages, taints and pods is what the model says.
func TestFrameSaysWhatTheModelSays(t *testing.T) {
	s := screentest.Incident()
	frame := draw(show(screentest.Victim), s, 200, 60)
	n := s.Cluster.Node(screentest.Victim)
	since := func(i model.Instant) string { return paint.Duration(s.At.Sub(i)) }
	for what, want := range map[string]string{
		"state":     fmt.Sprintf("✕ %s for %s ", n.Health(), since(n.Node.Ready().Transition)),
		"heartbeat": "SILENT FOR " + paint.Age(n.Ages(s.At).Age),
		"grace":     "grace 50s, declared 14:00:36Z",
		"renewTime": "renewTime 13:59:46.2Z",
		"heard":     "last seen 13:59:46.0Z",
		"skew":      "skew " + paint.Offset(n.Ages(s.At).Skew.Value),
		"duration":  fmt.Sprintf("duration %ds", n.Lease.Seconds),
		"rhythm":    "renewed every 10.0s",
		"holder":    "holder " + n.Lease.Holder,
		"pods":      fmt.Sprintf("Pods %d ", len(n.Pods())),
		"taints":    fmt.Sprintf("Taints %d", len(n.Node.Taints)),
		"events":    fmt.Sprintf("Events %d", len(n.Events())),
		"flips":     "Ready changed  once in the last",
	} {
		if !strings.Contains(frame, want) {
			t.Errorf("%s: want %q in\n%s", what, want, frame)
		}
	}
	for _, same := range show(screentest.Victim).conditionsOf(s) {
		c := same[0]
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^[│ ▌]+%s +[━╍▀ ]+ %s +%s +%s`, label(same), c.Status, since(c.Transition), c.Reason))
		if !row.MatchString(frame) {
			t.Errorf("condition %s: no row like %v", c.Type, row)
		}
	}
	for _, taint := range n.Node.Taints {
		row := regexp.MustCompile(fmt.Sprintf(`%s:%s +%s`, strings.TrimPrefix(taint.Key, "node.kubernetes.io/"), taint.Effect, since(taint.Added)))
		if !row.MatchString(frame) {
			t.Errorf("taint %s: no row like %v", taint.Key, row)
		}
	}
}

// The Unknown part of Ready's lane is as long as the model says.
func TestLaneIsToScale(t *testing.T) {
	s := screentest.Incident()
	frame := draw(show(screentest.Victim), s, 120, 36)
	lane := regexp.MustCompile(`(?m)^[│ ▌]+Ready, Memory-, PIDPressure +━+(╍+)`).FindStringSubmatch(frame)
	if lane == nil {
		t.Fatalf("no lane in\n%s", frame)
	}
	cells := float64(len([]rune(lane[1])))
	step := show(screentest.Victim).rendering(s, screentest.Painters()["dark"], 120).lanes(116).scale.Step
	want := s.At.Sub(s.Cluster.Node(screentest.Victim).Node.Ready().Transition).Seconds() / step.Seconds()
	if math.Abs(cells-want) > 1.5 {
		t.Errorf("%v cells Unknown, want about %.1f", cells, want)
	}
}

func TestScrollingPods(t *testing.T) {
	s := screentest.Incident()
	v := show(screentest.Victim)
	v.Do(screen.NextPane, s)
	seen := map[string]bool{}
	pod := regexp.MustCompile(`(?m)^[ ▌] ([a-z-]+/\S+)`)
	shown := regexp.MustCompile(`(\d+)-(\d+) of 31`)
	for range 40 {
		frame := draw(v, s, 80, 24)
		rows := pod.FindAllStringSubmatch(frame, -1)
		for _, m := range rows {
			seen[m[1]] = true
		}
		m := shown.FindStringSubmatch(frame)
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		if to-from+1 != len(rows) {
			t.Fatalf("%d to %d, and %d shown\n%s", from, to, len(rows), frame)
		}
		v.Do(screen.Down, s)
	}
	if len(seen) != 31 {
		t.Errorf("%d of 31 pods could be scrolled to", len(seen))
	}
	v.Do(screen.First, s)
	if v.scroll[panePods].First != 0 {
		t.Error("g does not go to the top")
	}
}

func TestTolerates(t *testing.T) {
	for _, c := range []struct {
		what string
		list []model.Toleration
		want string
	}{
		{"nothing", nil, "no"},
		{"everything", []model.Toleration{{Operator: "Exists"}}, "forever"},
		{"what the admission plugin adds", []model.Toleration{
			{Key: model.TaintNotReady, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some[int64](300)},
			{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some[int64](300)}}, "300s"},
		{"one of the two", []model.Toleration{{Key: model.TaintUnreachable, Operator: "Exists", Seconds: model.Some[int64](60)}}, "60s; not ready: no"},
		{"NoSchedule only", []model.Toleration{{Operator: "Exists", Effect: model.NoSchedule}}, "no"},
		{"another value", []model.Toleration{{Key: model.TaintUnreachable, Operator: "Equal", Value: "x"}}, "no"},
		{"empty value", []model.Toleration{{Key: model.TaintUnreachable}, {Key: model.TaintNotReady}}, "forever"},
		{"zero and below count as zero", []model.Toleration{{Operator: "Exists", Seconds: model.Some[int64](-5)}}, "0s"},
		{"the first that matches counts", []model.Toleration{{Operator: "Exists", Seconds: model.Some[int64](60)}, {Operator: "Exists"}}, "60s"},
	} {
		if got := Tolerates(c.list); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Unknown facts are shown as unknown.
func TestWhatIsLacking(t *testing.T) {
	c := model.NewCluster()
	at := screentest.Now
	c.Fold(&model.Change{Kind: model.KindNode, Key: model.Key{Name: "n"}, Node: &model.Node{
		Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: at.Add(-3 * time.Minute)}}}})
	s := &screen.Snapshot{Revision: 1, Cluster: c, At: at, Params: model.Defaults(model.Version{}), Loading: 1,
		Kinds: map[model.Kind]bool{model.KindNode: true}}
	frame := draw(show("n"), s, 120, 36)
	for _, want := range []string{"SILENT FOR ≤3m00s  from the node's status, up to 5 min coarse", "leases could not be read", "pods could not be read",
		"Kubernetes Events could not be read", "no taints"} {
		if !strings.Contains(frame, want) {
			t.Errorf("want %q in\n%s", want, frame)
		}
	}
	// What a tab counts is what there is, not the line that says that there is none, or that it may not be read.
	if frame := draw(show("n"), s, 80, 24); !strings.Contains(frame, "Pods ?   Taints 0   Events ?") {
		t.Errorf("tabs:\n%s", frame)
	}
	if frame := draw(show("gone"), s, 120, 36); !strings.Contains(frame, "no node gone exists at 14:03:27Z") {
		t.Errorf("an absent node:\n%s", frame)
	}
	if frame := draw(New(), s, 120, 36); !strings.Contains(frame, "No node chosen.") {
		t.Errorf("no node chosen:\n%s", frame)
	}
}

// Conditions with one history are one row, and those with another are not in it.
func TestConditionsWithOneHistory(t *testing.T) {
	s := screentest.Incident()
	frame := draw(show(screentest.Victim), s, 80, 24)
	for _, want := range []string{"Ready, Memory-, PIDPressure ", "DiskPressure ", "NetworkUnavailable "} {
		if !strings.Contains(frame, want) {
			t.Errorf("want %q in\n%s", want, frame)
		}
	}
	s = screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	if frame := draw(show("b-005"), s, 80, 24); !strings.Contains(frame, "Ready, Memory-, Disk-, PIDPressure ") {
		t.Errorf("not one row:\n%s", frame)
	}
}

// The reasons come before everything else but the state, over the full width.
func TestTheReasonsComeFirst(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	for _, w := range []int{80, 120, 200} {
		frame := draw(show("b-009"), s, w, 60)
		why, conditions := strings.Index(frame, "Why are its pods evicted?"), strings.Index(frame, "lease renewals")
		if why < 0 || conditions < why {
			t.Errorf("%d columns:\n%s", w, frame)
		}
	}
}

func TestClickingTabs(t *testing.T) {
	s := screentest.Incident()
	v := show(screentest.Victim)
	draw(v, s, 80, 24)
	if hit := v.Click(v.tabs[paneTaints][0]+1, v.tabLine, s); hit != screen.Moved || v.focus != paneTaints {
		t.Errorf("%v, focus %v", hit, v.focus)
	}
	draw(v, s, 120, 36)
	if hit := v.Click(100, 20, s); hit != screen.Moved || v.focus != panePods {
		t.Errorf("%v, focus %v", hit, v.focus)
	}
}

func BenchmarkFrame(b *testing.B) {
	s := screentest.Incident()
	v := show(screentest.Victim)
	p := screentest.Painters()["dark"]
	b.ReportAllocs()
	for b.Loop() {
		v.Render(s, p, screen.Arrange(200, 60).Area())
	}
}

// In the pods pane the cursor is on a pod, which is what why and copy are about.
func TestChoosingAPod(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 120*time.Second)
	v := show("b-003")
	if got := v.Selected(s); got.Kind != screen.NodeSubject {
		t.Fatalf("selected %+v", got)
	}
	v.Do(screen.NextPane, s)
	draw(v, s, 80, 24)
	for _, c := range []struct {
		do   screen.Action
		want string
	}{{screen.First, "default/app-b-003-0"}, {screen.Down, "default/app-b-003-1"}, {screen.Down, "default/ds-b-003-0"}, {screen.Down, "default/ds-b-003-0"}, {screen.Up, "default/app-b-003-1"}, {screen.Last, "default/ds-b-003-0"}} {
		v.Do(c.do, s)
		if got := v.Selected(s); got.Kind != screen.PodSubject || got.Pod.String() != c.want || got.Node != "b-003" {
			t.Errorf("%s: selected %+v, want %s", c.do, got, c.want)
		}
		if frame := draw(v, s, 80, 24); !strings.Contains(frame, "▌ "+c.want) {
			t.Errorf("%s: no cursor on %s in\n%s", c.do, c.want, frame)
		}
	}
	if hit := v.Click(10, v.firstRow[panePods], s); hit != screen.Moved || v.Selected(s).Pod.Name != "app-b-003-0" {
		t.Errorf("clicked: %v, %+v", hit, v.Selected(s))
	}
}

// Every pod's DELETED IN is the forecast's, and the steps' sum is all pods.
func TestPodsAreToldAsForecast(t *testing.T) {
	p := screentest.Painters()["dark"]
	for _, k := range screentest.Tellings {
		s := screentest.Recorded(t, k.Path, k.After)
		for _, e := range s.Judged.Forecast.Evictions {
			want := topics.EvictionState(e.State)
			if e.State.Ahead() {
				want = p.Ahead(s.At, e.Window)
			}
			v := show(e.Node)
			frame := draw(v, s, 200, 60)
			if row := regexp.MustCompile(fmt.Sprintf(`(?m)%s +.* %s`, e.Pod, want)); !row.MatchString(frame) {
				t.Errorf("%s: no row like %v in\n%s", k.Name, row, frame)
			}
		}
	}
}

// The silent node within its grace says how much is left, and why not yet.
func TestWhyNotYet(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 60*time.Second)
	frame := draw(show("b-003"), s, 120, 36)
	for _, want := range []string{"Why is it not Unknown yet?", "if no heartbeat comes, the grace period ends in", "25.4s to 30.6s, and the next pass after that", "Unknown in 0:25–0:33 unless a heartbeat comes",
		"next renewal overdue 14s", "2 pods tolerate 60s → deleted in"} {
		if !strings.Contains(frame, want) {
			t.Errorf("want %q in\n%s", want, frame)
		}
	}
}

// While nothing is decided yet, or cannot be, the screen shows that and invents nothing.
func TestUndecided(t *testing.T) {
	for want, judged := range screentest.Undecided {
		s := screentest.Incident()
		s.Judged = judged
		for _, size := range screentest.Sizes[:3] {
			v, p := show(screentest.Victim), screentest.Painters()["dark"]
			area := screen.Arrange(size.W, size.H).Area()
			lines := append(v.Render(s, p, area), v.Context(s, p, area.W))
			if frame := screentest.Plain(lines); !strings.Contains(frame, want) || strings.Contains(frame, "0.10/s") {
				t.Errorf("%s: want %q, and no rate, in\n%s", size.Name, want, frame)
			}
		}
	}
}

// Among the conditions and the taints the cursor is on one, which is what "last write" is about.
func TestChoosingAField(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 120*time.Second)
	v := show("b-003")
	draw(v, s, 120, 36)
	asked := func(want string) {
		t.Helper()
		if f, ok := v.Field(s); !ok || topics.Field(f).String() != want {
			t.Errorf("the cursor is on %q, %v, want %q", f, ok, want)
		}
		if line := screentest.Plain([]string{v.Context(s, screentest.Painters()["dark"], 120)}); !strings.Contains(line, "u last write of "+want) {
			t.Errorf("the context does not say what u goes to: %s", line)
		}
	}
	asked("Ready of node b-003")
	v.Do(screen.Down, s)
	frame := draw(v, s, 120, 36)
	f, _ := v.Field(s)
	if f.Kind != past.ConditionField || f.Name == "Ready" || !strings.Contains(frame, "▌ "+f.Name) {
		t.Errorf("no cursor on %s in\n%s", topics.Field(f), frame)
	}
	v.Do(screen.Last, s)
	asked("renewTime of node b-003")
	v.Do(screen.Up, s)
	v.Do(screen.First, s)
	v.Do(screen.NextPane, s)
	v.Do(screen.NextPane, s)
	draw(v, s, 120, 36)
	asked("taint node.kubernetes.io/unreachable:NoExecute of node b-003")
	v.Click(3, v.firstRow[paneTaints]+1, s)
	asked("taint node.kubernetes.io/unreachable:NoSchedule of node b-003")
	v.Show("a-001")
	asked("taints of node a-001")
}

// A taint without timeAdded is as old as the version that showed it first; one that was there when the watch began is
// at least as old as that.
func TestTaintsWithoutAStamp(t *testing.T) {
	s := screentest.WithModels(screentest.Incident())
	row := s.Cluster.Node(screentest.Victim)
	at := s.At.Add(time.Second)
	version := func(at model.Instant, op model.Op, taints ...string) model.Change {
		n := *row.Node
		n.Taints = nil
		for _, key := range taints {
			n.Taints = append(n.Taints, model.Taint{Key: key, Effect: model.NoSchedule})
		}
		return model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: row.Name}, UID: n.UID, Version: row.Version + uint64(at), Time: model.Interval{Earliest: at.Add(-time.Second), Latest: at},
			Arrival: at, Node: &n, Writer: model.WriterPerson}
	}
	stood := version(s.At.Add(-42*time.Second), model.OpBaseline, "old")
	stood.Time.Earliest = row.Node.Created
	seen := version(s.At.Add(-7*time.Second), model.OpModify, "old", "drain")
	h := history.NewMemory([]model.Change{stood, seen}, model.Interval{Earliest: stood.Arrival, Latest: at}, nil, nil)
	cursor := history.NewCursor(h)
	if err := cursor.Seek(s.At); err != nil {
		t.Fatal(err)
	}
	s.Cluster, s.Track = cursor.State(), func(node string, w model.Interval) *past.Track {
		track, err := past.BuildTrack(h, node, w)
		if err != nil {
			t.Fatal(err)
		}
		return track
	}
	frame := draw(show(screentest.Victim), s, 200, 60)
	for _, want := range []string{`old:NoSchedule +≥42s +\? not known`, `drain:NoSchedule +7s +● person`} {
		if !regexp.MustCompile(want).MatchString(frame) {
			t.Errorf("want %s in\n%s", want, frame)
		}
	}
}

// What a Node says of its machine, and when the controller registered it, has a place among the facts.
func TestFactsOfTheMachine(t *testing.T) {
	s := screentest.Incident()
	var name string
	s.Cluster.Nodes(func(row *model.NodeRow) bool {
		if row.Node == nil {
			return true
		}
		n := *row.Node
		n.ProviderID = "aws:///us-east-1b/i-0abc"
		n.Details = model.PackNode([]model.Detail{
			{Name: model.DetailOSImage, Value: "Bottlerocket 1.2"}, {Name: model.DetailKernel, Value: "6.1.9"}, {Name: model.DetailRuntime, Value: "containerd://2.0"},
			{Name: model.DetailBootID, Value: "b007-1d"}, {Name: model.DetailPodCIDR, Value: "10.4.0.0/24"}, {Name: model.DetailOwner, Value: "NodePool green"},
			{Name: model.DetailAddress + "InternalIP", Value: "10.0.0.7"}, {Name: model.DetailAddress + "InternalDNS", Value: "ip-10-0-0-7.internal"}, {Name: model.DetailWriter + "kubelet", Value: "2026-08-02T13:03:27Z"},
			{Name: model.DetailLabel + "node-role.kubernetes.io/control-plane"}, {Name: model.DetailLabel + labelUnbalanced}, {Name: model.DetailLabel + "rack", Value: "r17"},
			{Name: model.DetailCapacity + "cpu", Value: "8"}, {Name: model.DetailAllocatable + "cpu", Value: "7910m"},
			{Name: model.DetailCapacity + "memory", Value: "32Gi"}, {Name: model.DetailAllocatable + "memory", Value: "30Gi"},
			{Name: model.DetailCapacity + "pods", Value: "110"}, {Name: model.DetailAllocatable + "pods", Value: "110"},
			{Name: model.DetailCapacity + "nvidia.com/gpu", Value: "4"}, {Name: model.DetailAllocatable + "nvidia.com/gpu", Value: "3"}}...)
		row.Node, name = &n, row.Name
		return false
	})
	v := &View{}
	v.Show(name)
	text := screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Arrange(200, 100).Area()))
	for _, want := range []string{"Bottlerocket 1.2   6.1.9   containerd://2.0", "10.0.0.7   10.4.0.0/24", "7910m of 8 CPU   30Gi of 32Gi memory", "nvidia.com/gpu 3 of 4   pods 110", "b007-1d", "NodePool green", "ip-10-0-0-7.internal", "as one does that registers itself", "roles          control-plane", "rack=r17", "leave it out (label ",
		"0.1 CPU   2Gi memory: for the system, the kubelet", "meant every 10s (a quarter of the lease's 40s", "is tried 5 times at once", "aws:///us-east-1b/i-0abc"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
}

// That another Node had the name is shown by a controller's Event, which has the UID; kubelets give the name for it.
func TestANameThatAnotherNodeHad(t *testing.T) {
	s := screentest.Incident()
	row := s.Cluster.Node(screentest.Victim)
	for _, c := range []struct {
		uid  string
		want bool
	}{{row.Node.UID.String(), false}, {row.Name, false}, {"11111111-1111-4111-8111-111111111111", true}} {
		at := row.Node.Created.Add(-time.Hour)
		e := &model.Event{Reason: model.ReasonRegisteredNode, Component: "node-controller", First: at, Last: at, Created: at,
			Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: row.Name}, UID: model.ParseUID(c.uid, nil)}}
		cluster := s.Cluster.Clone()
		cluster.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "default", Name: "x"}, Version: 1 << 40, Time: model.Exactly(s.At), Event: e})
		with := *s
		with.Cluster = cluster
		if got := strings.Contains(draw(show(screentest.Victim), &with, 200, 100), "another Node had the name"); got != c.want {
			t.Errorf("%s: %v", c.uid, got)
		}
	}
}

// Pods that the kubelet ended or refused are shown one by one, with their number.
func TestPodsThatItsKubeletEnded(t *testing.T) {
	s := screentest.Incident()
	cluster := s.Cluster.Clone()
	for i, ended := range []string{"Evicted resource memory", "OutOfcpu", ""} {
		key := model.Key{Namespace: "shop", Name: fmt.Sprint("ended-", i)}
		cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Version: 1<<40 + uint64(i), Time: model.Exactly(s.At),
			Pod: &model.Pod{Key: key, Node: screentest.Victim, Phase: model.PhaseFailed, Details: model.Details(model.PackDetails([]model.Detail{{Name: model.DetailEnded, Value: ended}}, nil))}})
	}
	s.Cluster = cluster
	frame := draw(show(screentest.Victim), s, 200, 100)
	for _, want := range []string{"2 ended or refused by its kubelet", `ended-0 +low on memory`, `ended-1 +refused`, `ended-2 +failed`} {
		if !regexp.MustCompile(want).MatchString(frame) {
			t.Errorf("no %s in\n%s", want, frame)
		}
	}
}

// A Node that no kubelet has taken up is shown as that; for one of which only requests were seen nothing is shown.
func TestWhoRegisteredIt(t *testing.T) {
	s := screentest.Incident()
	row := s.Cluster.Node(screentest.Victim)
	for _, c := range []struct {
		ready *model.Condition
		want  bool
	}{
		{nil, true},
		{&model.Condition{Type: model.ConditionReady, Status: model.StatusUnknown, Reason: model.ReasonNeverUpdated}, true},
		{&model.Condition{Type: model.ConditionReady, Status: model.StatusUnknown, Reason: "NodeStatusUnknown"}, false},
	} {
		n := *row.Node
		n.Conditions, n.Details = nil, model.NodeDetails{}
		if c.ready != nil {
			n.Conditions = []model.Condition{*c.ready}
		}
		cluster := s.Cluster.Clone()
		cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: row.Name}, UID: n.UID, Version: 1 << 40, Time: model.Exactly(s.At), Node: &n})
		with := *s
		with.Cluster = cluster
		if got := strings.Contains(draw(show(screentest.Victim), &with, 200, 100), "by hand, or its kubelet came no further"); got != c.want {
			t.Errorf("%+v: %v", c.ready, got)
		}
	}
}

// The last cell of the picture may be wider than the time left in it until the instant shown: nothing later is in it.
func TestThePictureEndsAtTheInstant(t *testing.T) {
	back := 0
	for after := 270 * time.Second; after < 340*time.Second; after += time.Second {
		s := screentest.Recorded(t, "demo:zone-outage", after)
		v := New()
		v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: "b-003"}, screen.OfSelected, s)
		row := s.Cluster.Node("b-003")
		if row == nil || s.At.Sub(row.Lease.Heard) < 100*time.Second {
			back++
			continue
		}
		for _, line := range strings.Split(screentest.Shown(v, s), "\n") {
			if _, lane, is := strings.Cut(line, "lease renewals"); is && strings.Contains(lane, "╹ silent") {
				t.Errorf("+%v: a renewal stands at the instant shown: %s", after, line)
			}
		}
	}
	if back == 0 || back == 70 {
		t.Errorf("it is heard again at %d of 70 instants", back)
	}
}
