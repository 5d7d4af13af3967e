package app

import (
	"strings"
	"testing"
	"time"

	"kardia/sources/capture/stream"

	tea "charm.land/bubbletea/v2"
)

// Scrub, mark, wander, and come back.
func TestMarkAndComeBack(t *testing.T) {
	s := replay(t, 85, 120, 36)
	s.keys("m").types("zone b is declared").shows("bookmark, with a note: zone b is declared").keys("enter")
	s.shows("marked 12:01:25Z", "for this sitting")
	s.keys("ctrl+home").isAt(0)
	s.keys(":").types("bookmark start").shows("bookmark", "start").keys("enter")
	s.keys("t").types("+150s").keys("enter").isAt(150)
	s.keys("[").isAt(85)
	s.shows("bookmark A  zone b is declared") // it keeps its name, though there is an earlier one now
	s.keys("[").isAt(0)
	s.shows("bookmark B  start")
	s.keys("[").shows("no earlier bookmark")
	s.keys("backspace").isAt(85)
	s.keys("backspace").isAt(150)
	s.keys("shift+backspace").isAt(85)
	s.keys(":").types("B").shows("go to 2026-08-21 12:00:00Z").keys("enter").isAt(0) // a mark is a time
	s.keys(":").types("clear bookmark").keys("enter").shows("bookmark removed")
	s.keys("]").isAt(85)
	s.keys("m").shows("zone b is declared") // its note, to change
	s.keys("esc")
}

func TestLoopBetweenMarks(t *testing.T) {
	s := replay(t, 60, 120, 36)
	s.keys("o").shows("a loop needs two bookmarks")
	s.keys("m", "enter", "t").types("+70s").keys("enter", "m", "enter", "o")
	s.shows("repeating 12:01:00Z to 12:01:10Z", "► REPLAY", "×1 loop")
	s.pass(25 * time.Second)
	if at := s.at(); at < 60 || at > 70 {
		t.Errorf("a loop of 60 to 70 plays at %v", at)
	}
	s.keys("o").shows("no loop")
	s.pass(30 * time.Second)
	if s.at() < 80 {
		t.Errorf("without the loop at %v", s.at())
	}
}

func TestDiffWithAMark(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {44, 12}} {
		s := replay(t, 60, size[0], size[1])
		s.keys("d").shows("Diff 12:00:00.0Z to 12:01:00.0Z (1m00").keys("esc")
		s.keys("m", "enter", "d").shows("Diff 12:00:00.0Z to").keys("esc")
		s.keys("ctrl+end", "d").shows("Diff 12:01:00.0Z to", "ready 3 → 0", "node-b0, node-b1, node-b2", "Ready True → Unknown")
		s.keys("/").types("zone").shows("zone eu/b").hides("node-b0, ")
		s.keys("esc", "esc").hides("Diff 12")
		s.keys(":").types("diff -150s").keys("enter").shows("Diff 12:00:50.0Z to")
		s.keys("esc", ":").types("diff +30s").keys("enter").shows("nothing is known at 12:03:50Z")
		s.keys("esc", "esc")
	}
}

func TestLastWriteOfWhatIsUnderTheCursor(t *testing.T) {
	s := replay(t, 200, 120, 36)
	s.keys("/").types("node-b0").keys("enter", "u").isAt(85)
	s.shows("Ready of node node-b0: True → Unknown")
	s.keys("u").isAt(0)
	s.shows("had this value in the first known version: True")
	s.keys("backspace").isAt(85)
	s.keys("backspace").isAt(200)
	s.keys(":").types("last renewal").keys("enter").isAt(30)
}

