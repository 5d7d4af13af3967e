package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/explain/problem"
	"kardia/model/simulate/forecast"
	"kardia/ui/nodes"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func draw(v *View, s *screen.Snapshot, w, h int) string {
	return screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Arrange(w, h).Area()))
}

// later is the same cluster at a later instant, after some Changes.
func later(s *screen.Snapshot, by time.Duration, changes ...*model.Change) *screen.Snapshot {
	c := s.Cluster.Clone()
	for _, ch := range changes {
		c.Fold(ch)
	}
	return &screen.Snapshot{Revision: s.Revision + 1, Cluster: c, At: s.At.Add(by), Params: s.Params, Loading: 1, Coverage: s.Coverage}
}

func renewal(name string, at model.Instant) *model.Change {
	return &model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(at), Arrival: at,
		Lease: model.Lease{Renewed: at, Seconds: 40}}
}

func TestAttentionComesFirst(t *testing.T) {
	s := screentest.Incident()
	v := New()
	names := v.Order(s)
	if len(names) != 29 {
		t.Fatalf("%d nodes need attention, want 22 unknown, 1 not ready, 3 late, 3 cordoned", len(names))
	}
	got := []string{names[0], names[1], names[22], names[23], names[24], names[25]}
	want := []string{screentest.Victim, "ip-10-2-44-102", "ip-10-1-7-203", "ip-10-3-12-77", "ip-10-3-9-140", "ip-10-3-20-5"}
	if !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// While the cursor moves the rows keep still, whatever is heard meanwhile.
func TestOrderIsHeldWhileTheCursorMoves(t *testing.T) {
	s := screentest.Incident()
	v := New()
	for _, do := range []screen.Action{screen.Open, screen.Down, screen.Down} {
		v.Do(do, s)
	}
	before := v.Order(s)
	s = later(s, 5*time.Second, renewal(screentest.Victim, s.At.Add(4*time.Second)))
	if got := v.Order(s); !slices.Equal(got[:len(before)], before) || !v.Frozen() {
		t.Fatalf("the order moved under the cursor: %v, before %v", got[:3], before[:3])
	}
	if got := v.Selected(s).Node; got != "ip-10-2-44-102" {
		t.Errorf("selected %s", got)
	}
	v.Thaw()
	after := v.Order(s)
	if after[0] == screentest.Victim || v.Frozen() {
		t.Errorf("thawed, the renewed node is still first")
	}
	if got := v.Selected(s).Node; got != "ip-10-2-44-102" {
		t.Errorf("after thawing selected %s", got)
	}
}

// What newly needs attention while the order is held comes after what is shown.
func TestNewRowsComeLastWhileHeld(t *testing.T) {
	s := screentest.Incident()
	v := New()
	v.Do(screen.Down, s)
	n := len(v.Order(s))
	s = later(s, 15*time.Second)
	if got := v.Order(s); len(got) <= n {
		t.Fatalf("%d rows after 15 s of silence, %d before", len(got), n)
	}
}

func TestSelectionFollowsTheNode(t *testing.T) {
	s := screentest.Incident()
	v := New()
	v.Select("ip-10-3-9-140")
	v.Do(screen.Sort, s)
	v.Do(screen.Reverse, s)
	if got := v.Selected(s); got.Kind != screen.NodeSubject || got.Node != "ip-10-3-9-140" {
		t.Errorf("after sorting selected %+v", got)
	}
	s = later(s, 0, &model.Change{Kind: model.KindNode, Op: model.OpDelete, Key: model.Key{Name: "ip-10-3-9-140"}})
	c := s.Cluster
	c.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpDelete, Key: model.Key{Name: "ip-10-3-9-140"}})
	if got := v.Selected(s); got.Node == "ip-10-3-9-140" || got.Node == "" {
		t.Errorf("after its deletion selected %q", got.Node)
	}
}

