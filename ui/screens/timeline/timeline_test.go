package timeline

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/golden"
	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/explain/review"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/model/simulate/forecast"
	"kardia/sources/open"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/widget"
)

// incident is the zone outage some time after its start, with all that is known of it.
func incident(t testing.TB, after time.Duration) *screen.Snapshot {
	t.Helper()
	return recorded(t, "demo:zone-outage", after)
}

// recorded is a recording some time after its start.
func recorded(t testing.TB, path string, after time.Duration) *screen.Snapshot {
	t.Helper()
	opened, err := open.Open(context.Background(), []string{path}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := opened.History
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	r, err := infer.Run(h, infer.Options{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	o := &past.Overview{}
	if _, err := o.Extend(h, 1<<30); err != nil {
		t.Fatal(err)
	}
	c := h.Coverage()
	s := &screen.Snapshot{Revision: 1, Params: params, Mode: screen.Paused, Name: "zone-outage", Speed: 1, Loading: 1, Coverage: c, Gaps: h.Gaps(),
		Timeline: &screen.Timeline{Overview: o, Progress: 1, Anomalies: review.Find(h, o, r), States: review.States(r.Decisions)},
		Judged:   &outlook.Judgement{Result: r, Index: why.Of(r, h), Until: c.Latest}}
	move(t, s, h, c.Earliest.Add(after))
	return s
}

func move(t testing.TB, s *screen.Snapshot, h history.History, at model.Instant) {
	cursor := history.NewCursor(h)
	if err := cursor.Seek(at); err != nil {
		t.Fatal(err)
	}
	state, err := s.Judged.Result.At(at)
	if err != nil {
		t.Fatal(err)
	}
	s.At, s.Cluster, s.Judged.State, s.Judged.Forecast = at, cursor.State(), state, forecast.Run(state, forecast.Options{})
	s.Revision++
}

// marked is the incident with marks, a loop and a search.
func marked(t testing.TB) *screen.Snapshot {
	s := incident(t, 150*time.Second)
	at := func(n int) model.Instant { return s.Coverage.Earliest.Add(time.Duration(n) * time.Second) }
	s.Timeline.Marks = []past.Bookmark{{At: at(36), Note: "last heartbeats of 1b", Number: 1}, {At: at(86), Note: "declared Unknown", Number: 2}, {At: at(312), Number: 3}}
	s.Timeline.Loop = model.Interval{Earliest: at(36), Latest: at(86)}
	s.Timeline.Query, s.Timeline.Searched = "TaintManagerEviction", 1
	s.Timeline.Hits = []past.Hit{{At: at(146)}, {At: at(150)}, {At: at(156)}}
	s.Gaps = []history.Gap{{Interval: model.Interval{Earliest: at(200), Latest: at(225)}, Why: "the watch was cut"}}
	return s
}

func TestFrames(t *testing.T) {
	s := incident(t, 150*time.Second)
	screentest.Goldens(t, "outage", s, func() screen.View { return New() })
}

func TestFramesWithMarks(t *testing.T) {
	s := marked(t)
	screentest.Goldens(t, "marked", s, func() screen.View {
		v := New()
		v.Do(screen.ZoomIn, s)
		return v
	})
	p := screentest.Painters()["dark"]
	golden.Compare(t, "marked-context.txt", screentest.Plain([]string{New().Context(s, p, 120)}))
}

// Late watching shows in the lanes the evidence of timestamps and Events for the time before, and not a gap: since when
// nodes of a zone are Unknown, and when pods went.
func TestBeforeAnybodyWatched(t *testing.T) {
	s := incident(t, 200*time.Second)
	s.Remembered, s.Coverage.Earliest = s.Coverage.Earliest.Add(60*time.Second), s.Coverage.Earliest.Add(190*time.Second)
	s.Gaps = []history.Gap{{Interval: model.Interval{Earliest: s.Remembered, Latest: s.Coverage.Earliest}, Why: "nobody watched"}}
	r := *s.Judged.Result
	r.Decisions = slices.Clone(r.Decisions)
	stood := []model.Input{{What: model.InputReadySince, Kind: model.KindNode}}
	for i := range r.Decisions {
		if d := &r.Decisions[i]; d.Time < s.Coverage.Earliest {
			d.Basis = model.Reconstructed
			if d.Inputs = nil; d.Kind == model.MarkUnknown {
				d.Inputs = stood
			}
		}
	}
	s.Judged.Result = &r
	lane := func(name string) string {
		t.Helper()
		for line := range strings.Lines(screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(120, 36).Area()))) {
			if strings.HasPrefix(strings.TrimSpace(line), name) {
				return line
			}
		}
		t.Fatalf("no lane %s", name)
		return ""
	}
	for name, want := range map[string]string{"1b unknown": "◐╍╍╍╍╍", "pods deleted": "◐"} {
		if is := lane(name); !strings.Contains(is, want) {
			t.Errorf("%s: no %s in %q", name, want, is)
		}
	}
	if is := lane("1b unknown"); strings.Contains(is, "┄") && strings.Index(is, "┄") > strings.Index(is, "◐") {
		t.Errorf("a gap after the first was declared: %q", is)
	}
	if is := lane("pods deleted"); strings.Contains(is, "╍") {
		t.Errorf("a deletion is of an instant: %q", is)
	}
	if is := lane("taints"); !strings.Contains(is, "◐") || !regexp.MustCompile(`≥\+10 −10`).MatchString(is) {
		t.Errorf("what stamps tell of is not counted: %q", is)
	}
	for i := range r.Decisions { // an Event alone shows an instant
		r.Decisions[i].Inputs = nil
	}
	if is := lane("1b unknown"); strings.Contains(is, "╍") || !strings.Contains(is, "◐") {
		t.Errorf("only Events: %q", is)
	}
}

// TestNothingYet: results from the background may be missing while facts are on screen.
func TestNothingYet(t *testing.T) {
	p := screentest.Painters()["dark"]
	area := screen.Arrange(120, 36).Area()
	frame := func(change func(*screen.Snapshot)) string {
		s := incident(t, 150*time.Second)
		change(s)
		lines := New().Render(s, p, area)
		screentest.CheckFrame(t, lines, p, area.W, area.H)
		return screentest.Plain(lines)
	}
	for want, change := range map[string]func(*screen.Snapshot){
		"◌ the models are still reading the recording: 43 %": func(s *screen.Snapshot) { s.Judged = &outlook.Judgement{Missing: screentest.Reading} },
		"no decisions: the models":                           func(s *screen.Snapshot) { s.Judged = nil },
		"the input holds no node leases: silence cannot be judged": func(s *screen.Snapshot) {
			s.Judged = &outlook.Judgement{Missing: screentest.NoLeases}
		},
		"◌ reading the changes: 7 %":              func(s *screen.Snapshot) { s.Timeline = &screen.Timeline{Progress: 0.07} },
		"12% read":                                func(s *screen.Snapshot) { s.Timeline.Progress = 0.12 },
		"the disk is gone":                        func(s *screen.Snapshot) { s.Timeline = &screen.Timeline{Problem: "the disk is gone"} },
		"no decision of the controllers is known": func(s *screen.Snapshot) { s.Judged.Result = &infer.Result{} },
	} {
		if got := frame(change); !strings.Contains(got, want) {
			t.Errorf("does not say %q:\n%s", want, got)
		}
	}
	empty := &screen.Snapshot{Cluster: model.NewCluster(), Loading: 1}
	screentest.CheckFrame(t, New().Render(empty, p, area), p, area.W, area.H)
}

// TestAnyFrame: whatever is done, at any size and look, a frame fits, and drawn again it is the
// same.
func TestAnyFrame(t *testing.T) {
	painters := screentest.Painters()
	actions := []screen.Action{screen.Up, screen.Down, screen.HalfUp, screen.HalfDown, screen.First, screen.Last, screen.NextPane,
		screen.ZoomIn, screen.ZoomIn, screen.ZoomOut, screen.ZoomAll, screen.Earlier, screen.Later, screen.Attention, screen.Escape}
	base := marked(t)
	rapid.Check(t, func(t *rapid.T) {
		s := base
		if rapid.IntRange(0, 3).Draw(t, "random") == 0 {
			s = screentest.Random(t)
			if rapid.Bool().Draw(t, "past") {
				s.Timeline = base.Timeline
			}
			if rapid.Bool().Draw(t, "judged") {
				s.Judged = base.Judged
			}
		}
		s = ptr(*s)
		v := New()
		p := painters[rapid.SampledFrom([]string{"dark", "no-colour", "ascii"}).Draw(t, "look")]
		w, h := rapid.IntRange(1, 300).Draw(t, "w"), rapid.IntRange(1, 100).Draw(t, "h")
		area := screen.Arrange(w, h).Area()
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			v.Render(s, p, area)
			v.Do(rapid.SampledFrom(actions).Draw(t, "action"), s)
			x, y := rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y")
			v.Click(x, y, s)
			v.Zoom(x, rapid.IntRange(-3, 3).Draw(t, "wheel"), s)
			if at, ok := v.Instant(x, y, s); ok && s.Coverage.Bounded() {
				s.At = min(max(at, s.Coverage.Earliest), s.Coverage.Latest)
			}
		}
		lines := v.Render(s, p, area)
		screentest.CheckFrame(t, lines, p, area.W, area.H)
		if again := v.Render(s, p, area); !slices.Equal(lines, again) {
			t.Fatalf("drawn again it differs:\n%s\n%s", screentest.Plain(lines), screentest.Plain(again))
		}
		screentest.CheckFrame(t, []string{v.Context(s, p, w)}, p, w, 1)
		if d := v.Decision(s); d != nil && v.list.page > 0 {
			if row := v.list.row(v.list.cursor) - v.list.first; row < 0 || row >= v.list.page {
				t.Fatalf("the cursor is not on the screen: row %d of %d\n%s", row, v.list.page, screentest.Plain(lines))
			}
		}
	})
}

