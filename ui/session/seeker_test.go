package session

import (
	"errors"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/screen"
)

// slow is a History whose pages are read when a test lets them.
type slow struct {
	history.History
	let chan struct{}
	err error
}

func (h *slow) Fork() history.History { return h }

func (h *slow) Read(p history.Page, into *history.Condensed) error {
	<-h.let
	if h.err != nil {
		return h.err
	}
	return h.History.Read(p, into)
}

// sluggish is a session that goes through a slow History while another goroutine draws, which
// is this test: the models and the picture have read it already.
func sluggish(t *testing.T) (*Session, *slow) {
	t.Helper()
	h := &slow{History: outage(), let: make(chan struct{}, 1000)}
	for range 1000 {
		h.let <- struct{}{}
	}
	s := Replay(h, Options{Now: newClock().now, Start: sec(50), Judging: Never})
	s.Start(t.Context())
	s.async = true
	for len(h.let) > 0 {
		<-h.let
	}
	return s, h
}

// readOn lets the History be read, and waits until nothing is under way.
func readOn(s *Session, h *slow) {
	for s.seeker.running != nil || len(s.seeker.queue) > 0 {
		select {
		case h.let <- struct{}{}:
		case f := <-s.background.found:
			f()
		}
	}
	for len(h.let) > 0 {
		<-h.let
	}
}

// TestASlowSeekKeepsTheFrame: until it is there, the state and the instant shown are those from before; the newest
// target counts, and the next action begins there.
func TestASlowSeekKeepsTheFrame(t *testing.T) {
	s, h := sluggish(t)
	s.Seek(sec(90))
	sn := s.Snapshot()
	if sn.At != sec(50) || at(s) != 90 || !ready(s, "a") || sn.Underway != (screen.Underway{At: sec(90)}) {
		t.Errorf("shown %v, gone to %v, %+v", sn.At, at(s), sn.Underway)
	}
	s.Seek(sec(20))
	s.Step(-10 * time.Second)
	readOn(s, h)
	if sn := s.Snapshot(); sn.At != sec(10) || at(s) != 10 || sn.Underway != (screen.Underway{}) || s.cursor.State().Now != sec(10) {
		t.Errorf("shown %v, gone to %v, %+v", sn.At, at(s), sn.Underway)
	}
}

// TestEscStops: a running job through the past can be given up, and nothing has moved.
func TestEscStops(t *testing.T) {
	s, h := sluggish(t)
	s.Seek(sec(90))
	if !s.Cancel() || s.Cancel() {
		t.Error("a seek cannot be stopped, or twice")
	}
	readOn(s, h)
	if s.Snapshot().At != sec(50) || at(s) != 50 || s.Err() != nil {
		t.Errorf("shown %v, gone to %v: %v", s.Snapshot().At, at(s), s.Err())
	}
	s.Next(past.OfNode("a"), func(past.Found, error) { t.Error("found what was given up") })
	if u := s.Snapshot().Underway; u.What != "the next change" {
		t.Errorf("%+v", u)
	}
	s.Cancel()
	readOn(s, h)
	if at(s) != 50 {
		t.Errorf("at %v", at(s))
	}
}

// TestASearchBeginsWhereASeekEnds: keys pressed faster than pages are read mean what they mean.
func TestASearchBeginsWhereASeekEnds(t *testing.T) {
	s, h := sluggish(t)
	s.Seek(sec(65))
	var found past.Found
	s.Next(past.OfNode("a"), func(f past.Found, _ error) { found = f })
	readOn(s, h)
	if found.At != sec(70) || at(s) != 70 || s.Snapshot().At != sec(70) || ready(s, "a") {
		t.Errorf("found %v, at %v", found.At, at(s))
	}
	var d *past.Diff
	s.DiffFrom(sec(60), func(is *past.Diff, _ error) { d = is })
	readOn(s, h)
	if d == nil || d.Empty() || d.From != sec(60) || d.To != sec(70) || at(s) != 70 {
		t.Errorf("%+v", d)
	}
}

// TestAnUnreadablePastIsSaid: the frame stays where it can be read.
func TestAnUnreadablePastIsSaid(t *testing.T) {
	s, h := sluggish(t)
	h.err = errors.New("the disk is gone")
	s.Seek(sec(90))
	readOn(s, h)
	if s.Err() == nil || at(s) != 50 || s.Snapshot().At != sec(50) {
		t.Errorf("at %v: %v", at(s), s.Err())
	}
}

// TestPlayGoesOnBesideASlowSeek: the instant that is played to moves, and what arrives is shown.
func TestPlayGoesOnBesideASlowSeek(t *testing.T) {
	s, h := sluggish(t)
	c := newClock()
	s.now = c.now
	s.Reverse()
	for range 3 {
		c.pass(time.Second)
		s.Advance()
	}
	if at(s) != 47 || s.Snapshot().At != sec(50) {
		t.Errorf("shown %v, gone to %v", s.Snapshot().At, at(s))
	}
	readOn(s, h)
	if s.Snapshot().At != sec(47) {
		t.Errorf("shown %v", s.Snapshot().At)
	}
}

// TestATrackIsReadBeside: a node's past is shown as far as it was read, and says that it is being
// read; who looks at another node by then does not wait for it.
func TestATrackIsReadBeside(t *testing.T) {
	s, h := sluggish(t)
	window := model.Interval{Earliest: sec(0), Latest: sec(100)}
	if track := s.Track("b", window); !track.Reading || track.Window.Known() {
		t.Errorf("%+v", track)
	}
	if track := s.Track("a", window); !track.Reading {
		t.Errorf("%+v", track)
	}
	for range 2 { // the first was given up
		for s.tracks.running != nil {
			select {
			case h.let <- struct{}{}:
			case f := <-s.background.found:
				f()
			}
		}
		s.Track("a", window)
	}
	if track := s.Track("a", window); track.Reading || track.Window != window || track.Flips != 1 || len(track.Renewals) != 3 {
		t.Errorf("%+v", track)
	}
	later := model.Interval{Earliest: sec(90), Latest: sec(300)}
	if track := s.Track("a", later); !track.Reading || track.Window != (model.Interval{Earliest: sec(90), Latest: sec(150)}) {
		t.Errorf("%+v", track)
	}
}
