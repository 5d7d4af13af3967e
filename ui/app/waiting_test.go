package app

import (
	"testing"

	"kardia/ui/session"
)

// While the models are still running the keys that need them say so, in words of their own: the line that says so all the
// time is no answer. The others answer.
func TestKeysSayThatTheModelsAreStillRunning(t *testing.T) {
	waiting := func() *stage {
		s := newClock()
		return s.open(t, Options{Session: session.Replay(outage(), session.Options{Name: "outage", Now: s.time, Start: sec(100), Judging: session.InBackground})}, 80, 24)
	}
	const reading = "the models are still reading the recording: 0 %"
	for key, says := range map[string]string{
		".": "not yet: " + reading + "; → goes by changes", ",": "not yet: " + reading + "; → goes by changes",
		">": "not yet: " + reading, "<": "not yet: " + reading, "}": "not yet: " + reading, "{": "not yet: " + reading,
		"W": "not yet: " + reading, "I": "not yet: " + reading,
		"w": "; what they say stands",
		"R": "MAY IT BE DECLARED OUT OF SERVICE?",
	} {
		s := waiting()
		s.hides(says)
		s.keys(key).shows(says)
	}
}
