package conformance

import (
	"flag"
	"testing"
	"testing/synctest"
	"time"
)

func init() { Settle() }

// play runs a scenario in a bubble of its own.
func play(t *testing.T, s Scenario) (trace *Trace) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		trace, err = Play(s)
		if err != nil {
			t.Fatal(err)
		}
	})
	return trace
}

func script(t testing.TB, text string) Scenario {
	t.Helper()
	s, err := ParseScenario(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// V03 of controllers.md: one of ten nodes dies; in a bubble without drift it becomes
// Unknown on the eleventh pass, and a pod goes 300 s after the taint.
func TestOneNodeDies(t *testing.T) {
	text := "length 8m\n"
	for _, n := range []string{"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"} {
		text += "node " + n + " first=3s\n"
	}
	text += "pod p0 node=n0 tolerate=U/Exists//NoExecute/300+N/Exists//NoExecute/300\nat 104 silence n0\n"
	start := time.Now()
	trace := play(t, script(t, text))
	t.Logf("%s, %d steps, %d writes", time.Since(start), len(trace.Steps), trace.Writes())
	t.Log("\n" + trace.String())
}

var (
	scenarios = flag.Int("scenarios", 1500, "how many scenarios")
	seed      = flag.Int("seed", 1, "which scenarios")
)