// TestOfOneLineTheCursorHasIt: beside the row of the instant shown too.
func TestOfOneLineTheCursorHasIt(t *testing.T) {
	s, p, v := marked(t), screentest.Painters()["dark"], New()
	area := screen.Arrange(1, 6).Area()
	v.Render(s, p, area)
	v.Do(screen.First, s)
	for range v.list.count() {
		v.Render(s, p, area)
		if row := v.list.row(v.list.cursor) - v.list.first; row < 0 || row >= v.list.page {
			t.Fatalf("row %d of %d", row, v.list.page)
		}
		v.Do(screen.Down, s)
	}
}

func ptr[T any](v T) *T { return &v }

// TestPointingAndPlaceAgree: the instant under a cell lies in that cell, at any zoom.
func TestPointingAndPlaceAgree(t *testing.T) {
	s := incident(t, 150*time.Second)
	p := screentest.Painters()["dark"]
	v := New()
	for range 6 {
		v.Render(s, p, screen.Arrange(120, 36).Area())
		for x := range 120 {
			at, ok := v.Instant(x, v.y+1, s)
			if ok && v.picture.Cell(at) != x-v.x {
				t.Fatalf("column %d is %s, which is drawn in cell %d", x, at, v.picture.Cell(at))
			}
		}
		before := v.picture.At(40)
		v.Zoom(v.x+40, 1, s)
		v.Render(s, p, screen.Arrange(120, 36).Area())
		if cell := v.picture.Cell(before); v.window.length > shortest && (cell < 38 || cell > 43) {
			t.Errorf("zooming in moves what was under the mouse from 40 to %d", cell)
		}
	}
}

