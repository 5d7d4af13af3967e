package session

import (
	"path/filepath"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/recorder"
	"kardia/sources/recording"
)

// clocked is a recording whose clock was set back, and that starts again in its middle.
type clocked struct{ *history.Memory }

func (c clocked) Fork() history.History { return c }

func (clocked) Clocks() []history.ClockReading {
	return []history.ClockReading{{At: sec(20), Wall: sec(18), Set: -2 * time.Second, During: model.Interval{Earliest: sec(19), Latest: sec(20)}}}
}

func (c clocked) PageAt(position int) history.Page {
	p := c.Memory.PageAt(position)
	p.StartsFresh = position == 2
	return p
}

// TestTheRecordersClockIsAnAnomaly: stepping from anomaly to anomaly reaches the place where the recorder's clock was
// set.
func TestTheRecordersClockIsAnAnomaly(t *testing.T) {
	h := clocked{history.NewMemory([]model.Change{lease(1, "a"), lease(2, "b"), lease(30, "c")}, model.Interval{Earliest: sec(0), Latest: sec(60)}, nil, []history.Source{{}})}
	s := Replay(h, Options{Start: sec(5), Judging: Never})
	found, ok := s.StepAnomaly(true)
	if !ok || found.At != sec(19) || found.Node != "" || s.at != sec(19) {
		t.Errorf("%+v, at %s", found, s.at)
	}
	// However it is read, the recording stays what it is.
	s = Replay(h, Options{Start: sec(5), Judging: InBackground})
	for _, h := range []history.History{s.history, s.history.Fork(), s.viewpoint.reader, s.viewpoint.reader.Fork()} {
		if !h.PageAt(2).StartsFresh || h.PageAt(1).StartsFresh || len(h.Clocks()) != 1 {
			t.Errorf("the clock and the seam are lost where several read: %T", h)
		}
	}
}

// TestALiveSessionRemembersItsClock: after the machine slept, the time is a gap, and the reading of
// the clock is in what is saved.
func TestALiveSessionRemembersItsClock(t *testing.T) {
	c := &clock{noon}
	s := Live(flood{5}, Options{Now: c.now, Judging: Never})
	look := recorder.Look{Wall: sec(0), Slept: model.Some(time.Duration(0))}
	s.live.clocks = recorder.NewClocks(func() recorder.Look { return look })
	s.Start(t.Context())
	<-s.background.done
	s.Advance()
	look.Since, look.Wall, look.Slept.Value = time.Second, sec(601), 10*time.Minute
	c.pass(601 * time.Second)
	s.Advance()
	h := s.live.memory.Fork()
	clocks, gaps := h.Clocks(), h.Gaps()
	if len(clocks) != 2 || gaps[0].Why != "the recorder slept for 10m0s" || len(gaps) != len(model.Kinds) ||
		gaps[0].Interval != (model.Interval{Earliest: sec(1), Latest: sec(601)}) {
		t.Errorf("%+v\n%+v", clocks, gaps)
	}
	path := filepath.Join(t.TempDir(), "saved.mcap")
	_, write, err := s.Saving(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(path); err != nil {
		t.Fatal(err)
	}
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Clocks()) != 2 {
		t.Error(f.Clocks())
	}
}
