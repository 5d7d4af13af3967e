package session

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/topics"

	"pgregory.net/rapid"
)

// kept is a Keeper in memory.
type kept struct {
	marks past.Bookmarks
	text  string
	err   error
}

func (k *kept) Load(in past.Bookmarks) (past.Bookmarks, error) {
	for _, m := range k.marks.List() {
		_ = in.Set(m)
	}
	return in, k.err
}
func (k *kept) String() string { return "a drawer" }
func (k *kept) Keep(m past.Bookmark, removed bool) error {
	k.text = string(past.AppendMark([]byte(k.text), m, removed))
	return k.err
}

func held(second float64, k Keeper) (*Session, *clock) {
	c := newClock()
	return Replay(outage(), Options{Now: c.now, Start: sec(second), Judging: Never, Keep: k}), c
}

func TestMarksAreSetVisitedAndKept(t *testing.T) {
	k := &kept{}
	_ = k.marks.Set(past.Bookmark{At: sec(20), Note: "from before"})
	s, _ := held(70, k)
	if err := s.SetMark("declared"); err != nil || !strings.Contains(k.text, `"note":"declared"`) || s.MarksKept() != "a drawer" {
		t.Errorf("%v, kept %q", err, k.text)
	}
	if m, ok := s.StepMark(false); !ok || at(s) != 20 || m.Note != "from before" {
		t.Errorf("previous: %v at %v", m, at(s))
	}
	if _, ok := s.StepMark(false); ok || at(s) != 20 {
		t.Error("a mark before the first one")
	}
	if _, ok := s.StepMark(true); !ok || at(s) != 70 {
		t.Errorf("next: at %v", at(s))
	}
	if there, err := s.ClearMark(); !there || err != nil || len(s.Snapshot().Timeline.Marks) != 1 || !strings.Contains(k.text, `"removed":true`) {
		t.Errorf("cleared: %v, %v", there, err)
	}
	k.err = errors.New("the disk is full")
	if err := s.SetMark(""); err == nil || len(s.Marks()) != 2 {
		t.Errorf("a mark that cannot be kept is lost: %v", err)
	}
	if s, _ := held(0, k); s.Err() == nil || len(s.Marks()) != 1 {
		t.Error("marks that can be read in part are not used, or it is not said")
	}
}

func TestJumpsAreTakenBack(t *testing.T) {
	s, _ := held(10, nil)
	s.Jump(sec(50))
	s.Step(time.Second) // steps are no jumps
	s.Jump(sec(90))
	for _, want := range []float64{51, 10} {
		if !s.Back() || at(s) != want {
			t.Errorf("back at %v, want %v", at(s), want)
		}
	}
	if s.Back() {
		t.Error("back to nowhere")
	}
	for _, want := range []float64{51, 90} {
		if !s.Forward() || at(s) != want {
			t.Errorf("forward at %v, want %v", at(s), want)
		}
	}
}

func TestALoopGoesRound(t *testing.T) {
	s, c := held(0, nil)
	if _, ok := s.ToggleLoop(); ok {
		t.Error("a loop without marks")
	}
	for _, n := range []float64{40, 50} {
		s.Jump(sec(n))
		_ = s.SetMark("")
	}
	if l, ok := s.ToggleLoop(); !ok || l != (model.Interval{Earliest: sec(40), Latest: sec(50)}) || at(s) != 40 || s.Snapshot().Mode != screen.Playing {
		t.Fatalf("loop %v from %v", l, at(s))
	}
	for _, want := range []float64{44, 48, 40, 44} {
		c.pass(4 * time.Second)
		if s.Advance(); at(s) != want {
			t.Errorf("at %v, want %v", at(s), want)
		}
	}
	s.Reverse()
	for _, want := range []float64{41, 50, 47} {
		c.pass(3 * time.Second)
		if s.Advance(); at(s) != want {
			t.Errorf("backwards at %v, want %v", at(s), want)
		}
	}
	s.ToggleLoop()
	s.Reverse()
	c.pass(10 * time.Second)
	if s.Advance(); at(s) != 57 {
		t.Errorf("without the loop at %v, want 57", at(s))
	}
}