// TestTheListGoesWithTheInstant: the cursor is on the last decision made, later ones come below the playhead, and
// moving the cursor does not move the instant.
func TestTheListGoesWithTheInstant(t *testing.T) {
	s := incident(t, 150*time.Second)
	v := New()
	p := screentest.Painters()["dark"]
	frame := screentest.Plain(v.Render(s, p, screen.Arrange(120, 36).Area()))
	d := v.Decision(s)
	if d == nil || d.Time > s.At {
		t.Fatalf("the cursor is on %+v", d)
	}
	playhead := strings.Index(frame, "── 23:54:27.0Z")
	if playhead < 0 || strings.Contains(frame[:playhead], "░ :5") || !strings.Contains(frame[playhead:], "░ :54:33") {
		t.Errorf("the playhead does not part what was from what comes:\n%s", frame)
	}
	v.Do(screen.Down, s)
	if next := v.Decision(s); next.Time <= s.At {
		t.Errorf("below the playhead is %s", next.Time)
	}
	at, ok := v.CursorTime(s)
	if !ok || at <= s.At {
		t.Errorf("enter goes to %s", at)
	}
}

// Pods of one node that go at the same time are one row, with what was decided first in its details.
func TestPodsThatGoTogetherAreOneRow(t *testing.T) {
	s := incident(t, 200*time.Second)
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		v := New()
		frame := screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Arrange(size[0], size[1]).Area()))
		if !strings.Contains(frame, "app-b-005-0, -1 ") {
			t.Errorf("%v: not one row:\n%s", size, frame)
		}
		if decided, asked := strings.Index(frame, "DECISION"), strings.Index(frame, "CHECKS"); decided < 0 || asked >= 0 && asked < decided {
			t.Errorf("%v: what was decided is not first:\n%s", size, frame)
		}
		before := v.list.cursor
		v.Do(screen.Up, s)
		if d := v.Decision(s); v.list.cursor != before-1 || d.Node == "b-005" {
			t.Errorf("%v: a step of the cursor stays in the row of %s", size, d.Subject())
		}
	}
}

