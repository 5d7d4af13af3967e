package session

import (
	"time"

	"kardia/model"
)

// The speeds of a replay. Each step doubles.
const (
	slowest = 0.25
	fastest = 1024
)

// A playing recording moves ten times in a second of its own, which looks smooth, and at most thirty in a real one.
const (
	fastestFrame = time.Second / 30
	framesPerSec = 10
)

// Advance fetches the news of sources and moves the time on. A live session that follows moves to the present. A
// playing recording moves by the time since the last call times the speed.
func (s *Session) Advance() {
	now := s.now()
	if s.live != nil {
		s.noteClock()
	}
	s.background.fetch()
	if s.opening != nil {
		s.touch() // its progress
		return
	}
	if s.live != nil {
		s.extendTimeline()
		if s.following() {
			s.follow(model.At(now))
		}
		s.judgeLive()
	}
	if s.moving && !s.following() {
		s.advance(now)
	}
}

// advance plays until the end of the known time. If that is the present, it follows.
func (s *Session) advance(now time.Time) {
	passed := now.Sub(s.advanced)
	s.advanced = now
	d := time.Duration(float64(max(passed, 0)) * s.speed)
	if s.backward {
		d = -d
	}
	c := s.Reach()
	s.moveTo(min(max(s.round(s.at, s.skip(s.at.Add(d))), c.Earliest), c.Latest))
	switch {
	case s.at >= c.Latest && !s.backward && s.live != nil:
		s.rewound = false
		s.follow(model.At(now))
	case s.at >= c.Latest && !s.backward || s.at <= c.Earliest && s.backward:
		s.moving, s.rewound = false, false
	default:
		return
	}
	s.touch()
}

// follow shows the present, with all that has arrived, even if the clock was set back.
func (s *Session) follow(now model.Instant) {
	if first, end := s.history.Span(); first < end {
		now = max(now, s.history.PageAt(end-1).Last)
		s.live.memory.Cover(now)
	}
	s.moveTo(now)
}

// moveTo shows a time: at once if it is near, else when it is reached.
func (s *Session) moveTo(t model.Instant) {
	if s.live == nil {
		c := s.Reach()
		t = min(max(t, c.Earliest), c.Latest)
	}
	searching := s.moving && s.searching() // which continues while the time moves
	switch {
	case t == s.drawn && s.live == nil:
		if !searching {
			s.Cancel()
		}
		s.at = t
		return
	case s.async && !s.near(t):
		if !searching {
			s.at = t
			s.submit(&seekJob{to: t})
		}
		return
	case !searching:
		s.Cancel()
	}
	before := s.cursor.Position()
	if err := s.cursor.Seek(t); err != nil {
		s.fail(err)
		return
	}
	s.at, s.drawn = t, t
	if s.following() && s.live.calm.draws(t) || !s.following() && s.cursor.Position() != before {
		s.touch()
	}
}

// NextAdvance is how long from now the next Advance is due; false if nothing moves by itself.
func (s *Session) NextAdvance() (time.Duration, bool) {
	switch {
	case s.opening != nil || s.cursor == nil || !s.moving:
		return 0, false
	case s.following():
		now := s.now()
		return now.Truncate(time.Second).Add(time.Second).Sub(now), true
	}
	return max(time.Duration(float64(time.Second/framesPerSec)/s.speed), fastestFrame), true
}

// play starts a recording; at its end, from the other one.
func (s *Session) play() {
	c := s.Coverage()
	if s.history == nil || !c.Bounded() {
		return
	}
	switch {
	case s.at >= c.Latest && !s.backward && s.live != nil:
		s.Follow()
		return
	case s.at >= c.Latest && !s.backward:
		s.moveTo(c.Earliest)
	case s.at <= c.Earliest && s.backward:
		s.moveTo(c.Latest)
	}
	s.moving, s.rewound, s.advanced = true, s.live != nil, s.now()
	s.touch()
}

// Toggle plays or pauses a recording, and holds a live session or lets it follow.
func (s *Session) Toggle() {
	switch {
	case s.moving:
		s.Pause()
	case s.live != nil:
		s.Follow()
	default:
		s.play()
	}
}

// Pause holds the time. The watch of a live session continues.
func (s *Session) Pause() {
	if s.moving && s.history != nil {
		s.Advance()
		s.moving, s.rewound = false, false
		s.touch()
	}
}

// Follow lets a live session show the present again.
func (s *Session) Follow() {
	if s.live == nil || s.following() {
		return
	}
	s.moving, s.rewound = true, false
	s.touch()
	s.Advance()
}

// Reverse turns the direction in which a recording plays, and plays. A live session plays its history.
func (s *Session) Reverse() {
	if s.history == nil {
		return
	}
	if s.following() {
		s.Pause()
	} else if s.moving {
		s.Advance()
	}
	s.backward = !s.backward
	s.play()
}

// Faster doubles the speed, or halves it, and reports whether it could.
func (s *Session) Faster(yes bool) bool {
	speed := s.speed / 2
	if yes {
		speed = s.speed * 2
	}
	if speed < slowest || speed > fastest || s.live != nil && !s.rewound {
		return false
	}
	if s.moving {
		s.Advance() // the time so far passed at the old speed
	}
	s.speed = speed
	s.touch()
	return true
}
