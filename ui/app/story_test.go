package app

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"kardia/model/simulate/whatif"
	"kardia/themes"
	"kardia/ui/screen"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// The first story of the product: open a demo, see the outage, look at a node, scrub,
// filter, leave.
func TestOpenADemoAndLookAround(t *testing.T) {
	s := newClock()
	s.open(t, Options{
		Demos: []Demo{{Name: "quiet-day", Summary: "nothing happens"}, {Name: "zone-outage", Summary: "a zone falls silent"}, {Name: "tour", Summary: "shows around", Elsewhere: true}},
		Hint:  "kardia live watches a cluster",
		Open: func(name string) (*session.Session, error) {
			if name != "zone-outage" {
				return nil, errors.New("no such recording")
			}
			return session.Replay(outage(), session.Options{Name: name, Now: s.time, Start: sec(65), Judging: session.AtOnce}), nil
		},
	}, 80, 24)
	s.shows("KARDIA", "quiet-day", "a zone falls silent", "kardia live watches a cluster")
	s.keys("enter").shows("no such recording")
	s.keys("G", "enter")
	if !s.quit || s.app.chosen == nil || s.app.chosen.Name != "tour" {
		t.Errorf("chosen for elsewhere: %v", s.app.chosen)
	}
	s.quit = false
	s.keys("g", "j", "enter").shows("zone-outage", "REPLAY PAUSED", "12:01:05Z", "+1:05", "×1")

	s.keys("space").shows("► REPLAY")
	s.hides("PAUSED")
	s.pass(20500 * time.Millisecond)
	s.shows("12:01:25Z")
	s.row("node-b1").has("Unknown")
	s.keys("space", "ctrl+home").types("t+85s").keys("enter").isAt(85)

	s.keys("left").isAt(0) // the node objects before it
	s.keys("right").isAt(85)
	s.keys("shift+left", "l").isAt(76)

	s.keys("/").types("b1").keys("enter")
	s.row("node-b1").has("Ready")
	s.row("node-a0").isGone()
	s.keys("enter").shows("node-b1", "1 of 1", "q back")
	s.keys("left").isAt(30) // its last heartbeat
	s.keys("esc")
	s.row("node-b1").isSelected()
	s.row("node-a0").isGone()
	s.keys("esc", "a") // the filter is closed before anything else is
	s.row("node-a0").has("Ready")
	s.keys("esc").shows("q quits")
	if s.quit {
		t.Error("esc quits")
	}
	s.keys("q").shows("a zone falls silent") // back where it came from
	s.keys("q")
	if !s.quit {
		t.Error("q at the top does not quit")
	}
}

func TestZonesLeadToTheirNodes(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("3").shows("[3 Zones]")
	s.keys("G", "enter").shows("[1 Fleet]")
	s.row("node-b0").has("Unknown")
	s.row("node-a0").isGone()
	s.keys("q").shows("[3 Zones]") // back where one came from
	s.keys("q").shows("[1 Fleet]")
}

func TestGoToATime(t *testing.T) {
	s := replay(t, 0, 80, 24)
	s.keys("t").types("+90s").keys("enter").isAt(90)
	s.keys("t").types("12:02:30").keys("enter").isAt(150)
	s.keys(":").types("-30s").shows("go to 2026-08-21 12:02:50Z").keys("enter").isAt(170)
	s.keys("t").types("soon").keys("enter").shows(`"soon" is not a time`)
	s.keys("esc").isAt(170)
	s.keys("t").types("13:00").keys("enter").shows("is outside the data")
	s.isAt(200)
}

func TestPaletteFindsAndDoes(t *testing.T) {
	s := replay(t, 10, 120, 36)
	s.keys(":").types("backwa").shows("play backwards", "play in the other direction")
	s.keys("enter").shows("←×1", "REPLAY")
	s.pass(4 * time.Second)
	s.keys("space").isAt(6)
	s.keys(":").types("follow").shows("only a live cluster can be followed").keys("enter").shows("this is a recording")
	s.keys(":").types("~").keys("enter").shows("no match")
	s.keys("esc", ":").types("mes").keys("enter").shows("Messages", "this is a recording: only a live cluster can be followed")
	s.keys("esc").hides("Messages")
}