// TestAttentionShowsEverything: a shows also the decisions that only go along with others.
func TestAttentionShowsEverything(t *testing.T) {
	s := incident(t, 150*time.Second)
	v := New()
	v.update(s)
	few := v.list.count()
	v.Do(screen.Attention, s)
	v.update(s)
	if all := v.list.count(); all != len(s.Judged.Result.Decisions) || few >= all {
		t.Errorf("%d, then %d of %d", few, all, len(s.Judged.Result.Decisions))
	}
}

// TestTheCurtainCutsACell: later events in the cell of the cursor are hidden, too. Ten nodes of 1b are declared within
// a second, of which some are by now.
func TestTheCurtainCutsACell(t *testing.T) {
	s := incident(t, 86*time.Second+340*time.Millisecond)
	now := 0
	s.Cluster.Nodes(func(row *model.NodeRow) bool {
		if row.Health() == model.HealthUnknown {
			now++
		}
		return true
	})
	for _, s.Curtain = range []bool{true, false} {
		want := map[bool]int{true: now, false: 10}[s.Curtain]
		for line := range strings.Lines(screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(120, 36).Area()))) {
			if strings.Contains(line, "1b unknown") && !strings.HasSuffix(strings.TrimSpace(line), fmt.Sprint(" ", want)) {
				t.Errorf("%d are Unknown, of 10 in the end; curtain %t: %s", now, s.Curtain, line)
			}
		}
	}
	if now == 0 || now == 10 {
		t.Errorf("%d are Unknown", now)
	}
}