// The nodes of a zone that are silent for one cause are one row, that counts them and shows whose pods go first and last.
// Enter opens it and closes it again, as esc does.
func TestOneRowForACause(t *testing.T) {
	for _, size := range screentest.Sizes[:3] {
		s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
		v := New()
		frame := draw(v, s, size.W, size.H)
		if !strings.Contains(frame, "›10 nodes") || !strings.Contains(frame, "0:07 b-009 … 0:37 b-007; 12 stuck") || strings.Contains(frame, "  b-003  ") && size.W < 200 {
			t.Fatalf("%s: ten nodes of a silent zone are not one row:\n%s", size.Name, frame)
		}
		if got := v.Selected(s).Node; got != "b-009" {
			t.Errorf("%s: the cursor is on %s, and not on the node whose pods go next", size.Name, got)
		}
		if !v.Do(screen.Open, s) {
			t.Fatal("enter does not open the row")
		}
		if frame = draw(v, s, size.W, size.H); !strings.Contains(frame, "▾10 nodes") || !strings.Contains(frame, "  b-006  ") {
			t.Errorf("%s: not opened:\n%s", size.Name, frame)
		}
		v.Do(screen.Down, s)
		if got := v.Selected(s).Node; got != "b-009" || v.Do(screen.Open, s) { // it is one node, which the app opens
			t.Errorf("%s: the cursor is on %s", size.Name, got)
		}
		v.Do(screen.Down, s)
		if got := v.Selected(s).Node; got != "b-006" {
			t.Errorf("%s: the cursor is on %s", size.Name, got)
		}
		v.Do(screen.First, s)
		if !v.Do(screen.Open, s) || !strings.Contains(draw(v, s, size.W, size.H), "›10 nodes") {
			t.Errorf("%s: enter does not close it again", size.Name)
		}
		v.Do(screen.Open, s)
		if !v.Do(screen.Escape, s) || !strings.Contains(draw(v, s, size.W, size.H), "›10 nodes") {
			t.Errorf("%s: esc does not close it again", size.Name)
		}
	}
}

// A row that is open stays so while its nodes change places, and the cursor stays on the worst row until it is moved.
func TestAnOpenRowStaysOpen(t *testing.T) {
	v := New()
	for after := 150 * time.Second; after < 240*time.Second; after += 10 * time.Second {
		s := screentest.Recorded(t, "demo:zone-outage", after)
		frame := draw(v, s, 120, 36)
		if v.line() != 0 {
			t.Fatalf("+%v: the cursor moved by itself:\n%s", after, frame)
		}
		if after == 150*time.Second {
			v.Do(screen.Open, s)
		} else if !strings.Contains(frame, "▾10 nodes") {
			t.Fatalf("+%v: it closed by itself:\n%s", after, frame)
		}
	}
}

// In trouble the forecast has the rows, in calm the margin.
func TestSpaceFollowsNeed(t *testing.T) {
	for after, want := range map[time.Duration][2]string{200 * time.Second: {"Forecast", "Margin"}, 10 * time.Second: {"Margin", "Forecast"}} {
		s := screentest.Recorded(t, "demo:zone-outage", after)
		frame := draw(New(), s, 120, 36)
		first, second := strings.Index(frame, want[0]), strings.Index(frame, want[1])
		if first < 0 || second >= 0 && second < first {
			t.Errorf("+%v: want %s before %s in\n%s", after, want[0], want[1], frame)
		}
	}
}

// A step to a decision moves the cursor to the node it is about, and shows it even where it
// needs no attention.
func TestStepMovesTheCursor(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	v := New()
	draw(v, &s, 120, 36)
	s.Stepped = &model.Decision{Node: "a-004"}
	frame := draw(v, &s, 120, 36)
	if got := v.Selected(&s).Node; got != "a-004" || !strings.Contains(frame, "▌ a-004") {
		t.Errorf("the cursor is on %s:\n%s", got, frame)
	}
}

// What the READY column reads can be filtered for.
func TestFilterByWhatIsRead(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	v := New()
	if err := v.SetFilter("unknown"); err != nil {
		t.Fatal(err)
	}
	if n := len(v.Order(s)); n != 10 {
		t.Errorf("/unknown finds %d nodes, want 10", n)
	}
}

// No node is ever left out without a line that counts it.
func TestNothingIsDroppedSilently(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Incident()
		v := New()
		if rapid.Bool().Draw(t, "all") {
			v.Do(screen.Attention, s)
		}
		if rapid.Bool().Draw(t, "filter") {
			_ = v.SetFilter("zone:1b")
		}
		for range rapid.IntRange(0, 10).Draw(t, "down") {
			v.Do(screen.HalfDown, s)
		}
		w, h := rapid.IntRange(100, 220).Draw(t, "w"), rapid.IntRange(30, 80).Draw(t, "h")
		frame := draw(v, s, w, h)
		total := 0
		from, to := v.scroll.Shown()
		total += countNodes(v.lines[from:to])
		for _, line := range strings.Split(frame, "\n") {
			for _, part := range strings.Split(strings.Trim(line, " │"), "   ") {
				part = strings.Trim(part, " │")
				var n, of int
				if _, err := fmt.Sscanf(part, "↑ %d above", &n); err == nil {
					total += n
				} else if _, err := fmt.Sscanf(part, "↓ %d below", &n); err == nil {
					total += n
				} else if _, err := fmt.Sscanf(part, "%d more need no attention", &n); err == nil {
					total += n
				} else if _, err := fmt.Sscanf(part, "%d of %d nodes hidden", &n, &of); err == nil {
					total += n
				}
			}
		}
		if total != 214 {
			t.Fatalf("%d of 214 nodes are accounted for:\n%s", total, frame)
		}
	})
}