func TestHelpSearches(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		s := replay(t, 10, size[0], size[1])
		s.keys("?").shows("Help", "forecast", "play or pause", "back, or quit")
		s.keys("/").types("clip").hides("play or pause")
		s.keys("esc", "/").types("kubectl").shows("copy command")
		s.keys("esc").shows(" 1-")
		s.keys("j").shows(" 2-").keys("G").hides("play or pause")
		s.keys("g").shows("play or pause")
		s.keys("esc").hides("Help")
	}
}

func TestUnknownKeyIsPointedOutOnce(t *testing.T) {
	s := replay(t, 10, 80, 24)
	s.keys("z").shows("z does nothing here · ? help")
	s.keys("z").hides("does nothing here")
}

func TestMessagesFade(t *testing.T) {
	s := replay(t, 10, 80, 24)
	s.keys("z").shows("does nothing here")
	s.pass(7 * time.Second)
	s.hides("does nothing here")
}

func TestPlayingToTheEnd(t *testing.T) {
	s := replay(t, 190, 80, 24)
	s.keys("+", "+", "space")
	s.pass(5 * time.Second)
	s.isAt(200)
	s.shows("REPLAY END", "end of recording")
	if len(s.timers) > 0 {
		t.Errorf("%d timers run at the end", len(s.timers))
	}
	s.keys("space").isAt(0)
}

func TestSpeedIsShownAndHasEnds(t *testing.T) {
	s := replay(t, 0, 120, 36)
	s.keys("-", "-").shows("×¼")
	s.keys("-").shows("×¼ is the slowest")
	s.keys("+", "+", "+", "+").shows("×4")
}

func TestCopy(t *testing.T) {
	s := replay(t, 0, 120, 36)
	s.keys("a")
	s.keys("y").shows("copied: node-a0")
	s.keys("Y").shows("copy (nothing is run): ", "kubectl drain node/node-a0", "the whole object", "out-of-service=nodeshutdown:NoExecute")
	s.keys("enter").shows("copied: kubectl get node/node-a0 -o yaml")
	s.keys("Y").types("out-of").shows("only if it is certainly off").keys("esc")
	s.keys("Y").types("cordon").shows("stops no deletion").keys("enter").shows("copied: kubectl cordon node/node-a0")
	if len(s.copied) != 3 || s.copied[1] != "kubectl get node/node-a0 -o yaml" {
		t.Errorf("the clipboard got %q", s.copied)
	}
	s.keys("Y", "esc")
	if len(s.copied) != 3 {
		t.Errorf("esc copies: %q", s.copied)
	}
}

// What is seen is written into the current directory: the frame, or all rows of its table.
func TestExport(t *testing.T) {
	t.Chdir(t.TempDir())
	s := incident(t, "zone-outage", 200, 120, 36)
	for form, want := range map[string][]string{
		"text": {"us-east-1b: all 10 nodes silent", "╭─ Zones"},
		"svg":  {"<svg", ">us-east-1b<"},
		"csv":  {"NODE,ZONE,READY,SILENT FOR,", "b-000,1b,Unknown,2m4"},
		"json": {`"screen": "fleet"`, `"at": "2026-11-20T23:55:17.069188Z"`, `"node": "b-009"`, `"evict in": "0:07 2 pods"`},
	} {
		s.keys("e").shows("export as").types(form).keys("enter").shows("wrote kardia-20261120T235517Z.")
		name := "kardia-20261120T235517Z." + strings.Replace(form, "text", "txt", 1)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s does not hold %q:\n%.3000s", name, w, text)
			}
		}
		if form == "csv" && strings.Count(string(text), "\n") != 11 {
			t.Errorf("not each of the ten nodes has a row:\n%s", text)
		}
	}
	s.keys(":").types("export svg").keys("enter").shows("wrote kardia-20261120T235517Z-2.svg")
}

