package screen

import (
	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
)

// Timeline is the known facts of the whole time covered, beyond the instant shown. It is worked out in the background,
// like a Judgement: facts are on screen before it is there.
type Timeline struct {
	// Overview counts what changed when; nil while nothing was read. Progress is how much of the
	// History it holds: 0 to 1, 1 when all.
	Overview *past.Overview
	Progress float64
	// Problem is why it cannot be read, in words for the person; empty if it can.
	Problem string

	// Marks are the person's, in order. Loop is the stretch that play goes round in; zero
	// for none.
	Marks []past.Bookmark
	Loop  model.Interval
	// SkipIdle reports that play passes over quiet stretches.
	SkipIdle bool

	// Anomalies are where something is out of the ordinary, and States the zones' states over
	// time: both as far as the models have come.
	Anomalies review.Anomalies
	States    []review.ZoneStates

	// Query is the text of the search, "" for none. Hits are where it was found, MoreHits how many beyond those, and
	// Searched how far the search has come: 0 to 1.
	Query    string
	Hits     []past.Hit
	MoreHits int
	Searched float64
}

// Scrubber is a View with a picture of time: pointing at it goes there.
type Scrubber interface {
	// Instant is the time that a cell of the body stands for, as it was rendered last; ok
	// is false if it stands for none.
	Instant(x, y int, s *Snapshot) (t model.Instant, ok bool)
	// Zoom shows less time (by > 0) or more, and keeps the time under a column in its place.
	Zoom(x, by int, s *Snapshot)
}

// Fielder is a View whose cursor is on a part of an object.
type Fielder interface {
	// Field is that part; ok is false if there is none in particular.
	Field(s *Snapshot) (f past.Field, ok bool)
}

// Lister is a View that lists decisions.
type Lister interface {
	// Listed reports whether the list holds a decision: steps from decision to decision stop
	// at those.
	Listed(d *model.Decision) bool
}

// Timed is a View whose cursor is on something that has a time: enter goes there.
type Timed interface {
	// CursorTime is that time; ok is false if there is none.
	CursorTime(s *Snapshot) (t model.Instant, ok bool)
}
