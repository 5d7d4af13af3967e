package app

import (
	"testing"
	"time"

	"kardia/sources/scenario"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

// sandbox is a small cluster to break, held at its thirtieth second.
func sandbox(t *testing.T, w, h int) *stage {
	t.Helper()
	b, err := scenario.NewSandbox("", "")
	if err != nil {
		t.Fatal(err)
	}
	s := newClock()
	box := &session.Sandbox{Sandbox: b, Options: session.Options{Name: "sandbox", Now: s.time, Judging: session.AtOnce}}
	first, err := box.First()
	if err != nil {
		t.Fatal(err)
	}
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: first, Sandbox: box}, w, h)
	return s.keys("t").types("+30s").keys("enter")
}

// second is how far after its start the sandbox stands.
func (s *stage) second() time.Duration { return s.app.session.Since(s.app.session.At()) }

// All nodes are listed from the start. One key kills the machine under the cursor, the same one has it back; what comes of it is stepped to behind
// the curtain, undone, branched from and saved.
func TestBreakingASandbox(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		s := sandbox(t, size[0], size[1])
		s.shows("SANDBOX", "all 15 nodes renew")
		s.keys("K").shows("kill a-1 at 12:00:30Z", "SANDBOX")
		if s.second() != 30*time.Second {
			t.Errorf("at %s", s.second())
		}
		s.keys(".").shows("a-1", "Unknown")
		if at := s.second(); at < 70*time.Second || at > 95*time.Second {
			t.Errorf("declared Unknown %s after the start", at)
		}
		s.keys("F").shows("let happen now:", "return a-1").types("failover").keys("enter").shows("failover for=20s at ")
		s.keys("F").types("explode everything").keys("enter").shows(`nothing is called "explode"`)
		s.keys("X").shows("undone: failover for=20s")
		s.keys("b").types("return a-1").keys("enter").shows("BRANCH SIMULATED", "if return a-1")
		s.keys("esc", "X").shows("undone: kill a-1 at 12:00:30Z", "all 15 nodes renew")
		s.keys("X").shows("nothing to undo")
	}
}

// The machine that is silent comes back by the key that killed it.
func TestTheSameKeyReturns(t *testing.T) {
	s := sandbox(t, 120, 36)
	s.keys("K").types("t+80s").keys("enter")
	s.row("a-1").isSelected()
	s.keys("K").shows("return a-1 at 12:01:20Z")
	s.types("t+100s").keys("enter").shows("all 15 nodes renew")
}

// befalls lets something happen whose play is under way until the returned function is called.
func (s *stage) befalls(what string) (arrives func()) {
	cmd := s.app.befall(what)
	s.send(tea.WindowSizeMsg{Width: s.app.width, Height: s.app.height})
	return func() { s.run(cmd) }
}

// While a sandbox is played anew, which takes long of a large cluster, it says how far that has come, and esc takes
// back what was done.
func TestWhatIsPlayedAnewCanBeTakenBack(t *testing.T) {
	s := sandbox(t, 120, 36)
	arrives := s.befalls("kill a-1")
	s.app.anew.told(0.45)
	s.pass(anewEvery)
	s.shows("kill a-1 at 12:00:30Z: replaying, 45%", "esc takes it back")
	s.keys("esc").shows("not done: kill a-1 at 12:00:30Z")
	arrives()
	s.types("t+90s").keys("enter").shows("all 15 nodes renew").keys("X").shows("nothing to undo")
}

// What is done while something else is played anew is not lost, and neither is that.
func TestDoneWhileAnotherIsPlayed(t *testing.T) {
	s := sandbox(t, 120, 36)
	first, second := s.befalls("kill a-1"), s.befalls("kill b-1")
	first()
	s.shows("kill b-1 at 12:00:30Z: replaying")
	second()
	s.types("t+100s").keys("enter").shows("2 nodes").keys("X").shows("undone: kill b-1").keys("X").shows("undone: kill a-1")
}