// TestFollowingOne: the list is about one node and its pods, or one zone, until esc.
func TestFollowingOne(t *testing.T) {
	s := incident(t, 150*time.Second)
	p := screentest.Painters()["dark"]
	v := New()
	frame := func() string { return screentest.Plain(v.Render(s, p, screen.Arrange(120, 36).Area())) }
	v.Follow(screen.Subject{Kind: screen.NodeSubject, Node: "b-003"})
	if got := frame(); !strings.Contains(got, "Decisions  b-003") || !strings.Contains(got, "app-b-003-0") || strings.Contains(got, "b-009") {
		t.Errorf("not about b-003 alone:\n%s", got)
	}
	for i := range v.list.count() {
		if d := v.list.decision(i); d.Node != "b-003" || !v.Listed(d) {
			t.Errorf("lists %s of %s", d.Kind, d.Node)
		}
	}
	v.Follow(screen.Subject{Kind: screen.NodeSubject, Node: "a-001"})
	if got := frame(); !strings.Contains(got, "no decision of the controllers about a-001 is known") {
		t.Errorf("of a quiet node:\n%s", got)
	}
	v.Follow(screen.Subject{Kind: screen.ZoneSubject, Zone: model.Some(model.ZoneKey{Region: "us-east-1", Zone: "us-east-1b"})})
	if got := frame(); !strings.Contains(got, "Decisions  us-eas") || decisions(v.list.rows[:len(v.list.shown)]) != 52 {
		t.Errorf("%d decisions about the zone:\n%s", decisions(v.list.rows[:len(v.list.shown)]), got)
	}
	if !v.Do(screen.Escape, s) || !strings.Contains(frame(), "20 of 52, a: 60 more") || v.Do(screen.Escape, s) {
		t.Error("esc does not list everyone's again")
	}
}

// crowded is a Snapshot with many decisions, spread over a day.
func crowded(n int) *screen.Snapshot {
	start := screentest.Now
	r := &infer.Result{}
	for i := range n {
		at := start.Add(time.Duration(i) * 24 * time.Hour / time.Duration(n))
		d := model.Decision{Time: at, Window: model.Exactly(at), Kind: model.TaintNoExecute, Node: fmt.Sprintf("node-%d", i%5000), Rule: model.RuleTaintedFromQueue,
			Why: model.Because(model.WhyTokenCame), Basis: model.Observed, Writes: []model.Write{{Kind: model.WriteTaint, Taint: model.Taint{Key: "node.kubernetes.io/unreachable", Effect: model.NoExecute}}}}
		d.ID = model.DecisionID(i + 1)
		r.Decisions = append(r.Decisions, d)
	}
	var changes []model.Change
	for i := range 200_000 {
		at := start.Add(time.Duration(i) * 432 * time.Millisecond)
		changes = append(changes, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a"}, Time: model.Exactly(at)})
	}
	c := model.Interval{Earliest: start, Latest: start.Add(24 * time.Hour)}
	o := &past.Overview{}
	_, _ = o.Extend(history.NewMemory(changes, c, nil, nil), 1<<30)
	return &screen.Snapshot{Revision: 1, Cluster: model.NewCluster(), Loading: 1, Coverage: c, At: start.Add(12 * time.Hour),
		Timeline: &screen.Timeline{Overview: o, Progress: 1}, Judged: &outlook.Judgement{Result: r}}
}

func BenchmarkFrameOf100000Decisions(b *testing.B) {
	s := crowded(100_000)
	p := screentest.Painters()["dark"]
	v := New()
	area := screen.Arrange(200, 60).Area()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.At = s.Coverage.Earliest.Add(time.Duration(i*7919%86400) * time.Second)
		v.Render(s, p, area)
	}
}

// Lanes for which there is no room are counted, whatever the height: hidden is not absent.
func TestLanesWithoutRoomAreCounted(t *testing.T) {
	s := incident(t, 200*time.Second)
	p := screentest.Painters()["dark"]
	area := func(w, h int) screen.Area { return screen.Arrange(w, h).Area() }
	for _, width := range []int{44, 80, 120, 200} {
		all := len(New().above(s, p, area(width, 200)))
		for height := 12; height < 60; height++ {
			rows := New().above(s, p, area(width, height))
			hidden := all - len(rows)
			said := regexp.MustCompile(`(?:…|\.\.\.) ?(\d+)`).FindStringSubmatch(screentest.Plain([]string{rows[0].Text}))
			switch {
			case len(rows) < 2: // the playhead alone
			case hidden == 0 && said != nil:
				t.Errorf("%dx%d: %q, and all are there", width, height, said)
			case hidden > 0 && (said == nil || said[1] != strconv.Itoa(hidden)):
				t.Errorf("%dx%d: %d are not shown, and %q is said", width, height, hidden, rows[0].Text)
			}
		}
	}
}