// A spreadsheet would take 2/3 ready pods for a date.
func TestAnExportedCellIsNoDate(t *testing.T) {
	s := incident(t, "zone-outage", 200, 120, 36)
	s.app.switchTo("impact")
	text, err := s.app.csv()
	if err != nil || !regexp.MustCompile(`,'[0-9]+/[0-9]+,`).MatchString(text) {
		t.Errorf("%v\n%s", err, text)
	}
}

// The report is made beside the program, and written into the current directory; where there is none, that is said.
func TestExportOfTheReport(t *testing.T) {
	t.Chdir(t.TempDir())
	s := replay(t, 10, 120, 36)
	s.keys(":").types("export report").keys("enter").shows("this input has no report")
	s.app.options.Report = func(form string) (string, error) { return "the report as " + form, nil }
	for form, name := range map[string]string{"report": "kardia-report.html", "markdown": "kardia-report.md"} {
		s.keys("e").shows("the post-mortem of the whole recording").types(form).keys("enter").shows("wrote " + name)
		text, err := os.ReadFile(name)
		if want := "the report as " + strings.TrimPrefix(name, "kardia-report."); err != nil || string(text) != want {
			t.Errorf("%s holds %q (%v), not %q", name, text, err, want)
		}
	}
	s.app.options.Report = func(string) (string, error) { return "", errors.New("the disk is gone") }
	s.keys("e").types("report").keys("enter").shows("could not write the report: the disk is gone")
}

// Every screen's table can be written, and says nothing of colours.
func TestEveryTableIsWritten(t *testing.T) {
	s := incident(t, "zone-outage", 200, 120, 36)
	for _, to := range s.app.screens {
		s.app.switchTo(to.ID)
		if to.ID == "trust" || to.ID == "recovery" || to.ID == "actors" {
			continue // they are text
		}
		if to.Branches { // and this one, while nothing is branched
			s.app.branch(screen.BranchOrder{From: s.app.session.At(), Edits: []whatif.Edit{{Kind: whatif.Kill, Node: "a-001", At: s.app.session.At()}}})
		}
		if tabled(s.app) != "" {
			t.Errorf("%s is no table", to.ID)
			continue
		}
		titles, rows := s.app.cells()
		if len(rows) == 0 {
			t.Errorf("%s has no rows", to.ID)
		}
		for _, row := range rows {
			if len(row) != len(titles) || strings.ContainsAny(strings.Join(row, ""), "\x1b\n") {
				t.Errorf("%s: %q under %q", to.ID, row, titles)
			}
		}
	}
}

