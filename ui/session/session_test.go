package session

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/screen"

	"pgregory.net/rapid"
)

// noon is the second 0 of these tests, by the clock of the recording.
var noon = time.Date(2026, 8, 21, 12, 0, 0, 0, time.UTC)

func sec(n float64) model.Instant { return model.At(noon).Add(time.Duration(n * float64(time.Second))) }

// clock is a clock that is moved by hand.
type clock struct{ t time.Time }

func (c *clock) now() time.Time       { return c.t }
func (c *clock) pass(d time.Duration) { c.t = c.t.Add(d) }
func newClock() *clock                { return &clock{time.Date(2027, 1, 1, 9, 0, 0, 0, time.UTC)} }
func at(s *Session) float64           { return s.At().Sub(model.At(noon)).Seconds() }
func ready(s *Session, node string) bool {
	return s.cursor.State().Node(node).Health() == model.HealthReady
}

func node(second float64, name, status string) model.Change {
	return model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(sec(second)),
		Node: &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: model.ParseStatus(status)}}}}
}

func lease(second float64, name string) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: name},
		Time: model.Exactly(sec(second)), Arrival: sec(second), Lease: model.Lease{Renewed: sec(second)}}
}

// outage is two nodes over 100 seconds: a falls silent at 30 and is declared Unknown at 70.
func outage() history.History {
	changes := []model.Change{node(0, "a", "True"), node(0, "b", "True")}
	for s := 10.0; s <= 100; s += 10 {
		if s <= 30 {
			changes = append(changes, lease(s, "a"))
		}
		changes = append(changes, lease(s, "b"))
		if s == 70 {
			changes = append(changes, node(70, "a", "Unknown"))
		}
	}
	return history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(100)}, nil,
		[]history.Source{{Kinds: map[model.Kind]int{model.KindNode: 3, model.KindNodeLease: 13}}})
}

func TestReplayPlaysAtItsSpeed(t *testing.T) {
	c := newClock()
	s := Replay(outage(), Options{Now: c.now, Start: sec(60)})
	if _, due := s.NextAdvance(); due || s.Snapshot().Mode != screen.Paused {
		t.Fatal("a recording does not move before it is told to")
	}
	s.Toggle()
	c.pass(4 * time.Second)
	s.Advance()
	if at(s) != 64 || !ready(s, "a") {
		t.Fatalf("after 4 s at ×1: at %v", at(s))
	}
	s.Faster(true) // ×2
	c.pass(3 * time.Second)
	s.Faster(true) // what passed, passed at ×2
	if at(s) != 70 || ready(s, "a") {
		t.Fatalf("after 3 s more at ×2: at %v", at(s))
	}
	c.pass(time.Second)
	s.Toggle()
	c.pass(time.Hour)
	s.Advance()
	if at(s) != 74 || s.Snapshot().Mode != screen.Paused {
		t.Fatalf("paused after 1 s more at ×4: at %v, %v", at(s), s.Snapshot().Mode)
	}
}

func TestReplayEndsAndPlaysAgain(t *testing.T) {
	c := newClock()
	s := Replay(outage(), Options{Now: c.now, Start: sec(95), Play: true})
	c.pass(time.Minute)
	s.Advance()
	if at(s) != 100 || s.Snapshot().Mode != screen.Ended {
		t.Fatalf("at the end: at %v, %v", at(s), s.Snapshot().Mode)
	}
	if _, due := s.NextAdvance(); due {
		t.Error("the clock runs on at the end")
	}
	s.Toggle()
	if at(s) != 0 || s.Snapshot().Mode != screen.Playing {
		t.Fatalf("played again: at %v, %v", at(s), s.Snapshot().Mode)
	}
	c.pass(2 * time.Second)
	s.Reverse()
	c.pass(time.Second)
	s.Advance()
	if at(s) != 1 {
		t.Fatalf("2 s forwards, 1 s backwards: at %v", at(s))
	}
	c.pass(time.Hour)
	s.Advance()
	if at(s) != 0 || s.Snapshot().Mode != screen.Paused {
		t.Fatalf("backwards to the start: at %v, %v", at(s), s.Snapshot().Mode)
	}
}

func TestSpeedHasEnds(t *testing.T) {
	s := Replay(outage(), Options{Now: newClock().now})
	for s.Faster(true) {
	}
	if got := s.Snapshot().Speed; got != 1024 {
		t.Errorf("fastest is ×%v", got)
	}
	for s.Faster(false) {
	}
	if got := s.Snapshot().Speed; got != 0.25 {
		t.Errorf("slowest is ×%v", got)
	}
}

func TestStepsStayInTheCoverage(t *testing.T) {
	s := Replay(outage(), Options{Now: newClock().now})
	if moved := s.Step(-10 * time.Second); !moved || at(s) != 0 {
		t.Errorf("before the start: at %v", at(s))
	}
	s.End()
	if s.Step(time.Second); at(s) != 100 {
		t.Errorf("after the end: at %v", at(s))
	}
	s.Home()
	if moved := s.Step(10 * time.Second); moved || at(s) != 10 {
		t.Errorf("10 s on: at %v, moved %v", at(s), moved)
	}
}

