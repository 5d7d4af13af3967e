package model

// AsOf is up to when the state at a time was read: that time for history; for a capture, that time or later.
type AsOf struct {
	At Instant
	// Leases and Statuses are up to when each was read.
	Leases, Statuses ReadUpTo
}

// ReadUpTo is the time up to which something was read; unknown if it was not. AtLeast: ages by it are minimums.
type ReadUpTo struct {
	Instant
	AtLeast bool
}

func Watched(at Instant) AsOf { return AsOf{at, ReadUpTo{at, false}, ReadUpTo{at, false}} }