func TestMouse(t *testing.T) {
	s := replay(t, 0, 120, 36)
	body := s.app.layout.Body.Y
	click := func(x, y int) {
		s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		s.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	s.keys("a")
	at := func(name string) int {
		for i, line := range strings.Split(s.screen(), "\n") {
			if i >= body && strings.Contains(line, name) {
				return i
			}
		}
		t.Fatalf("no row of %s:\n%s", name, s.screen())
		return 0
	}
	click(3, at("node-a2"))
	s.row("node-a2").isSelected()
	click(3, at("node-a2"))
	s.shows("[2 Node", "node-a2")
	click(2, s.app.layout.Tabs.Y)
	s.shows("[1 Fleet]")

	foot := s.app.layout.Foot.Y
	bar := strings.Split(s.screen(), "\n")[foot]
	if !strings.Contains(bar, "12:00:00Z") || !strings.Contains(bar, "12:03:20Z") {
		t.Fatalf("the scrub bar is %q", bar)
	}
	s.send(tea.MouseClickMsg{X: 60, Y: foot, Button: tea.MouseLeft})
	if s.at() < 95 || s.at() > 105 {
		t.Errorf("a click in the middle of the bar goes to %vs of 200", s.at())
	}
	for x := 60; x < 118; x++ {
		s.send(tea.MouseMotionMsg{X: x, Y: foot, Button: tea.MouseLeft})
	}
	if s.at() > 105 {
		t.Error("every motion of a drag seeks")
	}
	s.pass(100 * time.Millisecond)
	s.isAt(200)
	for range 100 {
		s.send(tea.MouseWheelMsg{X: 3, Y: body, Button: tea.MouseWheelDown})
	}
	s.pass(100 * time.Millisecond)
	s.row("node-b2").isSelected()
}

func TestOrderIsHeldWhileTheCursorMoves(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("j")
	held := func() bool { return s.app.view().(screen.Ordered).Frozen() }
	if !held() {
		t.Fatal("the order is not held")
	}
	s.pass(3 * time.Second)
	if held() {
		t.Error("the order is held for ever")
	}
}

func TestThemesAndColour(t *testing.T) {
	s := replay(t, 0, 80, 24)
	s.send(tea.BackgroundColorMsg{Color: white{}})
	if s.app.Theme.Name != "light" {
		t.Errorf("on white the theme is %s", s.app.Theme.Name)
	}
	s.keys("T").shows("theme:", "high-contrast-light", "for a light background")
	s.keys("down")
	if s.app.Theme.Name != "high-contrast-light" {
		t.Errorf("what is under the cursor is not tried: %s", s.app.Theme.Name)
	}
	s.keys("esc")
	if s.app.Theme.Name != "light" {
		t.Errorf("esc leaves %s", s.app.Theme.Name)
	}
	s.keys("T", "down", "enter").shows("theme high-contrast-light")
	s.send(tea.BackgroundColorMsg{Color: white{}})
	if s.app.Theme.Name != "high-contrast-light" {
		t.Error("the terminal's answer replaces the theme that was chosen")
	}

	for _, value := range []string{"1", "yes", "0"} { // no-color.org: any value that is not empty
		n := newClock()
		n.open(t, Options{Session: session.Replay(outage(), session.Options{Now: n.time}), Environ: []string{"NO_COLOR=" + value, "LANG=C"}}, 80, 24)
		if strings.Contains(n.app.View().Content, "38;2") {
			t.Errorf("NO_COLOR=%s is coloured", value)
		}
		n.keys("T").shows("NO_COLOR")
		for _, r := range n.screen() {
			if r > 0x7e {
				t.Fatalf("in the C locale the screen shows %q:\n%s", r, n.screen())
			}
		}
	}
}

type white struct{}

func (white) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }

func TestUTCOrLocal(t *testing.T) {
	n := newClock()
	n.open(t, Options{Session: session.Replay(outage(), session.Options{Now: n.time, Judging: session.AtOnce}), Local: time.FixedZone("CEST", 7200)}, 120, 36)
	n.shows("12:00:00Z")
	n.keys("U").shows("14:00:00+02")
	n.keys("t").types("14:01").keys("enter").isAt(60)
	n.keys("v").shows("Verdict at 14:01:00+02", "from 14:00:30+02 on").keys("v")
	n.keys("U").shows("12:01:00Z")
}

// A person's own theme is listed with what it fails, and taken all the same.
func TestOwnTheme(t *testing.T) {
	mine := themes.Dark()
	mine.Name = "mine"
	mine.Styles[themes.Unknown] = mine.Styles[themes.Accent]
	n := newClock()
	n.open(t, Options{Session: session.Replay(outage(), session.Options{Now: n.time}), Themes: []themes.Theme{mine}}, 160, 40)
	n.keys("T").shows("mine", "for a dark background, but accent and unknown are 0.0 apart for normal vision, not 8")
	n.types("mine").keys("enter").shows("theme mine")
	if n.app.Theme.Name != "mine" {
		t.Errorf("the theme is %s", n.app.Theme.Name)
	}
}

// On a dark terminal T never gives a theme that cannot be read there.
func TestThemesStayReadable(t *testing.T) {
	s := replay(t, 0, 80, 24)
	s.keys("T")
	for range 10 {
		s.keys("down")
		if s.app.Theme.Light {
			t.Fatalf("on a dark terminal T tries %s", s.app.Theme.Name)
		}
	}
	s.keys("esc")
	s.keys(":").types("theme light").keys("enter").shows("theme light")
}

// What a screen was reached from is where q and esc go.
func TestBackTheWayOneCame(t *testing.T) {
	for _, back := range []string{"q", "esc"} {
		s := replay(t, 100, 120, 36)
		s.keys("4", "5", "3").shows("[3 Zones]")
		s.keys("2").shows("no node is selected")
		s.keys(back).shows("[5 Events")
		s.keys(back).shows("[4 Timeline")
		s.keys(back).shows("[1 Fleet]")
		if s.quit {
			t.Fatalf("%s leaves before the first screen", back)
		}
	}
}

