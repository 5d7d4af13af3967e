package model

// AsOf is up to when the state at a time was read. For history that is the time itself. A capture was read at that time
// or later, and only bounds the ages of heartbeats.
type AsOf struct {
	// At is the time asked about.
	At Instant
	// Leases and Statuses are up to when each was read.
	Leases, Statuses ReadUpTo
}

// ReadUpTo is the time up to which something was read; unknown if it was not. AtLeast says that it may have been read
// later, so that ages at that time are minimums.
type ReadUpTo struct {
	Instant
	AtLeast bool
}

// Watched is a time up to which everything was watched.
func Watched(at Instant) AsOf { return AsOf{at, ReadUpTo{at, false}, ReadUpTo{at, false}} }
