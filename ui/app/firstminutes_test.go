package app

import (
	"strings"
	"testing"
)

// What a stranger tries in the first five minutes, on a real recording in a small window. The others of
// these stories stand where their mechanism is tested.

// What reads Unknown is found by typing it.
func TestWhatReadsUnknownIsFound(t *testing.T) {
	s := incident(t, "zone-outage", 200, 80, 24)
	s.keys("/").types("unknown").keys("enter").shows("18 of 28 nodes hidden by the filter")
	s.row("b-000").has("Unknown")
	s.keys("esc").hides("hidden by the filter")
}

// The palette is paged through, and what does not work says why.
func TestThePaletteIsPaged(t *testing.T) {
	s := incident(t, "zone-outage", 200, 80, 24)
	s.keys(":")
	first := s.app.prompt.list.Cursor
	s.keys("pgdown")
	if at := s.app.prompt.list.Cursor; at < first+5 {
		t.Errorf("a page down goes from %d to %d", first, at)
	}
	s.keys("pgup")
	if at := s.app.prompt.list.Cursor; at != first {
		t.Errorf("a page up goes to %d, not back", at)
	}
	s.types("follow").shows("only a live cluster can be followed")
}

// No word that is shown at any of these instants is one that a stranger misreads, nor one that is cut
// where what is cut would tell two rows apart.
func TestNoWordIsMisread(t *testing.T) {
	for _, name := range []string{"zone-outage", "all-dark"} {
		for _, at := range []int{86, 100, 200} {
			s := incident(t, name, at, 80, 24)
			for _, to := range s.app.screens {
				s.app.switchTo(to.ID)
				for _, word := range []string{"within 0s", "≤ 0s", "armed", " nr ", " 2p", "HEARTBEAT", " full ", "plain DE…", "taint un…"} {
					if strings.Contains(s.screen(), word) {
						t.Errorf("%s of %s at +%ds says %q:\n%s", to.ID, name, at, word, s.screen())
					}
				}
			}
		}
	}
}

// Every screen's frame is plain ASCII where the terminal asks for that, and its words are whole.
func TestASCIIWordsAreWhole(t *testing.T) {
	s := incident(t, "zone-outage", 200, 120, 36)
	s.app.options.Glyphs = "ascii"
	s.app.Look, _ = LookOf(s.app.options)
	s.app.newPainter()
	for _, to := range s.app.screens {
		s.app.switchTo(to.ID)
		text := s.screen()
		for _, r := range text {
			if r > 0x7e {
				t.Errorf("%s shows %q:\n%s", to.ID, r, text)
				break
			}
		}
		if !strings.Contains(text, "next: 2 pods of b-009 deleted in 0:07") {
			t.Errorf("%s lost its headline:\n%s", to.ID, text)
		}
	}
}