// What is quiet is passed over: a second of it is played at either end.
func TestIdleIsSkipped(t *testing.T) {
	s, c := held(0, nil)
	s.ToggleSkip()
	s.Toggle()
	var been []float64
	for range 10 {
		c.pass(500 * time.Millisecond)
		s.Advance()
		been = append(been, at(s))
	}
	// Node objects change at 0 and at 70 s; the recording ends at 100.
	if want := []float64{0.5, 1, 69, 69.5, 70, 70.5, 71, 99, 99.5, 100}; !slices.Equal(been, want) {
		t.Errorf("played through %v, want %v", been, want)
	}
}

func TestLastWriteAndDiff(t *testing.T) {
	s, _ := held(100, nil)
	w, err := lastWrite(s, past.Field{Kind: past.ConditionField, Node: "a", Name: "Ready"})
	if err != nil || w.Before != "True" || w.After != "Unknown" || at(s) != 70 {
		t.Fatalf("%+v, %v, at %v", w, err, at(s))
	}
	d, err := diffFrom(s, sec(60))
	if err != nil || len(d.Nodes) != 1 || topics.Difference(&d.Nodes[0].Differences[0]) != "Ready True → Unknown" || d.From != sec(60) {
		t.Errorf("%+v, %v", d, err)
	}
	if later, _ := diffFrom(s, sec(90)); !later.Empty() || later.To != sec(90) {
		t.Errorf("%+v", later)
	}
	if at(s) != 70 || ready(s, "a") {
		t.Error("comparing moves the instant shown")
	}
}

func TestSearchGoesThroughTime(t *testing.T) {
	s, _ := held(0, nil)
	s.Search("unknown")
	if h, ok := s.StepHit(true); !ok || at(s) != 70 || h.Text != "Ready True → Unknown" {
		t.Fatalf("%+v at %v", h, at(s))
	}
	if _, ok := s.StepHit(true); ok {
		t.Error("a hit after the last one")
	}
	s.Search("")
	if past := s.Snapshot().Timeline; past.Query != "" || past.Hits != nil {
		t.Errorf("%+v", past)
	}
}

// What is read in the background comes to the same as what is read at once.
func TestThePastIsReadBesideTheDrawing(t *testing.T) {
	s := Replay(outage(), Options{Now: newClock().now})
	s.background.after = immediately
	s.Start(t.Context())
	defer s.Close()
	s.Search("unknown")
	for s.Advance(); s.Snapshot().Timeline.Progress < 1 || s.Snapshot().Timeline.Searched < 1; s.Advance() {
		if !s.Wait(0) {
			t.Fatal("the past is never read")
		}
	}
	past := s.Snapshot().Timeline
	if got := past.Overview.Total(); got.Renewals != 13 || got.Changes != 3 || len(past.Hits) != 1 {
		t.Errorf("%+v, %d hits", got, len(past.Hits))
	}
}

// Stepping, jumping and playing show at an instant what seeking there shows.
func TestHoweverItIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, c := held(0, nil)
		for range rapid.IntRange(1, 25).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				s.Jump(sec(rapid.Float64Range(-10, 110).Draw(t, "to")))
			case 1:
				s.Back()
			case 2:
				s.Forward()
			case 3:
				_ = s.SetMark("")
			case 4:
				s.ToggleLoop()
			case 5:
				s.ToggleSkip()
			case 6:
				s.Reverse()
			case 7:
				nextChange(s, past.OfFleet())
			case 8:
				_, _ = lastWrite(s, past.Field{Kind: past.RenewalField, Node: "b"})
			case 9:
				c.pass(time.Duration(rapid.IntRange(0, 20000).Draw(t, "ms")) * time.Millisecond)
				s.Advance()
			}
			fresh, _ := held(0, nil)
			fresh.Seek(s.At())
			if at(s) < 0 || at(s) > 100 || at(fresh) != at(s) || ready(fresh, "a") != ready(s, "a") ||
				fresh.cursor.State().Node("b").Lease.Renewals != s.cursor.State().Node("b").Lease.Renewals {
				t.Fatalf("at %v it shows something else than seeking there", at(s))
			}
		}
	})
}