func TestNextAndPreviousChange(t *testing.T) {
	s := Replay(outage(), Options{Now: newClock().now})
	var got []float64
	for nextChange(s, past.OfFleet()) {
		got = append(got, at(s))
	}
	for previousChange(s, past.OfNode("a")) {
		got = append(got, at(s))
	}
	if want := fmt.Sprint([]float64{70, 30, 20, 10, 0}); fmt.Sprint(got) != want {
		t.Errorf("went to %v, want %v", got, want)
	}
}

// The same instant gives the same state, however it was reached.
func TestSeekingEqualsPlaying(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		s := Replay(outage(), Options{Now: c.now})
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 7).Draw(t, "what") {
			case 0:
				s.Toggle()
			case 1:
				s.Faster(true)
			case 2:
				s.Reverse()
			case 3:
				s.Step(time.Duration(rapid.IntRange(-60, 60).Draw(t, "by")) * time.Second)
			case 4:
				nextChange(s, past.OfNode("b"))
			case 5:
				previousChange(s, past.OfFleet())
			default:
				c.pass(time.Duration(rapid.IntRange(0, 9000).Draw(t, "ms")) * time.Millisecond)
				s.Advance()
			}
			fresh := history.NewCursor(outage())
			if err := fresh.Seek(s.At()); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"a", "b"} {
				want, got := fresh.State().Node(name), s.Snapshot().Cluster.Node(name)
				if want.Health() != got.Health() || want.Lease != got.Lease {
					t.Fatalf("at %v, node %s differs from a fresh look", at(s), name)
				}
			}
			if !s.Coverage().Contains(s.At()) {
				t.Fatalf("at %v, outside the coverage", at(s))
			}
		}
	})
}

func TestTrackIsKeptAndAgrees(t *testing.T) {
	s := Replay(outage(), Options{Now: newClock().now})
	window := model.Interval{Earliest: sec(20), Latest: sec(80)}
	first := s.Track("a", window)
	built := s.tracks.cached
	later := s.Track("a", model.Interval{Earliest: sec(25), Latest: sec(85)})
	if s.tracks.cached != built {
		t.Error("a window that moved a little read the History again")
	}
	direct, err := past.BuildTrack(outage(), "a", window)
	if err != nil || fmt.Sprint(direct) != fmt.Sprint(first) {
		t.Errorf("kept %v, direct %v", first, direct)
	}
	if len(first.Renewals) != 2 || first.Flips != 1 || len(later.Renewals) != 1 {
		t.Errorf("renewals %d and %d, flips %d", len(first.Renewals), len(later.Renewals), first.Flips)
	}
}

func TestOpening(t *testing.T) {
	release := make(chan struct{})
	s := Opening(func(ctx context.Context, progress func(screen.Opening)) (Recording, error) {
		progress(screen.Opening{Done: 20, Total: 40})
		<-release
		return Recording{History: outage(), Name: "zone-outage", Start: sec(60)}, nil
	}, Options{Now: newClock().now, Name: "demo", Judging: Never})
	s.background.after = immediately
	s.Start(t.Context())
	s.Wait(0)
	s.Advance()
	if sn := s.Snapshot(); sn.Loading != 0.5 || sn.Cluster.NodeCount() != 0 {
		t.Errorf("on the way: %v, %d nodes", sn.Loading, sn.Cluster.NodeCount())
	}
	close(release)
	for s.Loading() && s.Wait(0) {
		s.Advance()
	}
	if sn := s.Snapshot(); sn.Loading != 1 || at(s) != 60 || sn.Name != "zone-outage" || !settled(s) || sn.Cluster.NodeCount() != 2 || !sn.Kinds[model.KindNodeLease] {
		t.Errorf("opened: %v at %v, %d nodes, %v", sn.Loading, at(s), sn.Cluster.NodeCount(), sn.Kinds)
	}
	s.Close()
}

func TestOpeningCanBeCancelled(t *testing.T) {
	s := Opening(func(ctx context.Context, progress func(screen.Opening)) (Recording, error) {
		<-ctx.Done()
		return Recording{}, ctx.Err()
	}, Options{Now: newClock().now})
	s.background.after = immediately
	s.Start(t.Context())
	s.Close() // returns, or the test times out
	s.Advance()
	if !errors.Is(s.Err(), context.Canceled) || s.Loading() {
		t.Errorf("after cancelling: %v", s.Err())
	}
}

// immediately is a time.After that waits for nothing.
func immediately(time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

// What is found at once, as these tests are no goroutine that draws.

func nextChange(s *Session, in past.Scope) (ok bool) {
	s.Next(in, func(f past.Found, err error) { ok = f.At.Known() && err == nil })
	return ok
}

func previousChange(s *Session, in past.Scope) (ok bool) {
	s.Previous(in, func(f past.Found, err error) { ok = f.At.Known() && err == nil })
	return ok
}

func lastWrite(s *Session, f past.Field) (w past.Written, err error) {
	s.LastWrite(f, func(found past.Written, failed error) { w, err = found, failed })
	return w, err
}

func diffFrom(s *Session, t model.Instant) (d *past.Diff, err error) {
	s.DiffFrom(t, func(found *past.Diff, failed error) { d, err = found, failed })
	return d, err
}
