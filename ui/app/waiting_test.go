package app

import (
	"context"
	"testing"

	"kardia/ui/session"
)

// While the models are still running the keys that need them say so, in words of their own: the line that says so all the
// time is no answer. The others answer.
func TestKeysSayThatTheModelsAreStillRunning(t *testing.T) {
	waiting := func() *stage {
		s := newClock()
		return s.open(t, Options{Session: idle(session.Replay(outage(), session.Options{Name: "outage", Now: s.time, Start: sec(100)}))}, 80, 24)
	}
	const reading = "the models are still reading the recording: 0 %"
	for key, says := range map[string]string{
		".": "not yet: " + reading + "; → goes to changes", ",": "not yet: " + reading + "; → goes to changes",
		">": "not yet: " + reading, "<": "not yet: " + reading, "}": "not yet: " + reading, "{": "not yet: " + reading,
		"W": "not yet: " + reading, "I": "not yet: " + reading,
		"w": "; the reasons follow",
		"R": "SAFE TO MARK OUT OF SERVICE?",
	} {
		s := waiting()
		s.hides(says)
		s.keys(key).shows(says)
	}
}

// idle is a session in the background of which nobody works, so that the models do not even begin, however fast or
// slow the machine is.
func idle(s *session.Session) *session.Session {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	s.Start(over)
	return s
}