// A search in a live session goes on with what is heard.
func TestALiveSearchGoesOn(t *testing.T) {
	s, f, c := liveAt(t, 0)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), arrived(node(8, "a", "Unknown"))}, Status: allLive()})
	c.pass(10 * time.Second)
	s.Advance()
	s.Search("a ready")
	if past := s.Snapshot().Timeline; len(past.Hits) != 1 || past.Searched != 1 {
		t.Errorf("%d hits, searched %v", len(past.Hits), past.Searched)
	}
	f.send(stream.Batch{Changes: []model.Change{arrived(node(14, "a", "True"))}, Status: allLive()})
	c.pass(5 * time.Second)
	s.Advance()
	if past := s.Snapshot().Timeline; len(past.Hits) != 2 {
		t.Errorf("%d hits after another change", len(past.Hits))
	}
	if h, ok := s.StepHit(false); !ok || at(s) != 14 || h.Text != "Ready Unknown → True" {
		t.Errorf("%+v at %v", h, at(s))
	}
}

// A live session plays what it remembers, while the watch goes on, and then follows again.
func TestALivePastIsPlayed(t *testing.T) {
	s, f, c := liveAt(t, 0)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), arrived(node(8, "a", "Unknown"))}, Status: allLive()})
	c.pass(10 * time.Second)
	s.Advance()
	_ = s.SetMark("now")
	s.Jump(sec(4))
	_ = s.SetMark("then")
	if _, ok := s.ToggleLoop(); !ok || s.Snapshot().Mode != screen.LiveReplay || at(s) != 4 {
		t.Fatalf("%v at %v", s.Snapshot().Mode, at(s))
	}
	c.pass(5 * time.Second)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(14, "a", "True"))}, Status: allLive()})
	if s.Advance(); at(s) != 9 || ready(s, "a") {
		t.Errorf("played to %v", at(s))
	}
	c.pass(2 * time.Second)
	if s.Advance(); at(s) != 4 {
		t.Errorf("went round to %v", at(s))
	}
	s.Reverse() // the loop goes round the other way
	c.pass(time.Second)
	if s.Advance(); at(s) != 10 {
		t.Errorf("backwards round to %v", at(s))
	}
	s.ToggleLoop()
	s.Reverse()
	s.Faster(true)
	c.pass(time.Minute)
	if s.Advance(); s.Snapshot().Mode != screen.Live || at(s) != 78 || !ready(s, "a") {
		t.Errorf("caught up with the present: %v at %v", s.Snapshot().Mode, at(s))
	}
	if got := s.Snapshot().Timeline.Overview.Total().Changes; got != 3 {
		t.Errorf("the overview of what was heard counts %d", got)
	}
	s.Toggle()
	if s.Snapshot().Mode != screen.LivePaused || s.Faster(true) {
		t.Error("held, it has no speed")
	}
}

// TestMarksOfTheRecordingItself: marks set before a live session was saved are there when it is replayed, under the
// marks beside the recording.
func TestMarksOfTheRecordingItself(t *testing.T) {
	k := &kept{}
	_ = k.marks.Set(past.Bookmark{At: sec(20), Note: "changed since"})
	s := Replay(outage(), Options{Now: newClock().now, Judging: Never, Keep: k,
		Marks: []past.Bookmark{{At: sec(20), Note: "saved"}, {At: sec(40)}}})
	if m := s.Marks(); len(m) != 2 || m[0].Note != "changed since" || m[1].At != sec(40) {
		t.Errorf("marks %+v", m)
	}
}