func TestEscapeLadder(t *testing.T) {
	s := screentest.Incident()
	v := New()
	v.Do(screen.MarkRow, s)
	if err := v.SetFilter("zone:1b"); err != nil {
		t.Fatal(err)
	}
	v.Do(screen.NextPane, s)
	for i, want := range []string{"filter", "marks", "zones"} {
		if !v.Do(screen.Escape, s) {
			t.Fatalf("escape %d did not close the %s", i, want)
		}
	}
	if v.Filter() != "" || len(v.Marked(s)) != 0 || v.Do(screen.Escape, s) {
		t.Error("something is left open, or escape does not say that nothing is")
	}
}

func TestClicks(t *testing.T) {
	s := screentest.Incident()
	v := New()
	draw(v, s, 120, 36)
	if hit := v.Click(5, v.where.rows+2, s); hit != screen.Moved || v.Selected(s).Node != v.nameAt(v.lines[2].position) {
		t.Errorf("a click on a row: %v, selected %s", hit, v.Selected(s).Node)
	}
	if hit := v.Click(5, v.where.rows+2, s); hit != screen.Opened {
		t.Errorf("a second click: %v", hit)
	}
	if hit := v.Click(5, v.where.header, s); hit != screen.Moved || v.sort != ByName {
		t.Errorf("a click on a title: %v, sort %v", hit, v.sort)
	}
	if hit := v.Click(20, v.where.zones[2].from, s); hit != screen.Moved || v.Selected(s).Zone.Value.Zone != "eu-west-1c" {
		t.Errorf("a click on a zone: %v, selected %+v", hit, v.Selected(s))
	}
	if hit := v.Click(0, 500, s); hit != screen.Missed {
		t.Errorf("a click beside everything: %v", hit)
	}
}

func TestEmptyTables(t *testing.T) {
	s := screentest.Incident()
	v := New()
	if err := v.SetFilter("zone:1d state:unknown"); err != nil {
		t.Fatal(err)
	}
	want := "no node matches  zone:1d state:unknown   214 of 214 nodes hidden by the filter   esc clears it"
	if frame := draw(v, s, 120, 36); !strings.Contains(frame, want) {
		t.Errorf("want %q in\n%s", want, frame)
	}
	none := &screen.Snapshot{Revision: 1, Cluster: model.NewCluster(), At: screentest.Now, Loading: 1}
	if frame := draw(New(), none, 80, 24); !strings.Contains(frame, "this cluster has no nodes at 14:03:27Z") {
		t.Errorf("an empty cluster:\n%s", frame)
	}
}

// Sorting by any column is a total order, so that equal rows never swap.
func TestEveryOrderIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		v := New()
		v.all = rapid.Bool().Draw(t, "all")
		v.reverse = rapid.Bool().Draw(t, "reverse")
		for k := range sortKeys {
			v.sort = k
			v.fresh = orderKey{}
			v.update(s)
			for i := 1; i < len(v.rows); i++ {
				if compareRows(v.rows[i-1], v.rows[i]) >= 0 || compareRows(v.rows[i], v.rows[i-1]) <= 0 {
					t.Fatalf("by %v rows %d and %d are not in order", k, i-1, i)
				}
			}
		}
	})
}

// In a window of 80 columns it can be read why a node is unwell: whole, or in the words for it that are short.
func TestWhyANodeIsUnwellIsReadable(t *testing.T) {
	for _, is := range []struct{ message, want string }{
		{"container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized", "network not ready"},
		{"PLEG is not healthy: pleg was last seen active 3m5.2s ago; threshold is 3m0s", "PLEG not healthy"},
		{"[container runtime is down, PLEG is not healthy: pleg was last seen active 4m ago; threshold is 3m0s]", "runtime down, PLEG not healthy"},
		{"node is shutting down", "shutting down"},
		{"out of cheese", "out of cheese"},
	} {
		n := &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: model.StatusFalse, Reason: "KubeletNotReady", Message: is.message}}}
		e := &nodes.Entry{Object: nodes.Object{Health: model.HealthNotReady}, Row: &model.NodeRow{Name: "a", Node: n}}
		if got := facts(e, screentest.Painters()["dark"], 50*time.Second, true); got != is.want {
			t.Errorf("in short %q, want %q", got, is.want)
		}
	}
	s := screentest.Recorded(t, "demo:zone-outage", 100*time.Second)
	v := New()
	v.Do(screen.Attention, s) // all nodes, one by one
	if text := draw(v, s, 80, 24); !strings.Contains(text, "  silent past 50s\n") {
		t.Errorf("why is cut:\n%s", text)
	}
}

