package model

// AsOf says up to when what is known at an instant was read. Where a source shows history that is the
// instant itself. Of a capture it is what it holds: its lists were read then or later, nobody knows
// when, and how old a heartbeat was can only be said as of then.
type AsOf struct {
	// At is the instant that is asked for.
	At Instant
	// Leases and Statuses are up to when each was read.
	Leases, Statuses ReadUpTo
}

// ReadUpTo is the instant up to which something was read; unknown where it was not. AtLeast says that
// it may have been read later, so that ages as of then are the least they can be.
type ReadUpTo struct {
	Instant
	AtLeast bool
}

// Watched is an instant up to which everything was watched.
func Watched(at Instant) AsOf { return AsOf{at, ReadUpTo{at, false}, ReadUpTo{at, false}} }
