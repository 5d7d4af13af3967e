package screen

import (
	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
)

// Timeline is the known facts of the whole covered time. It is worked out in the background, like a Judgement.
type Timeline struct {
	// Overview counts changes over time; nil while nothing is read. Progress is its part of the History: 0 to 1.
	Overview *past.Overview
	Progress float64
	// Problem is why it cannot be read; empty if it can.
	Problem string

	// Marks are the person's bookmarks, in order. Loop is the repeated stretch; zero for none.
	Marks []past.Bookmark
	Loop  model.Interval
	// SkipIdle reports that replay skips quiet stretches.
	SkipIdle bool

	// Anomalies and the zones' States over time, both as far as the models have come.
	Anomalies review.Anomalies
	States    []review.ZoneStates

	// Query is the text of the search, "" for none. Hits are its matches, MoreHits the number beyond those, and
	// Searched the progress: 0 to 1.
	Query    string
	Hits     []past.Hit
	MoreHits int
	Searched float64
}

// Scrubber is a View with a picture of time: pointing at it goes there.
type Scrubber interface {
	// Instant is the time of a cell of the body, as rendered last; ok is false if it has none.
	Instant(x, y int, s *Snapshot) (t model.Instant, ok bool)
	// Zoom shows less time (by > 0) or more, and keeps the time under column x in its place.
	Zoom(x, by int, s *Snapshot)
}

// Fielder is a View whose cursor is on a part of an object.
type Fielder interface {
	// Field is that part; ok is false for none in particular.
	Field(s *Snapshot) (f past.Field, ok bool)
}

// Lister is a View that lists decisions.
type Lister interface {
	// Listed reports whether the list holds a decision: steps between decisions stop at those.
	Listed(d *model.Decision) bool
}

// Timed is a View whose cursor is on something that has a time: enter goes there.
type Timed interface {
	// CursorTime is that time; ok is false if there is none.
	CursorTime(s *Snapshot) (t model.Instant, ok bool)
}