func TestSearchAcrossTime(t *testing.T) {
	s := replay(t, 0, 120, 36)
	s.keys("4").shows("[4 Timeline]")
	s.keys("n").shows("12:00:50Z", "first late beat node-b0", "n goes to the next")
	s.keys("n").shows("12:01:20Z") // the models declare node-b0 sooner than the recording does
	s.shows("effect not seen node-b0 MarkUnknown", "also first Unknown", "anomalies", "n goes to the next")
	s.keys("N").shows("12:00:50Z")
	s.keys("N").shows("no earlier anomaly")
	s.keys("ctrl+home")
	s.keys("/").types("node-b1 unknown").keys("enter").shows("1 found")
	s.keys("n").isAt(85)
	s.shows("node-b1  Ready True → Unknown", "1 of 1")
	s.keys("n").shows("no later hit of 1")
	s.keys("esc").hides("1 of 1")
	s.shows("[4 Timeline]")
	s.keys("1", ":").types("search node-b2").keys("enter").shows("[4 Timeline]", "1 found")
}

func TestTheTimelineOfOneNode(t *testing.T) {
	s := replay(t, 100, 120, 36)
	s.keys("/").types("node-b1").keys("enter", "2")
	s.keys("4").shows("Decisions  node-b1")
	s.keys(".").shows("no later decision")
	s.keys("esc").hides("Decisions  node-b1")
	s.shows("[4 Timeline]")
	s.keys("1", "4").hides("Decisions  node-b1")
}

func TestTheTimelineIsPointedAt(t *testing.T) {
	s := replay(t, 0, 120, 36)
	s.keys("4")
	body := s.app.layout.Body.Y
	s.send(tea.MouseClickMsg{X: 60, Y: body + 2, Button: tea.MouseLeft})
	if at := s.at(); at < 80 || at > 120 {
		t.Errorf("a click in the middle of the lanes goes to %vs of 200", at)
	}
	before := s.at()
	for x := 60; x < 80; x++ {
		s.send(tea.MouseMotionMsg{X: x, Y: body + 5, Button: tea.MouseLeft})
	}
	s.pass(100 * time.Millisecond)
	if s.at() <= before {
		t.Errorf("dragged to the right, from %v to %v", before, s.at())
	}
	s.send(tea.MouseReleaseMsg{})
	s.keys("backspace").isAt(0)

	for range 3 {
		s.send(tea.MouseWheelMsg{X: 40, Y: body + 2, Button: tea.MouseWheelUp})
	}
	s.pass(100 * time.Millisecond)
	s.shows("25s z Z esc")
	s.keys("Z").shows("50s z Z esc")
	s.keys("esc").hides("z Z esc")
	s.shows("3m20s")
}

// What a person does at 03:00: wait, go back, look again, while the watch goes on.
func TestWaitGoBackInALiveCluster(t *testing.T) {
	s, say := watching(t, 120, 36)
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True"), lease(0, "node-a0")), Status: status(stream.Live)})
	s.pass(10 * time.Second)
	say(stream.Batch{Changes: arrived(nodeIn(10, "node-a0", "a", "Unknown"))})
	s.pass(10 * time.Second)
	s.keys("a")
	s.shows("● LIVE", "12:00:20Z")
	s.row("node-a0").has("Unknown")
	s.keys("m").shows("‖ LIVE PAUSED").types("here").keys("enter").shows("● LIVE", "marked 12:00:20Z")
	s.keys(":").types("clear bookmark").keys("enter")
	s.keys("u").shows("‖ LIVE PAUSED", "12:00:10Z", "True → Unknown")
	s.keys("m", "enter", "h", "h", "h", "m", "enter", "o").shows("► LIVE REPLAY", "loop", "12:00:07Z")
	s.pass(2 * time.Second)
	s.shows("12:00:09Z", "space hold")
	s.row("node-a0").has("Ready")
	s.pass(2 * time.Second)
	s.shows("12:00:08Z")
	say(stream.Batch{Changes: arrived(nodeIn(24, "node-a0", "a", "True"))})
	s.keys("4").shows("LIVE REPLAY", "━B", "changes").hides("LIVE PAUSED")
	s.keys("f").shows("● LIVE", "12:00:24Z")
	s.keys("1")
	s.row("node-a0").has("Ready")
	if n := strings.Count(s.screen(), "LIVE"); n != 1 {
		t.Errorf("%d badges", n)
	}
}
