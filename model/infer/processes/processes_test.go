package processes

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

func at(seconds int) model.Instant {
	return model.Instant(1e18).Add(time.Duration(seconds) * time.Second)
}

func within(from, to int) model.Interval { return model.Interval{Earliest: at(from), Latest: at(to)} }

func marked(second int) evidence.Seen {
	return evidence.Seen{Write: &evidence.Write{Kind: model.MarkUnknown, Time: model.Exactly(at(second))}}
}

// What a process has declared bounds when it made its first pass: after what the one before declared, and
// a grace period before what it declared itself.
func TestDeclarationsBoundAStart(t *testing.T) {
	c := Course{Evidence: &evidence.Evidence{Restarts: []model.Interval{within(100, 160)}, Writes: []evidence.Seen{marked(110), marked(190)}},
		Grace: 50 * time.Second, Until: at(300)}
	starts := c.Starts()
	if len(starts) != 1 || starts[0].Earliest != at(110)+1 || starts[0].Latest != at(140) {
		t.Errorf("it began within %v", starts)
	}
}

// A standstill after which another process began is that restart, and no second start; any other one is a
// start with all that was known before.
func TestWhoStoodStillGoesOnOrBeginsAnew(t *testing.T) {
	told := &evidence.Evidence{Restarts: []model.Interval{within(100, 101)}}
	c := Course{Evidence: told, Standstills: []model.Interval{within(60, 100)}, Grace: 50 * time.Second, Until: at(300)}
	if starts := c.Starts(); len(starts) != 1 || starts[0].GoesOn {
		t.Errorf("starts %v", starts)
	}
	if turns := c.Turns(); len(turns) != 1 || !turns[0].Dies || turns[0].At != at(60) {
		t.Errorf("who stood still, and did not go on, turns %+v", turns)
	}
	if _, ok := c.StandstillBefore(at(110)); ok {
		t.Error("another process, which knows nothing of it, had stood still")
	}
	told.Restarts[0] = within(102, 103)
	if turns := c.Turns(); len(turns) != 2 || turns[0].Dies || !turns[1].GoesOn {
		t.Errorf("who goes on for two seconds turns %+v", turns)
	}
	c.Evidence = &evidence.Evidence{}
	if starts := c.Starts(); len(starts) != 1 || !starts[0].GoesOn || !starts[0].Interval.Contains(at(100)) {
		t.Errorf("starts %v", starts)
	}
	for _, x := range []struct {
		at    int
		known bool
	}{{90, false}, {100, true}, {150, true}, {151, false}} {
		if _, ok := c.StandstillBefore(at(x.at)); ok != x.known {
			t.Errorf("at %d a standstill before is known: %v", x.at, ok)
		}
	}
}

// Taint eviction that begins alone is a turn; node-lifecycle is not, for its first pass is.
func TestTurns(t *testing.T) {
	c := Course{Evidence: &evidence.Evidence{}, Until: at(300), Assumed: []Assumption{
		{Who: ControllerManager, At: within(200, 202), Stopped: at(150)},
		{Who: TaintEviction, At: within(50, 52)},
	}}
	var got []Set
	for _, turn := range c.Turns() {
		got = append(got, turn.Who)
	}
	if want := []Set{TaintEviction, ControllerManager}; !slices.Equal(got, want) {
		t.Errorf("turns of %v, not %v", got, want)
	}
	if idle := c.Idle(NodeLifecycle); len(idle) != 1 || idle[0] != within(150, 202) {
		t.Errorf("idle in %v", idle)
	}
	if starts := c.Starts(); len(starts) != 1 || starts[0].Alone {
		t.Errorf("starts %v", starts)
	}
}
