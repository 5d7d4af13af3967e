package app

import (
	"context"
	"testing"
	"time"

	"kardia/sources/open"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

// b opens the palette of what may be otherwise at the instant shown; what is chosen is played, told above what
// was recorded, and stepped through; esc leaves it.
func TestABranch(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		s := incident(t, "zone-outage", 40, size[0], size[1])
		s.keys("b").shows("what if:", "is 50s; type another value")
		s.types("grace").shows("node-monitor-grace-period").keys("enter").shows("what if: node-monitor-grace-period ")
		s.types("1h30").keys("enter").shows("must be a duration abo").types("m").keys("enter")
		s.shows("BRANCH SIMULATED", "if node-monitor-grace-period 1h30m0s", "✓ validated: unchanged, the simulation reproduces 95 of 95", "◌ 0", "spared 20 certainly", "vanishes")
		s.keys(".").shows("difference ")
		if at := s.app.snapshot().At.Sub(s.app.snapshot().Coverage.Earliest); at < 80*time.Second || at > 90*time.Second {
			t.Errorf("the first difference is at %s", at)
		}
		s.keys(",").shows("no earlier difference")
		s.keys("b").shows("undo node-monitor-grace-period 1h30m0s").types("undo").keys("enter").shows("nothing is changed", "no decision differs")
		s.keys("b").types("kill a-001 +100s").keys("enter").shows("if kill a-001", "appears")
		s.keys("1").hides("SIMULATED")
		s.keys("b").types("show").keys("enter").shows("if kill a-001")
		s.keys("esc").hides("SIMULATED")
		if s.app.snapshot().Branch != nil {
			t.Error("the branch is still there")
		}
	}
}

// What cannot be is said where it is typed, and nothing is played.
func TestABranchThatCannotBe(t *testing.T) {
	s := incident(t, "zone-outage", 40, 120, 36)
	s.keys("b").types("kill nobody").keys("enter").shows("no node nobody exists at").keys("esc")
	s.keys("b").types("zone b-003 \x1b[31mred").shows("zone b-003")
	s.keys("esc").hides("SIMULATED")
	s.keys("b").types("node-monitor-period 2m").keys("enter").shows("must be a duration from --node-monitor-period").keys("esc")
	s.keys("b").types("toleration-seconds soon").keys("enter").shows("must be a number of seconds").keys("esc")
	s.keys("b").types("for 99h").keys("enter").shows("must be a duration up to 24h").keys("esc")
	if s.app.snapshot().Branch != nil {
		t.Error("something was played")
	}
}

// On Evictions b is the same, and the alternatives of the node under the cursor are one of its entries.
func TestWhatMayComeFromEvictions(t *testing.T) {
	s := incident(t, "zone-outage", 150, 120, 36)
	s.keys("6", "b").types("compare").keys("enter").shows("Options, b-0", "unchanged", "it returns now", "simulated")
	s.keys("esc").shows("[6 Evictions]")
}

// Beyond the end of the recording the kubelets go on as they were last seen.
func TestABranchFromTheEnd(t *testing.T) {
	s := incident(t, "zone-outage", 40, 120, 36)
	s.keys("ctrl+end", "b").types("kill a-001").keys("enter").shows("if kill a-001", "since 23:5", "adds none", "appear")
	s.keys(".", ".").shows("after the end of the recording")
}

// In a terminal it is played beside the program, which goes on; esc stops it on its way.
func TestABranchInATerminal(t *testing.T) {
	opened, err := open.Open(context.Background(), []string{"demo:node-loss"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := runIn(t, Options{Session: session.Replay(opened.History, session.Options{Name: "node-loss", Start: opened.History.Coverage().Earliest.Add(40 * time.Second)}),
		Environ: []string{"LANG=C.UTF-8"}}, 120, 36)
	e.shows("REPLAY PAUSED")
	e.keys("b")
	e.shows("what if:")
	for _, r := range "node-monitor-grace-period 1m" {
		e.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	e.shows("silence after which")
	e.keys("enter")
	e.shows("BRANCH SIMULATED", "if node-monitor-grace-period 1m0s")
	e.shows("✓ validated: unchanged", "moves")
	e.keys(".")
	e.shows("difference ")
	e.keys("q")
	e.shows("[1 Fleet]")
	e.keys("ctrl+c")
	if err := <-e.ended; err != nil {
		t.Errorf("the program ended with %v", err)
	}
}
