package session

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
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

// Home goes to the start of the coverage, End to its end; in a live session End follows.
func (s *Session) Home() { s.Seek(s.Coverage().Earliest) }

// End goes to the end of the coverage; a live session follows again.
func (s *Session) End() {
	if s.live != nil {
		s.Follow()
		return
	}
	s.Seek(s.Coverage().Latest)
}

// Next goes to the next change in scope, and holds there. The callback gets the result; without one nothing moves.
func (s *Session) Next(in past.Scope, tell func(past.Found, error)) {
	from := s.at
	var nodes map[string]*model.Node
	s.step(&seekJob{what: "next", onStart: func() { nodes = past.NodesOf(s.cursor.State()) }}, tell, func(h history.History) (past.Found, error) { return past.Next(h, from, nodes, in) })
}

// Previous goes to the last change in scope before this time.
func (s *Session) Previous(in past.Scope, tell func(past.Found, error)) {
	from := s.at
	s.step(&seekJob{what: "previous"}, tell,
		func(h history.History) (past.Found, error) { return past.Previous(h, from, in) })
}

func (s *Session) step(e *seekJob, tell func(past.Found, error), find func(history.History) (past.Found, error)) {
	if s.history == nil {
		tell(past.Found{}, nil)
		return
	}
	var found past.Found
	e.find = func(at *viewpoint) (err error) {
		found, err = find(at.reader)
		return err
	}
	e.onDone = func(err error) {
		s.land(found.At, err)
		tell(found, err)
	}
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