// In a narrow window, too, each number says what it is: the most of a cell, or the sum of all; and a zone that is not well has
// its state there.
func TestWhatStandsAfterTheLanes(t *testing.T) {
	s := recorded(t, screentest.Partial, 100*time.Second)
	deleted := 0
	for _, cell := range s.Timeline.Overview.Cells(s.Coverage.Earliest, s.Coverage.Width()+1, 1) {
		deleted += int(cell.Deletions)
	}
	for _, size := range screentest.Sizes[:3] {
		frame := screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(size.W, size.H).Area()))
		for _, want := range []string{`a state .* Partial`, `a unknown .* max 11`, `deleted .* sum ` + strconv.Itoa(deleted)} {
			if !regexp.MustCompile(`(?m)` + want + ` *$`).MatchString(frame) {
				t.Errorf("%s: no %s in\n%s", size.Name, want, frame)
			}
		}
	}
}

// In a narrow window, too, zones are distinguished.
func TestZonesHaveTheirNames(t *testing.T) {
	frame := screentest.Plain(New().Render(recorded(t, "demo:all-dark", 180*time.Second), screentest.Painters()["dark"], screen.Arrange(80, 24).Area()))
	for _, want := range []string{"zone-1 state", "zone-2 state"} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %s in\n%s", want, frame)
		}
	}
}

// TestANumberIsWholeOrNotThere: a number that is cut off is another number.
func TestANumberIsWholeOrNotThere(t *testing.T) {
	c := &lanes{p: screentest.Painters()["dark"], w: 40, tail: 9, scale: widget.Scale{Cells: 31}}
	for text, want := range map[string]string{"+17 −17": "+17 −17", "+175 −175": "+175−175", "+1750 −1750": ""} {
		if got := strings.TrimSpace(screentest.Plain([]string{c.end(c.p.Line(40), text).Text})); got != want {
			t.Errorf("%s is shown as %q", text, got)
		}
	}
}

// If no latest time is known for anything, events that may come at once are listed as well.
func TestWhatMayComeAtOnceIsListed(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	coming := func(node string, at, latest model.Instant) forecast.Coming {
		return forecast.Coming{Decision: model.Decision{Kind: model.TaintNoExecute, Node: node, Time: at, Window: model.Interval{Earliest: max(at, now), Latest: latest}}}
	}
	l := &list{}
	l.foresee(&forecast.Forecast{Coming: []forecast.Coming{coming("b", now.Add(time.Second), model.FarFuture), coming("a", now.Add(-time.Second), model.FarFuture), coming("c", now.Add(-time.Second), now)}}, now)
	var names []string
	for _, row := range l.rows {
		names = append(names, row[0].Node)
	}
	if !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("listed: %v", names)
	}
}

// The curtain hides what is later in the cell of the instant, too; tallies are of whole seconds.
func TestTheCurtainHidesTheRestOfACell(t *testing.T) {
	tainted := func(s *screen.Snapshot) (n int) {
		s.Cluster.Nodes(func(row *model.NodeRow) bool {
			if row.Node != nil && row.Node.HasNoExecute() {
				n++
			}
			return true
		})
		return n
	}
	seen := 0
	for after := 95 * time.Second; after < 107*time.Second; after += time.Second {
		s := incident(t, after)
		s.Curtain = true
		_, lane, _ := strings.Cut(screentest.Shown(New(), s), " taints ")
		lane, _, _ = strings.Cut(lane, "\n")
		_, came, ok := strings.Cut(lane, "+")
		if !ok {
			continue
		}
		seen++
		n, err := strconv.Atoi(strings.Fields(came)[0])
		if least, most := tainted(s), tainted(incident(t, after+time.Second)); err != nil || n < least || n > most {
			t.Errorf("+%v: %d nodes are tainted by then, %d a second later, and the lane has %s", after, least, most, lane)
		}
	}
	if seen < 10 {
		t.Errorf("the lane was seen %d times", seen)
	}
}
