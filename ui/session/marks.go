package session

import (
	"errors"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/sources/capture/recorder"
	"kardia/sources/recording"
	"kardia/ui/topics"
)

// loadMarks takes the bookmarks in the recording, and the kept ones.
func (s *Session) loadMarks(in []past.Bookmark) {
	for _, m := range in {
		_ = s.marks.Set(m) // marks beyond the bound are left out
	}
	if s.keeper == nil {
		return
	}
	m, err := s.keeper.Load(s.marks)
	s.marks = m
	if err != nil {
		s.err = err
	}
}

// Marks are the person's marks, in order.
func (s *Session) Marks() []past.Bookmark { return s.marks.List() }

// SetMark sets the bookmark at the time shown. The error is that it is not saved, or that there are too many.
func (s *Session) SetMark(note string) error {
	if !s.at.Known() {
		return nil
	}
	m := past.Bookmark{At: s.at, Note: note}
	if err := s.marks.Set(m); err != nil {
		return err
	}
	s.touch()
	return s.keep(m, false)
}

// ClearMark removes the bookmark at the time shown; false if there is none.
func (s *Session) ClearMark() (there bool, err error) {
	if !s.marks.Clear(s.at) {
		return false, nil
	}
	s.loop = model.Interval{}
	s.touch()
	return true, s.keep(past.Bookmark{At: s.at}, true)
}

func (s *Session) keep(m past.Bookmark, removed bool) error {
	if s.keeper == nil {
		return nil
	}
	return s.keeper.Keep(m, removed)
}

// MarksKept is where marks are kept; "" if they go with the sitting.
func (s *Session) MarksKept() string {
	if s.keeper == nil {
		return ""
	}
	return s.keeper.String()
}

// StepMark goes to the next mark, or the one before; false if there is none.
func (s *Session) StepMark(forwards bool) (*past.Bookmark, bool) {
	m, ok := s.marks.Nearest(s.at, forwards)
	if ok {
		s.Jump(m.At)
	}
	return m, ok
}

// Jump goes to a time that Back returns from, and reports whether it was moved into the coverage.
func (s *Session) Jump(t model.Instant) (moved bool) {
	s.jumps.Leave(s.at)
	s.Pause()
	return s.Seek(t)
}

// Back returns to the start of the last jump; false without one. It skips times that a live session has forgotten.
func (s *Session) Back() bool { return s.hop(s.jumps.Back) }

// Forward takes the last Back back.
func (s *Session) Forward() bool { return s.hop(s.jumps.Forward) }

func (s *Session) hop(to func(model.Instant) (model.Instant, bool)) bool {
	t, ok := to(s.at)
	if !ok {
		return false
	}
	s.Pause()
	s.Seek(t)
	return true
}

// ToggleLoop plays the stretch between the two bookmarks around the time shown again and again, or ends that. ok is
// false, and nothing changes, with fewer than two.
func (s *Session) ToggleLoop() (loop model.Interval, ok bool) {
	if s.loop.Known() {
		s.loop = model.Interval{}
		s.touch()
		return s.loop, true
	}
	between, ok := s.marks.Around(s.at)
	if c := s.Coverage(); !ok || !between.Overlaps(c) {
		return between, false
	}
	s.loop, s.backward = between, false
	if s.at < between.Earliest || s.at >= between.Latest {
		s.Jump(between.Earliest)
	}
	if !s.moving || s.following() {
		s.Pause()
		s.play()
	}
	s.touch()
	return between, true
}

// round moves a time that play has reached back into the loop.
func (s *Session) round(before, after model.Instant) model.Instant {
	l := s.loop
	switch {
	case !l.Known() || !l.Contains(before):
	case after >= l.Latest && !s.backward:
		return l.Earliest
	case after <= l.Earliest && s.backward:
		return l.Latest
	}
	return after
}

// lull is how much of a quiet stretch is played before and after a skip, by the person's clock.
const lull = time.Second

// ToggleSkip lets play skip quiet stretches, or no more; it returns which.
func (s *Session) ToggleSkip() bool {
	s.skipping = !s.skipping
	s.touch()
	return s.skipping
}

// skip skips quiet stretches. If only heartbeats came for a second of the person's clock, and will for another, it goes
// to a second before the next change.
func (s *Session) skip(t model.Instant) model.Instant {
	o := s.timeline.shown.Overview
	if !s.skipping || o == nil {
		return t
	}
	rest := time.Duration(float64(lull) * s.speed)
	here := o.Resolution() // the stretch that t itself lies in has passed when it is left
	next, ok := o.NextBusy(t)
	last, before := o.LastBusy(t.Add(here))
	if s.backward {
		next, ok = o.NextBusy(t.Add(-here))
		last, before = o.LastBusy(t)
	}
	c := s.Coverage()
	if !ok {
		next = c.Latest
	}
	if !before {
		last = c.Earliest
	}
	switch {
	case s.timeline.shown.Progress < 1 && !ok:
		return t
	case !s.backward && t.Sub(last) >= rest && next.Sub(t) > rest:
		return next.Add(-rest)
	case s.backward && next.Sub(t) >= rest && t.Sub(last) > rest:
		return last.Add(rest)
	}
	return t
}

// LastWrite goes to the write that gave a field its value, and from there to the one before. The callback gets the
// result, now or later; without one nothing moves.
func (s *Session) LastWrite(f past.Field, tell func(past.Written, error)) {
	from := s.at
	look(s, &seekJob{what: "write", of: topics.Field(f).String()},
		func(at *viewpoint) (past.Written, error) { return past.LastWrite(at.reader, from, f) },
		func(w past.Written, err error) {
			if err == nil && w.Found() {
				s.Jump(w.At)
			}
			tell(w, err)
		})
}

// DiffFrom passes the differences between the time shown and another to the callback, now or later.
func (s *Session) DiffFrom(t model.Instant, tell func(*past.Diff, error)) {
	var here model.Instant
	look(s, &seekJob{what: "differences", onStart: func() { here = s.drawn }}, func(at *viewpoint) (*past.Diff, error) {
		from, to := min(t, here), max(t, here)
		if err := at.cursor.Seek(from); err != nil {
			return nil, err
		}
		before := at.cursor.State().Clone()
		if err := at.cursor.Seek(to); err != nil {
			return nil, err
		}
		return past.Compare(before, from, at.cursor.State(), to), nil
	}, tell)
}

// Saving prepares to write the newest part of a live session's memory, all of it for last 0, as a recording. write
// writes a new file; it may run beside the session, on any one goroutine.
func (s *Session) Saving(last time.Duration) (part model.Interval, write func(path string) error, err error) {
	if s.live == nil {
		return part, nil, errors.New("this is a recording: 'kardia cut' writes a part of it")
	}
	part = s.Coverage()
	if !part.Bounded() {
		return part, nil, errors.New("nothing was received yet")
	}
	if last > 0 {
		part.Earliest = max(part.Earliest, part.Latest.Add(-last))
	}
	meta := recording.Meta{Tool: "kardia", Name: s.name, ServerVersion: s.live.stream.ServerVersion(), Clock: "recorder", Redaction: "slim"}
	if s.given { // otherwise they are guessed, and so again by a reader of the file
		params := s.params
		meta.Params = &params
	}
	marks := slices.Clone(s.marks.List())
	h := s.live.memory.Fork()
	return part, func(path string) error { return recorder.Save(h, meta, marks, part, path) }, nil
}