// Keys are where they are on the keyboard, whichever letters it is switched to.
func TestKoreanKeyboard(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("ㅈ").shows("Why node node-b") // w
	s.keys("ㅂ").hides("Why node")        // q
	order := s.app.order(s.app.snapshot())
	s.keys("ㅓ") // j
	s.row(order[1]).isSelected()
	s.keys("ㅏ") // k
	s.row(order[0]).isSelected()
}

// home and end are rows; ctrl+home and ctrl+end the start and the end of time.
func TestHomeAndEndAreRows(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("a", "ctrl+home").isAt(0)
	s.keys("ctrl+end").isAt(200)
	s.keys("home").isAt(200)
	s.row(s.app.order(s.app.snapshot())[0]).isSelected()
	s.keys("end").isAt(200)
	s.row("node-a2").isSelected()
}

// The hints at the bottom, and the lines of the palette, can be clicked.
func TestHintsAndPaletteAreClicked(t *testing.T) {
	s := replay(t, 100, 120, 36)
	point := func(text string) {
		for y, line := range strings.Split(s.screen(), "\n") {
			if x := strings.Index(line, text); x >= 0 {
				s.send(tea.MouseClickMsg{X: ansi.StringWidth(line[:x]), Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("no %q:\n%s", text, s.screen())
	}
	point("? help")
	s.shows("Help").keys("esc")
	point(": command")
	s.types("zones")
	point("every zone: its state")
	s.shows("[3 Zones]")
	s.keys(":", "pgdown", "pgdown").shows("speed") // the palette pages
}

// A prompt longer than the window scrolls with its cursor.
func TestLongPromptsScroll(t *testing.T) {
	s := replay(t, 100, 44, 12)
	s.keys("m").types(strings.Repeat("a long note ", 8) + "THE END").shows("THE END")
	if c := s.app.View().Cursor; c == nil || c.X >= 44 {
		t.Errorf("the cursor is at %+v", c)
	}
}

// Nothing of the table shows beside a page that lies over it.
func TestPagesCoverTheBody(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		s := replay(t, 100, size[0], size[1])
		s.keys("?").hides("node-b0")
	}
}

// At the start there is nothing to play backwards, and r says so.
func TestBackwardsFromTheStart(t *testing.T) {
	s := replay(t, 0, 120, 36)
	s.keys("r").shows("this is the start: nothing is known before").isAt(0)
}

// Help has the words that the row under the cursor reads, below its card, and knows every rule.
func TestGlossary(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("?").shows("Under the cursor", "because it received no heartbeat")
	s.keys("/").types("silent past the grace").shows("strictly longer than the grace period")
}

// 0 lists all screens.
func TestAllScreens(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("0").shows("fleet", "zones", "timeline", "events").types("ev").keys("enter").shows("[5 Events]")
}

// A step to a decision moves the cursor to what it is about.
func TestStepMovesToItsSubject(t *testing.T) {
	s := replay(t, 60, 120, 36)
	s.keys(".").shows("decision 1 of")
	d := s.app.snapshot().Stepped
	if d == nil || d.Node == "" {
		t.Fatalf("stepped to %+v", d)
	}
	s.row(d.Node).isSelected()
}

// The name of a cluster is painted as its context says, so that production is not taken for another.
func TestAClusterHasItsColour(t *testing.T) {
	s := newClock()
	s.open(t, Options{Named: themes.Evict, Session: session.Replay(outage(), session.Options{Name: "outage", Now: s.time, Start: sec(65), Judging: session.AtOnce})}, 80, 24)
	plain := replay(t, 65, 80, 24)
	first := func(s *stage) string { line, _, _ := strings.Cut(s.app.View().Content, "\n"); return line }
	if first(s) == first(plain) || ansi.Strip(first(s)) != ansi.Strip(first(plain)) {
		t.Errorf("%q\n%q", first(s), first(plain))
	}
}
