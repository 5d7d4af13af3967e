package session

import (
	"cmp"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/past"
	"kardia/sources/capture/stream"
)

// Seek goes to a time, and reports whether it was moved into the reachable time. A live session is held there.
func (s *Session) Seek(t model.Instant) (moved bool) {
	c := s.Reach()
	if s.cursor == nil || !c.Bounded() {
		return false
	}
	if s.live != nil {
		s.Pause()
		c = s.Reach()
	}
	to := min(max(t, c.Earliest), c.Latest)
	s.advanced = s.now()
	s.moveTo(to)
	s.touch()
	return to != t
}

// Step goes forwards or backwards by a duration.
func (s *Session) Step(d time.Duration) (moved bool) { return s.Seek(s.at.Add(d)) }

// Home jumps to the start of the coverage and, from there, to that of the reconstructed time.
func (s *Session) Home() {
	start := s.Coverage().Earliest
	if s.at <= start {
		start = s.Reach().Earliest
	}
	s.Jump(start)
}

// End jumps to the end of the coverage; a live session follows again.
func (s *Session) End() {
	if s.live != nil {
		s.Follow()
		return
	}
	s.Jump(s.Coverage().Latest)
}

// Next goes to the next change in scope, and holds there. The callback gets the result; without one nothing moves.
func (s *Session) Next(in past.Scope, tell func(past.Found, error)) {
	from := s.at
	var nodes map[string]*model.Node
	look(s, &seekJob{what: "next", onStart: func() { nodes = past.NodesOf(s.cursor.State()) }},
		func(at *viewpoint) (past.Found, error) { return past.Next(at.reader, from, nodes, in) }, s.landing(tell))
}

// Previous goes to the last change in scope before this time.
func (s *Session) Previous(in past.Scope, tell func(past.Found, error)) {
	from := s.at
	look(s, &seekJob{what: "previous"},
		func(at *viewpoint) (past.Found, error) { return past.Previous(at.reader, from, in) }, s.landing(tell))
}

// landing goes to the place found, and then reports it.
func (s *Session) landing(tell func(past.Found, error)) func(past.Found, error) {
	return func(found past.Found, err error) {
		s.land(found.At, err)
		tell(found, err)
	}
}

// look searches the History in the background, and reports the find: none without a History.
func look[T any](s *Session, e *seekJob, find func(*viewpoint) (T, error), tell func(T, error)) {
	var found T
	if s.history == nil {
		tell(found, nil)
		return
	}
	e.find = func(at *viewpoint) (err error) {
		found, err = find(at)
		return err
	}
	e.onDone = func(err error) { tell(found, err) }
	s.submit(e)
}

// land goes to a search's find.
func (s *Session) land(found model.Instant, err error) bool {
	if err != nil {
		s.fail(err)
		return false
	}
	if !found.Known() {
		return false
	}
	s.Pause()
	s.Seek(found)
	return true
}

// Verdict passes the verdicts at the time shown, with that time, to the callback, now or later.
func (s *Session) Verdict(tell func([]verdict.Verdict, model.Instant, error)) {
	var here model.Instant
	by := verdict.View{Watched: s.live != nil}
	look(s, &seekJob{what: "verdict", onStart: func() {
		here = s.drawn
		if state := s.runner.shown.State; state != nil {
			by.Overdue = state.Overdue
		}
		if s.live != nil {
			by.LeadersUnwatched = stream.LeadersUnwatched(s.live.status)
		}
		if s.live != nil && s.live.contact.Lost {
			by.Blind = verdict.Fact{Code: "no-answer", Text: cmp.Or(s.live.contact.Why, "no reason given")}
		}
	}}, func(at *viewpoint) ([]verdict.Verdict, error) {
		evidence, err := verdict.Look(at.cursor, here, by)
		if err != nil {
			return nil, err
		}
		return verdict.Of(evidence), nil
	}, func(list []verdict.Verdict, err error) { tell(list, here, err) })
}
