package command

import (
	"strings"
	"testing"
	"time"
)

// erased is how a line is taken back on a terminal.
const erased = "\r\x1b[K"

// TestMeter: nothing is said in the first second; then a bar, the share, the rate, and what is left, ten times a
// second at most; and no escape sequence of a file's name comes through.
func TestMeter(t *testing.T) {
	var out strings.Builder
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	m := newMeter(&out, func() time.Time { return at })
	step := func(after time.Duration, done int64) string {
		out.Reset()
		at = at.Add(after)
		m.tell(done, 400e6, "audit\x1b[2J.log")
		return strings.TrimPrefix(out.String(), erased)
	}
	if got := step(900*time.Millisecond, 50e6); got != "" {
		t.Errorf("after 0.9 s: %q", got)
	}
	if got := step(1100*time.Millisecond, 100e6); !strings.Contains(got, "[#####...............] 25 %, 50.0 MB/s, about 6s left") || strings.Contains(got, "\x1b") {
		t.Errorf("after 2 s: %q", got)
	}
	if got := step(50*time.Millisecond, 101e6); got != "" {
		t.Errorf("50 ms later: %q", got)
	}
	if got := step(2*time.Second, 400e6); !strings.Contains(got, "[####################] 100 %") || !strings.Contains(got, "about 0s left") {
		t.Errorf("at the end: %q", got)
	}
	if got := step(time.Second, 500e6); got != "" {
		t.Errorf("beyond it: %q", got)
	}
}

// Work that reads nothing tells which share of it is done, and how long it takes yet.
func TestMeterOfWork(t *testing.T) {
	var out strings.Builder
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	m := newMeter(&out, func() time.Time { return at })
	m.working(0.5, "branching", 0)
	if out.Len() > 0 {
		t.Errorf("at once: %q", out.String())
	}
	at = at.Add(4 * time.Second)
	m.working(0.25, "branching x\x1b[2J", 0)
	if got := out.String(); !strings.HasPrefix(got, erased+"branching x") || strings.Contains(got[len(erased):], "\x1b") || !strings.HasSuffix(got, "[#####...............] 25 %, about 12s left") {
		t.Errorf("after 4 s: %q", got)
	}
	out.Reset()
	at = at.Add(2 * time.Second)
	m.working(0.5, "judging", 9000)
	at = at.Add(2 * time.Second)
	m.goesOn("looking")
	m.erase()
	m.erase()
	want := erased + "judging [##########..........] 50 %, 750 changes/s, about 6s left" + erased + "looking, for 8s; ctrl+c ends this" + erased
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