// A taint that another actor put on a node is the reason why its pods are deleted, in few words if there is no room.
func TestATaintByHandIsAFact(t *testing.T) {
	n := &model.Node{Taints: []model.Taint{{Key: "example.com/maint", Effect: model.NoExecute}}}
	e := &nodes.Entry{Object: nodes.Object{Health: model.HealthReady}, Row: &model.NodeRow{Name: "a", Node: n}}
	p := screentest.Painters()["dark"]
	if long, short := facts(e, p, 50*time.Second, false), facts(e, p, 50*time.Second, true); long != "tainted maint" || short != "maint" {
		t.Errorf("%q, %q", long, short)
	}
}

// A taint that has no time of its own is as old at least as managedFields have the taints written last, to the second; of which they have no
// word, its age is not known, and none is shown.
func TestATaintWithoutATime(t *testing.T) {
	dumped := func(managed string) *screen.Snapshot {
		path := filepath.Join(t.TempDir(), "nodes.json")
		text := `{"kind":"List","apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","uid":"u","resourceVersion":"7","creationTimestamp":"2026-03-14T11:00:00Z","managedFields":[` + managed +
			`{"manager":"kubelet","operation":"Update","apiVersion":"v1","subresource":"status","time":"2026-03-14T12:03:40Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{}}}]},
"spec":{"taints":[{"key":"example.com/maint","effect":"NoExecute"}]},
"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","lastHeartbeatTime":"2026-03-14T12:03:40Z","lastTransitionTime":"2026-03-14T11:01:00Z"}]}}]}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return screentest.Recorded(t, path, 0)
	}
	told := dumped(`{"manager":"kubectl-taint","operation":"Update","apiVersion":"v1","time":"2026-03-14T12:01:10Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:taints":{}}}},`)
	for s, want := range map[*screen.Snapshot]string{told: " maint +≥2m29s", dumped(""): " maint   "} {
		frame := draw(New(), s, 144, 40)
		if !regexp.MustCompile(want).MatchString(frame) || strings.Contains(frame, "≥") != (s == told) {
			t.Errorf("want %q in\n%s", want, frame)
		}
	}
}

// A node that beats again and is listed for its taint shows that. Nodes that are known by their leases only, and are
// silent for longer than the grace period, are counted beside their cells.
func TestWhyANodeIsListed(t *testing.T) {
	if shown := screentest.Shown(New(), screentest.Recorded(t, "demo:zone-outage", 310*time.Second)); !strings.Contains(shown, "still tainted") {
		t.Errorf("beats again, with its taint:\n%s", shown)
	}
	if shown := screentest.Shown(New(), screentest.Recorded(t, screentest.IncidentPath("partial")+"/audit.log.zst", 74200*time.Millisecond)); !strings.Contains(shown, "past grace 11") {
		t.Errorf("past grace, and known by their leases only:\n%s", shown)
	}
}

// Pods that fell due while not watched are visible by a glyph and words, also without colour.
func TestWhatFellDueUnseenStandsOut(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	j, f := *s.Judged, *s.Judged.Forecast
	f.Evictions = slices.Clone(f.Evictions)
	for i := range f.Evictions {
		if e := &f.Evictions[i]; e.Node == "b-009" {
			e.State = forecast.Unseen
		}
	}
	j.Forecast, s.Judged, s.Revision = &f, &j, s.Revision+1
	for name, want := range map[string]string{"no-colour": "◑ deleted?", "ascii": "k deleted?"} {
		for _, w := range []int{80, 120} {
			shown := screentest.Plain(New().Render(&s, screentest.Painters()[name], screen.Arrange(w, 36).Area()))
			if !strings.Contains(shown, want) || !strings.Contains(shown, "due in a gap") {
				t.Errorf("%s, %d columns: no %q, or not why\n%s", name, w, want, shown)
			}
		}
	}
}

// A node that flaps and is Ready now is so since its kubelet said so last, and not since it began to flap.
func TestSinceWhenOneThatFlapsIsReady(t *testing.T) {
	s := screentest.Recorded(t, "scenario:flapping", 12*time.Minute+30*time.Second)
	list := s.Nodes()
	flapping := 0
	for i := range list.Entries {
		e := &list.Entries[i]
		if len(e.Problems) == 0 || e.Problems[0].Kind != problem.Flapping || e.Health != model.HealthReady {
			continue
		}
		flapping++
		if got, want := since(e), e.Row.Node.Ready().Transition; got.Sub(want) < 0 || got.Sub(want) > time.Second {
			t.Errorf("%s is Ready since %v, and shown to be since %v", e.Row.Name, want, got)
		}
	}
	if flapping == 0 {
		t.Error("no node flaps")
	}
}
