package session

import (
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/infer"
)

// The messages about the controller, and when it is reported not to have acted.
func TestAControllerThatStoodStillIsToldOf(t *testing.T) {
	overdue := infer.Overdue{Since: sec(100), Held: sec(99), Decisions: []model.Decision{{Kind: model.MarkUnknown, Node: "a"}}}
	earlier := overdue
	earlier.Since = sec(95)
	wrote := []infer.Write{{Time: model.Exactly(sec(40))}, {Time: model.Interval{Earliest: sec(141), Latest: sec(142)}}, {Time: model.Exactly(sec(150))}}
	for what, c := range map[string]struct {
		end   infer.Result
		stood model.Interval
		says  string
		lists bool // what came late
	}{
		"it acts again": {infer.Result{Writes: wrote}, model.Interval{Earliest: sec(95), Latest: sec(142)}, "the controller acts again: it was not acting from " + sec(95).Clock() + " to " + sec(142).Clock(), true},
		"another process started": {infer.Result{Writes: wrote, Restarts: []model.Interval{{Earliest: sec(135), Latest: sec(141)}}}, model.Interval{Earliest: sec(95), Latest: sec(142)},
			"nothing was done from " + sec(95).Clock() + " to " + sec(142).Clock() + ", when another process started", false},
		"what was due came to nothing": {infer.Result{Writes: wrote[:1]}, model.Interval{Earliest: sec(95), Latest: sec(160)}, "whether the controller acts is not seen", false},
	} {
		s, _, _ := liveAt(t, 0)
		s.noteController(&infer.Result{}, sec(90), nil)
		s.noteController(&infer.Result{Overdue: overdue}, sec(110), nil)
		s.noteController(&infer.Result{Overdue: earlier}, sec(120), nil)
		if stood := s.Snapshot().Standstills; len(stood) != 1 || stood[0] != (model.Interval{Earliest: sec(95), Latest: model.FarFuture}) {
			t.Errorf("%s: while it stands still: %v", what, stood)
		}
		stood := ended(s.live.news.overdue, nil, &c.end, sec(160))
		s.noteController(&c.end, sec(160), &stood)
		s.noteController(&c.end, sec(170), nil)
		if all := s.Snapshot().Standstills; c.lists && (len(all) != 1 || all[0] != c.stood) || !c.lists && len(all) > 0 {
			t.Errorf("%s: %v, want %v, if it came late: %v", what, all, c.stood, c.lists)
		}
		if held := s.live.news.held; len(held) != 1 || held[0] != (model.Interval{Earliest: sec(99), Latest: c.stood.Latest}) {
			t.Errorf("%s: the models are told that nobody acted in %v", what, held)
		}
		told := s.News()
		if len(told) != 2+len(c.end.Restarts) || !strings.Contains(told[0].Text, "does not act: MarkUnknown of a was due by") || !strings.Contains(told[1].Text, c.says) {
			t.Errorf("%s: %v", what, told)
		}
	}
}

// The models are held from before the first overdue decision can have been made, and after all writes before that.
func TestFromWhenTheModelsAreHeld(t *testing.T) {
	late := infer.Overdue{Since: sec(21), Held: sec(20), Decisions: []model.Decision{{Window: model.Interval{Earliest: sec(19.2), Latest: sec(20.5)}}}}
	write := func(at float64) infer.Write { return infer.Write{Time: model.Exactly(sec(at))} }
	for _, c := range []struct {
		late   infer.Overdue
		writes []infer.Write
		want   model.Instant
	}{
		{late, []infer.Write{write(18), write(41)}, sec(19.2).Add(-1)},
		{late, []infer.Write{write(18), write(19.5), write(20.5), write(41)}, sec(19.5)},
		{infer.Overdue{Since: sec(21), Held: sec(20)}, nil, sec(20)},
		{infer.Overdue{Since: sec(21), Held: sec(20), Decisions: []model.Decision{{Window: model.Interval{Earliest: sec(5), Latest: sec(20.5)}}}}, nil, sec(20)},
	} {
		if is := ended(c.late, nil, &infer.Result{Writes: c.writes}, sec(50)); is.held.Earliest != c.want {
			t.Errorf("%v: held from %v, want %v", c.writes, is.held.Earliest, c.want)
		}
	}
}
