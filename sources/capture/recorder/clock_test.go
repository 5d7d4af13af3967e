package recorder

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// machine is a machine with three clocks.
type machine struct {
	Look
	watch  Clocks
	server model.Maybe[history.Offset]
	said   []string
}

// pass lets seconds pass, and looks after each.
func (m *machine) pass(seconds int) {
	for range seconds {
		m.Wall, m.Since = m.Wall.Add(time.Second), m.Since+time.Second
		m.see()
	}
}

func (m *machine) see() {
	r, say, blind := m.watch.sample(m.Look, m.server)
	if !say {
		return
	}
	text := fmt.Sprintf("%v: ", r.At.Sub(epoch))
	switch {
	case r.Stepped():
		text += fmt.Sprintf("%s (%v to %v)", stepped(&r), r.During.Earliest.Sub(epoch), r.During.Latest.Sub(epoch))
	case r.Server.Known:
		text += "server " + r.Server.Value.String()
	default:
		text += fmt.Sprintf("wall %v", r.Wall.Sub(epoch))
	}
	if blind.Known() {
		text += fmt.Sprintf("; blind %v to %v", blind.Earliest.Sub(epoch), blind.Latest.Sub(epoch))
	}
	m.said = append(m.said, text)
}

// stepped is how the clock stepped.
func stepped(r *history.ClockReading) (text string) {
	if r.Slept.Known && r.Slept.Value > 0 {
		text = fmt.Sprintf("slept %v, ", r.Slept.Value)
	}
	text += fmt.Sprintf("set %v", r.Set)
	if ahead := r.At.Sub(r.Wall); ahead >= history.ClockPrecision {
		text += fmt.Sprintf(", %v ahead", ahead)
	}
	return text
}

func (m *machine) set(by time.Duration) { m.Wall = m.Wall.Add(by) }

func (m *machine) sleep(d time.Duration) {
	m.Wall = m.Wall.Add(d)
	if m.Slept.Known {
		m.Slept.Value += d
	}
}

func TestClockSteps(t *testing.T) {
	knows := model.Some(time.Duration(0))
	for name, tt := range map[string]struct {
		slept model.Maybe[time.Duration]
		do    func(m *machine)
		want  []string
	}{
		"nothing": {knows, func(m *machine) { m.pass(1000) }, nil},
		"an hour ahead": {knows, func(m *machine) { m.set(time.Hour); m.pass(90) },
			[]string{"1h0m11s: set 1h0m0s (10s to 1h0m11s); blind 11s to 1h0m11s"}},
		"an hour back": {knows, func(m *machine) { m.set(-time.Hour); m.pass(90) },
			[]string{"11s: set -1h0m0s, 1h0m0s ahead (10s to 11s)"}},
		"an hour back and forth": {knows, func(m *machine) { m.set(-time.Hour); m.pass(5); m.set(time.Hour); m.pass(5) },
			[]string{"11s: set -1h0m0s, 1h0m0s ahead (10s to 11s)",
				"16s: set 1h0m0s (15s to 16s)"}},
		"ten minutes asleep": {knows, func(m *machine) { m.sleep(10 * time.Minute); m.pass(90) },
			[]string{"10m11s: slept 10m0s, set 0s (10s to 10m11s); blind 11s to 10m11s"}},
		"ten minutes asleep, possibly": {model.Maybe[time.Duration]{}, func(m *machine) { m.sleep(10 * time.Minute); m.pass(90) },
			[]string{"10m11s: set 10m0s (10s to 10m11s); blind 11s to 10m11s"}},
		"asleep while the clock was wrong": {knows, func(m *machine) { m.set(-time.Minute); m.pass(1); m.sleep(time.Minute); m.pass(1) },
			[]string{"11s: set -1m0s, 1m0s ahead (10s to 11s)",
				"12s: slept 1m0s, set 0s (11s to 12s); blind 11s to 12s"}},
		"asleep, and set right": {knows, func(m *machine) { m.sleep(time.Minute); m.set(-2 * time.Second); m.pass(1) },
			[]string{"1m9s: slept 1m0s, set -2s (10s to 1m9s); blind 11s to 1m9s"}},
		"300 ms": {knows, func(m *machine) { m.set(300 * time.Millisecond); m.pass(90) },
			[]string{"11.3s: set 300ms (10s to 11.3s); blind 11s to 11.3s"}},
		"300 ms back": {knows, func(m *machine) { m.set(-300 * time.Millisecond); m.pass(90) },
			[]string{"11s: set -300ms, 300ms ahead (10s to 11s)"}},
		"200 ms": {knows, func(m *machine) { m.set(200 * time.Millisecond); m.pass(90) }, []string{"30s: wall 30.2s"}},
		// Too little to be seen at once, but it comes together.
		"slowly": {knows, func(m *machine) {
			for range 4 {
				m.set(100 * time.Millisecond)
				m.pass(2)
			}
		}, []string{"15.3s: set 300ms (0s to 15.3s); blind 15s to 15.3s"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &machine{Look: Look{Wall: epoch, Slept: tt.slept}}
			m.see()
			m.pass(10)
			tt.do(m)
			if want := append([]string{"0s: wall 0s"}, tt.want...); strings.Join(m.said, "\n") != strings.Join(want, "\n") {
				t.Errorf("said\n%s\nwant\n%s", strings.Join(m.said, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// The API server's clock in an answer is recorded when it has changed, and not again and again.
func TestTheServersClockIsSaidWhenItIsNews(t *testing.T) {
	m := &machine{Look: Look{Wall: epoch}}
	m.see()
	tell := func(least, most time.Duration) {
		m.server = model.Some(history.Offset{Least: least * time.Millisecond, Most: most * time.Millisecond})
	}
	tell(-200, 1100)
	m.pass(300)
	tell(-200, 1000) // hardly narrower
	m.pass(300)
	tell(100, 600)
	m.pass(10)
	tell(110, 250) // too soon after the last
	m.pass(10)
	tell(2000, 3000) // another clock
	m.pass(40)
	want := []string{"0s: wall 0s", "30s: server 200ms behind to 1.1s ahead", "10m1s: server 100ms to 600ms ahead", "10m31s: server 2s to 3s ahead"}
	if strings.Join(m.said, "\n") != strings.Join(want, "\n") {
		t.Errorf("said\n%s\nwant\n%s", strings.Join(m.said, "\n"), strings.Join(want, "\n"))
	}
}

// The real clocks agree with each other.
func TestTheRealClocks(t *testing.T) {
	look := looker()
	var c Clocks
	c.sample(look(), model.Maybe[history.Offset]{})
	for range 1000 {
		now := look()
		if r, say, _ := c.sample(now, model.Maybe[history.Offset]{}); say && r.Stepped() && r.Set.Abs() < time.Millisecond {
			t.Fatal(stepped(&r))
		}
		if now.Slept.Known && now.Slept.Value < 0 {
			t.Fatal(now)
		}
	}
}
